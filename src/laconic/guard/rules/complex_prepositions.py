"""Prepositions of several words keep what they lead to: "opened in response" says nothing, nor does "in search".

A parser sees a noun and a phrase of its own in "in response to a request"; but the noun says only how the two hang
together.
"""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.guard.rules.phrases import PHRASE
from laconic.language.grammar import PREPOSITIONS

#: Nouns of such prepositions, by what stands before and after them.
_NOUNS: Final = {
    ("in", "to"): "response addition reply relation contrast proportion regard reference opposition accordance return",
    ("in", "of"): """
        favour favor absence search charge view terms term light place spite honour honor memory lieu front support
        defence defense pursuit case need danger want celebration recognition praise anticipation fear
    """,
    ("in", "for"): "exchange return preparation",
    ("in", "with"): """
        line accordance connection conjunction touch contact keeping agreement collaboration cooperation partnership
    """,
    ("on", "of"): "behalf account grounds top",
    ("by", "of"): "means way virtue reason dint",
    ("for", "of"): "lack want fear",
    ("with", "to"): "regard respect reference",
    ("as", "of"): "result consequence means",
    ("at", "of"): "risk expense",
}  # fmt: skip


def pin_complex_prepositions(words: Words, board: PinBoard) -> None:
    """Pin what follows the noun, where the noun has no article, and the noun where it follows."""
    plain = ~words.parents_of(words.labelled(("det", "poss", "amod")) & ~words.listed(("a", "an")))
    for (before, after), nouns in _NOUNS.items():
        noun = words.listed(nouns.split()) & words.tagged(("NN", "NNS")) & plain & words.labelled(("pobj",))
        noun &= words.listed(before)[words.head]
        follows = words.listed(after) & words.labelled((*PREPOSITIONS, "pcomp"))
        rows = (follows & words.after(noun)).rows()
        inner = words.first_below(words.labelled(("pobj", "pcomp")))[rows]
        known = inner >= 0
        board.needs(rows[known] - 1, inner[known], PHRASE)
        board.needs(inner[known], rows[known] - 1, PHRASE)


RULE: Final = Rule(pin_complex_prepositions)
