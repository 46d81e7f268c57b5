"""Contrasts that turn the point round: "but it failed"."""

from __future__ import annotations

import numpy as np

from laconic.guard.pins import PinBoard, Rule
from laconic.guard.words import Words


def pin_contrasts(words: Words, board: PinBoard) -> None:
    """A clause after "but" that denies or undoes stays with the one before; so does "but not"."""
    but = words.listed("but") & words.labelled(("cc",))
    has = words.parents_of(but)
    joined = words.labelled(("conj",)) & has[words.head]
    # of several conjuncts, the one after "but"
    last_but = np.maximum.accumulate(np.where(but, words.rows, -1))
    joined &= (last_but > words.head) & (words.rows > last_but)
    turns = words.listed("turns")
    turned = turns | words.parents_of(turns) | words.parents_of(words.tagged(("JJR", "RBR")))
    board.with_heads(words, joined & turned, Rule.CONTRAST)
