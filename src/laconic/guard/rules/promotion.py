"""Promotion: which clauses may be printed as sentences of their own, depending on what governs them.

A clause may stand alone if everything above it merely reports it ("police said") or is coordinated with it ("…, and",
"…;"). Which governors do so is decided by labels and word lists. Nothing below a clause that may not stand alone may
stand alone either.
"""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import DEPENDENT, PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.guard.rules.conditions import find_conditions
from laconic.guard.rules.denials import DOUBT
from laconic.guard.rules.owners import OWNER
from laconic.language.grammar import (
    ADVERBIAL_CLAUSES,
    ADVERBIALS,
    AUXILIARIES,
    NOUN_CLAUSES,
    PREDICATES,
    PREPOSITIONS,
    QUESTION_TAGS,
    SUBJECTS,
    SUBORDINATORS,
)
from laconic.language.word_lists import COMPLEMENTIZER, DOUBTS, FRACTIONS, HEDGES, OPINIONS, OWNERS, PARTISANS, SOURCES
from laconic.parse.program import Mask

#: Nouns and adjectives that leave open or deny the clause that they govern.
_DOUBTFUL: Final = """
    rumour rumor myth claim allegation theory idea hope fear belief view opinion argument suspicion hypothesis
    assumption suggestion possibility chance probability likelihood risk danger legend story tale misconception
    fallacy lie hoax speculation talk notion impression feeling guess prediction forecast warning threat promise
    dream illusion accusation complaint contention assertion evidence sign proof reason doubt question unlikely
    likely possible impossible probable improbable doubtful unclear uncertain unsure untrue false wrong incorrect
    conceivable inconceivable questionable debatable plausible implausible convinced confident hopeful worried
    concerned afraid theoretical rumoured supposed truth denial hint condition point aim goal plan proposal demand
    expectation hunch
""".split()
#: Verbs that announce a statement, with their modals below: "I should say that", "please note that", "I can tell you
#: that".
_ANNOUNCING: Final = "say tell note mention add remember know stress remind point emphasise emphasize recognise".split()
_ANNOUNCING_MODALS: Final = "should must can would 'd".split()
#: Nouns for messages, and verbs that say what is in them.
_MESSAGES: Final = "note message reminder notice update line word heads-up email e-mail mail letter".split()
_TELLING: Final = ("let", "inform", "remind", "notify", "tell", "say")
#: Nouns of the list above that assert the clause as the subject of "is that": "the point is that …".
_ASSERTING: Final = "sign truth reason point evidence".split()
#: Nouns whose clause may stand alone.
_PLAIN_NOUNS: Final = "fact news reminder announcement notice realisation realization discovery".split()
#: Verbs of saying that introduce a claim if their subject is a partisan.
_CLAIMING: Final = """
    said says told
    say tell write state note add announce report explain comment reply respond answer declare stress emphasise
    emphasize point recall show hear read mention call mean advise recommend hold
""".split()
#: Modals that express certainty.
_CERTAIN_MODALS: Final = "will can shall 'll".split()
#: Nouns for something untrue.
_FORGERIES: Final = "forgery hoax fake lie joke fabrication invention parody spoof scam fraud myth mistake".split()
#: Conjunctions of clauses that hold independently.
_REASONS: Final = ("because", "so")
#: Verbs of fillers: "you know", "I mean".
_FILLERS: Final = "know mean see guess".split()


def pin_promotions(words: Words, board: PinBoard) -> None:
    """Pin clauses that may not stand alone: they are no roots."""
    head, rows = words.head, words.rows
    owner, doubted = _owned(words), _doubted(words)
    complement = words.labelled(("ccomp",))
    asks = words.parents_of(words.tagged(QUESTION_TAGS) | (words.listed(DOUBTS) & words.labelled(SUBORDINATORS)))
    before = rows < head
    speaks = words.listed(SOURCES) | words.listed(OWNERS)
    minded = words.parents_of(words.parents_of(words.listed("mind") & words.labelled(("pobj",))))
    # "if there is a spot, that means …": the reported clause depends on the condition
    conditioned = words.parents_of(words.found(find_conditions))
    shared = words.parents_of(_shared(words))
    reported = (words.listed(SOURCES) | words.unknown | minded) & ~owner & ~doubted & ~conditioned & ~shared
    # "it rained; we left", and "it rained, we said that it would", where the verb of saying has another complement
    own = words.parents_of(
        ((words.labelled(("ccomp", "xcomp")) & ~before) | words.labelled(("dobj", *PREDICATES)))
        & ~words.tagged(("PRP",))
        & ~words.listed("so")
    )
    beside = before & (own[head] | ~(speaks | words.listed(_DOUBTFUL))[head])
    allowed = complement & ~asks & (reported[head] | beside)
    allowed |= words.labelled(("acl",)) & words.listed(_PLAIN_NOUNS)[head]
    # "… and it rained", unless something before both clauses applies to both
    marked = words.parents_of(words.labelled(SUBORDINATORS))
    allowed |= words.labelled(("conj", "parataxis", "dep")) & ~shared[head] & ~marked
    allowed &= ~_fills(words)
    plain = words.labelled(ADVERBIAL_CLAUSES) & words.parents_of(words.listed(_REASONS) & words.labelled(SUBORDINATORS))
    through = words.labelled((*PREDICATES, "xcomp")) & ~words.listed(_DOUBTFUL)
    link = words.root | allowed | plain | through | _announced(words)
    pinned = ~words.chained(link) | through
    board.not_root(pinned & complement & owner[head], OWNER)
    board.not_root(pinned & complement & doubted[head], DOUBT)
    board.not_root(pinned, DEPENDENT)
    # "the letter, which turned out to be a forgery, said that …"
    untrue = words.parents_of(words.listed(_FORGERIES) & words.labelled((*PREDICATES, "oprd")))
    untrue = words.labelled(NOUN_CLAUSES) & (untrue | words.parents_of(untrue & words.labelled(("xcomp",))))
    untrue |= words.labelled(("appos",)) & words.listed(_FORGERIES)
    untrue &= words.labelled(SUBJECTS)[head] & words.listed(SOURCES)[head[head]]
    board.with_heads(words, untrue, DOUBT)
    board.not_root(complement & words.parents_of(words.parents_of(untrue))[head], DOUBT)
    # "I was hauled in and told that …" is not "I told …"
    passive = words.parents_of(words.labelled(("auxpass",)))
    active = words.labelled(("conj",)) & words.tagged(("VBD",)) & passive[head]
    board.not_root(active & ~words.parents_of(words.labelled((*SUBJECTS, *AUXILIARIES))), DEPENDENT)
    # "it is unlikely, they said, that it will break"
    doubts = complement & before & words.parents_of(words.labelled(PREDICATES) & words.listed(_DOUBTFUL))
    doubts &= words.parents_of(words.listed("it") & words.labelled(SUBJECTS))
    said = complement & ~before & _marked_by_that(words) & words.parents_of(doubts)[head]
    board.not_root(said, DOUBT)
    rows_of = said.rows()
    board.needs(rows_of, words.first_below(doubts)[head[rows_of]], DOUBT)


