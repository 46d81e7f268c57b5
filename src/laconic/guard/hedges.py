"""Hedges and denials beside a word: "allegedly", "nearly", "not all" stay with what they qualify."""

from __future__ import annotations

from laconic.guard.pins import PinBoard, Rule
from laconic.guard.words import Words


def pin_hedges(words: Words, board: PinBoard) -> None:
    """Words of doubt and degree stay with what they hang on; phrases stay whole."""
    board.with_heads(words, words.listed("denials") & ~words.labelled(("cc", "conj", "intj")), Rule.DENIAL)
    beside = words.labelled(("advmod", "npadvmod", "amod", "quantmod", "det", "predet", "dep", "nummod", "acomp"))
    board.with_heads(words, words.listed("hedges") & beside, Rule.HEDGE)
    first, second = words.phrases()
    board.needs(first, second, Rule.PHRASE)
    board.needs(second, first, Rule.PHRASE)
