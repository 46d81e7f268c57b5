"""Instructions: how much, when and until when something is to be done."""

from __future__ import annotations

from laconic.guard.conditions import find_orders
from laconic.guard.pins import PinBoard, Rule
from laconic.guard.words import Words
from laconic.language.grammar import ADVERBIAL_CLAUSES, ADVERBIALS, PREPOSITIONS

_TIMES = ("DATE", "TIME", "QUANTITY", "PERCENT", "MONEY", "CARDINAL")


def pin_instructions(words: Words, board: PinBoard) -> None:
    """Amounts, times and deadlines stay with what must be done by them."""
    must = find_orders(words) | words.parents_of(words.listed("directives") & words.labelled(("aux",)))
    allowed = words.listed("permissions") & words.tagged(("MD",))
    forbidden = words.parents_of(words.labelled(("neg",))) & words.parents_of(allowed)
    has_to = words.listed("have") & words.parents_of(words.labelled(("xcomp",)))
    must |= forbidden | (words.labelled(("xcomp",)) & has_to[words.head])
    amount = words.tagged(("CD",)) | words.entities(_TIMES)
    measured = amount.copy()
    for _ in range(3):
        up = words.labelled(("nummod", "quantmod", "pobj", "compound", "amod", "prep", "pcomp", "npadvmod", "advmod"))
        measured |= words.parents_of(measured & up) & ~words.tagged(("VB", "VBZ", "VBD", "VBP", "VBN"))
    deadline = words.labelled(PREPOSITIONS) & words.listed("deadlines") & measured
    deadline |= words.labelled(PREPOSITIONS) & words.listed("bounding prepositions")
    number = words.parents_of(words.parents_of(words.tagged(("CD",)) & words.labelled(("nummod",))))
    deadline |= words.labelled(PREPOSITIONS) & number
    deadline |= words.labelled(("npadvmod",)) & words.parents_of(words.tagged(("CD",)) | words.listed("each"))
    clause = words.labelled(ADVERBIAL_CLAUSES) & words.parents_of(words.listed("deadlines") & words.labelled(("mark",)))
    manner = words.listed("manners") & words.labelled((*ADVERBIALS, "acomp", "oprd"))
    decides = (deadline | clause | manner) & must[words.head]
    board.with_heads(words, decides, Rule.INSTRUCTION)
    inside = decides | (words.labelled(("dobj", "attr", "pobj", "acomp")) & must[words.head])
    for _ in range(3):
        inside |= (measured | amount) & inside[words.head] & ~words.labelled(("punct",))
    board.with_heads(words, inside & ~decides & measured, Rule.INSTRUCTION)
