"""Restrictions: who and what is meant, where it is not all ("people who …", "models built before 2019")."""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.guard.rules.hedges import PHRASE
from laconic.language.grammar import ARGUMENTS, AUXILIARIES, NOUN_CLAUSES, PREPOSITIONS, SUBJECTS
from laconic.language.word_lists import AMOUNT_PREPOSITIONS, BOUNDING_PREPOSITIONS, FRACTIONS, QUANTITIES, TOTALS

#: "people who …", where only those are meant.
RESTRICTION: Final = "restriction"

#: Pronouns and determiners of a restriction: "those who", "any guest with".
_RESTRICTED: Final = """
    those anyone anybody everyone everybody any every each all no none nobody only people person anything everything
    whoever nothing someone most some few many
""".split()
#: Determiners that say which, so that what follows the noun tells more, not which.
_DEFINITE: Final = "the this that these those a an another my your his its our their her".split()
#: Prepositions of a phrase that says which ones are meant.
_RESTRICTING_PREPOSITIONS: Final = """
    with without over under above below between in on from aged of for to at by before after outside within beyond
    against through via
""".split()
#: Adjectives that a noun has with an article alone: "the next days", "the same people".
_WITH_ARTICLE: Final = "next last same past following other previous coming first only very rest".split()
#: How many of them, where the noun alone would say all: of a subject, and of anything.
_SOME_OF_THEM: Final = ("some", "several", "few", "all", "these", "those")
_MOST_OF_THEM: Final = ("most", "many", "each", "every", "certain")


def pin_restrictions(words: Words, board: PinBoard) -> None:
    """What says which ones are meant stays with bare plurals and with "those", "anyone", "every"."""
    definite = words.parents_of((words.listed(_DEFINITE) & words.labelled(("det", "poss"))) | words.labelled(("poss",)))
    quantified = words.parents_of(words.listed(_RESTRICTED) & words.labelled(("det", "amod", "nummod", "advmod")))
    quantified &= ~definite | words.parents_of(words.listed("only"))
    bare = words.tagged(("NNS",)) & ~definite
    pronoun = words.listed(_RESTRICTED) & words.tagged(("DT", "NN", "NNS", "PRP", "JJ")) & ~definite
    noun = bare | quantified | pronoun
    noun &= words.labelled(SUBJECTS)
    # "any luggage listed below", wherever it stands
    every = words.parents_of(words.listed(TOTALS) & words.labelled(("det", "predet")))
    board.with_heads(
        words,
        words.labelled(NOUN_CLAUSES) & every[words.head] & (words.rows > words.head) & ~words.after_comma,
        RESTRICTION,
    )
    # "half of the listeners who wrote in", "only the first 50 customers to check in"
    part = (
        words.listed("of")
        & (words.labelled(SUBJECTS) & (words.listed(FRACTIONS) | words.listed(_RESTRICTED)))[words.head]
    )
    noun |= words.labelled(("pobj",)) & part[words.head]
    noun |= words.labelled(SUBJECTS) & words.parents_of(words.parents_of(words.listed("only")))
    restricts = words.labelled((*NOUN_CLAUSES, "amod", "advmod")) | (
        words.labelled(PREPOSITIONS) & words.listed(_RESTRICTING_PREPOSITIONS)
    )
    restricts &= noun[words.head] & (words.rows > words.head) & ~words.after_comma
    # of bare plurals only what is said of them in general: "researchers at a college found" tells what some did
    told = words.tagged(("VBD",)) | words.parents_of(
        (words.tagged(("VBD",)) | words.listed("have")) & words.labelled(AUXILIARIES)
    )
    told |= words.tagged(("VBG",))
    told = told[words.head[words.head]] & bare[words.head] & words.labelled(PREPOSITIONS)
    sized = (words.listed(BOUNDING_PREPOSITIONS) | words.listed(AMOUNT_PREPOSITIONS)) & ~words.listed("of")
    restricts &= quantified[words.head] | ~told | sized | words.listed("without")
    board.with_heads(words, restricts, RESTRICTION)
    inside = restricts
    # "glass of this type"
    kind = words.listed("type") | words.listed("kind") | words.listed("sort")
    kind &= words.labelled(("pobj",)) & words.listed("of")[words.head]
    board.with_heads(words, words.listed("of") & words.parents_of(kind), RESTRICTION)
    # "in the next twelve months"
    article = words.listed("the") & words.labelled(("det",))
    ordered = words.parents_of(words.listed(_WITH_ARTICLE) & words.labelled(("amod",)))
    ordered |= words.after(words.after(words.listed("only")) & article)
    board.with_heads(words, article & (ordered[words.head] | words.after(words.listed("only"))), PHRASE)
    # "some people can feel dizzy" are not people; "most", "each" and their like stay everywhere
    many = words.labelled(("det", "amod", "predet"))
    some = words.listed(_SOME_OF_THEM) & words.labelled(SUBJECTS)[words.head]
    board.with_heads(words, many & (some | words.listed(_MOST_OF_THEM)), RESTRICTION)
    few = words.labelled(("amod",)) & words.listed(QUANTITIES) & words.labelled(SUBJECTS)[words.head]
    board.with_heads(words, few, RESTRICTION)  # "too few patients"
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
    board.with_heads(words, words.parents_of(restricts), RESTRICTION)
    counted = (words.listed(_RESTRICTED) & ~words.listed(_DEFINITE)) | words.listed(FRACTIONS) | words.tagged(("CD",))
    board.with_heads(words, (counted | quantified) & words.labelled(SUBJECTS), RESTRICTION)
    board.with_heads(words, inside & ~restricts, RESTRICTION)
    only = (words.listed("only") & ~words.labelled(("amod", "det")) & ~words.root).rows()
    board.needs(only + 1, only, RESTRICTION)


RULE: Final = Rule(pin_restrictions, order=80)