def _marked_by_that(words: Words) -> Mask:
    """Clauses that begin with "that"."""
    return words.parents_of(words.listed(COMPLEMENTIZER) & words.labelled(SUBORDINATORS))


def _owned(words: Words) -> Mask:
    """Verbs whose complement is somebody's claim or opinion."""
    partisan = (words.listed(PARTISANS) | words.listed(FRACTIONS)) & words.labelled(SUBJECTS)
    mine = words.parents_of(words.labelled(("poss",)) & words.listed("I"))
    partisan |= words.labelled(SUBJECTS) & mine
    theirs = words.parents_of(partisan)
    told = words.parents_of(
        words.labelled(SUBJECTS) & (words.listed("I") | words.listed("you") | words.listed("people"))
    )
    theirs &= ~(told & words.parents_of(words.listed(_ANNOUNCING_MODALS) & words.labelled(AUXILIARIES)))
    theirs |= words.labelled(("xcomp",)) & theirs[words.head]  # "keeps telling"
    unproven = words.parents_of(words.listed("without") & words.labelled(PREPOSITIONS))  # "said, without evidence"
    return words.listed(OWNERS) | (words.listed(_CLAIMING) & (theirs | unproven))


def _announced(words: Words) -> Mask:
    """Verbs that lead up to an announcement: "a quick note to let you know that …"."""
    let = words.listed("let") & words.labelled((*ADVERBIAL_CLAUSES, "acl", "relcl", "xcomp"))
    know = words.listed("know") & words.labelled(("ccomp", "xcomp"))
    know &= (words.listed("let") | words.listed("want") | words.listed("like"))[words.head]
    # "Hi Sarah, a quick note to let you know", "a short message to inform you": the note hangs on the name
    note = words.listed(_MESSAGES) & (words.labelled(("appos",)) | words.root)
    tells = words.listed(_TELLING) & words.labelled(("acl", "relcl", "advcl", "xcomp")) & note[words.head]
    return let | know | tells | (note & words.parents_of(let | tells))


def _doubted(words: Words) -> Mask:
    """Words that are themselves denied, doubted or merely possible."""
    # "I should say" and "you must note" assert what follows; so do "keep in mind" and "the point is"
    says = words.listed(_ANNOUNCING)[words.head] & words.listed(_ANNOUNCING_MODALS)
    unsure = words.denials | (words.tagged(("MD",)) & ~words.listed(_CERTAIN_MODALS) & ~says)
    unsure |= words.listed(HEDGES) & words.labelled(ADVERBIALS)
    doubted = words.parents_of(unsure | words.labelled(("neg",)))
    subject = words.labelled(SUBJECTS) & (
        (words.listed(_DOUBTFUL) & ~words.listed(_ASSERTING)) | doubted | words.denials
    )
    predicate = words.labelled((*PREDICATES, "dobj")) & (words.listed(_DOUBTFUL) | doubted)
    doubted |= words.parents_of(subject | predicate)
    doubted |= words.listed(_DOUBTFUL)
    return doubted | (words.labelled((*PREDICATES, "xcomp")) & doubted[words.head])


def _fills(words: Words) -> Mask:
    """Fillers: "you know", "I mean"."""
    speakers = words.parents_of(words.labelled(SUBJECTS) & (words.listed("I") | words.listed("you")))
    says = words.parents_of(words.labelled(("ccomp", "xcomp", "dobj", "prep")))
    return words.listed(_FILLERS) & speakers & ~says


def _shared(words: Words) -> Mask:
    """Conditions, owners and hedges that precede two clauses and apply to both."""
    first = words.rows < words.head
    shared = words.found(find_conditions) | (words.listed(HEDGES) & words.labelled(ADVERBIALS))
    shared |= words.listed("accord") | (words.labelled(PREPOSITIONS) & words.parents_of(words.listed(OPINIONS)))
    return shared & first & ~words.labelled(AUXILIARIES)


RULE: Final = Rule(pin_promotions, order=40)
