"""Antecedents: "it completed the purchase" says nothing without the words that say what "it" is."""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.language.grammar import PREDICATES, SUBJECTS

#: A clause stays below the words that its pronoun refers to.
ANTECEDENT: Final = "antecedent"

#: Pronouns of the third person; "it" may also stand for a clause, or for nothing.
_PERSONAL: Final = ("he", "she", "they", "it")
_NOUNS: Final = ("NN", "NNS", "NNP", "NNPS")
#: How many clauses there are between a pronoun and its antecedent, at most.
_DEPTH: Final = 3


def pin_antecedents(words: Words, board: PinBoard) -> None:
    """A clause with a pronoun as its subject is no root where a clause above it names somebody or something first."""
    pronoun = words.listed(_PERSONAL) & words.tagged(("PRP",)) & words.labelled(SUBJECTS)
    # "it is likely that …", "it rained"
    formal = words.parents_of(words.labelled(("ccomp", "xcomp", "advcl", "expl", *PREDICATES)))
    clause = words.parents_of(pronoun & ~(words.listed("it") & formal[words.head]))
    named = words.parents_of(words.labelled(SUBJECTS) & words.tagged(_NOUNS))
    above = words.head
    for _ in range(_DEPTH):
        board.not_root(clause & named[above] & (above < words.rows), ANTECEDENT)
        above = words.head[above]


#: Runs last: a pin with its name is asked for by no other rule, so it can be released (`laconic.plan`).
RULE: Final = Rule(pin_antecedents, order=2000)
