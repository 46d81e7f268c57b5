"""How long a compression may be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic._core import Unit
from laconic.errors import LaconicError
from laconic.limits.tokens import Count, find_counter
from laconic.parse import Parses

#: More than any length.
NO_LIMIT: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class _Kind:
    """What a length is counted in: as the core does it, and as it is called in messages."""

    unit: Unit
    plural: str
    #: Of what the core does not count itself; None: a tokenizer says it.
    count: Count | None = None
    #: Below this code point a character counts one, and the core can count.
    plain: int = 0


#: What lengths are counted in, by how options call it: max_chars, min_words.
_KINDS: Final = {
    "chars": _Kind(Unit.CHARS, "characters"),
    "words": _Kind(Unit.WORDS, "words"),
    "tokens": _Kind(Unit.TOKENS, "tokens"),
    "bytes": _Kind(Unit.TOKENS, "bytes", lambda text: len(text.encode("utf-8")), 0x80),
    "utf16": _Kind(Unit.TOKENS, "UTF-16 units", lambda text: len(text.encode("utf-16-le")) // 2, 0x10000),
}


@dataclass(frozen=True, slots=True)
class Budget:
    """The least and the greatest length of the compression of a sentence.

    `most` may be an array: the lengths of the sentences of a batch, one by one. Rates are shares of a sentence's
    characters. Where nothing fits, and `nearest` is set, the shortest compression is taken, or the longest.
    """

    unit: Unit = Unit.ANY
    least: int = 0
    most: int | NDArray[np.int64] | None = None
    rate: float | None = None
    min_rate: float | None = None
    count: Count | None = None  # of tokens
    nearest: bool = False
    kind: str = "chars"

    @classmethod
    def of(cls, options: dict[str, Any]) -> Budget:
        """The budget that options ask for; a bad one is refused."""
        given = {kind: [name for name in _names(kind) if options.get(name) is not None] for kind in _KINDS}
        asked = {kind: names for kind, names in given.items() if names}
        if len(asked) > 1:
            first, second, *_ = (names[0] for names in asked.values())
            raise LaconicError(f"{first} and {second} count in different units: give one of them")
        if options.get("tokenizer") is not None and "tokens" not in asked:
            raise LaconicError("a tokenizer goes with max_tokens or min_tokens: give one of them, or leave it out")
        if not asked:
            if options.get("nearest"):
                raise LaconicError("nearest goes with a budget: give a length such as max_chars, or leave it out")
            return cls()
        (name,) = asked
        kind = _KINDS[name]
        most = _check_length(options, f"max_{name}", at_least=1)
        least = _check_length(options, f"min_{name}", at_least=0) or 0
        if most is not None and least > most:
            raise LaconicError(f"min_{name} is {least} and max_{name} is {most}: give a minimum up to the maximum")
        rate, min_rate = _check_rate(options, "rate"), _check_rate(options, "min_rate")
        if rate is not None and min_rate is not None and min_rate > rate:
            raise LaconicError(f"min_rate is {min_rate} and rate is {rate}: give a minimum up to the maximum")
        count = find_counter(options.get("tokenizer")) if name == "tokens" else kind.count
        return cls(kind.unit, least, most, rate, min_rate, count, bool(options.get("nearest", False)), name)

    @property
    def plural(self) -> str:
        """What a length is counted in, as messages call it."""
        return _KINDS[self.kind].plural

    def for_texts(self, chars: NDArray[np.uint32]) -> Budget:
        """The same for texts of these characters: bytes of plain ones are characters, which the core can count."""
        plain = _KINDS[self.kind].plain
        if self.count is None or not plain or (len(chars) and int(chars.max()) >= plain):
            return self
        return replace(self, unit=Unit.CHARS, count=None)

    @property
    def has_maximum(self) -> bool:
        """Whether there is a greatest length."""
        return self.most is not None or self.rate is not None

    def bounds(
        self, count: int, lengths: Callable[[], NDArray[np.int64]]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Least and greatest length of so many sentences, or texts; rates are of what `lengths` says."""
        least = np.full(count, self.least, dtype=np.int64)
        most = np.full(count, NO_LIMIT if self.most is None else self.most, dtype=np.int64)
        if self.rate is not None or self.min_rate is not None:
            own = lengths()
            most = np.minimum(most, NO_LIMIT if self.rate is None else share_at_most(own, self.rate))
            least = np.maximum(least, 0 if self.min_rate is None else share_at_least(own, self.min_rate))
        return least, most

    def length(self, text: str) -> int:
        """The length of a printed text."""
        if self.unit is Unit.TOKENS:
            assert self.count is not None
            return self.count(text)
        return len(text.split()) if self.unit is Unit.WORDS else len(text)

    def token_costs(self, parses: Parses) -> NDArray[np.int32]:
        """What each token of a batch adds to a length, where a tokenizer counts: with the space before it."""
        if self.count is None:
            return np.zeros(0, dtype=np.int32)
        count, nothing = self.count, self.count("")
        known: dict[str, int] = {}
        costs = []
        for number, text in enumerate(parses.texts()):
            rows = slice(int(parses.token_ptr[number]), int(parses.token_ptr[number + 1]))
            for start, end in zip(parses.start[rows].tolist(), parses.end[rows].tolist(), strict=True):
                word = (" " if start and text[start - 1].isspace() else "") + text[start:end]
                if word not in known:
                    known[word] = max(count(word) - nothing, 0)
                costs.append(known[word])
        return np.array(costs, dtype=np.int32)


NO_BUDGET: Final = Budget()


def share_at_most(lengths: NDArray[np.int64], rate: float) -> NDArray[np.int64]:
    """A share of lengths as a maximum: rounded down, and .29 of 100 is not 28.999…."""
    found: NDArray[np.int64] = np.floor(lengths * rate + 1e-9).astype(np.int64)
    return found


def share_at_least(lengths: NDArray[np.int64], rate: float | NDArray[np.float64]) -> NDArray[np.int64]:
    """A share of lengths as a minimum: rounded up."""
    found: NDArray[np.int64] = np.ceil(lengths * rate - 1e-9).astype(np.int64)
    return found


def _names(kind: str) -> tuple[str, ...]:
    """The options that count so."""
    return (f"max_{kind}", f"min_{kind}", *(("rate", "min_rate") if kind == "chars" else ()))


def _check_length(options: dict[str, Any], name: str, *, at_least: int) -> int | None:
    value = options.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < at_least:
        unit = _KINDS[name.removeprefix("max_").removeprefix("min_")].plural
        raise LaconicError(f"{name} is {value!r}: give a whole number of {unit}, {at_least} or more")
    return min(int(value), NO_LIMIT)


def _check_rate(options: dict[str, Any], name: str) -> float | None:
    value = options.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 < value <= 1:
        raise LaconicError(f"{name} is {value!r}: give a share of the characters, above 0 and up to 1")
    return float(value)
