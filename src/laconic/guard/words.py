"""The words of a batch as the rules of the guard see them: what each is, and what hangs on what."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from laconic.language import words
from laconic.parse import lemma_id, scheme

if TYPE_CHECKING:
    from laconic.parse import Parses

#: The lists of lemmas that rules ask for; a lemma may be in several.
LISTS: Final[dict[str, Iterable[str]]] = {
    "denials": words.negations(words.Denies.CLAUSE),
    "coordinating denial": [words.COORDINATING_NEGATION],
    "doubts": words.DOUBTS,
    "conditions": words.CONDITIONS,
    "limiting": words.LIMITING,
    "copula": [words.COPULA],
}


class Words:
    """The words of a batch, one row a token; masks are arrays of truth values by row."""

    def __init__(self, parses: Parses) -> None:
        self.parses = parses
        first = np.repeat(parses.token_ptr[:-1], np.diff(parses.token_ptr))
        self.head: NDArray[np.int64] = parses.head.astype(np.int64) + first
        self.rows = np.arange(len(self.head))
        self._label = parses.label
        self._tag = parses.tag
        ids, lists = _lemmas()
        at = np.minimum(np.searchsorted(ids, parses.lemma), len(ids) - 1)
        self._lists = np.where(ids[at] == parses.lemma, lists[at], np.uint32(0))

    def listed(self, name: str) -> NDArray[np.bool_]:
        """Words whose lemma is in a list."""
        found: NDArray[np.bool_] = (self._lists & (1 << list(LISTS).index(name))) != 0
        return found

    def labelled(self, labels: tuple[str, ...]) -> NDArray[np.bool_]:
        """Words whose edge has one of the labels."""
        return _members(scheme.LABELS, labels)[self._label]

    def tagged(self, tags: tuple[str, ...]) -> NDArray[np.bool_]:
        """Words with one of the tags."""
        return _members(scheme.TAGS, tags)[self._tag]

    def heads_of(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Words that any of these hangs on; a root hangs on itself."""
        found = np.zeros(len(self.head), dtype=bool)
        found[self.head[mask]] = True
        return found

    def below(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """All words below any of these."""
        below = np.zeros(len(self.head), dtype=bool)
        hangs = self.head != self.rows
        while not np.array_equal(below, following := (mask | below)[self.head] & hangs):
            below = following
        return below


@lru_cache(maxsize=1)
def _lemmas() -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
    """The ids of all listed lemmas, sorted, and in which lists each is, as bits."""
    lists: dict[int, int] = {}
    for number, own in enumerate(LISTS.values()):
        for word in own:
            lists[lemma_id(word)] = lists.get(lemma_id(word), 0) | 1 << number
    ids = sorted(lists)
    return np.array(ids, dtype=np.uint64), np.array([lists[each] for each in ids], dtype=np.uint32)


@cache
def _members(names: tuple[str, ...], wanted: tuple[str, ...]) -> NDArray[np.bool_]:
    return np.array([name in wanted for name in names])
