"""Budgets: bounds on the length of a compression."""

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

#: Larger than any length.
NO_LIMIT: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class _Kind:
    """A unit of length: how the core counts it, and its name in messages."""

    unit: Unit
    plural: str
    #: Counts units that the core does not count itself; None: the core or a tokenizer counts.
    count: Count | None = None
    #: Texts whose characters are all below this code point have one unit per character, so the core can count them.
    plain: int = 0


#: The units of length, by their names in options: max_chars, min_words.
_KINDS: Final = {
    "chars": _Kind(Unit.CHARS, "characters"),
    "words": _Kind(Unit.WORDS, "words"),
    "tokens": _Kind(Unit.TOKENS, "tokens"),
    "bytes": _Kind(Unit.TOKENS, "bytes", lambda text: len(text.encode("utf-8")), 0x80),
    "utf16": _Kind(Unit.TOKENS, "UTF-16 units", lambda text: len(text.encode("utf-16-le")) // 2, 0x10000),
}


@dataclass(frozen=True, slots=True)
class Budget:
    """The minimum and maximum length of the compression of a sentence.

    `most` may be an array of the maximum lengths of the sentences of a batch. Rates are shares of a sentence's
    characters. If nothing fits and `nearest` is set, the shortest compression is used, or the longest if the minimum is
    missed.
    """

    unit: Unit = Unit.ANY
    least: int = 0
    most: int | NDArray[np.int64] | None = None
    rate: float | None = None
    min_rate: float | None = None
    count: Count | None = None  # counts tokens
    nearest: bool = False
    kind: str = "chars"
    parts: tuple[Budget, ...] = ()  # several maxima at once

    @classmethod
    def of(cls, options: dict[str, Any]) -> Budget:
        """The budget that checked options ask for; refuses options that do not go together."""
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
        """Combine several maxima: lengths are measured as shares of the maximum that is closest to being exceeded."""
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
        """The name of the unit in messages."""
        return _KINDS[self.kind].plural

    @property
    def described(self) -> str:
        """The maxima in words, if there are several."""
        return " and ".join(f"{part.most} {part.plural}" for part in self.parts)

    def tightest(self, text: str) -> Budget | None:
        """The one of several maxima that allows the smallest share of a text."""
        return max(self.parts, key=lambda part: part.length(text) / int(part.most or 1), default=None)

    def share(self, part: Budget, length: int) -> int:
        """Convert a length in the unit of one of several maxima to the common scale of this budget, rounded down."""
        assert isinstance(self.most, int)
        return length * self.most // int(part.most or 1)

    def excess(self, printed: str, least: int, most: int) -> int:
        """By how much a printed text exceeds the maximum or, if negative, falls short of the minimum."""
        if self.parts:
            return next((over for part in self.parts if (over := part.excess(printed, 0, int(part.most or 0))) > 0), 0)
        length = self.length(printed)
        return max(length - most, 0) or min(length - least, 0)

    @property
    def base(self) -> int:
        """The length of an empty text, if counted outside the core; less the space that the first word lacks."""
        if self.parts:
            return -max(self.share(part, 1) + 1 for part in self.parts)
        return 0 if self.count is None else self.count("")

    def for_texts(self, chars: NDArray[np.uint32]) -> Budget:
        """A budget for texts with these characters: in plain ones, bytes are characters, which the core counts."""
        plain = _KINDS[self.kind].plain
        if self.count is None or not plain or (len(chars) and int(chars.max()) >= plain):
            return self
        return replace(self, unit=Unit.CHARS, count=None)

    @property
    def has_maximum(self) -> bool:
        """Whether the length has a maximum."""
        return self.most is not None or self.rate is not None

    def bounds(
        self, count: int, lengths: Callable[[], NDArray[np.int64]]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The minimum and maximum of `count` sentences or texts; rates are shares of the result of `lengths`."""
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
        """The function behind `length`, for measuring many texts."""
        if self.unit is Unit.TOKENS:
            assert self.count is not None
            return self.count
        return _count_words if self.unit is Unit.WORDS else len

    def token_costs(self, parses: Parses) -> NDArray[np.int32]:
        """The length that each token of a batch adds, with the space before it; empty if the core counts itself."""
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
        """`token_costs` for several maxima: in each sentence, by the maximum that allows the smallest share of it."""
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
    """A share of lengths as a maximum: rounded down, but .29 of 100 gives 29 despite floating-point error."""
    found: NDArray[np.int64] = np.floor(lengths * rate + 1e-9).astype(np.int64)
    return found


def share_at_least(lengths: NDArray[np.int64], rate: float | NDArray[np.float64]) -> NDArray[np.int64]:
    """A share of lengths as a minimum: rounded up."""
    found: NDArray[np.int64] = np.ceil(lengths * rate - 1e-9).astype(np.int64)
    return found


def _count_words(text: str) -> int:
    return len(text.split())


def _names(kind: str) -> tuple[str, ...]:
    """The options that use this unit."""
    return (f"max_{kind}", f"min_{kind}", *(("rate", "min_rate") if kind == "chars" else ()))
