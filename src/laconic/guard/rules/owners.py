"""Owners: whoever makes a claim or forecast, or holds an opinion, stays with it.

Whether a clause may be taken out of "critics say" is decided by the rule of promotion. Here, the owner of a claim stays
with its verb, and so do owners beside a clause ("according to the company", "in my view", "as far as I can tell").
"""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.language.grammar import ADVERBIAL_CLAUSES, ADVERBIALS, COMPLEMENTS, PREPOSITIONS, SUBJECTS
from laconic.language.word_lists import ON_IN_UNDER, OPINIONS, OWNERS, PARTISANS, SOURCES
from laconic.parse.program import Mask

#: A claim stays with its owner.
OWNER: Final = "owner"

#: Verbs that mark a claim even in a clause with "as" or between commas.
_PARENTHETICAL_OWNERS: Final = """
    claim allege argue believe think expect predict hope suggest fear insist maintain contend assert feel suspect
    reckon guess assume suppose forecast estimate anticipate complain promise swear tell say see ask judge imagine
""".split()
#: Nouns of groups, which say little without their kind.
_BODIES: Final = "board group committee union body panel lobby association council".split()
#: Verbs of stories and complaints: "or so the story goes".
_TELLING: Final = ("run", "go")
#: Adjectives of belief.
_CONVINCED: Final = "sure certain convinced confident positive afraid hopeful worried adamant".split()
#: Sources whose statements count as facts after "according to".
_AUTHORITIES: Final = """
    police official officer report figure data statistic minutes minute record document statement spokesman
    spokeswoman spokesperson ministry department authority agency government court census release filing study
    survey poll office bureau website schedule log register coroner coastguard firefighter
""".split()


def pin_owners(words: Words, board: PinBoard) -> None:
    """Pin claims to their owners."""
    claims = words.listed(OWNERS) | words.listed(SOURCES)
    claiming = claims & words.parents_of(words.labelled((*COMPLEMENTS, "oprd")))
    claiming |= words.listed(OWNERS) | words.parents_of(words.labelled(("ccomp",)) & (words.rows > words.head))
    board.with_heads(words, words.labelled((*SUBJECTS, "expl")) & claiming[words.head], OWNER)
    # "what the tourist board calls the finest beach"
    body = words.labelled(SUBJECTS) & words.listed(_BODIES) & (claiming & words.listed(OWNERS))[words.head]
    board.with_heads(words, words.labelled(("compound",)) & words.tagged(("NN",)) & body[words.head], OWNER)
    so = words.parents_of(words.listed("so") & words.after(words.listed("or"))) & words.listed(OWNERS)
    hear = words.listed("hear") & words.labelled(ADVERBIAL_CLAUSES) & (words.rows < words.head)
    board.with_heads(words, so | hear, OWNER)
    board.with_heads(words, words.labelled(("ccomp",)) & hear[words.head], OWNER)
    according = words.listed("accord") & words.labelled((*PREPOSITIONS, *ADVERBIAL_CLAUSES, "advmod"))
    source = words.parents_of(words.parents_of(words.listed(_AUTHORITIES) & words.labelled(("pobj",))))
    theirs = words.parents_of(words.listed(PARTISANS) & words.labelled(("poss",)))  # "to the company's own figures"
    hearsay = words.listed("report") & words.tagged(("NNS",)) & ~words.parents_of(words.labelled(("det", "poss")))
    source &= ~words.parents_of(words.parents_of((theirs | hearsay) & words.labelled(("pobj",))))
    board.with_heads(words, according & ~source, OWNER)
    board.with_heads(words, words.labelled(PREPOSITIONS) & according[words.head], OWNER)
    mine = words.listed(OPINIONS) & words.labelled(("pobj",))
    inside = words.parents_of(mine) & words.labelled(PREPOSITIONS) & words.listed(ON_IN_UNDER)
    board.with_heads(words, inside, OWNER)
    whose = words.labelled(("poss",)) | (words.listed("of") & words.labelled(PREPOSITIONS))
    board.with_heads(words, (whose | words.labelled(("det",))) & (mine & inside[words.head])[words.head], OWNER)
    aside = words.listed(_PARENTHETICAL_OWNERS) & words.labelled(("parataxis", *ADVERBIAL_CLAUSES))
    marked = words.parents_of((words.listed("as") | words.listed("if")) & words.labelled(("mark",)))
    personal = words.parents_of(words.listed(PARTISANS) & words.labelled((*SUBJECTS, "dobj")))
    personal &= ~words.parents_of(words.listed("you") & words.labelled(SUBJECTS))  # "as you would expect"
    aside &= personal & (marked | words.labelled(("parataxis",)))
    # "as Mrs Abara sees it"
    aside |= marked & words.listed(_PARENTHETICAL_OWNERS) & _tells_it(words) & words.labelled(ADVERBIAL_CLAUSES)
    # "…, its developers promise, …": an opinion needs its owner, whoever that is
    opinion = words.listed(_PARENTHETICAL_OWNERS) & words.listed(OWNERS) & words.labelled(("parataxis",))
    aside |= opinion & words.parents_of(words.labelled(SUBJECTS))
    board.with_heads(words, aside, OWNER)
    board.with_heads(words, words.labelled((*SUBJECTS, "dobj")) & aside[words.head], OWNER)
    _pin_sources(words, board)
    far = words.listed("far") & words.after(words.listed("as")) & words.after(words.listed("as"), -1)
    board.with_heads(words, far | (words.labelled(ADVERBIAL_CLAUSES) & far[words.head]), OWNER)
    # "the road was safe, the engineers had assured us, and would stay open": they would not
    own = words.parents_of(words.labelled(SUBJECTS))
    first = words.last_below(words.labelled(("ccomp",)) & (words.rows < words.head) & own)[words.head]
    shared = words.labelled(("conj",)) & ~own & claims[words.head] & (first >= 0)
    rows = (shared & words.parents_of(words.tagged(("MD", "VBZ", "VBD", "VBP")))).rows()
    board.needs(rows, first[rows], OWNER)
    board.not_root(shared, OWNER)
    # "I believe, and my doctors disagree, that it helped": the clause is what the first believes
    sure = words.listed(OWNERS) | words.parents_of(words.labelled(("acomp",)) & words.listed(_CONVINCED))
    aside = words.labelled(("conj",)) & words.parents_of(words.labelled(SUBJECTS)) & sure[words.head]
    aside &= ~words.parents_of(words.labelled(("ccomp",)))[words.head]
    that = words.listed("that") & words.labelled(("mark",)) & words.after(words.tagged((",",)))
    rows = (words.labelled(("ccomp",)) & words.parents_of(that) & aside[words.head]).rows()
    board.needs(rows, words.head[words.head[rows]], OWNER)


