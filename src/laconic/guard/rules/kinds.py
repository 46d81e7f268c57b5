"""Which kind is meant: "only [Irish] coffee", "mainly Danish [and Swedish]", "the few times I booked [by phone]"."""

from __future__ import annotations

from typing import Final

from laconic.frames.lexicon import ASPECTS, QUANTITIES
from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.guard.rules.bounds import BOUND
from laconic.guard.rules.conditions import CONDITION
from laconic.guard.rules.phrases import PHRASE
from laconic.guard.rules.restrictions import RESTRICTION
from laconic.language.grammar import AUXILIARIES, NOUN_CLAUSES, PREPOSITIONS, SUBJECTS

#: Adverbs that say that something holds of these and of no others.
_ONLY: Final = ("only", "solely", "exclusively")
#: Adverbs that say that something holds of most of a list.
_MAINLY: Final = "mainly mostly largely chiefly primarily predominantly partly".split()
#: Parts of something that are not where the rest of it is, or not what it is.
_PARTS: Final = "outskirt heartland edge border fringe suburb brink remnant ruin replica imitation copy".split()
#: Nouns for what somebody does with something: that can be said of neither alone.
_ACTS: Final = "accuracy development distribution efficacy implementation provision selection supply update use".split()
#: Words that single out occasions: "the few times that …".
_OCCASIONS: Final = ("one", "few", "only", "first", "last", "other")
#: Prepositions of exceptions.
_EXCEPT: Final = ("but", "except", "besides", "excluding", "save")
#: Nouns for a part of a time or a place, which say nothing alone: "until the end of May".
_ENDS: Final = "end beginning start middle centre center top bottom rest remainder".split()
#: How many are joined at most.
_LIST: Final = 6


def pin_kinds(words: Words, board: PinBoard) -> None:
    """What tells one kind from another stays where the sentence speaks of that kind alone."""
    _pin_focus(words, board)
    _pin_lists(words, board)
    _pin_subjects(words, board)
    _pin_times(words, board)
    end = words.listed(_ENDS) & words.labelled(("pobj",))
    board.with_heads(words, words.labelled(("prep",)) & words.listed("of") & end[words.head], PHRASE)
    # "they know nothing but the hype [and the price]": all of an exception
    exception = words.labelled(("pobj",)) & (words.listed(_EXCEPT) & words.labelled(PREPOSITIONS))[words.head]
    board.with_heads(words, words.labelled(("conj",)) & exception[words.head], BOUND)


def _pin_focus(words: Words, board: PinBoard) -> None:
    """The noun phrase right after "only" keeps its adjectives and compounds: of other coffee it does not hold."""
    focused = words.after(words.listed(_ONLY) & words.labelled(("advmod", "amod")))
    noun = words.tagged(("NN", "NNS"))
    names = words.labelled(("amod", "compound", "nummod"))
    noun &= focused | words.parents_of(focused & (names | words.labelled(("det",))))
    board.with_heads(words, names & noun[words.head] & (words.rows < words.head), RESTRICTION)


def _pin_lists(words: Words, board: PinBoard) -> None:
    """Of "mainly Danish and Swedish" one alone would be most of it; of "people who swim and dive" all who swim."""
    part = words.labelled(("conj",))
    most = words.parents_of(words.listed(_MAINLY) & words.labelled(("advmod",))) & ~words.tagged(("VBD", "VBZ", "VBP"))
    for _ in range(_LIST):
        most |= part & most[words.head]
    rows = (part & most).rows()
    board.needs(words.head[rows], rows, RESTRICTION)
    board.needs(rows, words.head[rows], RESTRICTION)
    plural = words.tagged(("NNS",)) & ~words.parents_of(words.listed(("the", "these")) | words.labelled(("poss",)))
    clause = words.labelled(NOUN_CLAUSES) & plural[words.head] & ~words.after_comma
    verb = words.tagged(("VB", "VBP", "VBZ"))
    clause &= verb
    clause |= words.labelled(("xcomp",)) & clause[words.head]  # "who want to swim and dive"
    joined = part & verb & clause[words.head]
    joined &= ~words.parents_of(words.listed("or") & words.labelled(("cc",)))[words.head]
    board.with_heads(words, joined, RESTRICTION)


def _pin_subjects(words: Words, board: PinBoard) -> None:
    """What is said of "the use of drugs" is not said of drugs, nor, if a purpose follows, of any use."""
    subject = words.labelled(SUBJECTS)
    purpose = words.labelled(("acl", "relcl")) & words.tagged(("VB",)) & (words.rows > words.head) & ~words.after_comma
    purpose &= subject[words.head]
    board.with_heads(words, purpose, RESTRICTION)
    of = words.listed("of") & words.labelled(("prep",)) & (words.head == words.rows - 1)
    board.with_heads(words, of & words.parents_of(purpose)[words.head], RESTRICTION)
    # either noun may stand for both where the first is an amount or a kind: "a number of towns"
    either = words.listed(QUANTITIES) | (words.listed(ASPECTS) & ~words.listed(_ACTS))
    noun = subject & words.tagged(("NN", "NNS")) & ~either
    whole = of & ((words.listed(_PARTS) & ~subject) | noun)[words.head]
    rows = (words.labelled(("pobj",)) & whole[words.head]).rows()
    board.needs(rows, words.head[words.head[rows]], PHRASE)


def _pin_times(words: Words, board: PinBoard) -> None:
    """Clauses that say when something always holds, and those that single out some occasions."""
    time = words.listed("time")
    clause = words.labelled(("relcl", "acl", "advcl")) & time[words.head] & (words.rows > words.head)
    # "by the time you arrive, it is over", "every time it rains, the cellar fills": conditions
    present = words.tagged(("VBZ", "VBP"))
    present |= words.parents_of((present | words.tagged(("MD",))) & words.labelled(AUXILIARIES))
    whenever = time & words.parents_of(clause & present)
    by = words.listed("by") & words.parents_of(whenever & words.labelled(("pobj",)))
    board.with_heads(words, by | (whenever & words.labelled(("pobj", "npadvmod"))), CONDITION)
    board.with_heads(words, clause & whenever[words.head], CONDITION)
    # "the few times I booked by phone": not all bookings
    single = time & words.parents_of(words.listed(_OCCASIONS))
    inside = clause & single[words.head]
    # read as a time of the verb: "[the few times] I flew with them"
    beside = words.parents_of(single & words.labelled(("npadvmod",)) & words.after(words.tagged(("PRP",)), -1))
    inside |= words.labelled(("prep", "dobj")) & beside[words.head] & (words.rows > words.head)
    for _ in range(3):
        inside |= inside[words.head] & words.labelled(("prep", "pobj", "dobj", "advmod", "xcomp")) & ~words.after_comma
    board.with_heads(words, inside, RESTRICTION)


RULE: Final = Rule(pin_kinds, order=87)
