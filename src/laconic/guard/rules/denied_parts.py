"""The limits of a denial or prohibition: "no cover for journeys against medical advice" is not "no cover".

A denial of a part is not a denial of the whole: with fewer words, it would deny more.
"""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.guard.rules.conditions import find_orders
from laconic.guard.rules.denials import DENIAL
from laconic.language.grammar import ADVERBIALS, NOUN_CLAUSES, PREPOSITIONS, QUESTION_TAGS, RELATIVE_CLAUSE, SUBJECTS
from laconic.language.word_lists import BOUNDING_PREPOSITIONS, COPULA
from laconic.parse.program import Mask

#: Prepositions that verbs govern, rather than prepositions of adjuncts.
_GOVERNED_PREPOSITIONS: Final = """
    with to into onto on about for as against under without within until till beyond between below above over off out at
""".split()
_VERBS: Final = ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ")
#: Words that express a prohibition.
_FORBIDDING: Final = (
    "avoid forbid prohibit ban illegal unlawful forbidden prohibited refrain dangerous unsafe unable".split()
)
#: Verbs of keeping somebody from doing something.
_BARRING: Final = "bar ban prevent block stop prohibit keep".split()
#: Adverbs that limit a denial to the manner: "not fully", "never properly".
_FULLY: Final = """
    properly correctly fully completely entirely wholly totally exactly easily safely reliably automatically enough well
    directly immediately alone overnight
""".split()
#: Adjectives of things that lack something, or are not what they are compared to.
_UNLIKE: Final = """
    unhandled unused unpaid unknown unauthorised unauthorized unopened unsolicited unregistered unlicensed uninsured
    untreated unsaved unread unsupported unsigned unverified unvaccinated unarmed uninvited unlisted untested unfinished
    unoccupied undeclared unresolved unmarried unborn incomplete invalid inactive illegal ineligible separate former
""".split()
#: Adjectives that a phrase limits: "available in the shop".
_AT_HAND: Final = "available visible present responsible valid accessible possible known common".split()
#: Verbs of what is noticed somewhere.
_SEEING: Final = "see observe find detect notice report record".split()
#: Adverbs that nearly deny what somebody does.
_RARELY: Final = "rarely seldom hardly scarcely barely infrequently".split()
#: Prepositions of the time from which something is not so any longer.
_SINCE: Final = ("after", "from", "since", "as", "by")
#: Negative pronouns: "nothing to see" is not "nothing".
_NOBODY: Final = "nothing nobody none no-one".split()
#: Adjectives that almost deny their noun.
_HARDLY_ANY: Final = "little few scant scarce insufficient inadequate".split()


def pin_denied_parts(words: Words, board: PinBoard) -> None:
    """Pin denials to what they deny, and what limits them to both."""
    board.with_heads(words, words.denials & ~words.labelled(("cc", "conj", "intj")), DENIAL)
    adverb = words.parents_of(words.denials) & words.tagged(("RB", "RBR")) & words.labelled(("advmod",))
    board.with_heads(words, adverb, DENIAL)  # "no longer"
    # "little evidence"
    bare = ~words.parents_of(words.labelled(("det", "poss")) & ~words.listed(_HARDLY_ANY))  # not "this little book"
    board.with_heads(words, words.listed(_HARDLY_ANY) & words.labelled(("amod", "det")) & bare[words.head], DENIAL)
    # "contains no live virus"; "do not connect it to a lead": with fewer words, it would deny more
    denied = words.parents_of(words.labelled(("neg",)) | (words.denials & words.labelled(("advmod",))))
    none = words.parents_of(words.denials & words.labelled(("det",)))
    none |= words.parents_of(words.labelled(("neg",))) & words.tagged(("NN", "NNS"))  # "not a single brick"
    objects = words.labelled(("dobj", "attr", *SUBJECTS)) & (none | (denied[words.head] & ~words.labelled(SUBJECTS)))
    # "has not had a single one" is as much as "has not had one"
    narrower = words.labelled(("amod",)) & ~(words.listed("single") & ~none[words.head])
    board.with_heads(words, narrower & objects[words.head], DENIAL)
    _pin_limits(words, board, denied, objects & none)
    nobody = words.labelled(SUBJECTS) & (none | words.denials | words.parents_of(words.denials))
    _pin_deeds(words, board, denied, words.parents_of(nobody))
    _pin_prohibitions(words, board, denied | words.parents_of(words.labelled(SUBJECTS) & (none | words.denials)))


