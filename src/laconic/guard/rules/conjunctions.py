"""An "and" is not lost with the first word of what it joins: "more than in May and slightly below the plan"."""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words

#: "and [slightly] below the plan".
CONJUNCTION: Final = "conjunction"


def pin_conjunctions(words: Words, board: PinBoard) -> None:
    """Where the parser finds no conjunct, the conjunction goes with the word after it: that stays with its head."""
    joins = words.labelled(("cc",)) & ~words.parents_of(words.labelled(("conj",)))[words.head]
    board.with_heads(words, words.after(joins) & (words.head > words.rows), CONJUNCTION)


RULE: Final = Rule(pin_conjunctions, order=105)
