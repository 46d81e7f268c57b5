"""Denials and doubts: whether a sentence asserts something or denies it.

The training data of the models has few denials. Two deletions would reverse the meaning of a sentence. One is to take a
clause out of a clause that denies or doubts it ("Police do not believe the fire was started deliberately"), or out of
"whether" and "if": the two are kept together, with the subject of the upper clause. The other is to delete a subject or
object that denies ("nobody", "no card data").
"""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import TRUTH, Policy, Rule
from laconic.guard.rule_words import Words
from laconic.language.grammar import (
    ADVERBS,
    COMPLEMENTS,
    CONJUNCTS,
    COORDINATORS,
    EXPLETIVES,
    NOUN_CLAUSES,
    OBJECTS,
    PREDICATES,
    SUBJECTS,
    SUBORDINATORS,
)
from laconic.language.word_lists import COORDINATING_NEGATION, COPULA, DOUBTS

#: A denial stays with what it denies.
DENIAL: Final = "denial"
#: What is doubted or left open is not printed without the doubt.
DOUBT: Final = "doubt"


def pin_denials(words: Words, board: PinBoard) -> None:
    """Pin denials to what they deny, and doubts to what they doubt."""
    head, denies = words.head, words.denials
    subject, complement = words.labelled(SUBJECTS), words.labelled(COMPLEMENTS)
    denied = words.heads_of(denies)
    denied |= words.labelled(PREDICATES) & denied[head]  # "it is not true that …"
    before_copula = (words.rows < head) & words.listed(COPULA)[head]
    denied |= words.heads_of(denied & before_copula & complement)  # "what I do not accept is that …"
    argument = subject | words.labelled(OBJECTS)
    stays = (argument & (denies | denied)) | (denies & words.labelled(ADVERBS))
    denied |= words.heads_of(stays & subject)
    nor = words.heads_of(words.listed(COORDINATING_NEGATION) & words.labelled(COORDINATORS))
    board.stays(stays | (words.labelled(CONJUNCTS) & nor[head]), DENIAL)

    doubts = words.listed(DOUBTS)
    after = words.rows > head  # a clause before the verb is usually independent: "it works, you need not ask"
    by_denial = denied[head] & (complement | words.labelled(NOUN_CLAUSES)) & after  # "no evidence that …"
    by_doubt = (complement & doubts[head] & after) | words.heads_of(doubts & words.labelled(SUBORDINATORS))
    doubted = by_denial | by_doubt
    board.together(by_denial & complement, DENIAL)
    board.together(by_doubt & complement, DOUBT)
    board.not_root(by_denial, DENIAL)
    board.not_root(by_doubt, DOUBT)
    doubting = words.heads_of(doubted & complement)
    beside = doubting[head] & (doubted | subject | words.labelled(EXPLETIVES))
    board.stays(beside & denied[head], DENIAL)
    board.stays(beside, DOUBT)


RULE: Final = Rule(pin_denials, policies=(Policy.HEADLINE, *TRUTH), order=10)
