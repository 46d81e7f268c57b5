"""Hedges and denials beside a word: "allegedly", "nearly", "not all" stay with what they qualify."""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.guard.rules.conditions import find_orders
from laconic.guard.rules.denials import DENIAL
from laconic.language.grammar import ADVERBIALS, AUXILIARIES, NOUN_CLAUSES, PREPOSITIONS, QUESTION_TAGS, SUBJECTS
from laconic.language.word_lists import BOUNDING_PREPOSITIONS, FRACTIONS, HEDGES, QUANTITIES

#: "allegedly", "nearly" stay with what they qualify.
HEDGE: Final = "hedge"
#: Words that mean something only together.
PHRASE: Final = "phrase"

#: Phrases whose words stay together.
_PHRASES: Final = """
    rather than; instead of; at least; at most; no long; up to; more than; less than; few than; other than; apart
    from; except for; accord to; according to; subject to; as if; as though; even if; even though; only if; only
    when; not only; far from; all but; anything but; by no mean; no more; no few; no less; as many as; as much as;
    as long as; so long as; as far as; as soon as; in case; no late than; long than; at the late; at the very late;
    at the early; at the least; at the most; in no event; under no circumstance; on condition; stop short; short of;
    not all; not one; not every; only as long as; except when; except if; but for; or more; or less; or above; or
    below; or few; or later; one of; in some case; in most case; too few; too many; none of; half of; most of; some
    of; few of; just under; just over; well over; well under; second large; twice as; half as; as often as; the
    verge; about to; due to; not until; not necessarily; used to; so much; yet to; but not; if not; or so; such as;
    in the event; no evidence; not late than; no later than; not later than; not early than; no early than; no
    earlier than; not more than; not less than; no soon than; no sooner than; in the region of; little more than; in excess of; next to nothing; next to no
""".split(";")
#: Prepositions that a verb asks for rather than adds.
_GOVERNED_PREPOSITIONS: Final = """
    with to into onto on about for as against under without within until till beyond between below above over off out
""".split()
#: Words that forbid what follows.
_FORBIDDING: Final = "avoid forbid prohibit ban illegal unlawful forbidden prohibited refrain dangerous unsafe".split()
#: Nouns of how far something holds: "in some cases", "under no circumstances".
_CASES: Final = "case instance circumstance way respect extent part degree event account condition time point".split()
#: Adverbs of a denial that is only one of how: "not fully", "never properly".
_FULLY: Final = """
    properly correctly fully completely entirely wholly totally exactly easily safely reliably automatically enough well
    directly immediately alone
""".split()
#: Pronouns that deny: "nothing to see" is not nothing.
_NOBODY: Final = "nothing nobody none no-one".split()
#: Adjectives that nearly deny their noun.
_HARDLY_ANY: Final = "little few scant scarce insufficient inadequate".split()
#: Adverbs of what somebody meant: without them, it is another deed.
_INTENT: Final = """
    knowingly unknowingly intentionally unintentionally deliberately wilfully willfully recklessly negligently
    accidentally inadvertently voluntarily involuntarily unlawfully illegally fraudulently
""".split()
#: Nouns of a phrase that takes back what it stands with: "by mistake".
_IN_ERROR: Final = "error mistake theory principle paper vain part jest name moderation".split()
#: Ranks beside that of the noun: "the deputy mayor".
_RANKS: Final = "deputy vice acting assistant chief interim shadow".split()
#: Adjectives that say how sure somebody is: so does what stands before them.
_SURE: Final = "sure certain confident convinced clear positive".split()


