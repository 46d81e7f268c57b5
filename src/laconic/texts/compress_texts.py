"""The k best compressions of texts of several sentences, with a budget for each text: trees in, results out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from laconic.compress_sentences import make_explainer
from laconic.decode import Decoded, Method, Order, decode
from laconic.errors import LaconicError
from laconic.guard import Pins
from laconic.limits.budget import NO_LIMIT, share_at_least, share_at_most
from laconic.plan import make_plan
from laconic.realise import realise
from laconic.results import Compression, Result, join_compressions
from laconic.texts.choose import choose_versions
from laconic.texts.versions import Version, Versions

if TYPE_CHECKING:
    from laconic.limits import Limits
    from laconic.limits.limits import BoundLimits, TextBounds
    from laconic.plan import Plan
    from laconic.refused import Refused
    from laconic.request import Request
    from laconic.score import LevelScores, Model
    from laconic.tree import Forest

#: The lengths of versions that are searched for, as shares of the sentence.
_SHARES: Final = (0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95)
#: The maximum number of versions of each length.
_EACH: Final = 16
#: The maximum number of searches for versions that use up what a choice leaves of the budget.
_ROUNDS: Final = 3
#: The maximum number of times that the budget is lowered until the text fits; token counts do not quite add up.
_TRIES: Final = 50


def several_sentences(forest: Forest) -> NDArray[np.bool_]:
    """By text: whether it has more than one sentence; white space does not count."""
    parses = forest.parses
    texts = parses.texts()
    counts = np.zeros(len(texts), dtype=np.int64)
    for number, first, last in parses.sentences():
        counts[number] += not texts[number][parses.start[first] : parses.end[last - 1]].isspace()
    return counts > 1


def compress_texts(
    forest: Forest, scores: Model | LevelScores, limits: Limits, request: Request
) -> tuple[list[Result], Refused]:
    """The results of texts, and the errors of refused texts by text index."""
    texts = forest.parses.texts()
    if request.method is not Method.TOPDOWN:
        error = LaconicError(
            f"the method {request.method} applies budgets to single sentences, and the text has several: add "
            "each_sentence=True, or use the method topdown",
            each_sentence=True,
        )
        return [Result(text, ()) for text in texts], dict.fromkeys(range(len(texts)), error)
    bound = limits.bind(forest, resolves=request.resolves, of_texts=True)
    plan = make_plan(forest, scores, limits=bound, policy=request.policy(scores), rho=request.rho, **request.planning)
    search = _Search(forest, plan, bound, request)
    refused = search.find_versions()
    chosen = [[] if t in refused else search.choose(t, request.k, refused) for t in range(len(texts))]
    # By sentence: the versions that the choices use, in order of first use.
    used: list[dict[Version, int]] = [{} for _ in range(len(forest))]
    for t, choices in enumerate(chosen):
        for choice in choices:
            for i, version in zip(search.sentences[t], choice, strict=True):
                used[i].setdefault(version, len(used[i]))
    decoded, as_it_is = search.versions.pick([list(own) for own in used])
    explainer = make_explainer(forest, scores, plan, decoded, bound, request) if request.explains else None
    results = realise(forest, decoded, limits.protected, None, explainer, as_it_is)
    for t, choices in enumerate(chosen):
        own = [used[i] for i in search.sentences[t]]
        results[t] = replace(results[t], of_text=_of_text(results[t], choices, own, bound.bounds_of_text(t)))
    return results, refused


def _of_text(
    result: Result, choices: Sequence[Sequence[Version]], used: Sequence[dict[Version, int]], bounds: TextBounds
) -> tuple[Compression, ...]:
    """The compressions of a text, each joined from one version of every sentence."""
    found: dict[str, Compression] = {}
    for choice in choices:
        parts = zip(result.sentences, choice, used, strict=True)
        joined = join_compressions(
            result.text, [sentence[numbers[version]] for sentence, version, numbers in parts], len(found) + 1
        )
        whole = result.text.strip()
        if all(version.as_it_is for version in choice) and bounds.excess(whole) == 0:
            start = result.text.index(whole)
            joined = replace(joined, text=whole, rate=1.0, spans=((start, start + len(whole)),))
        found.setdefault(joined.text, replace(joined, excess=bounds.excess(joined.text)))
    return tuple(found.values())


class _Search:
    """Finds versions of the sentences of texts, and chooses among them."""

    def __init__(self, forest: Forest, plan: Plan, bound: BoundLimits, request: Request) -> None:
        self._forest, self._plan, self._bound, self._request = forest, plan, bound, request
        self.versions = Versions(forest, bound, resolves=request.resolves)
        self.sentences: list[list[int]] = [[] for _ in bound.texts]  # by text, without white space
        for i, number in enumerate(forest.sentence_text.tolist()):
            if self.versions.whole[i]:
                self.sentences[number].append(i)

    def find_versions(self) -> Refused:
        """Search versions of many lengths, then ones that use up the budget; returns the errors of refused texts."""
        lengths = self.versions.lengths()
        refused: Refused = {}
        if self._bound.limits.budget.has_maximum:
            tries = [self._bound.between(0, self._bound.most), self._bound.between(0, 1)]
            tries += [self._bound.between(0, share_at_most(lengths, share)) for share in _SHARES]
        else:
            tries = [self._bound.between(0, NO_LIMIT), self._bound.between(lengths, NO_LIMIT)]
            tries += [self._bound.between(share_at_least(lengths, share), NO_LIMIT) for share in _SHARES]
        for i, bound in enumerate(tries):
            decoded = self._decode(bound)
            if i == 0:
                refused = bound.refused(decoded)
                bound.warn(decoded, refused)
            self.versions.add(decoded)
        self._add_whole()
        self.versions.add_what_has_no_words()
        if self._bound.limits.budget.has_maximum:
            self._use_room(refused)
        return refused

    def choose(self, t: int, k: int, refused: Refused) -> list[tuple[Version, ...]]:
        """The k best choices for a text, best first; if none fits, the nearest one or, without `nearest`, an error."""
        found = self._within(t, k)
        if found:
            return found
        bounds = self._bound.bounds_of_text(t)
        own = [self.versions.found[i] for i in self.sentences[t]]
        shortest = tuple(min(versions, key=_by_length) for versions in own)
        longest = tuple(max(versions, key=_by_length) for versions in own)
        least, most = (bounds.length(_joined(choice)) for choice in (shortest, longest))
        if self._bound.limits.budget.nearest:
            if least > bounds.most:
                return [shortest]
            fill = [[float(version.length) for version in versions] for versions in own]
            return [longest] if most < bounds.least else self._pick(own, fill, 0, bounds.most, 1) or [shortest]
        refused[t] = bounds.misfit(least, most, len(own))
        return []

    def _decode(self, bound: BoundLimits, pins: Pins | None = None) -> Decoded:
        how = {**self._plan.how, **({} if pins is None else {"pins": pins})}
        return decode(
            self._forest,
            self._plan.edge_scores,
            limits=bound,
            k=min(self._request.k, _EACH),
            order=Order.SCORE,
            resolve_pronouns=self._request.resolves,
            **how,
        )

    def _add_whole(self) -> None:
        """Add whole sentences as versions, unless some of their words must be deleted or a level is set."""
        if self._plan.places is None or self._request.level is not None or not self._bound.limits.budget.has_maximum:
            return
        every = self._bound.unasked(np.full(len(self._forest), True))
        pins = (self._plan.pins or Pins.none(self._forest)).whole(self._forest, every)
        self.versions.add(self._decode(self._bound.between(0, NO_LIMIT), pins), every)

    def _use_room(self, refused: Refused) -> None:
        """Search versions that use the room that the best choice leaves, repeatedly, until there are no new ones."""
        for _ in range(_ROUNDS):
            room = np.zeros(len(self._forest), dtype=np.int64)
            for t, own in enumerate(self.sentences):
                best = [] if t in refused else self._within(t, 1)
                for choice in best:
                    left = self._bound.bounds_of_text(t).most - sum(version.length for version in choice)
                    for i, version in zip(own, choice, strict=True):
                        room[i] = self._bound.limits.budget.length(version.text) + max(left, 0)
            if not self.versions.add(self._decode(self._bound.between(0, room))):
                break

    def _within(self, t: int, k: int) -> list[tuple[Version, ...]]:
        """The k best choices for a text within its bounds."""
        bounds = self._bound.bounds_of_text(t)
        own = [self.versions.found[i] for i in self.sentences[t]]
        fits = bounds.excess(self._bound.texts[t].strip()) == 0  # the text could be too short
        if fits and self._plan.whole is not None and self._plan.whole[self.sentences[t]].all():
            return [tuple(next(version for version in versions if version.as_it_is) for versions in own)]
        scores = [[version.score for version in versions] for versions in own]
        return self._pick(own, scores, bounds.least, bounds.most, k)

    def _pick(
        self, own: list[list[Version]], scores: list[list[float]], least: int, most: int, k: int
    ) -> list[tuple[Version, ...]]:
        budget = self._bound.limits.budget
        lengths = [[version.length for version in versions] for versions in own]
        room = most
        for _ in range(_TRIES):
            found = [
                tuple(versions[o] for versions, o in zip(own, choice, strict=True))
                for choice in choose_versions(lengths, scores, least, room, k)
            ]
            if budget.count is None or not found:
                return found
            printed = [budget.length(_joined(choice)) for choice in found]
            fitting = [choice for choice, length in zip(found, printed, strict=True) if least <= length <= most]
            if fitting:
                return fitting
            room -= max(printed[0] - most, 1)
        return []


def _joined(choice: Sequence[Version]) -> str:
    return " ".join(version.text for version in choice)


def _by_length(version: Version) -> tuple[int, float]:
    return version.length, -version.score