def _pin_limits(words: Words, board: PinBoard, denied: Mask, nothing: Mask) -> None:
    """Pin what limits the denied noun, and adverbs that limit the denied verb."""
    # "no cover for journeys against medical advice", "no better in low light", "never seals properly"
    of_none = words.labelled(PREPOSITIONS) & (nothing | words.tagged(("JJR", "RBR")) & denied)[words.head]
    of_none &= (words.rows > words.head) & ~words.after_comma
    board.with_heads(words, of_none, DENIAL)
    # "not available from the interviews"
    lacking = words.labelled(("acomp",)) & denied[words.head] & words.listed(_AT_HAND)
    where = words.labelled(PREPOSITIONS) & lacking[words.head] & (words.head == words.rows - 1)
    board.with_heads(words, where, DENIAL)
    # "not suitable for people with an allergy"
    whom = words.labelled(PREPOSITIONS) & (words.labelled(("acomp",)) & denied[words.head])[words.head]
    some = words.labelled(("pobj",)) & words.tagged(("NNS",)) & whom[words.head]
    some &= ~words.parents_of(words.labelled(("det", "poss")))
    with_what = words.labelled((*PREPOSITIONS, *NOUN_CLAUSES)) & some[words.head] & ~words.after_comma
    board.with_heads(words, with_what & (words.rows > words.head), DENIAL)
    told = words.labelled(NOUN_CLAUSES) & ~words.after_comma
    pobj = words.labelled(("pobj",))
    # "no link between use and age in adults who exercise"
    deeper = words.labelled(PREPOSITIONS) & words.parents_of(pobj & words.parents_of(told))
    of_none |= deeper & (pobj & of_none[words.head])[words.head] & ~words.after_comma
    board.with_heads(words, of_none, DENIAL)
    narrows = told & (pobj & of_none[words.head])[words.head]
    narrows |= words.labelled(PREPOSITIONS) & narrows[words.head]
    # "no cover for [pre-existing] conditions", "without [many] other guests"
    without = words.listed("without") & words.labelled(PREPOSITIONS)
    few = pobj & (of_none | without)[words.head] & words.tagged(("NN", "NNS"))
    narrows |= words.labelled(("amod",)) & few[words.head]
    narrows |= told & words.listed(_NOBODY)[words.head]
    # "no other product containing paracetamol"
    narrows |= words.labelled(("acl",)) & words.tagged(("VBG", "VBN")) & nothing[words.head]
    board.with_heads(words, narrows & ~words.after_comma, DENIAL)
    # "a promise that it did not keep"
    complement = words.labelled(("dobj", "attr", "acomp", "oprd", "xcomp", "ccomp", "prep"))
    complement = words.parents_of(complement & (words.rows > words.head))
    whose = words.labelled((RELATIVE_CLAUSE,)) | ~complement
    board.with_heads(words, told & denied & whose & words.tagged(_VERBS), DENIAL)
    # "never permanently inhabited", "hardly anywhere to eat"
    next_ = words.after(words.denials) & words.labelled(ADVERBIALS) & words.tagged(("RB",)) & denied[words.head]
    board.with_heads(words, next_, DENIAL)
    fully = words.listed(_FULLY) & words.labelled(ADVERBIALS) & denied[words.head] & (words.rows > words.head)
    board.with_heads(words, fully, DENIAL)


