"""Contrasts that reverse a point: "but it failed", "yet nobody came", "; however, it was struck down".

The first statement is not printed without the one that reverses it. The latter may stand alone.
"""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.guard.rules.conditions import find_orders
from laconic.language.grammar import (
    ADVERBIAL_CLAUSES,
    ADVERBIALS,
    AUXILIARIES,
    COMPLEMENTS,
    CONJUNCTS,
    NOUN_CLAUSES,
    PREPOSITIONS,
    QUESTION_TAGS,
    SUBJECTS,
    SUBORDINATORS,
)
from laconic.language.word_lists import COMPLETING_ADVERBS, COPULA, OWNERS, PARTISANS, QUANTITIES, SOURCES, TIMES
from laconic.parse.program import Mask

#: A statement that reverses a point stays with it: "but it failed".
CONTRAST: Final = "contrast"

#: Conjunctions and subordinators of a contrast.
_CONTRASTING: Final = ("but", "yet")
_CONCEDING: Final = ("although", "though")
#: Subordinators that contrast two statements: "it grew, while profits halved".
_BESIDE: Final = ("while", "whilst", "whereas")
#: Prepositions whose phrase is needed to reverse a point: "traced it [to] a mistake".
_UNDOING_BY: Final = ("to", "into", "as", "from")
#: Words after "but" that limit a point.
_LIMITING: Final = "only just merely solely not never".split()
#: Verbs of expectations; below, words that introduce what then happened.
_EXPECTING: Final = "tell promise assure expect hope believe think plan intend".split()
_COMING: Final = "then instead within later after".split()
#: Particles of withdrawal and verbs of failure, which reverse what stands before: "and then the bank pulls out".
_LEAVING: Final = ("out", "away", "off", "apart", "through", "back", "down")
_FAILING: Final = "fail collapse cancel refuse vanish disappear quit resign withdraw explode crash die".split()
#: Adverbs that contrast a sentence with the one before it.
_AGAINST: Final = "however nevertheless nonetheless unfortunately sadly regrettably alas".split()
#: Adverbs that are needed to reverse a point: "fell [short]", "closed [again]".
_UNDOING: Final = (*COMPLETING_ADVERBS, "short", "again", "lower", "flat", "only", "too")
#: Verbs of somebody's attitude to something.
_ATTITUDES: Final = "love like hate dislike enjoy prefer adore disagree think find".split()
#: Nouns for a decision, and verbs that take it back.
_DECISIONS: Final = "decision ruling verdict vote move order plan choice judgment judgement".split()
_REVERSING: Final = "reverse overturn revoke rescind withdraw scrap undo quash annul cancel".split()
#: Words before "that" in an exception: "except that".
_EXCEPT: Final = ("except", "save")
#: How many levels up such a clause applies.
_DEEP = 5
#: Modals of advice: "but you should check" does not reverse what comes before.
_ADVISING: Final = "should could can may might would will".split()
#: Modals of mere possibility: they leave no point that could be reversed.
_POSSIBLE: Final = "could can may might".split()


