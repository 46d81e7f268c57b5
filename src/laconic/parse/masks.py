"""Masks: boolean values by row for the tokens of a batch, the vocabulary of guard rules."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from laconic._core import Op
from laconic.parse import scheme
from laconic.parse.program import Mask, Numbers, Tape


class Masks:
    """Masks over the labels and tags of the tokens of a batch, and over their dependency relations."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.rows = Numbers(tape, Op.ROW)
        self.head = Numbers(tape, Op.HEAD)
        self.lemma = Numbers(tape, Op.LEMMA)
        self.root = self.head == self.rows
        self.hangs = ~self.root
        self._known: dict[tuple[Op, tuple[str, ...]], Mask] = {}

    def labelled(self, labels: tuple[str, ...]) -> Mask:
        """Words whose edge has one of the labels."""
        return self._named(Op.LABEL, scheme.LABELS, labels)

    def tagged(self, tags: tuple[str, ...]) -> Mask:
        """Words with one of the tags."""
        return self._named(Op.TAG, scheme.TAGS, tags)

    def entities(self, types: tuple[str, ...]) -> Mask:
        """Words of an entity of one of the types."""
        return self._named(Op.ENTITY, scheme.ENTITIES, types)

    def _named(self, op: Op, names: tuple[str, ...], wanted: tuple[str, ...]) -> Mask:
        """Words whose number is that of one of the names; rules ask for the same ones again and again."""
        mask = self._known.get((op, wanted))
        if mask is None:
            mask = self._known[op, wanted] = Numbers(self.tape, op).listed_in(members(names, wanted))
        return mask

    def parents_of(self, mask: Mask) -> Mask:
        """Words with a dependent in the mask; a root does not count as its own dependent."""
        return self.heads_of(mask & self.hangs)

    def heads_of(self, mask: Mask) -> Mask:
        """Words with a dependent in the mask; a root counts as its own dependent."""
        return Mask(self.tape, Op.HEADS, mask)

    def first_below(self, mask: Mask) -> Numbers:
        """By row: its first dependent in the mask, or -1; a root counts as its own dependent."""
        return Numbers(self.tape, Op.FIRST_BELOW, mask)

    def last_below(self, mask: Mask) -> Numbers:
        """By row: its last dependent in the mask, or -1; a root counts as its own dependent."""
        return Numbers(self.tape, Op.LAST_BELOW, mask)

    def best(self, mask: Mask, weight: Numbers) -> Mask:
        """Among the words of the mask with the same head, the one with the greatest weight; the first of equals."""
        return Mask(self.tape, Op.BEST, mask, weight)

    def after(self, mask: Mask, places: int = 1) -> Mask:
        """Words of a text that are `places` after a word of the mask; before it if negative."""
        return Mask(self.tape, Op.AFTER, mask, constant=places)

    def last(self, mask: Mask) -> Numbers:
        """By row: the last word of the mask in its text up to this row, or -1."""
        return Numbers(self.tape, Op.LAST, mask)

    def coming(self, mask: Mask) -> Numbers:
        """By row: the first word of the mask in its text from this row on, or -1."""
        return Numbers(self.tape, Op.COMING, mask)

    def below(self, mask: Mask) -> Mask:
        """All descendants of words of the mask."""
        return Mask(self.tape, Op.BELOW, mask)

    def chained(self, mask: Mask) -> Mask:
        """Words of the mask whose ancestors are all in the mask."""
        return Mask(self.tape, Op.CHAINED, mask)


@cache
def members(names: tuple[str, ...], wanted: tuple[str, ...]) -> NDArray[np.bool_]:
    """By index of a name: whether it is among those wanted."""
    return np.array([name in wanted for name in names])