def _pin_deeds(words: Words, board: PinBoard, denied: Mask, by_nobody: Mask) -> None:
    """What is not done, and what nobody does: "rarely hunts by day", "nobody has won as many"."""
    rarely = words.parents_of(words.listed(_RARELY) & words.labelled(ADVERBIALS))
    complement = words.parents_of(words.labelled(("dobj", "attr", "acomp", "oprd", "xcomp", "ccomp", "auxpass")))
    place = words.labelled(PREPOSITIONS) & (words.head == words.rows - 1) & ~complement[words.head]
    verb = words.tagged(_VERBS)
    # "did not sit down at a piano until …"
    until = words.parents_of(words.listed(("until", "till")) & words.labelled(("mark",))) & words.labelled(("advcl",))
    until = words.parents_of(until | (words.listed(("until", "till")) & words.labelled(PREPOSITIONS)))
    later = words.labelled(PREPOSITIONS) & (words.rows > words.head) & ~complement[words.head] & until[words.head]
    place |= later & (words.first_below(later)[words.head] == words.rows)
    board.with_heads(words, place & (verb & (denied | rarely | by_nobody))[words.head], DENIAL)
    # "the effect was not seen in women"
    seen = words.listed(_SEEING) & words.parents_of(words.labelled(("auxpass",))) & (denied | by_nobody)
    where = words.labelled(PREPOSITIONS) & words.listed("in") & (words.head == words.rows - 1) & seen[words.head]
    board.with_heads(words, where, DENIAL)
    # what somebody won or read may be understood, but not what nobody did
    board.with_heads(words, words.labelled(("dobj",)) & (verb & (denied | by_nobody))[words.head], DENIAL)
    # "none of them learned it after hearing it fewer than ten times", "hardly any of them show signs of having …"
    gerund = words.labelled(("pcomp",)) & words.tagged(("VBG", "VBN"))
    after = words.labelled(PREPOSITIONS) & words.listed(BOUNDING_PREPOSITIONS) & by_nobody[words.head]
    of = words.listed("of") & (words.labelled(("dobj",)) & by_nobody[words.head])[words.head]
    board.with_heads(words, (after | of) & words.parents_of(gerund), DENIAL)
    often = words.labelled(("npadvmod", "prep")) & words.parents_of(words.tagged(("CD",)))
    board.with_heads(words, often & (gerund & (after | of)[words.head])[words.head], DENIAL)
    # "no employer shall, by reason of illness, dismiss a worker"
    modal = words.first_below(words.tagged(("MD",)))[words.head]
    between = words.labelled(PREPOSITIONS) & (words.rows < words.head) & (modal >= 0) & (modal < words.rows)
    board.with_heads(words, between & (denied | by_nobody)[words.head], DENIAL)
    # "found nowhere else in the west"
    nowhere = words.listed(("nowhere", "anywhere", "else")) & words.labelled(ADVERBIALS)
    rows = (words.labelled(("prep",)) & words.listed("in") & words.after(nowhere)).rows()
    board.needs(rows - 1, rows, DENIAL)
    # "nobody had read the audit in full"
    in_full = words.listed("in") & words.labelled(PREPOSITIONS) & words.after(words.listed(("full", "whole")), -1)
    board.with_heads(words, in_full & (denied | by_nobody)[words.head], DENIAL)
    # "a non-metallic surface" must not become "a surface", nor "unpaid bills" "bills"
    unlike = words.listed("non") | words.listed(_UNLIKE)
    board.with_heads(words, unlike & words.labelled(("amod", "compound", "nmod")), DENIAL)
    # "what do we lose by not having a car?"
    board.with_heads(words, words.labelled(PREPOSITIONS) & words.parents_of(gerund & denied), DENIAL)


