"""What some verbs lead to: their goal, their result, or what something is taken for.

The table of frames has what a verb is rarely without; these verbs are often without it, but mean something else then.
"""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.language.grammar import PREPOSITIONS, SUBORDINATORS

#: "sees them as a threat".
COMPLEMENT: Final = "complement"

#: Verbs of what something is taken for.
_TAKING: Final = """
    see view regard describe report treat portray depict define classify characterize perceive
""".split()
#: Verbs that take something to a goal.
_ADDING: Final = """
    add attach attribute devote dedicate expose subject compare assign entitle confine limit
""".split()
_SENDING: Final = "send ship transfer deport dispatch relocate".split()
#: Verbs of telling or keeping apart, and verbs of choosing one thing "over" another.
_APART: Final = "tell keep set take hold".split()
_CHOOSING: Final = "prefer choose pick favour favor take".split()
#: Nouns of what something comes into: "into force".
_INTO: Final = "force effect account being question practice consideration".split()
_SELVES: Final = "myself yourself himself herself itself ourselves yourselves themselves oneself".split()


def pin_complements(words: Words, board: PinBoard) -> None:
    """Pin complements of verbs that are said of an object, or in the passive."""
    object_ = words.parents_of(words.labelled(("dobj", "auxpass")))
    later = words.rows > words.head
    # "sees them as a threat", "is reported as open", where the parser takes "as" for a preposition or not
    as_ = words.listed("as")
    what = (as_ & words.labelled(PREPOSITIONS)) | words.parents_of(as_ & words.labelled(SUBORDINATORS))
    taken = words.listed(_TAKING) & object_
    board.with_heads(
        words, what & words.labelled((*PREPOSITIONS, "amod", "oprd")) & taken[words.head] & later, COMPLEMENT
    )
    # "adds it to the list", "was sent to Oslo", "sent him to help"
    to = words.listed("to") & words.labelled(("prep", "dative"))
    to &= ((words.listed(_ADDING) | words.listed(_SENDING)) & object_)[words.head]
    to |= words.labelled(("xcomp",)) & (words.listed(_SENDING) & object_)[words.head]
    board.with_heads(words, to & later & ~words.after_comma, COMPLEMENT)
    # "enters into force"
    force = words.labelled(("pobj",)) & words.listed(_INTO) & words.listed("into")[words.head]
    board.with_heads(words, words.parents_of(force) & later, COMPLEMENT)
    # "finds herself in trouble"
    self = words.parents_of(words.labelled(("dobj",)) & words.listed(_SELVES)) & words.listed("find")
    board.with_heads(words, words.labelled(PREPOSITIONS) & self[words.head] & later & ~words.after_comma, COMPLEMENT)
    # "tell the two apart", "have a dispute heard in court"
    apart = words.listed("apart") & words.labelled(("advmod", "prt")) & words.listed(_APART)[words.head]
    had = words.labelled(("dobj",)) & words.tagged(("NN", "NNS"))
    had &= (words.listed(("have", "get")) & words.tagged(("VB",)))[words.head]
    done = words.labelled(("acl",)) & words.tagged(("VBN",)) & (words.head == words.rows - 1) & had[words.head]
    board.with_heads(words, (apart & later) | done, COMPLEMENT)
    # "with its seals intact"
    intact = words.labelled(("amod",)) & words.tagged(("JJ",)) & (words.head == words.rows - 1)
    intact &= (words.labelled(("pobj",)) & words.listed("with")[words.head])[words.head]
    board.with_heads(words, intact, COMPLEMENT)
    # "spent a lot of time standing in the queue"
    time = words.labelled(("pobj", "dobj")) & words.listed("time")
    time |= words.parents_of(words.labelled(PREPOSITIONS) & words.parents_of(time))
    spent = words.listed(("spend", "waste")) & words.parents_of(words.labelled(("dobj",)) & time)
    doing = words.labelled(("xcomp", "advcl")) & words.tagged(("VBG",)) & spent[words.head]
    board.with_heads(words, doing & later & ~words.after_comma, COMPLEMENT)
    # "I would take a live show over a record"
    would = words.listed(_CHOOSING[:1]) | words.parents_of(words.tagged(("MD",)))
    first = words.first_below(words.labelled(("dobj",)))[words.head]
    over = words.listed("over") & words.labelled(PREPOSITIONS) & (words.listed(_CHOOSING) & would)[words.head]
    board.with_heads(words, over & (first >= 0) & (first < words.rows), COMPLEMENT)


RULE: Final = Rule(pin_complements, order=57)
