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
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from operator import ge
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.decode import Decoded, decode
from laconic.guard import Pins, make_pins
from laconic.guard.rule import Policy
from laconic.limits import Constraint, Limits
from laconic.parse import scheme
from laconic.score.level_scores import place_of
from laconic.tree import make_forest

if TYPE_CHECKING:
    from laconic.limits.limits import BoundLimits
    from laconic.score import LevelScores, Probabilities
    from laconic.tree import Forest

#: Kinds of words that stay.
_KEPT: Final = ("names", "numbers", "negations")
#: Versions of a sentence that are asked for while prices are looked for, then, and at most.
_FEW: Final = 6
_SOME: Final = 32
_PATIENCE: Final = 2048
#: A price that nothing is worth, and the highest that is tried while prices are looked for, in so many rounds.
_DEAR: Final = 100.0
_HIGHEST: Final = 16.0
_ROUNDS: Final = 7
#: The least probability of keeping an edge.
_EVEN: Final = np.float32(0.5)
#: A version that is not known must be better by this.
_TIE: Final = 1e-6
#: What a character costs that a cue has too many, where nothing fits.
_SHORTFALL: Final = 10_000.0
#: Words that are not printed with their node in every case.
_UNSURE: Final = frozenset(scheme.TAG_ID[tag] for tag in ("CC", "IN", "TO", "WDT", "WP", "WP$", "WRB"))


