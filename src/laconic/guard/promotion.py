"""Promotion: which clauses may stand alone, by what governs them.

A clause says on its own what it says in its sentence if all that is above it merely reports it ("police said") or
stands beside it ("…, and", "…;"). Which governors those are is a matter of label and list; nothing below a clause that
may not stand alone may stand alone either.
"""

from __future__ import annotations

from laconic.guard.conditions import find_conditions
from laconic.guard.pins import PinBoard, Rule
from laconic.guard.words import Words
from laconic.language.grammar import (
    ADVERBIAL_CLAUSES,
    ADVERBIALS,
    AUXILIARIES,
    PREDICATES,
    PREPOSITIONS,
    QUESTION_TAGS,
    SUBJECTS,
    SUBORDINATORS,
)
from laconic.parse.program import Mask


def pin_promotions(words: Words, board: PinBoard) -> None:
    """Pin as no root what may not stand alone."""
    head, rows = words.head, words.rows
    owner, doubted = _owned(words), _doubted(words)
    complement = words.labelled(("ccomp",))
    asks = words.parents_of(words.tagged(QUESTION_TAGS) | (words.listed("doubts") & words.labelled(SUBORDINATORS)))
    before = rows < head
    speaks = words.listed("sources") | words.listed("owners")
    minded = words.parents_of(words.parents_of(words.listed("mind") & words.labelled(("pobj",))))
    # "if there is a spot, that means …": what is reported depends on it
    conditioned = words.parents_of(words.found(find_conditions))
    reported = (words.listed("sources") | words.unknown | minded) & ~owner & ~doubted & ~conditioned
    # "it rained; we left"; and "it rained, we said that it would": a verb of saying that has a complement of its own
    own = words.parents_of(
        ((words.labelled(("ccomp", "xcomp")) & ~before) | words.labelled(("dobj", *PREDICATES)))
        & ~words.tagged(("PRP",))
        & ~words.listed("so")
    )
    beside = before & (own[head] | ~(speaks | words.listed("doubtful"))[head])
    allowed = complement & ~asks & (reported[head] | beside)
    allowed |= words.labelled(("acl",)) & words.listed("plain nouns")[head]
    # "… and it rained": unless something before both holds for both
    shared = words.parents_of(_shared(words))
    marked = words.parents_of(words.labelled(SUBORDINATORS))
    allowed |= words.labelled(("conj", "parataxis", "dep")) & ~shared[head] & ~marked
    allowed &= ~_fills(words)
    plain = words.labelled(ADVERBIAL_CLAUSES) & words.parents_of(
        words.listed("reasons") & words.labelled(SUBORDINATORS)
    )
    through = words.labelled((*PREDICATES, "xcomp")) & ~words.listed("doubtful")
    link = words.root | allowed | plain | through | _announced(words)
    pinned = ~words.chained(link) | through
    board.not_root(pinned & complement & owner[head], Rule.OWNER)
    board.not_root(pinned & complement & doubted[head], Rule.DOUBT)
    board.not_root(pinned, Rule.DEPENDENT)


def _owned(words: Words) -> Mask:
    """Verbs whose complement belongs to someone."""
    partisan = (words.listed("partisans") | words.listed("fractions")) & words.labelled(SUBJECTS)
    mine = words.parents_of(words.labelled(("poss",)) & words.listed("I"))
    partisan |= words.labelled(SUBJECTS) & mine
    theirs = words.parents_of(partisan)
    told = words.parents_of(
        words.labelled(SUBJECTS) & (words.listed("I") | words.listed("you") | words.listed("people"))
    )
    theirs &= ~(told & words.parents_of(words.listed("announcing modals") & words.labelled(AUXILIARIES)))
    theirs |= words.labelled(("xcomp",)) & theirs[words.head]  # "keeps telling"
    return words.listed("owners") | (words.listed("claiming") & theirs)


def _announced(words: Words) -> Mask:
    """Verbs on the way to what a sentence announces: "a quick note to let you know that …"."""
    let = words.listed("let") & words.labelled((*ADVERBIAL_CLAUSES, "acl", "relcl", "xcomp"))
    know = words.listed("know") & words.labelled(("ccomp", "xcomp"))
    return let | (know & (words.listed("let") | words.listed("want") | words.listed("like"))[words.head])


def _doubted(words: Words) -> Mask:
    """Words that are themselves denied, doubted or only possible."""
    # "I should say", "you must note" say it; so do "keep in mind", "the point is"
    says = words.listed("announcing")[words.head] & words.listed("announcing modals")
    unsure = words.listed("denials") | (words.tagged(("MD",)) & ~words.listed("certain modals") & ~says)
    unsure |= words.listed("hedges") & words.labelled(ADVERBIALS)
    doubted = words.parents_of(unsure | words.labelled(("neg",)))
    subject = words.labelled(SUBJECTS) & (
        (words.listed("doubtful") & ~words.listed("asserting")) | doubted | words.listed("denials")
    )
    predicate = words.labelled((*PREDICATES, "dobj")) & (words.listed("doubtful") | doubted)
    doubted |= words.parents_of(subject | predicate)
    doubted |= words.listed("doubtful")
    return doubted | (words.labelled((*PREDICATES, "xcomp")) & doubted[words.head])


def _fills(words: Words) -> Mask:
    """What is said to gain time: "you know", "I mean"."""
    speakers = words.parents_of(words.labelled(SUBJECTS) & (words.listed("I") | words.listed("you")))
    says = words.parents_of(words.labelled(("ccomp", "xcomp", "dobj", "prep")))
    return words.listed("fillers") & speakers & ~says


def _shared(words: Words) -> Mask:
    """What stands before two clauses and holds for both: conditions, owners, hedges."""
    first = words.rows < words.head
    shared = words.found(find_conditions) | (words.listed("hedges") & words.labelled(ADVERBIALS))
    shared |= words.listed("accord") | (words.labelled(PREPOSITIONS) & words.parents_of(words.listed("opinions")))
    return shared & first & ~words.labelled(AUXILIARIES)