def pin_contrasts(words: Words, board: PinBoard) -> None:
    """Pin statements that reverse a point to that point."""
    turned = _turned(words)
    rows = turned.rows()
    board.needs(words.first_joined(rows), rows, CONTRAST)
    # nor does what the parser places below it, or what it reports, stand alone: "it boils, we learned, but …"
    undone = words.parents_of(turned)
    speaks = (words.listed(SOURCES) | words.listed(OWNERS)) & ~words.listed(COPULA)
    before = words.labelled(("ccomp",)) & (words.rows < words.head) & (undone & speaks)[words.head]
    board.not_root(before | (undone & words.labelled(("conj",))), CONTRAST)
    # "but only if it rains", "but not online", whatever follows
    limit = words.after(words.listed(_CONTRASTING) & words.labelled(("cc",))) & words.listed(_LIMITING)
    limit &= ~words.after(words.tagged(("VBG",)), -1)
    rows = limit.rows()
    board.needs(words.head[rows - 1], rows, CONTRAST)
    # "studying law but not forgetting languages": not without what it limits
    beside = words.labelled(("conj",)) & words.parents_of(limit) & words.tagged(("VBG", "VBN"))
    rows = beside.rows()
    board.needs(rows, words.head[rows], CONTRAST)
    conceded = words.labelled(ADVERBIAL_CLAUSES) & (words.rows > words.head) & ~_denied(words)[words.head]
    conceded &= ~words.parents_of(words.listed(_POSSIBLE) & words.labelled(AUXILIARIES))[words.head]
    against = words.parents_of(words.listed(_BESIDE) & words.labelled(SUBORDINATORS)) & words.after_comma
    against &= words.parents_of(words.labelled(SUBJECTS))
    conceded &= words.parents_of(words.listed(_CONCEDING) & words.labelled(SUBORDINATORS)) | against
    board.with_heads(words, conceded, CONTRAST)
    # "sales grew, helped by new shops, while profits halved", where the parser finds it in the aside
    aside = words.labelled(ADVERBIAL_CLAUSES) & words.tagged(("VBN", "VBG")) & words.after_comma
    far = (conceded & aside[words.head]).rows()
    board.needs(words.head[words.head[far]], far, CONTRAST)
    turned |= conceded | _pin_sentences(words, board)
    _pin_others(words, board, turned)
    # "rose sharply, only to collapse"
    only_to = words.after(words.listed("only"), 2) & words.after(words.listed("to")) & words.tagged(("VB",))
    board.with_heads(words, only_to & words.labelled((*ADVERBIAL_CLAUSES, "xcomp")), CONTRAST)
    # "…, never mind that it stopped running"
    mind = words.listed("mind") & words.after(words.listed("never")) & words.parents_of(words.labelled(("ccomp",)))
    board.with_heads(words, mind | (words.labelled(("ccomp",)) & mind[words.head]), CONTRAST)
    _pin_reversed(words, board)
    # "…, except that it was closed"
    excepts = words.labelled(SUBORDINATORS) & (words.after(words.listed(_EXCEPT)) | words.listed(_EXCEPT))
    that = words.listed("that") & words.after(words.listed(_EXCEPT)) & words.labelled(SUBORDINATORS)
    board.with_heads(words, that, CONTRAST)
    rows = words.head[excepts.rows()]
    top = rows
    for _ in range(_DEEP):
        top = words.head[top]
    board.needs(top, rows, CONTRAST)
    # "won the popular vote, although he lost the presidency", "and then it sold four hundred copies"
    object_ = words.labelled(("dobj",))
    point = object_ & words.parents_of(conceded & words.parents_of(object_))[words.head]
    board.with_heads(words, point | (words.labelled(("amod",)) & words.tagged(("JJ",)) & point[words.head]), CONTRAST)
    much = words.labelled(("nummod",)) & (object_ & turned[words.head])[words.head]
    board.with_heads(words, much, CONTRAST)
    undoes = words.labelled((*ADVERBIALS, "xcomp", "neg", "acomp", "prt"))
    undoes &= words.listed(_UNDOING) | ~words.labelled(ADVERBIALS)
    undoes |= words.labelled(PREPOSITIONS) & words.listed(_UNDOING_BY) & (words.rows > words.head) & ~words.after_comma
    board.with_heads(words, undoes & (turned | only_to)[words.head], CONTRAST)


def _pin_others(words: Words, board: PinBoard, turned: Mask) -> None:
    """To whom or whose instead: "however, it went to another candidate"."""
    other = words.labelled(("pobj",)) & words.below(turned)
    different = words.listed(("another", "different")) & words.labelled(("det", "amod")) & other[words.head]
    phrase = words.labelled(PREPOSITIONS) & words.parents_of(words.parents_of(different))
    board.with_heads(words, different | (phrase & (words.rows > words.head)), CONTRAST)


def _pin_reversed(words: Words, board: PinBoard) -> None:
    """Decisions that were taken back: "was approved in January, a decision that the members reversed"."""
    decision = words.labelled(("appos",)) & words.listed(_DECISIONS)
    rows = (words.labelled(NOUN_CLAUSES) & words.listed(_REVERSING) & decision[words.head]).rows()
    top = words.head[words.head[rows]]
    for _ in range(_DEEP):
        top = words.labelled(("appos", "pobj", "prep", "agent", "dobj", "conj"))[top].where(words.head[top], top)
    board.needs(top, rows, CONTRAST)


