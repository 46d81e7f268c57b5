"""Words that open a phrase or a clause stay where the rest would not read as one without them.

"They say that when it rains the road floods" had better not become "they say when it rains …". "Asked that the school
be closed" is not "asked the school be closed", and "believe it or not" is not "believe it". A preposition keeps its
object ("closed because of the storm"), and a passive verb keeps the preposition at its end ("can be interacted with").
A preposition or subordinator that nothing depends on keeps the phrase or clause that follows it: a compression does not
end in "starts, unless".
"""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.language.grammar import PREPOSITIONS, QUESTION_TAGS, RELATIVE_CLAUSE, SUBJECTS
from laconic.language.word_lists import OWNERS
from laconic.parse.program import Mask

#: The name of the pins, as in "guard: opening".
OPENING: Final = "opening"

#: Labels of words that depend on a later word, and so begin a phrase or a clause.
_RISING: Final = (
    *("det", "amod", "compound", "nummod", "poss", "nmod", "quantmod", "advmod", "npadvmod"),
    *("nsubj", "nsubjpass", "csubj", "expl", "aux", "auxpass", "mark", "neg"),
)
_CLIMB: Final = 4
#: A clause that is further than this from its verb, in words, is hard to read without "that".
_FAR: Final = 6


def pin_openings(words: Words, board: PinBoard) -> None:
    """Pin "that" of a demand, objects of prepositions, and "or not"; prefer "that" where a phrase follows it."""
    head, rows = words.head, words.rows
    that = words.listed("that") & words.labelled(("mark",)) & (rows < head)
    board.with_heads(words, that & _demands(words)[head], OPENING)
    board.prefers(that & _fronted(words, that)[head])
    preposition = words.tagged(("IN", "TO")) & words.labelled((*PREPOSITIONS, "pcomp"))
    object_ = words.labelled(("pobj", "pcomp")) & preposition[head] & (rows > head) & ~words.tagged(("RB",))
    board.with_heads(words, object_, OPENING)
    passive = words.parents_of(words.labelled(("auxpass",)))
    stranded = words.labelled(("prep",)) & words.tagged(("IN",)) & ~words.parents_of(object_) & (head == rows - 1)
    board.with_heads(words, stranded & passive[head], OPENING)
    board.with_heads(words, words.alternatives & words.root[head], OPENING)  # "believe it or not"
    _pin_followers(words, board)
    _pin_misread_subjects(words, board)
    # "reminded us, some of whom had complained, that it was late": after an aside "that" stays
    late = words.listed("that") & words.labelled(("mark",)) & words.after(words.tagged((",",)))
    late |= that & (rows > head[head] + _FAR)  # nor far from the verb that it belongs to
    board.with_heads(words, late & words.labelled(("ccomp",))[head], OPENING)


def _pin_misread_subjects(words: Words, board: PinBoard) -> None:
    """Subjects that the parser gave to a phrase: "of the two, the cheaper one broke", "by then one was dead"."""
    head, rows = words.head, words.rows
    finite = words.tagged(("VBD", "VBZ", "VBP")) | words.parents_of(words.tagged(("VBD", "VBZ", "VBP", "MD")))
    alone = finite & ~words.parents_of(words.labelled((*SUBJECTS, "expl"))) & words.labelled(("ROOT", "conj", "ccomp"))
    front = words.labelled(PREPOSITIONS) & (rows < head) & alone[head]
    beside = words.labelled(("appos",)) & (words.labelled(("pobj",)) & front[head])[head] & words.after_comma
    subject = beside.rows()
    board.needs(head[head[head[subject]]], subject, OPENING)
    # "what the man from the mill, I believe his name was Pieters, said": the comma goes with the words before it
    mine = (
        words.labelled(SUBJECTS)
        & words.tagged(("PRP",))
        & words.after(words.tagged((",",)))
        & words.listed(OWNERS)[head]
    )
    aside = words.coming(mine)
    across = (words.labelled(SUBJECTS) & (aside > rows + 2) & (head > head[aside])).rows()
    board.needs(across, aside[across] - 2, OPENING)
    # "we confirm that accounts, now closed, have lost access", where the subject hangs on the aside
    clause = words.labelled(("ccomp",)) & (rows > head)
    own = words.parents_of(words.labelled((*SUBJECTS, "expl")))
    first = words.first_below(clause & own)[head]
    bare = clause & ~own & words.parents_of(words.tagged(("VBZ", "VBP", "MD")) & words.labelled(("aux", "auxpass")))
    later = (bare & (first >= 0) & (first < rows)).rows()
    board.needs(later, words.first_below(words.labelled(SUBJECTS))[first[later]], OPENING)
    both = front & words.parents_of(words.labelled(("pcomp",)) & words.tagged(("RB",)))
    subject = (words.labelled(("pobj",)) & both[head]).rows()
    board.needs(head[head[subject]], subject, OPENING)


def _pin_followers(words: Words, board: PinBoard) -> None:
    """Pin what follows a preposition or subordinator without dependents, up to the head of that phrase."""
    head, rows = words.head, words.rows
    bare = ~words.parents_of(rows > head)
    preposition = (
        words.labelled(("prep",)) & words.tagged(("IN", "VBN")) & ~words.labelled((RELATIVE_CLAUSE, "acl"))[head]
    )
    preposition &= ~words.parents_of(words.tagged(QUESTION_TAGS) & (rows < head))[head]  # "what I thought of as I left"
    late = words.labelled(("mark",)) & (rows > head)
    goes_on = words.after(~words.labelled(("punct",)) & ~words.opens, -1)
    opener = (((preposition & bare) | late) & goes_on).rows()
    target, rising = opener + 1, words.labelled(_RISING)
    for _ in range(_CLIMB):
        above = head[target]
        target = (rising[target] & (above > target)).where(above, target)
    board.needs(opener, target, OPENING)


def _fronted(words: Words, that: Mask) -> Mask:
    """Verbs of clauses with a phrase between "that" and the subject: "that in May they left"."""
    opener, subject = words.first_below(that)[words.head], words.first_below(words.labelled(SUBJECTS))[words.head]
    front = words.labelled(("advcl", "prep")) & (opener >= 0) & (opener < words.rows) & (words.rows < subject)
    return words.parents_of(front)


def _demands(words: Words) -> Mask:
    """Verbs of clauses in the subjunctive: "that it be closed", "that she pay"."""
    base = words.tagged(("VB",))
    helped = words.parents_of(words.tagged(("MD", "TO")) | words.listed("do"))
    be = words.parents_of(words.listed("be") & base & words.labelled(("aux", "auxpass")))
    return (base | be) & words.parents_of(words.labelled(SUBJECTS)) & ~helped


RULE: Final = Rule(pin_openings)