def _tells_it(words: Words) -> Mask:
    """Verbs with "it" as their object, and somebody else than the reader as their subject: "sees it"."""
    it = words.parents_of(words.listed("it") & words.labelled(("dobj",)))
    return it & words.parents_of(words.labelled(SUBJECTS) & ~words.listed("you"))


def _pin_sources(words: Words, board: PinBoard) -> None:
    """Whose account it is: "the way our courier tells it", "as reckoned by the issuers", "or so runs the complaint"."""
    told = words.labelled(("relcl", "acl", "ccomp")) & words.listed(_PARENTHETICAL_OWNERS) & _tells_it(words)
    told &= (words.listed("way") & words.labelled(("npadvmod", "dep", "nsubj", "dobj")))[words.head]
    way = words.parents_of(told) & words.listed("way") & words.labelled(("npadvmod", "dep"))
    board.with_heads(words, told | way, OWNER)
    board.with_heads(words, words.labelled((*SUBJECTS, "dobj")) & told[words.head], OWNER)
    marked = words.parents_of(words.listed("as") & words.labelled(("mark",)))
    claim = words.listed(_PARENTHETICAL_OWNERS) & ~words.listed(("say", "see", "tell", "ask"))
    reckoned = claim & words.tagged(("VBN",)) & words.labelled(ADVERBIAL_CLAUSES) & marked
    by = words.labelled(("agent", "prep")) & words.listed("by") & reckoned[words.head]
    board.with_heads(words, by | words.parents_of(by), OWNER)
    # "or so it seems", "or so the story goes"
    so = words.listed("so") & words.after(words.listed("or")) & words.labelled(ADVERBIALS)
    runs = words.parents_of(so) & words.listed((*_TELLING, *OWNERS, *SOURCES)) & words.labelled(("conj", "parataxis"))
    board.with_heads(words, runs, OWNER)
    board.with_heads(words, words.labelled((*SUBJECTS, "dobj", "attr")) & runs[words.head], OWNER)
    board.with_heads(words, so & runs[words.head], OWNER)


RULE: Final = Rule(pin_owners, order=30)
