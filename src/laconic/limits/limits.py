"""Budget and constraints together, as the core takes them, and why nothing meets them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic.errors import LaconicError, LaconicWarning, shorten
from laconic.limits.budget import NO_BUDGET, Budget, Unit
from laconic.limits.constraints import Constraint
from laconic.limits.markers import Span
from laconic.parse import Parses
from laconic.realise import print_pieces

if TYPE_CHECKING:
    from laconic.decode import Decoded

_KEEP: Final = 1
_DROP: Final = 2
_CONFLICT: Final = 2  # the core's Problem


class LimitOptions(TypedDict, total=False):
    """What can be asked of the length and the words of a compression."""

    #: The greatest length of a compression, in characters, words or tokens; give one of them.
    max_chars: int | None
    max_words: int | None
    max_tokens: int | None
    #: The least length, likewise.
    min_chars: int | None
    min_words: int | None
    min_tokens: int | None
    #: What counts tokens: a callable, the path of a tokenizer.json, or a name like o200k_base.
    tokenizer: str | Path | Callable[[str], Any] | None
    #: The greatest and the least length as shares of the sentence's characters.
    rate: float | None
    min_rate: float | None
    #: Where nothing fits, take the shortest compression (or the longest, where a minimum is missed): no error.
    nearest: bool
    #: Words or phrases, or spans of characters, that must stay, or go.
    keep: Sequence[str | Span] | None
    drop: Sequence[str | Span] | None
    #: Kinds of words that must stay, or go: names, numbers, quotes, negations, or an entity type such as PERSON.
    keep_all: Sequence[str] | None
    drop_all: Sequence[str] | None
    #: Two markers, like ("[[", "]]"): what stands between them in a text survives as it is; they are taken out.
    protect: Sequence[str] | None


@dataclass(frozen=True, slots=True)
class Limits:
    """A budget and constraints. `protected` are spans of the texts of a batch that must survive, text by text."""

    budget: Budget = NO_BUDGET
    constraints: tuple[Constraint, ...] = ()
    protected: tuple[tuple[Span, ...], ...] = ()

    @classmethod
    def of(cls, **options: Unpack[LimitOptions]) -> Limits:
        """The limits that options ask for; bad ones are refused."""
        constraints = [
            *Constraint.words(True, options.get("keep") or ()),
            *Constraint.words(False, options.get("drop") or ()),
            *Constraint.kinds(True, options.get("keep_all") or ()),
            *Constraint.kinds(False, options.get("drop_all") or ()),
        ]
        return cls(Budget.of(dict(options)), tuple(constraints))

    def __bool__(self) -> bool:
        return self.budget.unit is not Unit.ANY or bool(self.constraints) or any(self.protected)

    def bind(self, parses: Parses, *, resolves: bool = False) -> BoundLimits:
        """The limits of the sentences of a batch."""
        texts = parses.texts()
        least, most = self.budget.bounds(parses.sentence_lengths())
        pins, reasons = self._pins(parses, texts)
        count = None
        if self.budget.count is not None:
            count = self._counter(parses, texts, resolves)
        core = _core.Limits(
            unit=int(self.budget.unit),
            least=least,
            most=most,
            pin=pins,
            cost=self.budget.token_costs(parses),
            base=0 if self.budget.count is None else self.budget.count(""),
            count=count,
            nearest=self.budget.nearest,
        )
        return BoundLimits(self, parses, texts, least, most, core, reasons)

    def _pins(self, parses: Parses, texts: list[str]) -> tuple[NDArray[np.uint8], dict[int, Constraint]]:
        """What is asked of each token, and by which constraint."""
        if not self.constraints and not any(self.protected):
            return np.zeros(0, dtype=np.uint8), {}
        pins = np.zeros(len(parses.start), dtype=np.uint8)
        reasons: dict[int, Constraint] = {}
        asked: list[tuple[Constraint, int | None]] = [(constraint, None) for constraint in self.constraints]
        asked += [
            (Constraint(True, span=span, exact=True), number)
            for number, spans in enumerate(self.protected)
            for span in spans
        ]
        for constraint, number in asked:
            pin = _KEEP if constraint.keep else _DROP
            for row in constraint.rows(parses, texts, number):
                if pins[row] not in (0, pin):
                    word = _word(parses, texts, row)
                    raise LaconicError(
                        f"{reasons[row]} and {constraint} contradict each other: both are about {word!r} in "
                        f"{_sentence(parses, texts, row)!r}: leave one out"
                    )
                pins[row] = pin
                reasons.setdefault(row, constraint)
        return pins, reasons

    def _counter(self, parses: Parses, texts: list[str], resolves: bool) -> Callable[..., int]:
        """Counts the tokens of a print for the core."""
        count = self.budget.count
        assert count is not None

        def measure(
            text: int, first: int, starts: list[int], ends: list[int], spaces: list[bool], pronouns: list[int]
        ) -> int:
            exact = self.protected[text] if self.protected else ()
            resolved = pronouns if resolves else None
            return count(print_pieces(parses, texts[text], first, starts, ends, spaces, resolved, exact)[0])

        return measure


@dataclass(frozen=True, slots=True)
class BoundLimits:
    """Limits of the sentences of a batch."""

    limits: Limits
    parses: Parses
    texts: list[str]
    least: NDArray[np.int64]  # by sentence
    most: NDArray[np.int64]
    core: _core.Limits
    reasons: dict[int, Constraint]  # by row of a token: what asks something of it

    def without_budget(self) -> BoundLimits:
        """The constraints alone."""
        return replace(self.limits, budget=NO_BUDGET).bind(self.parses)

    def refuse(self, decoded: Decoded) -> None:
        """An error for the first sentence that has no compression within the limits."""
        for i, problem in enumerate(decoded.problem.tolist()):
            if problem == _CONFLICT:
                raise self._conflict(int(decoded.first[i]), int(decoded.second[i]), i, decoded)
            if problem:
                raise self._misfit(i, decoded, int(decoded.shortest[i]), int(decoded.longest[i]))
            if decoded.result_ptr[i] == decoded.result_ptr[i + 1] and not self.limits.budget.nearest:
                # Nothing but punctuation, which is printed as it is.
                length = self.limits.budget.length(self._text(i, decoded).strip())
                if self.limits.budget.unit is not Unit.ANY and not self.least[i] <= length <= self.most[i]:
                    raise self._misfit(i, decoded, length, length)

    def warn(self, decoded: Decoded) -> None:
        """Say so where a search was cut short."""
        if self.limits.budget.unit is Unit.TOKENS:
            return
        for i in np.flatnonzero(decoded.exact == 0).tolist():
            warnings.warn(
                f"{shorten(self._text(i, decoded))!r} is too long for a complete search: its compressions are within "
                "the limits, but there may be better ones",
                LaconicWarning,
                stacklevel=3,
            )

    def _text(self, i: int, decoded: Decoded) -> str:
        start, end = self.parses.start[decoded.sentence_first[i]], self.parses.end[decoded.sentence_last[i] - 1]
        return self.texts[int(decoded.sentence_text[i])][int(start) : int(end)]

    def _misfit(self, i: int, decoded: Decoded, shortest: int, longest: int) -> LaconicError:
        unit = self.limits.budget.unit.plural
        least, most = int(self.least[i]), int(self.most[i])
        whole = shorten(self._text(i, decoded).strip())
        keeping = " that keeps what must stay" if any(each.keep for each in self.reasons.values()) else ""
        if not decoded.exact[i] and shortest <= most and longest >= least:
            return LaconicError(
                f"no compression of {whole!r} with {least} to {most} {unit} was found, though the search is not "
                "complete for a sentence this long: allow a wider range"
            )
        if shortest > most:
            return LaconicError(
                f"no compression of {whole!r} has at most {most} {unit}: the shortest possible result{keeping} has "
                f"{shortest}; allow that many, or take the nearest (nearest=True, --nearest)"
            )
        if longest < least:
            return LaconicError(
                f"no compression of {whole!r} has at least {least} {unit}: the longest possible result has {longest}; "
                "ask for no more, or take the nearest (nearest=True, --nearest)"
            )
        return LaconicError(
            f"no compression of {whole!r} has {least} to {most} {unit}, though there are some of {shortest} and of "
            f"{longest}: allow a wider range"
        )

    def _conflict(self, first: int, second: int, i: int, decoded: Decoded) -> LaconicError:
        whole = shorten(self._text(i, decoded).strip())
        if second < 0 or first < 0:
            row = max(first, second)
            return LaconicError(
                f"{self.reasons[row]} leaves nothing of {whole!r}: what could be its main verb is to go; drop less"
            )
        one, other = _word(self.parses, self.texts, first), _word(self.parses, self.texts, second)
        asked, against = self.reasons[first], self.reasons[second]
        if against.keep:
            reason = f"no compression has both {one!r} and {other!r}"
        elif one == other:
            reason = f"both are about {one!r}"
        else:
            reason = f"{one!r} cannot stay when {other!r} goes"
        return LaconicError(f"{asked} and {against} contradict each other in {whole!r}: {reason}; leave one out")


def _word(parses: Parses, texts: list[str], row: int) -> str:
    number = int(np.searchsorted(parses.token_ptr, row, side="right")) - 1
    return texts[number][int(parses.start[row]) : int(parses.end[row])]


def _sentence(parses: Parses, texts: list[str], row: int) -> str:
    """The sentence that a token is in."""
    number, first, last = next(each for each in parses.sentences() if each[1] <= row < each[2])
    return shorten(texts[number][parses.start[first] : parses.end[last - 1]].strip())
