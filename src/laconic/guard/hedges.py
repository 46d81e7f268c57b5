"""Hedges and denials beside a word: "allegedly", "nearly", "not all" stay with what they qualify."""

from __future__ import annotations

from laconic.guard.pins import PinBoard, Rule
from laconic.guard.words import Words


def pin_hedges(words: Words, board: PinBoard) -> None:
    """Words of doubt and degree stay with what they hang on; phrases stay whole."""
    board.with_heads(words, words.listed("denials") & ~words.labelled(("cc", "conj", "intj")), Rule.DENIAL)
    adverb = words.parents_of(words.listed("denials")) & words.tagged(("RB", "RBR")) & words.labelled(("advmod",))
    board.with_heads(words, adverb, Rule.DENIAL)  # "no longer"
    # "in some cases", "under no circumstances"
    case = words.labelled(("pobj",)) & words.listed("cases")
    case &= words.parents_of(words.listed("quantities") & words.labelled(("det", "amod")))
    denied = words.labelled(("pobj",)) & words.parents_of(words.listed("no") & words.labelled(("det",)))
    board.with_heads(words, words.labelled(("prep",)) & words.parents_of(case | denied), Rule.HEDGE)
    beside = words.labelled(("advmod", "npadvmod", "amod", "quantmod", "det", "predet", "dep", "nummod", "acomp"))
    board.with_heads(words, words.listed("hedges") & beside, Rule.HEDGE)
    first, second = words.phrases()
    board.needs(first, second, Rule.PHRASE)
    board.needs(second, first, Rule.PHRASE)
