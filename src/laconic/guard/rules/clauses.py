"""Whole clauses, for documents: a clause is printed with all the arguments of its verb.

Nobody checks the compressions of a long document one by one, and space can always be saved in another sentence. So
subjects, objects and complements stay with their verbs, and so do conditions ("if it rains"). A denied clause is
printed as a whole, since the words that are cut may be all that was denied ("this does not work for everyone"). A
dependent clause is never printed without the clause that it depends on ("which runs every hour", "what happened").
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

#: The arguments of a verb stay with it.
ARGUMENT: Final = "argument"
#: Words such as "only" and "almost" stay with what they limit.
LIMIT: Final = "limit"

#: Words that open a condition.
_CONDITIONS: Final = "if unless until provided when whenever once".split()
#: Adverbs that limit how far something holds.
_LIMITING: Final = "even only just almost nearly enough too so".split()


def pin_clauses(words: Words, board: PinBoard) -> None:
    """Pin the parts of clauses, and dependent clauses to the clause above."""
    board.stays(words.below(words.heads_of(words.denials)), DENIAL)
    conditions = words.heads_of(words.listed(_CONDITIONS) & words.labelled(SUBORDINATORS + ADVERBIALS))
    board.stays(conditions & words.labelled(ADVERBIAL_CLAUSES), CONDITION)
    board.stays(words.listed(_LIMITING) & words.labelled(ADVERBIALS), LIMIT)
    board.stays(words.labelled(ARGUMENTS), ARGUMENT)
    asks = words.heads_of(words.tagged(QUESTION_TAGS))
    board.not_root(words.labelled(DEPENDENT_CLAUSES) | (asks & words.labelled(COMPLEMENTS)), DEPENDENT)


RULE: Final = Rule(pin_clauses, policies=(Policy.DOCUMENT,), order=110)
