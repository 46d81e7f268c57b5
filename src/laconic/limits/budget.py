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
    parts: tuple[Budget, ...] = ()  # several maxima at once

    @classmethod
    def of(cls, options: dict[str, Any]) -> Budget:
        """The budget that options, which are checked, ask for; those that do not go together are refused."""
        given = {kind: [name for name in _names(kind) if options.get(name) is not None] for kind in _KINDS}
        asked = {kind: names for kind, names in given.items() if names}
        if len(asked) > 1:
            return cls._joint(options, asked)
        if options.get("tokenizer") is not None and "tokens" not in asked:
            raise LaconicError("a tokenizer goes with max_tokens or min_tokens: give one of them, or leave it out")
        if not asked:
            if options.get("nearest"):
                raise LaconicError("nearest goes with a budget: give a length such as max_chars, or leave it out")
            return cls()
        (name,) = asked
        kind = _KINDS[name]
        most, least = options.get(f"max_{name}"), options.get(f"min_{name}", 0)
        if most is not None and least > most:
            raise LaconicError(f"min_{name} is {least} and max_{name} is {most}: give a minimum up to the maximum")
        rate, min_rate = options.get("rate"), options.get("min_rate")
        if rate is not None and min_rate is not None and min_rate > rate:
            raise LaconicError(f"min_rate is {min_rate} and rate is {rate}: give a minimum up to the maximum")
        count = find_counter(options.get("tokenizer")) if name == "tokens" else kind.count
        most, least = None if most is None else min(most, NO_LIMIT), min(least, NO_LIMIT)
        return cls(kind.unit, least, most, rate, min_rate, count, options.get("nearest", False), name)

    @classmethod
    def _joint(cls, options: dict[str, Any], asked: dict[str, list[str]]) -> Budget:
        """Several maxima at once: a length is then a share of the maximum that it comes nearest to."""
        wrong = next((name for names in asked.values() for name in names if not name.startswith("max_")), None)
        if wrong is not None:
            raise LaconicError(f"{wrong} goes with a maximum in its own unit: leave it out, or all other units")
        kinds = {name for kind in asked for name in _names(kind)}
        others = {name: value for name, value in options.items() if name not in kinds}
        parts = []
        for kind, (name,) in asked.items():
            tokenizer = {} if kind == "tokens" else {"tokenizer": None}
            parts.append(cls.of({**others, **tokenizer, name: options[name]}))
        scale = max(int(part.most or 0) for part in parts)

        def count(text: str) -> int:
            return max(-(-part.length(text) * scale // int(part.most or 1)) for part in parts)

        return cls(Unit.TOKENS, 0, scale, count=count, nearest=parts[0].nearest, parts=tuple(parts))

    @property
    def plural(self) -> str:
        """What a length is counted in, as messages call it."""
        return _KINDS[self.kind].plural

    @property
    def described(self) -> str:
        """The maxima, where there are several."""
        return " and ".join(f"{part.most} {part.plural}" for part in self.parts)

    def tightest(self, text: str) -> Budget | None:
        """Of several maxima the one that leaves least of a text."""
        return max(self.parts, key=lambda part: part.length(text) / int(part.most or 1), default=None)

    def share(self, part: Budget, length: int) -> int:
        """A length in the unit of one of several maxima as the share of it that this budget counts; rounded down."""
        assert isinstance(self.most, int)
        return length * self.most // int(part.most or 1)

    def excess(self, printed: str, least: int, most: int) -> int:
        """How much a print is over a maximum, or, below zero, under the minimum."""
        if self.parts:
            return next((over for part in self.parts if (over := part.excess(printed, 0, int(part.most or 0))) > 0), 0)
        length = self.length(printed)
        return max(length - most, 0) or min(length - least, 0)

    @property
    def base(self) -> int:
        """What every print has besides its words, where something outside counts; the first has no space before it."""
        if self.parts:
            return -max(self.share(part, 1) + 1 for part in self.parts)
        return 0 if self.count is None else self.count("")

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
        return self.measure(text)

    @property
    def measure(self) -> Callable[[str], int]:
        """The function that says what `length` says, for many texts."""
        if self.unit is Unit.TOKENS:
            assert self.count is not None
            return self.count
        return _count_words if self.unit is Unit.WORDS else len

    def token_costs(self, parses: Parses) -> NDArray[np.int32]:
        """What each token of a batch adds to a length, where a tokenizer counts: with the space before it."""
        if self.count is None:
            return np.zeros(0, dtype=np.int32)
        if self.parts:
            return self._shares(parses)
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

    def _shares(self, parses: Parses) -> NDArray[np.int32]:
        """The same for several maxima: in each sentence by the one that leaves least of it."""
        costs = np.zeros(len(parses.start), dtype=np.int32)
        texts = parses.texts()
        for number, first, last in parses.sentences():
            text = texts[number]
            part = self.tightest(text[parses.start[first] : parses.end[last - 1]])
            assert part is not None
            for row in range(first, last):
                start, end = int(parses.start[row]), int(parses.end[row])
                apart = row == first or text[start - 1].isspace()
                length = int(apart) if part.unit is Unit.WORDS else part.length(" " * apart + text[start:end])
                costs[row] = min(self.share(part, length), 2**20 - 1)
        return costs


NO_BUDGET: Final = Budget()


def share_at_most(lengths: NDArray[np.int64], rate: float) -> NDArray[np.int64]:
    """A share of lengths as a maximum: rounded down, and .29 of 100 is not 28.999…."""
    found: NDArray[np.int64] = np.floor(lengths * rate + 1e-9).astype(np.int64)
    return found


def share_at_least(lengths: NDArray[np.int64], rate: float | NDArray[np.float64]) -> NDArray[np.int64]:
    """A share of lengths as a minimum: rounded up."""
    found: NDArray[np.int64] = np.ceil(lengths * rate - 1e-9).astype(np.int64)
    return found


def _count_words(text: str) -> int:
    return len(text.split())


def _names(kind: str) -> tuple[str, ...]:
    """The options that count so."""
    return (f"max_{kind}", f"min_{kind}", *(("rate", "min_rate") if kind == "chars" else ()))