#: A sentence: its text, and the character of it that it begins with.
Key = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Need:
    """Characters that some cells together must lose.

    `holds` says of versions whether lines hold what is left, where that is not sure: by the keys of their sentences.
    """

    cells: frozenset[int]
    chars: int
    holds: Callable[[dict[Key, Version]], bool] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Reading:
    """Texts that are read, and in which cell each of their characters is displayed."""

    forest: Forest
    scores: LevelScores
    cell: tuple[NDArray[np.int32], ...]  # by text and character; cells are numbered in the order of the text
    cue: NDArray[np.int32]  # by cell

    def take(self, texts: Sequence[int]) -> Reading:
        """Some of the texts."""
        parses, rows = self.forest.parses.take(np.array(texts, dtype=np.int64))
        return Reading(make_forest(parses), self.scores.take(rows), tuple(self.cell[t] for t in texts), self.cue)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a version that is printed in a cell."""

    cell: int
    start: int  # characters of the text
    end: int
    space: bool  # before it


@dataclass(frozen=True, slots=True, eq=False)
class Version:
    """What a sentence can be."""

    score: float
    saved: tuple[int, ...]  # by need of the sentence
    found: _Lengths | None = None  # None: it stays as it is
    row: int = -1

    @property
    def pieces(self) -> tuple[Piece, ...] | None:
        """What is printed of it; None: it stays as it is."""
        return None if self.found is None else self.found.pieces(self.row)


@dataclass(slots=True)
class _Sentence:
    """A sentence of a reading, with its versions so far: the best of those that are the same to its needs."""

    number: int
    key: Key
    full: dict[int, int]  # characters by cell
    cells: tuple[int, ...]
    needs: tuple[int, ...]  # their numbers, in order
    versions: dict[object, Version] = field(default_factory=dict)
    shaped: bool = False  # not only what is saved counts, but also where words end
    most: tuple[float, ...] = ()  # by need: what it can save at most
    others: float = math.inf  # what versions that are not known yet are worth at most, their savings paid for
    asked: int = 0
    # By cell of the sentence, in order; cells in which nothing may change, and those that may not lose all of it.
    chars: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    fixed: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    full_only: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    counts: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 0), np.int64))  # by cell and need


@dataclass(frozen=True, slots=True)
class Choice:
    """The versions of the sentences of a group."""

    versions: dict[Key, Version]
    missing: dict[int, int]  # by need: what is still too much
    score: float
    exact: bool


def find_versions(reading: Reading, needs: Sequence[Need], kept: Iterable[int] = ()) -> list[Choice]:
    """The best choice for every group of sentences that share what must go; `kept` are cells that stay as they are."""
    search = _Search(reading, needs, frozenset(kept))
    search.look()
    return search.choose()


class _Search:
    def __init__(self, reading: Reading, needs: Sequence[Need], kept: frozenset[int]) -> None:
        self.reading, self.needs, self.kept = reading, needs, kept
        self.forest = reading.forest
        self.texts = self.forest.parses.texts()
        self._needs_of: dict[int, list[int]] = {}
        for number, need in enumerate(needs):
            for cell in need.cells:
                self._needs_of.setdefault(cell, []).append(number)
        self._alone: dict[int, set[int]] = {}  # by cue: sentences that are in no other; something of each is printed
        self.sentences = self._find_sentences()
        for each in self.sentences:
            self._prepare(each)
        self._by_number = {each.number: each for each in self.sentences}
        self.price = np.full(len(needs), 2.0)
        self._views: dict[tuple[int, ...], _View] = {}
        self._held: dict[object, bool] = {}
        self._firsts: dict[object, Version] = {}
        self._shapes: dict[tuple[Version, int], tuple[Piece, ...]] = {}

    def _find_sentences(self) -> list[_Sentence]:
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
            needs = tuple(sorted({need for cell in own for need in self._needs_of.get(cell, ())}))
            if not needs:
                continue
            full = {
                cell: len("".join(char for each, char in zip(cells, whole, strict=True) if each == cell).strip())
                for cell in own
            }
            shaped = any(self.needs[need].holds is not None for need in needs)
            found.append(_Sentence(number, (text, start), full, tuple(own), needs, shaped=shaped))
        return found

    def _prepare(self, sentence: _Sentence) -> None:
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
        counted = [[int(need in self._needs_of.get(cell, ())) for need in sentence.needs] for cell in cells]
        sentence.counts = np.array(counted, dtype=np.int64)

    def groups(self) -> list[list[_Sentence]]:
        """Sentences in the order of the text, those together that share a need, directly or by others."""
        last = {need: each.number for each in self.sentences for need in each.needs}
        found: list[list[_Sentence]] = []
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
        view.ask(none - _DEAR, 1, whole=True)
        count = len(self.needs)
        for turn in range(min(3, count)):
            alone = none.copy()
            alone[turn::3] = _DEAR
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

    def deepen(self, sentences: Sequence[_Sentence], count: int) -> None:
        """Ask for more versions of sentences, at their prices."""
        view = self._view(sorted({each.key[0] for each in sentences}))
        view.ask(self.price, count, bounds=True, only={each.number for each in sentences})

    def _view(self, texts: Sequence[int]) -> _View:
        key = tuple(texts)
        if key not in self._views:
            self._views[key] = _View(self, key)
        return self._views[key]

    def add(self, sentence: _Sentence, version: Version) -> None:
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
            wanted: list[_Sentence] = []
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

    def _choose(self, group: list[_Sentence], *, others: bool) -> Choice:
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

    def _shapes_of(self, sentence: _Sentence, version: Version) -> tuple[tuple[Piece, ...] | None, ...]:
        """The same for all needs of its sentence; nothing where only lengths count."""
        return tuple(self._shape(version, need) for need in sentence.needs) if sentence.shaped else ()

    def _like(self, sentence: _Sentence, version: Version, need: int) -> Version:
        """The first version that prints the same for a need: what differs elsewhere is the same to its lines."""
        return self._firsts.setdefault((sentence.key, need, self._shape(version, need)), version)

    def _useful(self, sentence: _Sentence) -> list[Version]:
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
        each: _Sentence,
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

    def _missing(self, group: list[_Sentence], chosen: dict[Key, Version]) -> dict[int, int]:
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


#: A need that other sentences are part of, too: its number, what is saved so far, and, where it matters, by which.
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


class _View:
    """Some texts of a search, ready for the decoder."""

    def __init__(self, search: _Search, texts: tuple[int, ...]) -> None:
        self.search = search
        reading = search.reading.take(texts)
        self.forest, parses = reading.forest, reading.forest.parses
        numbers = {number: [] for number in texts}  # type: dict[int, list[int]]
        for number, text in enumerate(search.forest.sentence_text.tolist()):
            if text in numbers:
                numbers[text].append(number)
        own = [number for text in texts for number in numbers[text]]
        self.sentences = [search._by_number.get(number) for number in own]
        self.pins: Pins | None = make_pins(self.forest, Policy.SENTENCE)
        self.limits = _bind(self.forest, reading, search.kept)
        # Where characters and tokens are displayed, and what a token surely adds to the print.
        self.cells = np.concatenate([np.zeros(0, np.int32), *reading.cell])
        starts = parses.char_ptr[:-1].repeat(np.diff(parses.token_ptr)) + parses.start
        self.token_cell = self.cells[starts]
        spaces = np.append(parses.chars, 32)[starts - 1] == 32
        spaces[parses.start == 0] = True
        unsure = np.isin(parses.tag, list(_UNSURE)) | (self.forest.node_of < 0)
        self.cost = np.where(unsure, 0, parses.end - parses.start + spaces).astype(np.float64)
        needs = search._needs_of
        width = max((len(each) for each in needs.values()), default=1)
        table = np.full((len(search.reading.cue) + 1, width), len(search.needs))
        for cell, each in needs.items():
            table[cell, : len(each)] = each
        self.token_needs = table[self.token_cell]  # the last number is no need
        rows = self.forest.sentence_last - self.forest.sentence_first
        first_node = np.repeat(self.forest.node_ptr[:-1], rows)
        self.token_node = np.where(self.forest.node_of >= 0, first_node + self.forest.node_of, -1)
        self.probabilities = self._probabilities(reading)

    def _probabilities(self, reading: Reading) -> Probabilities:
        """By the share that may stay of every sentence, as budgets have them."""
        needed = dict.fromkeys(range(len(reading.cue)), 0.0)
        search = self.search
        totals = np.zeros(len(search.needs))
        for each in search.sentences:
            for cell, chars in each.full.items():
                for need in search._needs_of.get(cell, ()):
                    totals[need] += chars
        for cell, needs in search._needs_of.items():
            needed[cell] = max(search.needs[need].chars / max(totals[need], 1) for need in needs)
        shares = [
            1.0 if each is None
            else 1 - sum(needed[cell] * chars for cell, chars in each.full.items()) / max(sum(each.full.values()), 1)
            for each in self.sentences
        ]  # fmt: skip
        places = place_of(np.array(shares, dtype=np.float64))
        found = reading.scores.between(self.forest, places, np.full(len(places), True))
        if self.pins is not None and self.pins.preferred is not None:
            found = found.preferring(self.forest.row[self.pins.preferred])
        # As little goes as must: no edge is better cut than kept.
        return replace(found, retain=np.maximum(found.retain, _EVEN))

    def ask(
        self,
        price: NDArray[np.float64],
        k: int,
        *,
        whole: bool = False,
        extreme: bool = False,
        bounds: bool = False,
        only: Set[int] | None = None,
    ) -> NDArray[np.int64]:
        """Adds the k best versions at a price for each need; what the best of all sentences save, by need.

        With `whole`, what comes out is the sentence as it is; with `extreme`, what says how much can be saved at most;
        with `bounds`, what says how much others are worth. With `only`, other sentences are left alone.
        """
        search = self.search
        paid = np.append(price, 0.0)[self.token_needs].sum(axis=1) if not whole else np.full(len(self.cost), -_DEAR)
        charge = (paid * self.cost).astype(np.float32)
        assert self.probabilities.evidence is not None
        priced = replace(self.probabilities, evidence=self.probabilities.evidence - charge)
        wanted = [each is not None and (only is None or each.number in only) for each in self.sentences]
        # What is not asked for is pinned as it is: it has one version, which costs nothing.
        pins = (self.pins or Pins.none(self.forest)).whole(self.forest, ~np.array(wanted, dtype=np.bool_))
        decoded = decode(self.forest, priced, pins=pins, k=k, limits=self.limits, order="score")
        charges = np.zeros(len(self.forest.row) + 1)
        np.add.at(charges, self.token_node, charge.astype(np.float64))
        charges[-1] = 0
        lengths = _Lengths(self, decoded)
        counts = np.diff(decoded.result_ptr)
        node_first = np.repeat(self.forest.node_ptr[:-1], counts)
        owner = np.repeat(np.arange(len(decoded.score)), np.diff(decoded.node_ptr))
        fees = np.zeros(len(decoded.score))
        np.add.at(fees, owner, charges[node_first[owner] + decoded.node])
        scores = decoded.score + fees
        saved_by_best = np.zeros(len(search.needs), dtype=np.int64)
        results = decoded.result_ptr.tolist()
        for i, sentence in enumerate(self.sentences):
            if sentence is None or not wanted[i]:
                continue
            first, last = results[i], results[i + 1]
            if whole:
                score = float(scores[first]) if last > first else 0.0
                search.add(sentence, Version(score, (0,) * len(sentence.needs)))
                sentence.most = sentence.most or (0.0,) * len(sentence.needs)
                continue
            if bounds:
                sentence.asked = k
                sentence.others = -math.inf
                if last - first >= k:  # there may be more
                    full = sum(
                        float(price[need]) * (sentence.full[cell] + 1)
                        for cell in sentence.cells for need in search._needs_of.get(cell, ())
                    )  # fmt: skip
                    sentence.others = float(decoded.score[last - 1]) + full
            for row, saved in lengths.saved(sentence, first, last):
                if row == first and not extreme:
                    saved_by_best[list(sentence.needs)] += saved
                search.add(sentence, Version(float(scores[row]), saved, lengths, row))
            if extreme and last > first:
                self._note_most(sentence, price, lengths.sure(first))
        return saved_by_best

    def _note_most(self, sentence: _Sentence, price: NDArray[np.float64], sure: NDArray[np.float64]) -> None:
        """How much a sentence can save at most, of the needs that are dear now: what is surely printed is left."""
        search = self.search
        found = list(sentence.most)
        for place, need in enumerate(sentence.needs):
            if price[need] > 0:
                own = [cell for cell in sentence.cells if cell in search.needs[need].cells]
                left = sum(float(sure[cell - sentence.cells[0]]) for cell in own)
                found[place] = sum(sentence.full[cell] + 1 for cell in own) - left
        sentence.most = tuple(found)


class _Lengths:
    """How many characters the results of a search have in each cell."""

    def __init__(self, view: _View, decoded: Decoded) -> None:
        self.view, self.decoded = view, decoded
        forest = view.forest
        counts = np.diff(decoded.result_ptr)
        own = np.diff(decoded.piece_ptr)
        self.owner = np.repeat(np.arange(len(decoded.score)), own)
        text = np.repeat(forest.sentence_text, counts)[self.owner]
        cell = view.cells[forest.parses.char_ptr[text] + decoded.piece_start].astype(np.int64)
        self.cell = _attach(cell, decoded.piece_word.astype(bool), self.owner)
        first_cell = np.repeat(view.token_cell[forest.sentence_first], counts)
        last_cell = np.repeat(view.token_cell[forest.sentence_last - 1], counts)
        width = int((last_cell - first_cell).max(initial=0)) + 1
        self.first = first_cell
        same = np.zeros(len(self.cell), dtype=bool)
        same[1:] = (self.cell[1:] == self.cell[:-1]) & (self.owner[1:] == self.owner[:-1])
        length = decoded.piece_end - decoded.piece_start + (same & decoded.piece_space.astype(bool))
        self.table = np.zeros((len(decoded.score), width), dtype=np.int64)
        np.add.at(self.table, (self.owner, self.cell - first_cell[self.owner]), length)

    def saved(self, sentence: _Sentence, first: int, last: int) -> list[tuple[int, tuple[int, ...]]]:
        """What results save, by need of their sentence, without those that change what is to stay or empty a cue."""
        own = self.table[first:last, : len(sentence.chars)]
        empty = (own == 0) & (sentence.chars > 0)
        saves = sentence.chars - own + empty
        wrong = (empty & sentence.full_only).any(axis=1) | ((saves != 0) & sentence.fixed).any(axis=1)
        rows = np.flatnonzero(~wrong)
        return [
            (first + row, tuple(saved))
            for row, saved in zip(rows.tolist(), (saves[rows] @ sentence.counts).tolist(), strict=True)
        ]

    def sure(self, row: int) -> NDArray[np.float64]:
        """What a result surely prints, by cell from the first of its sentence."""
        view, decoded = self.view, self.decoded
        i = int(np.searchsorted(decoded.result_ptr, row, side="right")) - 1
        kept = np.zeros(len(view.forest.row) + 1, dtype=bool)
        kept[view.forest.node_ptr[i] + decoded.node[decoded.node_ptr[row] : decoded.node_ptr[row + 1]]] = True
        rows = slice(int(view.forest.sentence_first[i]), int(view.forest.sentence_last[i]))
        found = np.zeros(self.table.shape[1])
        cells = view.token_cell[rows] - int(self.first[row])
        np.add.at(found, cells, np.where(kept[view.token_node[rows]], view.cost[rows], 0.0))
        return found

    def pieces(self, row: int) -> tuple[Piece, ...]:
        """What is printed, and where."""
        decoded = self.decoded
        own = slice(int(decoded.piece_ptr[row]), int(decoded.piece_ptr[row + 1]))
        columns = (self.cell[own], decoded.piece_start[own], decoded.piece_end[own], decoded.piece_space[own])
        return tuple(
            Piece(cell, start, end, bool(space))
            for cell, start, end, space in zip(*(column.tolist() for column in columns), strict=True)
        )


def _attach(cell: NDArray[np.int64], word: NDArray[np.bool_], owner: NDArray[np.int64]) -> NDArray[np.int64]:
    """The cells of pieces, where a mark whose words are gone from its cell stands with the word before it."""
    count = len(cell)
    if not count:
        return cell
    places = np.arange(count)
    before = np.maximum.accumulate(np.where(word, places, -1))
    after = np.minimum.accumulate(np.where(word, places, count)[::-1])[::-1]
    has_before = (before >= 0) & (owner[np.maximum(before, 0)] == owner)
    has_after = (after < count) & (owner[np.minimum(after, count - 1)] == owner)
    near_before = has_before & (cell[np.maximum(before, 0)] == cell)
    near_after = has_after & (cell[np.minimum(after, count - 1)] == cell)
    moves = ~word & ~near_before & ~near_after
    target = np.where(has_before, cell[np.maximum(before, 0)], cell[np.minimum(after, count - 1)])
    return np.where(moves & (has_before | has_after), target, cell)


def _bind(forest: Forest, reading: Reading, kept: frozenset[int]) -> BoundLimits:
    """What must stay: kinds of words, and all of what is in cells that stay as they are."""
    protected = []
    for text, cells in zip(forest.parses.texts(), reading.cell, strict=True):
        spans, start = [], 0
        for at in range(1, len(text) + 1):
            if at < len(text) and cells[at] == cells[start]:
                continue
            own = text[start:at]
            if int(cells[start]) in kept and own.strip():
                first = start + len(own) - len(own.lstrip())
                spans.append((first, first + len(own.strip())))
            start = at
        protected.append(tuple(spans))
    return Limits(constraints=tuple(Constraint.kinds(True, _KEPT)), protected=tuple(protected)).bind(forest)
