"""Find the best versions of sentences that share cues, with limits for each cue, exactly.

What a cue must lose is a `Need`: a number of characters, from the sentences of which it has parts. A version of a
sentence has a score, and saves characters in each of its cues. Sentences are in order, and so are cues: dynamic
programming over the characters saved so far in the cues that are still open finds the best choice (`_choose`).

The result is exact if all versions that could matter have been generated. The decoder generates versions in the order
of their score minus a price for every character that is certainly printed. There is one price for each need, close to
the value of the last deleted character. The last version generated bounds the value of all others, for any savings.
These others take part in the choice as one unknown version. While that is chosen, more versions are generated; once it
is not, the choice is optimal. After `_PATIENCE` versions, the best choice so far is used, and not marked as exact; this
happens to sentences that span four cues or more.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import ge
from typing import Final, NamedTuple

import numpy as np

from laconic.subtitles.search_view import DEAR, SearchView
from laconic.subtitles.sentence_versions import Choice, Key, Need, Piece, Reading, SentenceVersions, Version

#: The numbers of versions per sentence that are generated while searching prices, afterwards, and at most.
_FEW: Final = 6
_SOME: Final = 32
_PATIENCE: Final = 2048
#: The highest price that is tried, and the number of bisection steps.
_HIGHEST: Final = 16.0
_ROUNDS: Final = 7
#: The margin by which an unknown version must be better.
_TIE: Final = 1e-6
#: The cost of each character by which a need is missed, if nothing fits.
_SHORTFALL: Final = 10_000.0


def find_versions(reading: Reading, needs: Sequence[Need], kept: Iterable[int] = ()) -> list[Choice]:
    """The best choice for every group of sentences that share needs; `kept` are cells that must not change."""
    search = Search(reading, needs, frozenset(kept))
    search.look()
    return search.choose()


class Search:
    """The sentences of a reading, their versions so far, and the price per character of each need."""

    def __init__(self, reading: Reading, needs: Sequence[Need], kept: frozenset[int]) -> None:
        self.reading, self.needs, self.kept = reading, needs, kept
        self.forest = reading.forest
        self.texts = self.forest.parses.texts()
        self.needs_of: dict[int, list[int]] = {}
        for number, need in enumerate(needs):
            for cell in need.cells:
                self.needs_of.setdefault(cell, []).append(number)
        self._alone: dict[int, set[int]] = {}  # by cue: sentences in no other cue; some of their text is printed
        self.sentences = self._find_sentences()
        for each in self.sentences:
            self._prepare(each)
        self.by_number = {each.number: each for each in self.sentences}
        self.price = np.full(len(needs), 2.0)
        self._views: dict[tuple[int, ...], SearchView] = {}
        self._held: dict[object, bool] = {}
        self._firsts: dict[object, Version] = {}
        self._shapes: dict[tuple[Version, int], tuple[Piece, ...]] = {}

    def _find_sentences(self) -> list[SentenceVersions]:
        parses = self.forest.parses
        found = []
        for number, (text, first, last) in enumerate(parses.sentences()):
            start, end = int(parses.start[first]), int(parses.end[last - 1])
            cells = self.reading.cell[text][start:end].tolist()
            whole = self.texts[text][start:end]
            own = sorted({cell for cell, char in zip(cells, whole, strict=True) if not char.isspace()})
            cues = set(self.reading.cue[own].tolist())
            if len(cues) == 1:
                self._alone.setdefault(cues.pop(), set()).add(number)
            needs = tuple(sorted({need for cell in own for need in self.needs_of.get(cell, ())}))
            if not needs:
                continue
            full = {
                cell: len("".join(char for each, char in zip(cells, whole, strict=True) if each == cell).strip())
                for cell in own
            }
            shaped = any(self.needs[need].holds is not None for need in needs)
            found.append(SentenceVersions(number, (text, start), full, tuple(own), needs, shaped=shaped))
        return found

    def _prepare(self, sentence: SentenceVersions) -> None:
        """Precompute the arrays for counting savings."""
        cells = range(sentence.cells[0], sentence.cells[-1] + 1)
        sentence.chars = np.array([sentence.full.get(cell, 0) for cell in cells])
        sentence.fixed = np.array([cell in self.kept for cell in cells])
        # A cue may lose all words of a sentence if it always has words of another sentence.
        sentence.full_only = np.array(
            [
                cell in sentence.full and not self._alone.get(int(self.reading.cue[cell]), set()) - {sentence.number}
                for cell in cells
            ]
        )
        counted = [[int(need in self.needs_of.get(cell, ())) for need in sentence.needs] for cell in cells]
        sentence.counts = np.array(counted, dtype=np.int64)

    def groups(self) -> list[list[SentenceVersions]]:
        """Sentences in text order, grouped if they share a need directly or indirectly."""
        last = {need: each.number for each in self.sentences for need in each.needs}
        found: list[list[SentenceVersions]] = []
        end = -1
        for each in self.sentences:
            if each.number > end:
                found.append([])
            found[-1].append(each)
            end = max(end, *(last[need] for need in each.needs))
        return found

    # Generating versions

    def look(self) -> None:
        """Generate versions at several prices, searching for the lowest prices at which the needs are met."""
        if not self.sentences:
            return
        view = self._view(sorted({each.key[0] for each in self.sentences}))
        none = np.zeros(len(self.needs))
        view.ask(none - DEAR, 1, whole=True)
        count = len(self.needs)
        for turn in range(min(3, count)):
            alone = none.copy()
            alone[turn::3] = DEAR
            view.ask(alone, _FEW, extreme=True)
        low, high = np.zeros(count), np.full(count, _HIGHEST)
        asked = np.array([need.chars for need in self.needs])
        for _ in range(_ROUNDS):
            met = view.ask(self.price, _FEW) >= asked
            high = np.where(met, self.price, high)
            low = np.where(met, low, self.price)
            self.price = (low + high) / 2
        self.price = high
        view.ask(self.price, _SOME, bounds=True)

    def deepen(self, sentences: Sequence[SentenceVersions], count: int) -> None:
        """Generate more versions of sentences, at the current prices."""
        view = self._view(sorted({each.key[0] for each in sentences}))
        view.ask(self.price, count, bounds=True, only={each.number for each in sentences})

    def _view(self, texts: Sequence[int]) -> SearchView:
        key = tuple(texts)
        if key not in self._views:
            self._views[key] = SearchView(self, key)
        return self._views[key]

    def add(self, sentence: SentenceVersions, version: Version) -> None:
        """Add a version of a sentence, unless a better one saves the same."""
        key = (version.saved, self._shapes_of(sentence, version))
        known = sentence.versions.get(key)
        if known is None or version.score > known.score:
            sentence.versions[key] = version

    # Choosing versions

    def choose(self) -> list[Choice]:
        """The best choice for every group; generates more versions while an unknown one could be better."""
        groups = self.groups()
        found: dict[int, Choice] = {}
        while len(found) < len(groups):
            wanted: list[SentenceVersions] = []
            for number, group in enumerate(groups):
                if number in found:
                    continue
                best = self._choose(group, others=True)
                unknown = [each for each in group if each.key not in best.versions]
                more = [each for each in unknown if each.asked < _PATIENCE]
                if not unknown:
                    found[number] = best
                elif not more:
                    found[number] = replace(self._choose(group, others=False), exact=False)
                wanted += more
            for count in sorted({each.asked for each in wanted}):
                self.deepen([each for each in wanted if each.asked == count], 4 * count)
        return [found[number] for number in range(len(groups))]

    def _choose(self, group: list[SentenceVersions], *, others: bool) -> Choice:
        """The best choice; with `others`, a sentence whose best version may be unknown has no version in it."""
        last = {need: i for i, each in enumerate(group) for need in each.needs}
        states: dict[_State, _Way] = {(): _Way(0.0)}
        for i, each in enumerate(group):
            closing = [last[need] == i for need in each.needs]
            options = self._useful(each)
            reached: dict[_State, list[_Way]] = {}
            shaped = each.shaped and any(
                closes and self.needs[need].holds is not None for need, closes in zip(each.needs, closing, strict=True)
            )
            for state, so_far in states.items():
                before = {open_need[0]: open_need for open_need in state}
                for key, score, version, closed in self._steps(each, options, before, so_far.score, closing, others):
                    known = reached.get(key)
                    if known is None:
                        reached[key] = [_Way(score, version, so_far, closed)]
                    elif shaped:
                        known.append(_Way(score, version, so_far, closed))
                    elif score > known[0][0] + (0 if version is not None else _TIE):
                        known[0] = _Way(score, version, so_far, closed)
            states = {key: self._first_that_holds(ways) if shaped else ways[0] for key, ways in reached.items()}
        best = states[()]
        chosen: dict[Key, Version] = {}
        way: _Way | None = best
        for each in reversed(group):
            assert way is not None
            if way.version is not None:
                chosen[each.key] = way.version
            way = way.before
        return Choice(chosen, self._missing(group, chosen), best.score, exact=True)

    def _first_that_holds(self, ways: list[_Way]) -> _Way:
        """The best way to a state for which the lines hold what is left; else the one with the fewest violations."""
        ways.sort(key=lambda way: way.score, reverse=True)
        found, fewest = ways[0], len(self.needs)
        for way in ways:
            wrong = sum(not self._holds(need, picked) for need, picked in way.closed)
            if wrong < fewest:
                found, fewest = way, wrong
            if not wrong:
                break
        return found

    def _holds(self, need: int, picked: _Picked) -> bool:
        """Whether the lines hold what versions leave; assumed for unknown versions."""
        holds = self.needs[need].holds
        if holds is None or any(version is None for _, version in picked):
            return True
        key = (
            need,
            tuple((sentence, self._shape(version, need)) for sentence, version in picked if version is not None),
        )
        if key not in self._held:
            self._held[key] = holds({sentence: version for sentence, version in picked if version is not None})
        return self._held[key]

    def _shape(self, version: Version, need: int) -> tuple[Piece, ...] | None:
        """What a version prints in the cells of a need whose lines may not hold it."""
        if self.needs[need].holds is None or version.found is None:
            return None
        if (version, need) not in self._shapes:
            cells = self.needs[need].cells
            self._shapes[version, need] = tuple(piece for piece in version.pieces or () if piece.cell in cells)
        return self._shapes[version, need]

    def _shapes_of(self, sentence: SentenceVersions, version: Version) -> tuple[tuple[Piece, ...] | None, ...]:
        """The shapes for all needs of the version's sentence; empty if only lengths count."""
        return tuple(self._shape(version, need) for need in sentence.needs) if sentence.shaped else ()

    def _like(self, sentence: SentenceVersions, version: Version, need: int) -> Version:
        """The first version with the same print for a need; differences elsewhere do not affect the need's lines."""
        return self._firsts.setdefault((sentence.key, need, self._shape(version, need)), version)

    def _useful(self, sentence: SentenceVersions) -> list[Version]:
        """The versions of a sentence that are not dominated: no better one saves at least as much for all needs."""
        versions = sorted(sentence.versions.values(), key=lambda version: -version.score)
        most = [self.needs[need].chars for need in sentence.needs]
        found: list[Version] = []
        kept: dict[object, list[list[int]]] = {}
        for version in versions:
            saved = list(map(min, version.saved, most))
            same = kept.setdefault(self._shapes_of(sentence, version), [])
            if not any(all(map(ge, other, saved)) for other in same):
                found.append(version)
                same.append(saved)
        return found

    def _steps(
        self,
        each: SentenceVersions,
        options: list[Version],
        before: dict[int, _Open],
        so_far: float,
        closing: list[bool],
        others: bool,
    ) -> Iterable[tuple[_State, float, Version | None, _Closed]]:
        """The states and scores that each version of a sentence leads to; None stands for an unknown version."""
        own = [before.pop(need, (need, 0, ())) for need in each.needs]
        rest = tuple(before.values())
        needs = [self.needs[need] for need in each.needs]
        for version in options:
            short, open_needs = 0, list(rest)
            closed: _Closed = ()
            for (number, had, picked), saves, need, closes in zip(own, version.saved, needs, closing, strict=True):
                now = min(had + saves, need.chars)
                picks = picked if need.holds is None else (*picked, (each.key, self._like(each, version, number)))
                if not closes:
                    open_needs.append((number, now, picks))
                else:
                    short += need.chars - now
                    if need.holds is not None:
                        closed = (*closed, (number, picks))
            score = so_far + version.score - _SHORTFALL * short
            yield tuple(open_needs), score, version, closed
        if not others or each.others == -math.inf:
            return
        # Unknown versions pay the price for what they save, and may save any amount.
        reached: list[tuple[list[_Open], float]] = [(list(rest), so_far + each.others)]
        for (number, had, picked), need, closes, most in zip(own, needs, closing, each.most, strict=True):
            price, left = float(self.price[number]), need.chars - had
            if closes:
                paid = min(left, int(most))
                lost = price * paid + _SHORTFALL * (left - paid)
                reached = [(key, total - lost) for key, total in reached]
            else:
                picks = (*picked, (each.key, None)) if need.holds is not None else picked
                reached = [
                    ([*key, (number, had + saves, picks)], total - price * saves)
                    for key, total in reached
                    for saves in range(min(left, int(most)) + 1)
                ]
        for key, total in reached:
            yield tuple(key), total, None, ()

    def _missing(self, group: list[SentenceVersions], chosen: dict[Key, Version]) -> dict[int, int]:
        """By need: how much of it is missed; at least one character if its lines do not hold what is left."""
        saved: dict[int, int] = {}
        picked: dict[int, _Picked] = {}
        for each in group:
            version = chosen.get(each.key)
            for need, own in zip(each.needs, version.saved if version else (0,) * len(each.needs), strict=True):
                saved[need] = saved.get(need, 0) + own
                picked[need] = (*picked.get(need, ()), (each.key, version))
        found = {}
        for need, own in sorted(saved.items()):
            short = self.needs[need].chars - own
            if short > 0 or not self._holds(need, picked[need]):
                found[need] = max(short, 1)
        return found


#: A need that later sentences contribute to: its index, the characters saved so far and, if line lengths matter, the
#: versions that save them.
_Picked = tuple[tuple[Key, Version | None], ...]
_Open = tuple[int, int, _Picked]
_State = tuple[_Open, ...]
_Closed = tuple[tuple[int, _Picked], ...]


class _Way(NamedTuple):
    """The best way to a state: its score, the version of the last sentence, and the way before that.

    `closed` are needs whose lines must still be checked. A version that is None is unknown.
    """

    score: float
    version: Version | None = None
    before: _Way | None = None
    closed: _Closed = ()
