"""Whole clauses, for documents: what is printed of a sentence is a clause with all that its verb asks for.

Nobody looks at the compressions of a long document one by one, and there is always another sentence to save space in.
So subjects, objects and complements stay with their verbs, and so do conditions ("if it rains"); what is denied is
printed as a whole, since what is cut from it may be all that was denied ("this does not work for everyone"); no clause
is taken out of the one that it depends on ("which runs every hour", "what happened").
"""

from __future__ import annotations

from laconic.guard.pins import PinBoard, Rule
from laconic.guard.words import Words
from laconic.language.grammar import (
    ADVERBIAL_CLAUSES,
    ADVERBIALS,
    ARGUMENTS,
    COMPLEMENTS,
    DEPENDENT_CLAUSES,
    QUESTION_TAGS,
    SUBORDINATORS,
)


def pin_clauses(words: Words, board: PinBoard) -> None:
    """Clauses stay whole, and where they depend on another, with that."""
    board.stays(words.below(words.heads_of(words.listed("denials"))), Rule.DENIAL)
    conditions = words.heads_of(words.listed("conditions") & words.labelled(SUBORDINATORS + ADVERBIALS))
    board.stays(conditions & words.labelled(ADVERBIAL_CLAUSES), Rule.CONDITION)
    board.stays(words.listed("limiting") & words.labelled(ADVERBIALS), Rule.LIMIT)
    board.stays(words.labelled(ARGUMENTS), Rule.ARGUMENT)
    asks = words.heads_of(words.tagged(QUESTION_TAGS))
    board.not_root(words.labelled(DEPENDENT_CLAUSES) | (asks & words.labelled(COMPLEMENTS)), Rule.DEPENDENT)