def pin_hedges(words: Words, board: PinBoard) -> None:
    """Words of doubt and degree stay with what they hang on; phrases stay whole."""
    board.with_heads(words, words.denials & ~words.labelled(("cc", "conj", "intj")), DENIAL)
    adverb = words.parents_of(words.denials) & words.tagged(("RB", "RBR")) & words.labelled(("advmod",))
    board.with_heads(words, adverb, DENIAL)  # "no longer"
    # "contains no live virus"; "do not connect it to a lead": less of it would deny more
    denied = words.parents_of(words.labelled(("neg",)) | (words.denials & words.labelled(("advmod",))))
    none = words.parents_of(words.denials & words.labelled(("det",)))
    objects = words.labelled(("dobj", "attr", *SUBJECTS)) & (none | (denied[words.head] & ~words.labelled(SUBJECTS)))
    board.with_heads(words, words.labelled(("amod",)) & objects[words.head], DENIAL)
    # "no cover for journeys against medical advice", "no better in low light", "never seals properly"
    of_none = words.labelled(PREPOSITIONS) & ((objects & none) | words.tagged(("JJR", "RBR")) & denied)[words.head]
    of_none &= (words.rows > words.head) & ~words.after_comma
    board.with_heads(words, of_none, DENIAL)
    told = words.labelled(NOUN_CLAUSES) & ~words.after_comma
    pobj = words.labelled(("pobj",))
    # "no link between use and age in adults who exercise"
    deeper = words.labelled(PREPOSITIONS) & words.parents_of(pobj & words.parents_of(told))
    of_none |= deeper & (pobj & of_none[words.head])[words.head] & ~words.after_comma
    board.with_heads(words, of_none, DENIAL)
    narrows = told & (pobj & of_none[words.head])[words.head]
    narrows |= words.labelled(PREPOSITIONS) & narrows[words.head]
    narrows |= words.labelled(("amod",)) & (pobj & of_none[words.head] & words.tagged(("NN", "NNS")))[words.head]
    narrows |= told & words.listed(_NOBODY)[words.head]
    board.with_heads(words, narrows & ~words.after_comma, DENIAL)
    fully = words.listed(_FULLY) & words.labelled(ADVERBIALS) & denied[words.head] & (words.rows > words.head)
    board.with_heads(words, fully, DENIAL)
    denied = denied | words.parents_of(words.labelled(SUBJECTS) & (none | words.denials))
    modal = words.parents_of(words.tagged(("MD",)) | (words.listed("do") & words.labelled(("aux",))))
    asked = words.parents_of(words.tagged(QUESTION_TAGS))  # "why not run for an office"
    prohibited = (denied & (modal | words.found(find_orders)) & ~asked) | words.listed(_FORBIDDING)
    prohibited |= words.parents_of(words.labelled(("acomp",)) & words.listed(_FORBIDDING))
    prohibited |= words.labelled(("xcomp", "pcomp")) & prohibited[words.head]
    prohibited |= words.labelled(("dobj",)) & prohibited[words.head]
    governed = words.listed(_GOVERNED_PREPOSITIONS) | words.listed(BOUNDING_PREPOSITIONS)
    prep = words.labelled(("prep",)) & governed & prohibited[words.head] & (words.rows > words.head)
    prep &= ~words.after_comma | words.listed(BOUNDING_PREPOSITIONS)
    board.with_heads(words, prep, DENIAL)
    object_ = words.labelled(("pobj",)) & prep[words.head]
    narrows = words.labelled(("amod", "acl", "relcl")) | (words.labelled(("compound",)) & words.tagged(("NN",)))
    board.with_heads(words, narrows & object_[words.head] & ~words.after_comma, DENIAL)
    # "did not sound until …", "no earlier than"
    timed = words.parents_of(words.listed(BOUNDING_PREPOSITIONS) & words.labelled(("mark",)))
    board.with_heads(words, words.labelled(("advcl",)) & timed & denied[words.head], DENIAL)
    # "in some cases", "under no circumstances"
    case = words.labelled(("pobj",)) & words.listed(_CASES)
    many = words.listed(QUANTITIES) & words.labelled(("det", "amod"))
    case &= words.parents_of(many)
    board.with_heads(words, many & case[words.head], HEDGE)
    denied = words.labelled(("pobj",)) & words.parents_of(words.listed("no") & words.labelled(("det",)))
    board.with_heads(words, words.labelled(("prep",)) & words.parents_of(case | denied), HEDGE)
    # "little evidence", "knowingly makes a false statement"
    bare = ~words.parents_of(words.labelled(("det", "poss")) & ~words.listed(_HARDLY_ANY))  # not "this little book"
    board.with_heads(words, words.listed(_HARDLY_ANY) & words.labelled(("amod", "det")) & bare[words.head], DENIAL)
    board.with_heads(words, words.listed(_INTENT) & words.labelled(ADVERBIALS), HEDGE)
    # "was shown in error", "works in theory"
    aside = words.labelled(("pobj",)) & words.listed(_IN_ERROR) & ~words.parents_of(words.labelled(("det", "poss")))
    board.with_heads(words, words.labelled(PREPOSITIONS) & words.parents_of(aside), HEDGE)
    board.with_heads(words, words.listed(_RANKS) & words.labelled(("amod",)), PHRASE)
    beside = words.labelled(("advmod", "npadvmod", "amod", "quantmod", "det", "predet", "dep", "nummod", "acomp"))
    board.with_heads(words, words.listed(HEDGES) & beside, HEDGE)
    # "pretty sure"; "no way is he"
    board.with_heads(words, words.labelled(("advmod",)) & words.listed(_SURE)[words.head], HEDGE)
    none = words.parents_of(words.listed("no") & words.labelled(("det",))) & words.labelled(("npadvmod", "advmod"))
    board.with_heads(words, none, DENIAL)
    # "that of the sea", "those in the group"
    standing = (words.listed("that") | words.listed("those")) & words.tagged(("DT",)) & ~words.labelled(("det",))
    board.with_heads(words, words.labelled(("prep",)) & words.listed("of") & standing[words.head], PHRASE)
    # "by a pupil of Cranach" is not by Cranach
    named = words.labelled(("pobj",)) & words.tagged(("NNP",)) & words.listed("of")[words.head]
    named &= words.parents_of(words.listed(("a", "an")) & words.labelled(("det",)))[words.head[words.head]]
    rows = named.rows()
    board.needs(rows, words.head[words.head[rows]], PHRASE)
    # "none of [the] tablets"
    part = words.listed("of") & (words.listed("one") | words.listed(FRACTIONS) | words.denials)[words.head]
    of_them = words.labelled(("pobj",)) & part[words.head]
    board.with_heads(words, words.listed("the") & words.labelled(("det",)) & of_them[words.head], PHRASE)
    first, second = words.phrases(_PHRASES)
    # of "some of the scenes" the scenes keep "some"; that "some" keeps its scenes is a matter of grammar
    whole = ~words.listed("of")[second] | words.denials[first]
    whole &= ~(words.listed("up")[first] & words.labelled(AUXILIARIES)[second])
    board.needs(first[whole], second[whole], PHRASE)
    board.needs(second, first, PHRASE)


RULE: Final = Rule(pin_hedges, order=50)
