"""Budget and constraints together, as the core takes them, and the errors if nothing meets them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final, Unpack

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic._core import Pin, Problem, Unit
from laconic.errors import LaconicError, LaconicWarning, MisfitError, shorten
from laconic.limits.budget import NO_BUDGET, NO_LIMIT, Budget, share_at_least
from laconic.limits.constraints import Constraint
from laconic.limits.markers import Span
from laconic.limits.tokens import WordCounts
from laconic.options import LimitOptions, fields
from laconic.parse import Parses
from laconic.realise import print_pieces

if TYPE_CHECKING:
    from laconic.decode import Decoded
    from laconic.tree import Forest


#: The remedy in messages if nothing is short, or long, enough.
_TAKE_NEAREST: Final = "take the nearest (nearest=True)"


@dataclass(frozen=True, slots=True)
class Limits:
    """A budget and constraints. `protected` are the spans of each text of a batch that must be kept unchanged."""

    budget: Budget = NO_BUDGET
    constraints: tuple[Constraint, ...] = ()
    protected: tuple[tuple[Span, ...], ...] = ()
    #: The search may skip this many results in a row that do not fit; after that, a simpler search takes over
    #: (native/budget.hpp).
    patience: int = 20_000

    @classmethod
    def of(cls, **options: Unpack[LimitOptions]) -> Limits:
        """The limits that options ask for; invalid options are refused."""
        known = fields(LimitOptions)
        asked = {name: known[name].check(value) for name, value in options.items() if value is not None}
        constraints = [
            *Constraint.words(True, asked.get("keep", ())),
            *Constraint.words(False, asked.get("drop", ())),
            *Constraint.kinds(True, asked.get("keep_all", ())),
            *Constraint.kinds(False, asked.get("drop_all", ())),
        ]
        return cls(Budget.of(asked), tuple(constraints))

    def __bool__(self) -> bool:
        return self.budget.unit is not Unit.ANY or bool(self.constraints) or any(self.protected)

    def take(self, texts: Sequence[int]) -> Limits:
        """The limits of some texts of a batch."""
        return replace(self, protected=tuple(self.protected[number] for number in texts)) if self.protected else self

    def bind(self, forest: Forest, *, resolves: bool = False, of_texts: bool = False) -> BoundLimits:
        """Apply the limits to the sentences of a batch; `BoundLimits.errors` has what a text cannot meet.

        With `of_texts`, the budget is for each text with all its sentences, and so an upper bound for each sentence.
        """
        parses = forest.parses
        texts = parses.texts()
        if (budget := self.budget.for_texts(parses.chars)) is not self.budget:
            return replace(self, budget=budget).bind(forest, resolves=resolves, of_texts=of_texts)
        if of_texts:
            own = [text.strip() for text in texts]
            least, most = self.budget.bounds(len(texts), lambda: np.array([len(text) for text in own], dtype=np.int64))
            least, most = least[forest.sentence_text], most[forest.sentence_text]
        else:
            least, most = self.budget.bounds(len(forest), parses.sentence_lengths)
        pins, reasons, errors = self._pins(parses, texts)
        return BoundLimits(
            limits=self,
            forest=forest,
            texts=texts,
            least=least,
            most=most,
            reasons=reasons,
            errors=errors,
            pins=pins,
            cost=self.budget.token_costs(parses),
            count=None if self.budget.count is None else self._counter(forest, resolves),
            of_texts=of_texts,
        )

    def _pins(
        self, parses: Parses, texts: list[str]
    ) -> tuple[NDArray[np.uint8], dict[int, Constraint], dict[int, LaconicError]]:
        """The pins of tokens, the constraints behind them, and the errors of texts with contradicting constraints."""
        reasons: dict[int, Constraint] = {}
        errors: dict[int, LaconicError] = {}
        if not self.constraints and not any(self.protected):
            return np.zeros(0, dtype=np.uint8), reasons, errors
        pins = np.zeros(len(parses.start), dtype=np.uint8)
        for number in range(len(texts)):
            protected = self.protected[number] if self.protected else ()
            asked = [*self.constraints, *(Constraint(True, span=span, exact=True) for span in protected)]
            try:
                own = _pins_of(parses, texts, number, asked)
            except LaconicError as error:
                errors[number] = error
                continue
            reasons |= own
            for row, constraint in own.items():
                pins[row] = Pin.KEEP if constraint.keep else Pin.DROP
        return pins, reasons, errors

    def _counter(self, forest: Forest, resolves: bool) -> Callable[..., int]:
        """A function that counts the length of a printed sentence for the core, given the bounds of all sentences."""
        count = self.budget.count
        assert count is not None
        parses = forest.parses
        texts = parses.texts()
        numbers = {first: i for i, first in enumerate(forest.sentence_first.tolist())}
        sparing = WordCounts(count) if self.budget.kind == "tokens" and not self.budget.parts else None

        def measure(
            least: NDArray[np.int64],
            most: NDArray[np.int64],
            text: int,
            first: int,
            starts: list[int],
            ends: list[int],
            spaces: list[bool],
            pronouns: list[int],
        ) -> int:
            exact = self.protected[text] if self.protected else ()
            resolved = pronouns if resolves else None
            printed = print_pieces(parses, texts[text], first, starts, ends, spaces, resolved, exact)[0]
            if sparing is None:
                return count(printed)
            i = numbers[first]
            start, end = parses.start[first], parses.end[forest.sentence_last[i] - 1]
            return sparing.measure(printed, texts[text][start:end], (text, first), int(least[i]), int(most[i]))

        return measure


@dataclass(frozen=True, slots=True)
class BoundLimits:
    """Limits applied to the sentences of a batch."""

    limits: Limits
    forest: Forest
    texts: list[str]
    least: NDArray[np.int64]  # by sentence
    most: NDArray[np.int64]
    reasons: dict[int, Constraint]  # by row of a token: the constraint on it
    errors: dict[int, LaconicError]  # by text index: why its constraints cannot be met
    pins: NDArray[np.uint8]  # by token, as the core takes them
    cost: NDArray[np.int32]
    count: Callable[..., int] | None  # length of a printed sentence, given `least` and `most`
    of_texts: bool = False  # whether the budget is for each text with all its sentences

    @property
    def core(self) -> _core.Limits:
        """The object that the native code reads."""
        budget = self.limits.budget
        return _core.Limits(
            unit=budget.unit,
            least=self.least,
            most=self.most,
            pin=self.pins,
            cost=self.cost,
            base=budget.base,
            count=None if self.count is None else partial(self.count, self.least, self.most),
            nearest=budget.nearest,
            patience=self.limits.patience,
        )

    def between(self, least: NDArray[np.int64] | int, most: NDArray[np.int64] | int) -> BoundLimits:
        """A copy with these bounds on the lengths of sentences; if nothing is within them, the nearest is used."""
        sentences = len(self.forest)
        return replace(
            self,
            limits=replace(self.limits, budget=replace(self.limits.budget, nearest=True)),
            least=np.broadcast_to(np.asarray(least, dtype=np.int64), sentences).copy(),
            most=np.broadcast_to(np.asarray(most, dtype=np.int64), sentences).copy(),
        )

    def without_budget(self) -> BoundLimits:
        """The constraints without the budget."""
        return replace(self.limits, budget=NO_BUDGET).bind(self.forest)

    def without_maximum(self) -> BoundLimits | None:
        """The limits without the maximum length, or None if nothing is left."""
        budget = self.limits.budget
        has_minimum = budget.least or budget.min_rate is not None
        if has_minimum and self.of_texts:  # each sentence must keep the same share as the text
            own, of_text = self._lengths()
            return self.between(share_at_least(own, self.least / np.maximum(of_text, 1)), NO_LIMIT)
        # Sentences below the minimum are reported for the full limits, not here.
        least = replace(budget, most=None, rate=None, nearest=True) if has_minimum else NO_BUDGET
        limits = replace(self.limits, budget=least)
        return limits.bind(self.forest) if limits else None

    def shares(self) -> NDArray[np.float64]:
        """By sentence: the maximum length as a share of the full length of the sentence, or of its text."""
        own, of_text = self._lengths()
        return self.most / np.maximum(of_text if self.of_texts else own, 1)

    def _lengths(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The full length of each sentence and of its text; the first twice if budgets are not of texts."""
        budget = self.limits.budget
        if budget.unit is Unit.CHARS:
            own = self.forest.parses.sentence_lengths()
        else:
            own = np.array([budget.length(self._text(i)) for i in range(len(self.forest))], dtype=np.int64)
        if not self.of_texts:
            return own, own
        of_text = np.array([budget.length(text.strip()) for text in self.texts], dtype=np.int64)
        return own, of_text[self.forest.sentence_text]

    def unasked(self, sentences: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which of these sentences have no word that must be deleted."""
        dropped = [row for row, constraint in self.reasons.items() if not constraint.keep]
        places = np.searchsorted(self.forest.sentence_first, dropped, side="right") - 1
        return sentences & ~np.isin(np.arange(len(sentences)), places)

    def refused(self, decoded: Decoded) -> dict[int, LaconicError]:
        """The errors of texts with a sentence that has no compression within the limits, by text index."""
        found = dict(self.errors)
        texts, result_ptr = self.forest.sentence_text.tolist(), decoded.result_ptr.tolist()
        shortest, longest = decoded.shortest.tolist(), decoded.longest.tolist()
        for i, problem in enumerate(decoded.problem.tolist()):
            if texts[i] in found:
                continue
            if problem == Problem.CONFLICT:
                found[texts[i]] = self._conflict(int(decoded.first[i]), int(decoded.second[i]), i, decoded)
            elif problem:
                found[texts[i]] = self._misfit(i, decoded, shortest[i], longest[i])
            elif result_ptr[i] == result_ptr[i + 1] and not self.limits.budget.nearest:
                # The sentence has only punctuation, which is printed unchanged.
                length = self.limits.budget.length(self._text(i).strip())
                if self.limits.budget.unit is not Unit.ANY and not self.least[i] <= length <= self.most[i]:
                    found[texts[i]] = self._misfit(i, decoded, length, length)
        return found

    def bounds_of_text(self, t: int) -> TextBounds:
        """The bounds of text `t` with all its sentences."""
        i = int(np.searchsorted(self.forest.sentence_text, t))
        return TextBounds(self.limits.budget, self.texts[t], int(self.least[i]), int(self.most[i]))

    def excess(self, i: int, printed: str) -> int:
        """By how much a print of sentence `i` exceeds its maximum or, if negative, falls short of its minimum."""
        if self.limits.budget.unit is Unit.ANY:
            return 0
        return self.limits.budget.excess(printed, int(self.least[i]), int(self.most[i]))

    def warn(self, decoded: Decoded, refused: Mapping[int, LaconicError]) -> None:
        """Warn about incomplete searches, for texts that are not refused."""
        texts = self.forest.sentence_text.tolist()
        if self.limits.budget.unit is Unit.TOKENS:
            return
        for i in np.flatnonzero(decoded.exact == 0).tolist():
            if texts[i] in refused:
                continue
            warnings.warn(
                f"{shorten(self._text(i))!r} is too long for a complete search: its compressions are within "
                "the limits, but there may be better ones",
                LaconicWarning,
                stacklevel=3,
            )

    def _text(self, i: int) -> str:
        forest = self.forest
        start, end = forest.parses.start[forest.sentence_first[i]], forest.parses.end[forest.sentence_last[i] - 1]
        return self.texts[int(forest.sentence_text[i])][int(start) : int(end)]

    def _misfit(self, i: int, decoded: Decoded, shortest: int, longest: int) -> MisfitError:
        return _misfit(self._misfit_message(i, decoded, shortest, longest), self.limits.budget, shortest, longest)

    def _misfit_message(self, i: int, decoded: Decoded, shortest: int, longest: int) -> str:
        unit = self.limits.budget.plural
        least, most = int(self.least[i]), int(self.most[i])
        whole = shorten(self._text(i).strip())
        keeping = " that keeps what must stay" if any(each.keep for each in self.reasons.values()) else ""
        if self.limits.budget.parts:
            return (
                f"no compression of {whole!r}{keeping} has at most {self.limits.budget.described}: allow more, or "
                f"{_TAKE_NEAREST}"
            )
        if not decoded.exact[i] and shortest <= most and longest >= least:
            return (
                f"no compression of {whole!r} with {least} to {most} {unit} was found, though the search is not "
                "complete for a sentence this long: allow a wider range"
            )
        if shortest > most:
            return (
                f"no compression of {whole!r} has at most {most} {unit}: the shortest possible result{keeping} has "
                f"{shortest}; allow that many, or {_TAKE_NEAREST}"
            )
        if longest < least:
            return (
                f"no compression of {whole!r} has at least {least} {unit}: the longest possible result has {longest}; "
                f"ask for no more, or {_TAKE_NEAREST}"
            )
        return (
            f"no compression of {whole!r} has {least} to {most} {unit}, though there are some of {shortest} and of "
            f"{longest}: allow a wider range"
        )

    def _conflict(self, first: int, second: int, i: int, decoded: Decoded) -> LaconicError:
        whole = shorten(self._text(i).strip())
        if second < 0 or first < 0:
            row = max(first, second)
            return LaconicError(
                f"{self.reasons[row]} leaves nothing of {whole!r} that can stand alone: its main verb is dropped; drop "
                "less"
            )
        one, other = _word(self.forest.parses, self.texts, first), _word(self.forest.parses, self.texts, second)
        asked, against = self.reasons[first], self.reasons[second]
        if against.keep:
            reason = f"no compression has both {one!r} and {other!r}"
        elif one == other:
            reason = f"both are about {one!r}"
        else:
            reason = f"{one!r} cannot stay when {other!r} goes"
        return LaconicError(f"{asked} and {against} contradict each other in {whole!r}: {reason}; leave one out")


@dataclass(frozen=True, slots=True)
class TextBounds:
    """The bounds on the length of a text of several sentences."""

    budget: Budget
    text: str
    least: int
    most: int

    def length(self, printed: str) -> int:
        """The length of a print of the text."""
        return self.budget.length(printed)

    def excess(self, printed: str) -> int:
        """By how much a print of the text exceeds the maximum or, if negative, falls short of the minimum."""
        return self.budget.excess(printed, self.least, self.most)

    def misfit(self, shortest: int, longest: int, sentences: int) -> MisfitError:
        """The error if nothing fits while something of every sentence must be kept."""
        return _misfit(self._misfit_message(shortest, longest, sentences), self.budget, shortest, longest)

    def _misfit_message(self, shortest: int, longest: int, sentences: int) -> str:
        unit = self.budget.plural
        whole = shorten(" ".join(self.text.split()))
        if self.budget.parts:
            return (
                f"no compression of {whole!r} with something of each of its {sentences} sentences has at most "
                f"{self.budget.described}: allow more, let whole sentences go with fit (laconic fit), or "
                f"{_TAKE_NEAREST}"
            )
        if shortest > self.most:
            return (
                f"no compression of {whole!r} has at most {self.most} {unit}: the shortest possible result, which has "
                f"something of each of its {sentences} sentences, has {shortest}; allow that many, let whole sentences "
                f"go with fit (laconic fit), or {_TAKE_NEAREST}"
            )
        if longest < self.least:
            return (
                f"no compression of {whole!r} has at least {self.least} {unit}: the longest possible result has "
                f"{longest}; ask for no more, or {_TAKE_NEAREST}"
            )
        return (
            f"no compression of {whole!r} with {self.least} to {self.most} {unit} was found, though there are some of "
            f"{shortest} and of {longest}: allow a wider range"
        )


def _misfit(message: str, budget: Budget, shortest: int, longest: int) -> MisfitError:
    """The error with this message and the possible lengths."""
    error = MisfitError(message, **({"nearest": True} if message.endswith(_TAKE_NEAREST) else {}))
    if not budget.parts:
        error.shortest, error.longest = shortest, longest
    return error


def _pins_of(parses: Parses, texts: list[str], number: int, asked: Sequence[Constraint]) -> dict[int, Constraint]:
    """The constraint on each token of a text; raises an error if two contradict each other."""
    found: dict[int, Constraint] = {}
    for constraint in asked:
        for row in constraint.rows(parses, texts, number):
            other = found.setdefault(row, constraint)
            if other.keep != constraint.keep:
                raise LaconicError(
                    f"{other} and {constraint} contradict each other: both are about {_word(parses, texts, row)!r} in "
                    f"{_sentence(parses, texts, row)!r}: leave one out"
                )
    return found


def _word(parses: Parses, texts: list[str], row: int) -> str:
    number = int(np.searchsorted(parses.token_ptr, row, side="right")) - 1
    return texts[number][int(parses.start[row]) : int(parses.end[row])]


def _sentence(parses: Parses, texts: list[str], row: int) -> str:
    """The sentence that contains a token."""
    number, first, last = next(each for each in parses.sentences() if each[1] <= row < each[2])
    return shorten(texts[number][parses.start[first] : parses.end[last - 1]].strip())
