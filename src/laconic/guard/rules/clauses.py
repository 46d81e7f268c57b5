"""Whole clauses, for documents: what is printed of a sentence is a clause with all that its verb asks for.

Nobody looks at the compressions of a long document one by one, and there is always another sentence to save space in.
So subjects, objects and complements stay with their verbs, and so do conditions ("if it rains"); what is denied is
printed as a whole, since what is cut from it may be all that was denied ("this does not work for everyone"); no clause
is taken out of the one that it depends on ("which runs every hour", "what happened").
"""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import DEPENDENT, PinBoard
from laconic.guard.rule import Policy, Rule
from laconic.guard.rule_words import Words
from laconic.guard.rules.conditions import CONDITION
from laconic.guard.rules.denials import DENIAL
from laconic.language.grammar import (
    ADVERBIAL_CLAUSES,
    ADVERBIALS,
    ARGUMENTS,
    COMPLEMENTS,
    DEPENDENT_CLAUSES,
    QUESTION_TAGS,
    SUBORDINATORS,
)

#: A verb keeps what it asks for.
ARGUMENT: Final = "argument"
#: "only", "almost" stay with what they limit.
LIMIT: Final = "limit"

#: What opens a condition.
_CONDITIONS: Final = "if unless until provided when whenever once".split()
#: Adverbs that say how far what they stand with holds.
_LIMITING: Final = "even only just almost nearly enough too so".split()


def pin_clauses(words: Words, board: PinBoard) -> None:
    """Clauses stay whole, and where they depend on another, with that."""
    board.stays(words.below(words.heads_of(words.denials)), DENIAL)
    conditions = words.heads_of(words.listed(_CONDITIONS) & words.labelled(SUBORDINATORS + ADVERBIALS))
    board.stays(conditions & words.labelled(ADVERBIAL_CLAUSES), CONDITION)
    board.stays(words.listed(_LIMITING) & words.labelled(ADVERBIALS), LIMIT)
    board.stays(words.labelled(ARGUMENTS), ARGUMENT)
    asks = words.heads_of(words.tagged(QUESTION_TAGS))
    board.not_root(words.labelled(DEPENDENT_CLAUSES) | (asks & words.labelled(COMPLEMENTS)), DEPENDENT)


RULE: Final = Rule(pin_clauses, policies=(Policy.DOCUMENT,), order=110)
