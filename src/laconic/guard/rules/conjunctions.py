"""Coordinations: what holds them together, and those of which no part may go.

An "and" is not lost with the first word of what it joins: "more than in May and slightly below the plan". All
parts of an alternative stay, and so do those of a list that is counted: "on Friday, Saturday or Sunday", "two groups:
fat and sugar".
"""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.language.grammar import ADVERBIALS, SUBJECTS

#: "and [slightly] below the plan".
CONJUNCTION: Final = "conjunction"

#: Parts of a coordination of things.
_THINGS: Final = ("NN", "NNS", "NNP", "NNPS", "CD")
_LIST: Final = 6  # how many are joined at most

_VERBS: Final = ("VB", "VBD", "VBP", "VBZ", "VBN", "MD")

#: Modals of permission: of two things that are permitted, one may be named alone.
_ALLOWING: Final = ("can", "could", "may", "might")

#: Adverbs that join a clause to the one before it.
_JOINING: Final = "so then otherwise yet hence therefore thus".split()


def pin_conjunctions(words: Words, board: PinBoard) -> None:
    """Pin adverbs after a conjunction without a conjunct, adverbs that join clauses, and the parts of some lists.

    If the parser found no conjunct, a conjunction is deleted with the word after it. If this word is an adverb within a
    phrase, the rest of the phrase would lose its conjunction, so the adverb stays. Any other word is deleted with all
    that the conjunction joins: "red [or blue] fields", "…, [and in line with the plan], we". An adverb in a clause is
    not pinned: the conjunction before it joins nothing ("but [then] I").
    """
    joins = words.labelled(("cc",)) & ~words.parents_of(words.labelled(("conj",)))[words.head]
    joins &= ~words.opens
    clause = words.parents_of(words.labelled(SUBJECTS))
    adverb = words.labelled(ADVERBIALS) & (words.head > words.rows) & ~clause[words.head]
    board.with_heads(words, words.after(joins) & adverb, CONJUNCTION)
    # "the disk was full, [so] delete the files": an adverb that joins two clauses is their conjunction
    second = words.labelled(("conj",)) & words.tagged(_VERBS) & ~words.parents_of(words.labelled(("cc",)))[words.head]
    joining = words.listed(_JOINING) & words.labelled(ADVERBIALS) & words.after(words.tagged((",", ":")))
    board.with_heads(words, joining & (words.head > words.rows) & second[words.head], CONJUNCTION)
    _pin_lists(words, board)
    # "the red ones, not the green ones, plus some milk": the conjunction is not printed without what it follows
    rows = (
        words.labelled(("conj",)) & words.labelled(("appos",))[words.head] & words.parents_of(words.denials)[words.head]
    ).rows()
    board.needs(rows, words.head[rows], CONJUNCTION)
    # "both Indian and British": without one of them, it is said of the other alone
    both = words.parents_of(words.listed("both") & words.labelled(("preconj", "det")))
    board.with_heads(words, words.labelled(("conj",)) & both[words.head], CONJUNCTION)
    # "low cost and high quality": without the second adjective, the first one is said of both
    noun = words.labelled(("conj",)) & words.tagged(_THINGS) & words.tagged(_THINGS)[words.head]
    noun &= words.parents_of(words.labelled(("amod",)) & (words.rows < words.head))[words.head]
    board.with_heads(words, words.labelled(("amod",)) & noun[words.head] & (words.rows < words.head), CONJUNCTION)
    _pin_misread(words, board)


def _pin_misread(words: Words, board: PinBoard) -> None:
    """Pin objects attached to a verb beyond the next conjunction: "it seals [the meat], but it gives a crust"."""
    conjunction = words.last_below(words.labelled(("cc",)))[words.head[words.head]]
    across = words.labelled(("dobj", "attr", "oprd", "dative")) & words.labelled(("conj",))[words.head]
    rows = (across & (words.rows < conjunction) & (conjunction < words.head)).rows()
    board.needs(rows, words.head[words.head[rows]], CONJUNCTION)
    # "take it instead of the blue one, or …", with "of" for a conjunction
    rows = (words.labelled(("pobj",)) & words.labelled(("cc",))[words.head]).rows()
    board.needs(rows, words.head[words.head[rows]], CONJUNCTION)
    second = words.coming(words.labelled(("conj",)))[rows]
    known = second >= 0
    board.needs(rows[known], second[known], CONJUNCTION)


def _pin_lists(words: Words, board: PinBoard) -> None:
    """Pin the parts of alternatives, and of a list after a colon that says how many there are."""
    part = words.labelled(("conj",)) & words.tagged(_THINGS) & words.tagged(_THINGS)[words.head]
    either = words.parents_of(words.listed("or") & words.labelled(("cc",))) & words.tagged(_THINGS)
    counted = words.labelled(("appos",)) & (words.last(words.tagged((":",))) > words.head)
    counted &= words.parents_of(words.tagged(("CD",)) & words.labelled(("nummod",)))[words.head]
    # "is either fined or sent to prison"; of what one may do, one thing can be said alone
    allowed = words.parents_of(words.listed(_ALLOWING) & words.tagged(("MD",)))
    verbs = words.parents_of(words.listed("either")) & words.tagged(_VERBS) & ~allowed
    for _ in range(_LIST):
        either |= words.parents_of(part & either)
        counted |= part & counted[words.head]
    # "on Tuesday, Wednesday or Friday afternoon"
    day = words.labelled(("compound",)) & words.entities(("DATE", "TIME"))
    board.with_heads(words, day & (part & (either | either[words.head]))[words.head], CONJUNCTION)
    other = words.labelled(("conj",)) & words.tagged(_VERBS) & verbs[words.head]
    rows = ((part & (either | either[words.head] | counted)) | other).rows()
    board.needs(rows, words.head[rows], CONJUNCTION)
    board.needs(words.head[rows], rows, CONJUNCTION)


RULE: Final = Rule(pin_conjunctions, order=105)
