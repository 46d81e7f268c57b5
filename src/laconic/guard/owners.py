"""Whose claim, opinion or forecast it is: the owner stays with the claim.

That a clause is not taken out of "critics say" is a matter of promotion. Here: the owner of a claim stays with its
verb, and so do owners that stand beside a clause ("according to the company", "in my view", "as far as I can tell").
"""

from __future__ import annotations

from laconic.guard.pins import PinBoard, Rule
from laconic.guard.words import Words
from laconic.language.grammar import ADVERBIAL_CLAUSES, COMPLEMENTS, PREPOSITIONS, SUBJECTS


def pin_owners(words: Words, board: PinBoard) -> None:
    """Claims stay with their owners."""
    claims = words.listed("owners") | words.listed("sources")
    claiming = claims & words.parents_of(words.labelled((*COMPLEMENTS, "oprd")))
    claiming |= words.listed("owners") | words.parents_of(words.labelled(("ccomp",)) & (words.rows > words.head))
    board.with_heads(words, words.labelled((*SUBJECTS, "expl")) & claiming[words.head], Rule.OWNER)
    so = words.parents_of(words.listed("so") & words.after(words.listed("or"))) & words.listed("owners")
    hear = words.listed("hear") & words.labelled(ADVERBIAL_CLAUSES) & (words.rows < words.head)
    board.with_heads(words, so | hear, Rule.OWNER)
    board.with_heads(words, words.labelled(("ccomp",)) & hear[words.head], Rule.OWNER)
    according = words.listed("accord") & words.labelled((*PREPOSITIONS, *ADVERBIAL_CLAUSES, "advmod"))
    source = words.parents_of(words.parents_of(words.listed("authorities") & words.labelled(("pobj",))))
    theirs = words.parents_of(words.listed("partisans") & words.labelled(("poss",)))  # "to the company's own figures"
    source &= ~words.parents_of(words.parents_of(theirs & words.labelled(("pobj",))))
    board.with_heads(words, according & ~source, Rule.OWNER)
    board.with_heads(words, words.labelled(PREPOSITIONS) & according[words.head], Rule.OWNER)
    mine = words.listed("opinions") & words.labelled(("pobj",))
    inside = words.parents_of(mine) & words.labelled(PREPOSITIONS) & words.listed("on in under")
    board.with_heads(words, inside, Rule.OWNER)
    whose = words.labelled(("poss",)) | (words.listed("of") & words.labelled(PREPOSITIONS))
    board.with_heads(words, (whose | words.labelled(("det",))) & (mine & inside[words.head])[words.head], Rule.OWNER)
    aside = words.listed("parenthetical owners") & words.labelled(("parataxis", *ADVERBIAL_CLAUSES))
    marked = words.parents_of((words.listed("as") | words.listed("if")) & words.labelled(("mark",)))
    personal = words.parents_of(words.listed("partisans") & words.labelled((*SUBJECTS, "dobj")))
    personal &= ~words.parents_of(words.listed("you") & words.labelled(SUBJECTS))  # "as you would expect"
    aside &= personal & (marked | words.labelled(("parataxis",)))
    # "…, its developers promise, …": an opinion is someone's, whoever it is
    opinion = words.listed("parenthetical owners") & words.listed("owners") & words.labelled(("parataxis",))
    aside |= opinion & words.parents_of(words.labelled(SUBJECTS))
    board.with_heads(words, aside, Rule.OWNER)
    board.with_heads(words, words.labelled((*SUBJECTS, "dobj")) & aside[words.head], Rule.OWNER)
    far = words.listed("far") & words.after(words.listed("as")) & words.after(words.listed("as"), -1)
    board.with_heads(words, far | (words.labelled(ADVERBIAL_CLAUSES) & far[words.head]), Rule.OWNER)
