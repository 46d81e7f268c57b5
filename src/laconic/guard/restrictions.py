"""Restrictions: who and what is meant, where it is not all ("people who …", "models built before 2019")."""

from __future__ import annotations

from laconic.guard.pins import PinBoard, Rule
from laconic.guard.words import Words
from laconic.language.grammar import ARGUMENTS, AUXILIARIES, NOUN_CLAUSES, PREPOSITIONS, SUBJECTS


def pin_restrictions(words: Words, board: PinBoard) -> None:
    """What says which ones are meant stays with bare plurals and with "those", "anyone", "every"."""
    definite = words.parents_of(
        (words.listed("definite") & words.labelled(("det", "poss"))) | words.labelled(("poss",))
    )
    quantified = words.parents_of(words.listed("restricted") & words.labelled(("det", "amod", "nummod", "advmod")))
    quantified &= ~definite | words.parents_of(words.listed("only"))
    bare = words.tagged(("NNS",)) & ~definite
    pronoun = words.listed("restricted") & words.tagged(("DT", "NN", "NNS", "PRP", "JJ")) & ~definite
    noun = bare | quantified | pronoun
    noun &= words.labelled(SUBJECTS)
    # "any luggage listed below", wherever it stands
    every = words.parents_of(words.listed("totals") & words.labelled(("det", "predet")))
    board.with_heads(
        words,
        words.labelled(NOUN_CLAUSES) & every[words.head] & (words.rows > words.head) & ~words.after_comma,
        Rule.RESTRICTION,
    )
    # "half of the listeners who wrote in", "only the first 50 customers to check in"
    part = (
        words.listed("of")
        & (words.labelled(SUBJECTS) & (words.listed("fractions") | words.listed("restricted")))[words.head]
    )
    noun |= words.labelled(("pobj",)) & part[words.head]
    noun |= words.labelled(SUBJECTS) & words.parents_of(words.parents_of(words.listed("only")))
    restricts = words.labelled((*NOUN_CLAUSES, "amod", "advmod")) | (
        words.labelled(PREPOSITIONS) & words.listed("restricting prepositions")
    )
    restricts &= noun[words.head] & (words.rows > words.head) & ~words.after_comma
    # of bare plurals only what is said of them in general: "researchers at a college found" tells what some did
    told = words.tagged(("VBD",)) | words.parents_of(
        (words.tagged(("VBD",)) | words.listed("have")) & words.labelled(AUXILIARIES)
    )
    told |= words.tagged(("VBG",))
    told = told[words.head[words.head]] & bare[words.head] & words.labelled(PREPOSITIONS)
    sized = (words.listed("bounding prepositions") | words.listed("amount prepositions")) & ~words.listed("of")
    restricts &= quantified[words.head] | ~told | sized | words.listed("without")
    board.with_heads(words, restricts, Rule.RESTRICTION)
    inside = restricts
    # "glass of this type"
    kind = words.listed("type") | words.listed("kind") | words.listed("sort")
    kind &= words.labelled(("pobj",)) & words.listed("of")[words.head]
    board.with_heads(words, words.listed("of") & words.parents_of(kind), Rule.RESTRICTION)
    # "in the next twelve months"
    article = words.listed("the") & words.labelled(("det",))
    ordered = words.parents_of(words.listed("with article") & words.labelled(("amod",)))
    ordered |= words.after(words.after(words.listed("only")) & article)
    board.with_heads(words, article & (ordered[words.head] | words.after(words.listed("only"))), Rule.PHRASE)
    # "some people can feel dizzy" are not people; "most", "each" and their like stay everywhere
    many = words.labelled(("det", "amod", "predet"))
    some = words.listed("some of them") & words.labelled(SUBJECTS)[words.head]
    board.with_heads(words, many & (some | words.listed("most of them")), Rule.RESTRICTION)
    few = words.labelled(("amod",)) & words.listed("quantities") & words.labelled(SUBJECTS)[words.head]
    board.with_heads(words, few, Rule.RESTRICTION)  # "too few patients"
    keeps = words.labelled(
        (*ARGUMENTS, "prep", "pobj", "pcomp", "nummod", "quantmod", "npadvmod", "amod", "compound", "det", "poss")
    )
    keeps = keeps | (
        words.labelled(("conj",)) & words.parents_of(words.listed("or") & words.labelled(("cc",)))[words.head]
    )
    # "guests who booked online": all that the clause says beside its verb
    alone = restricts & ~words.parents_of(words.labelled(("dobj", "attr", "acomp", "prep", "xcomp", "ccomp")))
    keeps = keeps | (words.labelled(("advmod",)) & (words.rows > words.head) & alone[words.head])
    # "accounts that were opened before May and never used", "damage caused by water that enters through a window"
    keeps = keeps | words.labelled(NOUN_CLAUSES) | (words.labelled(("conj",)) & restricts[words.head])
    for _ in range(5):
        inside |= inside[words.head] & ~words.after_comma & keeps
    board.with_heads(words, words.parents_of(restricts), Rule.RESTRICTION)
    counted = (
        (words.listed("restricted") & ~words.listed("definite")) | words.listed("fractions") | words.tagged(("CD",))
    )
    board.with_heads(words, (counted | quantified) & words.labelled(SUBJECTS), Rule.RESTRICTION)
    board.with_heads(words, inside & ~restricts, Rule.RESTRICTION)
    only = (words.listed("only") & ~words.labelled(("amod", "det")) & ~words.root).rows()
    board.needs(only + 1, only, Rule.RESTRICTION)
