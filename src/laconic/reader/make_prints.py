"""Print sentences from which something was cut, for the reader to learn from: at random, and one edge at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic.network.pieces import Pieces
from laconic.parse import Parser
from laconic.reader.prints import SEVERAL, Prints
from laconic.tree import Forest, make_forest

#: Sentences of other lengths are left out: fragments, and what is seldom.
MIN_WORDS: Final = 4
MAX_WORDS: Final = 100
MAX_PIECES: Final = 180

#: Prints of each sentence with subtrees cut at random, and how often an edge is cut in them, at most.
RANDOM_PRINTS: Final = 4
MOST_CUT: Final = 0.5

_BATCH: Final = 1024
_ROOM: Final = 2**62


def make_prints(texts: Sequence[str], parser: Parser, pieces: Pieces, *, seed: int = 0) -> Prints:
    """Parse sentences, cut their trees, and print what is left."""
    columns: dict[str, list[NDArray[Any]]] = {
        name: [] for name in ("piece", "word_start", "case", "node", "print_node", "printed")
    }
    counts: dict[str, list[int]] = {"piece_ptr": [0], "word_ptr": [0], "print_ptr": [0]}
    rng = np.random.default_rng(seed)
    for begin in range(0, len(texts), _BATCH):
        parses = parser.parse(texts[begin : begin + _BATCH])
        forest = make_forest(parses)
        kept = list(_sentences(forest, pieces))
        prints = [_cut(forest, i, rng) for i, _ in kept]
        printed = _print(forest, [(i, nodes) for (i, _), own in zip(kept, prints, strict=True) for _, nodes in own])
        for (i, words), own in zip(kept, prints, strict=True):
            first, last = int(forest.sentence_first[i]), int(forest.sentence_last[i])
            starts = np.zeros(sum(len(ids) for ids, _ in words), np.uint8)
            starts[np.cumsum([0] + [len(ids) for ids, _ in words[:-1]])] = 1
            columns["piece"].append(np.array([number for ids, _ in words for number in ids], np.uint16))
            columns["word_start"].append(starts)
            columns["case"].append(np.array([case for _, case in words], np.uint8))
            columns["node"].append(forest.node_of[first:last].astype(np.int16))
            columns["print_node"].append(np.array([node for node, _ in own], np.int16))
            columns["printed"] += [next(printed) for _ in own]
            counts["piece_ptr"].append(counts["piece_ptr"][-1] + len(starts))
            counts["word_ptr"].append(counts["word_ptr"][-1] + len(words))
            counts["print_ptr"].append(counts["print_ptr"][-1] + len(own))
    arrays: dict[str, Any] = {name: np.array(pointer, np.int64) for name, pointer in counts.items()}
    arrays |= {name: np.concatenate(parts) for name, parts in columns.items()}
    return Prints(**arrays | {"printed": np.packbits(arrays["printed"])})


def _sentences(forest: Forest, pieces: Pieces) -> Iterator[tuple[int, list[tuple[tuple[int, ...], int]]]]:
    """The sentences that are used, with their words as a network reads them."""
    parses, texts = forest.parses, forest.parses.texts()
    for i, (number, first, last) in enumerate(parses.sentences()):
        if not MIN_WORDS <= last - first <= MAX_WORDS:
            continue
        spans = zip(parses.start[first:last].tolist(), parses.end[first:last].tolist(), strict=True)
        words = pieces.read([texts[number][a:b] for a, b in spans])
        if sum(len(ids) for ids, _ in words) <= MAX_PIECES:
            yield i, words


def _cut(forest: Forest, i: int, rng: np.random.Generator) -> list[tuple[int, list[int]]]:
    """Node sets of a sentence that are to be printed, each with the node whose edge alone was cut, or `SEVERAL`."""
    parent = forest.parent[forest.node_ptr[i] : forest.node_ptr[i + 1]]
    count = len(parent)
    below = np.eye(count, dtype=bool)  # below[i, j]: i is j, or below it
    at = parent.copy()
    while (at >= 0).any():
        rows = np.flatnonzero(at >= 0)
        below[rows, at[rows]] = True
        at[rows] = parent[at[rows]]
    found = []
    for _ in range(RANDOM_PRINTS):
        cut = (rng.random(count) < rng.random() * MOST_CUT) & (parent >= 0)
        found.append((SEVERAL, np.flatnonzero(~(below & cut).any(axis=1)).tolist()))
    found += [(j, np.flatnonzero(~below[:, j]).tolist()) for j in np.flatnonzero(parent >= 0).tolist()]
    return found


def _print(forest: Forest, asked: Iterable[tuple[int, list[int]]]) -> Iterator[NDArray[np.bool_]]:
    """Which words of its sentence each print has."""
    asked = list(asked)
    printer = _core.Printer(forest, False)
    for i, nodes in asked:
        printer.begin(i)
        printer.add(0.0, nodes, _ROOM)
        printer.end()
    decoded = printer.finish()
    parses, ptr = forest.parses, decoded.piece_ptr
    for row, (i, _) in enumerate(asked):
        first, last = int(forest.sentence_first[i]), int(forest.sentence_last[i])
        own = slice(int(ptr[row]), int(ptr[row + 1]))
        # A stop that was cut off a word is no word of the print.
        at = np.searchsorted(parses.start[first:last], decoded.piece_start[own])
        at = at[at < last - first]
        found = np.zeros(last - first, dtype=bool)
        found[at] = True
        yield found