def _turned(words: Words) -> Mask:
    """Verbs after "but" and "yet" that contradict what comes before, and do not merely add advice."""
    verb = words.tagged(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"))
    last = words.last(words.listed(_CONTRASTING) & words.labelled(("cc",)))
    # "it was designed for trains, and built accordingly, but none came", where "but" hangs on the first clause
    beside = (words.head[last] == words.head[words.head]) & words.labelled(CONJUNCTS)[words.head]
    # "it looks good and they were kind but the food was bad", where "but" hangs on the second clause
    beside |= (words.head[words.head[last]] == words.head) & words.labelled(("conj", "ccomp"))[words.head[last]]
    joined = words.labelled(("conj",)) & verb & ((words.head[last] == words.head) | beside)
    joined &= (last > words.head) & (words.rows > last)  # if there are several conjuncts, those after "but"
    joined &= words.labelled(("ROOT", "ccomp", "conj", "parataxis"))[words.head]
    orders, denied = words.found(find_orders), _denied(words)
    forbids = (
        joined & orders & denied & (orders & ~denied)[words.head]
    )  # "take two a day, but do not take more than six"
    advised = words.parents_of(words.listed("you") & words.labelled(SUBJECTS))
    advised &= words.parents_of(words.listed(_ADVISING) & words.labelled(AUXILIARIES))
    adds = orders | advised | words.parents_of(words.tagged(QUESTION_TAGS))
    # "I found it too long, but my sister loved it": one person's opinion does not reverse another's
    other = words.parents_of(words.listed(PARTISANS) & words.tagged(("NN", "NNS")) & words.labelled(SUBJECTS))
    adds |= words.listed(_ATTITUDES) & other
    open_ = words.parents_of(words.listed(_POSSIBLE) & words.labelled(AUXILIARIES)) & ~denied
    # "you can see Africa, but most mornings the bay is lost in fog": a time when one cannot
    morning = words.labelled(("npadvmod",)) & words.listed(TIMES) & words.parents_of(words.listed(QUANTITIES))
    joined &= ~open_[words.head] | denied | words.parents_of(morning)
    joined &= ~adds & ~(denied | orders)[words.head]
    return joined | forbids | _disappointed(words)


def _disappointed(words: Words) -> Mask:
    """Verbs that tell how a promise ended: "we were told that it would stay, and within a year they had closed it"."""
    expected = words.listed(_EXPECTING) & words.parents_of(words.labelled(COMPLEMENTS))
    came = words.parents_of(
        words.listed(_COMING) & words.labelled((*ADVERBIALS, *PREPOSITIONS)) & (words.rows < words.head)
    )
    joined = words.labelled(("conj",)) & words.parents_of(words.labelled(SUBJECTS))
    first = words.first_joined(words.rows)
    # "and that is only until May"
    this = words.parents_of((words.listed("that") | words.listed("this")) & words.labelled(SUBJECTS))
    only = words.parents_of(words.listed(_LIMITING) & words.labelled(ADVERBIALS))
    only |= words.parents_of(words.labelled(PREPOSITIONS) & words.after(words.listed(_LIMITING)))
    # "he signs, and then the bank pulls out"
    leaves = words.listed(_LEAVING) & words.labelled(("prt", *ADVERBIALS)) & (words.head == words.rows - 1)
    out = words.parents_of(leaves) | words.listed(_FAILING)
    then = words.parents_of(words.listed("then") & words.labelled(ADVERBIALS) & words.after(words.labelled(("cc",))))
    # "had sworn never to return, and yet she bought a house there"
    yet = words.parents_of(words.listed("yet") & words.labelled(ADVERBIALS) & words.after(words.labelled(("cc",))))
    out |= yet
    then |= yet
    return joined & ((came & expected[first]) | (this & only) | (out & then))


def _denied(words: Words) -> Mask:
    """Verbs that are denied: what follows "it does not cover this" does not reverse it."""
    part = words.labelled((*SUBJECTS, "dobj", "attr", "acomp", "advmod"))
    return words.parents_of(words.denials | (part & words.parents_of(words.denials)))


def _pin_sentences(words: Words, board: PinBoard) -> Mask:
    """Pin clauses with "however" to those before them: "it was passed; however, it was struck down". Returns verbs."""
    adverb = words.listed(_AGAINST) & words.labelled(ADVERBIALS)
    # "was meant to open; instead, they found cracks"
    opens = words.after(words.tagged((",",)), -1) | words.after(words.tagged((":",)))
    adverb |= words.listed("instead") & words.labelled(ADVERBIALS) & opens
    against = words.parents_of(adverb)
    first = words.labelled(("ccomp", "parataxis")) & (words.rows < words.head)
    before = first & against[words.head] & (words.rows < words.first_below(adverb)[words.head])
    board.not_root(words.below(before) | before, CONTRAST)
    rows = before.rows()
    board.needs(rows, words.first_below(adverb)[words.head[rows]], CONTRAST)
    after = words.labelled(("conj", "parataxis")) & against & (words.rows > words.head)
    board.with_heads(words, after, CONTRAST)
    return words.parents_of(before) | after


RULE: Final = Rule(pin_contrasts, order=100)