def _pin_prohibitions(words: Words, board: PinBoard, denied: Mask) -> None:
    """Pin the place, time and means of a prohibition, and the end of a period in which something was not done."""
    modal = words.parents_of(words.tagged(("MD",)) | (words.listed("do") & words.labelled(("aux",))))
    asked = words.parents_of(words.tagged(QUESTION_TAGS))  # "why not run for an office"
    prohibited = (denied & (modal | words.found(find_orders)) & ~asked) | words.listed(_FORBIDDING)
    prohibited |= words.parents_of(words.labelled(("acomp",)) & words.listed(_FORBIDDING))
    prohibited |= words.labelled(("xcomp", "pcomp")) & prohibited[words.head]
    prohibited |= words.labelled(("dobj",)) & prohibited[words.head]
    governed = words.listed(_GOVERNED_PREPOSITIONS) | words.listed(BOUNDING_PREPOSITIONS)
    # "hardly anywhere to eat after nine"
    where = words.parents_of(words.denials) | words.after(words.denials)
    where = words.parents_of(words.labelled(("advmod", "attr")) & where)
    prohibited |= words.labelled(("xcomp",)) & (where & words.listed(COPULA))[words.head]
    prep = words.labelled(("prep", "dative")) & words.tagged(("IN", "TO")) & governed & prohibited[words.head]
    prep &= words.rows > words.head
    prep &= ~words.after_comma | words.listed(BOUNDING_PREPOSITIONS)
    board.with_heads(words, prep, DENIAL)
    # "after tomorrow, I will no longer have access"
    no_longer = words.parents_of(words.listed(("long", "longer")) & words.parents_of(words.denials))
    since = words.listed(_SINCE) & words.labelled(PREPOSITIONS) & (words.rows < words.head)
    board.with_heads(words, since & no_longer[words.head], DENIAL)
    object_ = words.labelled(("pobj",)) & prep[words.head]
    narrows = words.labelled(("amod", "acl", "relcl")) | (words.labelled(("compound",)) & words.tagged(("NN",)))
    narrows &= object_[words.head] & ~words.after_comma
    # "to addresses outside the city", "unable to deliver frozen goods"
    of_any = object_ & words.tagged(("NNS",)) & ~words.parents_of(words.labelled(("det", "poss")))
    narrows |= words.labelled(PREPOSITIONS) & of_any[words.head] & ~words.after_comma & ~words.listed("of")
    able = words.listed(_FORBIDDING) & words.labelled(("acomp",))
    goods = words.labelled(("dobj",)) & (words.labelled(("xcomp",)) & able[words.head])[words.head]
    narrows |= words.labelled(("amod",)) & goods[words.head]
    board.with_heads(words, narrows, DENIAL)
    # "to a country where they face the death penalty"
    inner = words.labelled(("dobj", "pobj")) & (narrows & words.labelled(NOUN_CLAUSES))[words.head]
    kind = words.labelled(("amod", "compound")) & words.tagged(("JJ", "NN", "VBN"))
    board.with_heads(words, kind & inner[words.head], DENIAL)
    # "did not sound until …", "no earlier than"
    # "has not been ill since he stopped", where "since" gives no reason
    perfect = words.parents_of(words.listed("have") & words.labelled(("aux",)))[words.head[words.head]]
    bounding = words.listed(BOUNDING_PREPOSITIONS) | (words.listed("since") & perfect)
    timed = words.parents_of(bounding & words.labelled(("mark",)))
    board.with_heads(words, words.labelled(("advcl",)) & timed & denied[words.head], DENIAL)
    # "has not backed up since the update"
    since = words.listed("since") & words.labelled(PREPOSITIONS) & (words.rows > words.head)
    had = words.parents_of(words.listed("have") & words.labelled(("aux",)))
    board.with_heads(words, since & (denied & had)[words.head], DENIAL)
    _pin_barred(words, board)


def _pin_barred(words: Words, board: PinBoard) -> None:
    """What somebody is kept from, and until when: "barred from contacting clients he met through the firm"."""
    barring = words.listed(_BARRING)
    from_ = words.listed("from") & words.labelled(PREPOSITIONS) & barring[words.head]
    deed = words.labelled(("pcomp",)) & words.tagged(("VBG",)) & from_[words.head]
    goods = words.labelled(("dobj",)) & words.tagged(("NNS",)) & deed[words.head]
    goods &= ~words.parents_of(words.labelled(("det", "poss")))
    told = words.labelled(NOUN_CLAUSES) & goods[words.head] & ~words.after_comma
    of = words.listed("of") & (words.labelled(("dobj",)) & deed[words.head])[words.head]  # "publishing the names of …"
    where = words.labelled(PREPOSITIONS) & told[words.head] & (words.head == words.rows - 1)
    kind = (
        words.labelled(("compound",))
        & words.tagged(("NN",))
        & (words.labelled(SUBJECTS) & told[words.head])[words.head]
    )
    board.with_heads(words, told | of | where | kind, DENIAL)
    timed = words.parents_of(words.listed(BOUNDING_PREPOSITIONS) & words.labelled(("mark",)))
    until = words.labelled(("advcl",)) & timed & (deed | words.parents_of(from_))[words.head]
    board.with_heads(words, until & (words.rows > words.head), DENIAL)


RULE: Final = Rule(pin_denied_parts, order=45)
