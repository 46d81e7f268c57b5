"""The best versions of sentences that share cues, with a limit for every cue: exact.

What a cue must lose is a `Need`: so many characters, from the sentences that it has parts of. A version of a sentence
has a score and saves characters in each of its cues. Sentences follow each other, and so do cues: a table over what is
saved so far in the cue that is still open holds the best choice for the sentences up to there (`_choose`).

That is exact if every version that could matter is among those that were found. Versions come from the decoder in the
order of their score less a price for every character that is surely printed: one price for each need, near what the
last character that went was worth. The last version that came says what all others are worth at most, whatever they
save. These others take part in the choice as one more version; while that is chosen, more versions are asked for, and
when it is not, nothing is better than what is. After `_PATIENCE` versions the best so far is taken, and not called
exact: that happens to sentences over four cues or more.
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

#: Versions of a sentence that are asked for while prices are looked for, then, and at most.
_FEW: Final = 6
_SOME: Final = 32
_PATIENCE: Final = 2048
#: The highest price that is tried while prices are looked for, in so many rounds.
_HIGHEST: Final = 16.0
_ROUNDS: Final = 7
#: A version that is not known must be better by this.
_TIE: Final = 1e-6
#: What a character costs that a cue has too many, where nothing fits.
_SHORTFALL: Final = 10_000.0


def find_versions(reading: Reading, needs: Sequence[Need], kept: Iterable[int] = ()) -> list[Choice]:
    """The best choice for every group of sentences that share what must go; `kept` are cells that stay as they are."""
    search = Search(reading, needs, frozenset(kept))
    search.look()
    return search.choose()


class Search:
    """The sentences of a reading, their versions so far, and the price of a character for each need."""

    def __init__(self, reading: Reading, needs: Sequence[Need], kept: frozenset[int]) -> None:
        self.reading, self.needs, self.kept = reading, needs, kept
        self.forest = reading.forest
        self.texts = self.forest.parses.texts()
        self.needs_of: dict[int, list[int]] = {}
        for number, need in enumerate(needs):
            for cell in need.cells:
                self.needs_of.setdefault(cell, []).append(number)
        self._alone: dict[int, set[int]] = {}  # by cue: sentences that are in no other; something of each is printed
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
        """What savings are counted with."""
        cells = range(sentence.cells[0], sentence.cells[-1] + 1)
        sentence.chars = np.array([sentence.full.get(cell, 0) for cell in cells])
        sentence.fixed = np.array([cell in self.kept for cell in cells])
        # A cue may lose all words of a sentence where it has words of another in any case.
        sentence.full_only = np.array(
            [
                cell in sentence.full and not self._alone.get(int(self.reading.cue[cell]), set()) - {sentence.number}
                for cell in cells
            ]
        )
        counted = [[int(need in self.needs_of.get(cell, ())) for need in sentence.needs] for cell in cells]
        sentence.counts = np.array(counted, dtype=np.int64)

    def groups(self) -> list[list[SentenceVersions]]:
        """Sentences in the order of the text, those together that share a need, directly or by others."""
        last = {need: each.number for each in self.sentences for need in each.needs}
        found: list[list[SentenceVersions]] = []
        end = -1
        for each in self.sentences:
            if each.number > end:
                found.append([])
            found[-1].append(each)
            end = max(end, *(last[need] for need in each.needs))
        return found

    # Looking for versions

    def look(self) -> None:
        """Versions at several prices, and prices at which the needs are nearly met."""
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
        """Ask for more versions of sentences, at their prices."""
        view = self._view(sorted({each.key[0] for each in sentences}))
        view.ask(self.price, count, bounds=True, only={each.number for each in sentences})

    def _view(self, texts: Sequence[int]) -> SearchView:
        key = tuple(texts)
        if key not in self._views:
            self._views[key] = SearchView(self, key)
        return self._views[key]

    def add(self, sentence: SentenceVersions, version: Version) -> None:
        """Another version of a sentence, unless there is a better one that saves the same."""
        key = (version.saved, self._shapes_of(sentence, version))
        known = sentence.versions.get(key)
        if known is None or version.score > known.score:
            sentence.versions[key] = version

    # Choosing among them

    def choose(self) -> list[Choice]:
        """The best choice for every group; more versions are asked for while any could be better."""
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
        """The best choice; with `others`, a sentence for which a version that is not known may be best has none."""
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
        """The best of ways to the same place whose lines hold what is left; if there is none, the most of it."""
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
        """Whether lines hold what versions leave; of one that is not known it is taken for granted."""
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
        """The same for all needs of its sentence; nothing where only lengths count."""
        return tuple(self._shape(version, need) for need in sentence.needs) if sentence.shaped else ()

    def _like(self, sentence: SentenceVersions, version: Version, need: int) -> Version:
        """The first version that prints the same for a need: what differs elsewhere is the same to its lines."""
        return self._firsts.setdefault((sentence.key, need, self._shape(version, need)), version)

    def _useful(self, sentence: SentenceVersions) -> list[Version]:
        """The versions of a sentence without those that are worse than another and save no more for any need."""
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
        """Where each version of a sentence leads to, and with what score; None is a version that is not known."""
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
        # Versions that are not known yet pay for what they save, and may save as much as they like.
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
        """By need: how much of it is not met; at least one character where lines do not hold what is left."""
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


#: A need that later sentences can still serve: its number, the characters saved so far, and, where it matters, the
#: versions that save them.
_Picked = tuple[tuple[Key, Version | None], ...]
_Open = tuple[int, int, _Picked]
_State = tuple[_Open, ...]
_Closed = tuple[tuple[int, _Picked], ...]


class _Way(NamedTuple):
    """The best way to a state: its score, the version of the last sentence, and the way before that.

    `closed` are needs of which lines have yet to hold what is left. A version that is None is not known.
    """

    score: float
    version: Version | None = None
    before: _Way | None = None
    closed: _Closed = ()
