"""The versions of sentences that a text can be composed of, each with its length and score.

All versions of a text's sentences are scored with the same probabilities, those for the share of the text that its
budget allows, so that their scores add up to the score of the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic.realise import print_pieces

if TYPE_CHECKING:
    from laconic.decode import Decoded
    from laconic.limits.limits import BoundLimits
    from laconic.tree import Forest


@dataclass(frozen=True, slots=True)
class Version:
    """One way to print a sentence: a result of one of the searches, or the sentence itself if it has no words."""

    text: str
    length: int  # in the budget's unit, including the space before it, unless it is the first sentence
    score: float
    source: int = -1  # index of the search; -1: none
    row: int = -1
    as_it_is: bool = False


class Versions:
    """The versions that searches have found, by sentence."""

    def __init__(self, forest: Forest, bound: BoundLimits, *, resolves: bool) -> None:
        self.forest = forest
        self._bound, self._resolves = bound, resolves
        self._texts = forest.parses.texts()
        self._sources: list[Decoded] = []
        self._seen: list[set[tuple[bytes, bool]]] = [set() for _ in range(len(forest))]
        self._number, self._first = forest.sentence_text.tolist(), forest.sentence_first.tolist()
        self.whole = _whole_sentences(forest, self._texts)
        self.leads = _leads(self._number, self.whole)
        self._tightest = [bound.limits.budget.tightest(text) for text in self._texts]
        #: Versions by sentence.
        self.found: list[list[Version]] = [[] for _ in range(len(forest))]

    def lengths(self) -> NDArray[np.int64]:
        """The lengths of the whole sentences, in the budget's unit."""
        budget = self._bound.limits.budget
        return np.array([budget.length(text) for text in self.whole], dtype=np.int64)

    def add(self, decoded: Decoded, as_it_is: NDArray[np.bool_] | None = None) -> bool:
        """Add the results of a search; `as_it_is` marks sentences that it kept whole. Returns whether any is new."""
        source = len(self._sources)
        self._sources.append(decoded)
        result_ptr, node_ptr, scores = decoded.result_ptr.tolist(), decoded.node_ptr.tolist(), decoded.score.tolist()
        new = False
        for i, seen in enumerate(self._seen):
            whole = as_it_is is not None and bool(as_it_is[i])
            for row in range(result_ptr[i], result_ptr[i + 1]):
                key = (decoded.node[node_ptr[row] : node_ptr[row + 1]].tobytes(), whole)
                if key in seen:
                    continue
                seen.add(key)
                new = True
                text = self.whole[i] if whole else self._print(decoded, i, row)
                self.found[i].append(Version(text, self._length(i, text), scores[row], source, row, whole))
        return new

    def add_what_has_no_words(self) -> None:
        """Add sentences without results: they have only punctuation, which is printed unchanged."""
        for i, found in enumerate(self.found):
            if not found:
                found.append(Version(self.whole[i], self._length(i, self.whole[i]), 0.0, as_it_is=True))

    def pick(self, chosen: Sequence[Sequence[Version]]) -> tuple[Decoded, NDArray[np.bool_]]:
        """The chosen versions of every sentence as the results of a single search, and which are printed unchanged."""
        rows = [[version for version in own if version.source >= 0] for own in chosen]
        picked = [version for own in rows for version in own]
        decoded = _core.pick(
            self._sources,
            np.concatenate([[0], np.cumsum([len(own) for own in rows], dtype=np.int64)]).astype(np.int64),
            np.array([version.source for version in picked], dtype=np.int32),
            np.array([version.row for version in picked], dtype=np.int64),
        )
        return decoded, np.array([version.as_it_is for version in picked], dtype=np.bool_)

    def _length(self, i: int, text: str) -> int:
        budget = self._bound.limits.budget
        printed = text if self.leads[i] else f" {text}"
        part = self._tightest[self._number[i]]
        return budget.length(printed) if part is None else budget.share(part, part.length(printed))

    def _print(self, decoded: Decoded, i: int, row: int) -> str:
        own = slice(int(decoded.piece_ptr[row]), int(decoded.piece_ptr[row + 1]))
        protected = self._bound.limits.protected
        number = self._number[i]
        return print_pieces(
            self.forest.parses,
            self._texts[number],
            self._first[i],
            decoded.piece_start[own].tolist(),
            decoded.piece_end[own].tolist(),
            decoded.piece_space[own].tolist(),
            decoded.piece_pronoun[own].tolist() if self._resolves else None,
            protected[number] if protected else (),
        )[0]


def _whole_sentences(forest: Forest, texts: Sequence[str]) -> list[str]:
    """The text of every sentence without surrounding white space."""
    parses = forest.parses
    starts, ends = parses.start[forest.sentence_first].tolist(), parses.end[forest.sentence_last - 1].tolist()
    numbers = forest.sentence_text.tolist()
    return [texts[number][start:end].strip() for number, start, end in zip(numbers, starts, ends, strict=True)]


def _leads(numbers: Sequence[int], whole: Sequence[str]) -> list[bool]:
    """By sentence: whether it is the first of its text that is not just white space."""
    begun: set[int] = set()
    leads = []
    for number, text in zip(numbers, whole, strict=True):
        leads.append(bool(text) and number not in begun)
        if text:
            begun.add(number)
    return leads
