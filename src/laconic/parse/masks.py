"""Masks: truth values of the tokens of a batch, by row, as rules about words ask for them."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from laconic.parse import scheme
from laconic.parse.parses import Parses

Mask = NDArray[np.bool_]


class Masks:
    """What the tokens of a batch are labelled and tagged, and what hangs on what.

    Masks by label and tag are remembered, since many rules ask for the same, and so read-only: `|=` needs a copy.
    """

    def __init__(self, parses: Parses) -> None:
        self.parses = parses
        first = np.repeat(parses.token_ptr[:-1], np.diff(parses.token_ptr))
        self.head: NDArray[np.int64] = parses.head.astype(np.int64) + first
        self.rows = np.arange(len(self.head))
        self.root: Mask = self.head == self.rows
        self._hangs = ~self.root
        self._by_label: dict[tuple[str, ...], Mask] = {}
        self._by_tag: dict[tuple[str, ...], Mask] = {}

    def labelled(self, labels: tuple[str, ...]) -> Mask:
        """Words whose edge has one of the labels."""
        mask = self._by_label.get(labels)
        if mask is None:
            mask = self._by_label[labels] = read_only(members(scheme.LABELS, labels)[self.parses.label])
        return mask

    def tagged(self, tags: tuple[str, ...]) -> Mask:
        """Words with one of the tags."""
        mask = self._by_tag.get(tags)
        if mask is None:
            mask = self._by_tag[tags] = read_only(members(scheme.TAGS, tags)[self.parses.tag])
        return mask

    def entities(self, types: tuple[str, ...]) -> Mask:
        """Words of an entity of one of the types."""
        return members(scheme.ENTITIES, types)[self.parses.entity]

    def parents_of(self, mask: Mask) -> Mask:
        """Words that any of these hangs on; a root, which hangs on itself, does not count."""
        return self.heads_of(mask & self._hangs)

    def heads_of(self, mask: Mask) -> Mask:
        """Words that any of these hangs on; a root hangs on itself."""
        found = np.zeros(len(self.head), dtype=bool)
        found[self.head[mask]] = True
        return found


def read_only(mask: Mask) -> Mask:
    """The same, which nobody can change."""
    mask.setflags(write=False)
    return mask


@cache
def members(names: tuple[str, ...], wanted: tuple[str, ...]) -> Mask:
    """By number of a name: whether it is one of those wanted."""
    return np.array([name in wanted for name in names])
