"""Sentences that share cues, their needs, and their versions: what each prints and saves in every cue."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from laconic.tree import make_forest

if TYPE_CHECKING:
    from laconic.decode import Decoded
    from laconic.score import LevelScores
    from laconic.subtitles.search_view import SearchView
    from laconic.tree import Forest

#: The key of a sentence: its text and the offset of its first character.
Key = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Need:
    """A number of characters that some cells together must lose.

    `holds` tells whether the lines can hold what versions (by sentence) leave; None if a sufficient length guarantees
    it.
    """

    cells: frozenset[int]
    chars: int
    holds: Callable[[dict[Key, Version]], bool] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Reading:
    """Parsed texts, and the cell in which each of their characters is displayed."""

    forest: Forest
    scores: LevelScores
    cell: tuple[NDArray[np.int32], ...]  # by text and character; cells are numbered in the order of the text
    cue: NDArray[np.int32]  # by cell

    def take(self, texts: Sequence[int]) -> Reading:
        """A reading of some of the texts."""
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
    """A version of a sentence."""

    score: float
    saved: tuple[int, ...]  # by need of the sentence
    found: VersionLengths | None = None  # None: the unchanged sentence
    row: int = -1

    @property
    def pieces(self) -> tuple[Piece, ...] | None:
        """The printed pieces; None: the sentence is unchanged."""
        return None if self.found is None else self.found.pieces(self.row)


@dataclass(slots=True)
class SentenceVersions:
    """A sentence with its versions so far: the best one among those that are equal for its needs."""

    number: int
    key: Key
    full: dict[int, int]  # characters by cell
    cells: tuple[int, ...]
    needs: tuple[int, ...]  # their indices, in order
    versions: dict[object, Version] = field(default_factory=dict)
    shaped: bool = False  # whether line breaks matter, in addition to lengths
    most: tuple[float, ...] = ()  # by need: its maximum savings
    others: float = math.inf  # upper bound on the score of unknown versions, minus the price of their savings
    asked: int = 0
    # By cell of the sentence, in order: characters; whether nothing may change; whether something must be kept.
    chars: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    fixed: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    full_only: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    counts: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 0), np.int64))  # by cell and need


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen versions of a group of sentences."""

    versions: dict[Key, Version]
    missing: dict[int, int]  # by need: the number of characters that are still too many
    score: float
    exact: bool


class VersionLengths:
    """The number of characters that the results of a search have in each cell."""

    def __init__(self, view: SearchView, decoded: Decoded) -> None:
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

    def saved(self, sentence: SentenceVersions, first: int, last: int) -> list[tuple[int, tuple[int, ...]]]:
        """The savings of results, by need of their sentence; skips results that change fixed cells or empty a cue."""
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
        """The characters that a result certainly prints, by cell from the first one of its sentence."""
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
        """The printed pieces and their cells."""
        decoded = self.decoded
        own = slice(int(decoded.piece_ptr[row]), int(decoded.piece_ptr[row + 1]))
        columns = (self.cell[own], decoded.piece_start[own], decoded.piece_end[own], decoded.piece_space[own])
        return tuple(
            Piece(cell, start, end, bool(space))
            for cell, start, end, space in zip(*(column.tolist() for column in columns), strict=True)
        )


def _attach(cell: NDArray[np.int64], word: NDArray[np.bool_], owner: NDArray[np.int64]) -> NDArray[np.int64]:
    """The cells of pieces; a mark that is left alone in its cell moves to the word before it."""
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
