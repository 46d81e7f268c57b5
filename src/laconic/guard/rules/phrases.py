"""Fixed phrases: words that have their meaning only together stay together."""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.language.grammar import AUXILIARIES, PREDICATES, PREPOSITIONS, RELATIVE_CLAUSE
from laconic.language.word_lists import FRACTIONS

#: The words of a fixed phrase stay together.
PHRASE: Final = "phrase"

#: Fixed phrases.
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
    earlier than; not more than; not less than; no soon than; no sooner than; in the region of; little more than;
    in excess of; next to nothing; next to no; great deal; good deal; great many; good many; little bit;
    at all; look forward to; pick and choose; inside of; outside of; if any; if anything; if ever
""".split(";")
#: Adjectives that say which of several is meant: "the rear staircase".
_PLACES: Final = "rear front upper lower inner outer left right left-hand right-hand".split()
#: Adjectives that change the rank that their noun denotes: "the deputy mayor".
_RANKS: Final = "deputy vice acting assistant chief interim shadow".split()

#: Adverbs without which a participle denotes something else: "newly planted".
_NEWLY: Final = "newly freshly recently partly partially previously formerly".split()
#: Nouns of doubt, and nouns of quantity, before "of".
_SIGNS: Final = "evidence sign proof hint risk chance threat danger possibility fear hope rumour suspicion idea".split()
_HEAPS: Final = "flood wave string wealth torrent barrage spate flurry".split()
#: Nouns that say nothing without what they are of.
_PARTS: Final = ("part", "rest", "remainder", "brink", "outskirts", "midst")
#: Times that something lasts; nouns of what is between two.
_SPANS: Final = ("year", "decade", "month", "week", "day", "hour", "century", "generation")
_RELATIONS: Final = ("relation", "relationship", "connection", "difference", "combination", "conflict", "balance")
#: Nouns for how many kinds of things there are, and their adjectives.
_RANGES: Final = ("range", "variety", "array", "selection", "choice")
_WIDE: Final = ("wide", "broad", "narrow", "limited", "huge", "vast", "small")
#: Verbs of appointment, verbs of transfer, and the particles of the latter.
_ELECTING: Final = "elect appoint name crown vote proclaim make".split()
_GIVING: Final = "give send bring take hand pay get put throw hold push pull turn".split()
_BY: Final = "join accompany surround replace precede own".split()
_BACK: Final = ("back", "away", "aside", "apart")
#: Labels that distinguish one of several and mean nothing alone: "building C".
_LETTERS: Final = tuple("ABCDEFGHJKLMNOPQRSTUVWXYZbcdefghjklmnopqrstuvwxyz")  # not "I" and "a"


def pin_phrases(words: Words, board: PinBoard) -> None:
    """Pin the words of fixed phrases to each other."""
    # "the deputy mayor" is not the mayor
    board.with_heads(words, words.listed(_RANKS) & words.labelled(("amod",)), PHRASE)
    # "the rear staircase" is not any
    board.with_heads(words, words.listed(_PLACES) & words.labelled(("amod",)) & (words.rows < words.head), PHRASE)
    # "building C" is not C
    letter = words.listed(_LETTERS) & words.tagged(("NN", "NNP", "CD"))
    board.with_heads(words, words.labelled(("compound", "nmod")) & words.after(letter, -1) & letter[words.head], PHRASE)
    # "in the western part of the continent": a part is one of something
    of_part = (
        words.listed("of")
        & words.labelled(("prep",))
        & words.listed(_PARTS)[words.head]
        & words.tagged(("NN",))[words.head]
    )
    # "a film against years of dirt", "the usual way of playing"
    of_what = words.listed("of") & words.labelled(("prep",)) & (words.head == words.rows - 1)
    span = words.listed(_SPANS) & words.tagged(("NNS",)) & words.labelled(("pobj",))
    span &= ~words.parents_of(words.labelled(("nummod",)))
    of_part |= of_what & span[words.head]
    gerund = words.parents_of(words.labelled(("pcomp",)) & words.tagged(("VBG",)))
    of_part |= of_what & gerund & words.listed("way")[words.head]
    board.with_heads(words, of_part, PHRASE)
    # "the relation of the forces and the facts"
    between = words.labelled(("pobj",)) & (words.listed("of") & words.listed(_RELATIONS)[words.head])[words.head]
    board.with_heads(words, words.labelled(("conj",)) & between[words.head], PHRASE)
    # "use the following code"
    board.with_heads(words, words.listed(("following", "follow")) & words.labelled(("amod",)), PHRASE)
    # of a phrase in brackets, all or nothing: "(built in 1890)"
    inside = words.bracketed & words.bracketed[words.head] & ~words.labelled(("punct",))
    board.with_heads(words, inside, PHRASE)
    # "that of the sea", "those in the group"
    standing = (words.listed("that") | words.listed("those")) & words.tagged(("DT",)) & ~words.labelled(("det",))
    # but of "those of you who have paid" only those who have paid are meant
    you = words.parents_of(words.tagged(("PRP",)) & words.labelled(("pobj",)))
    you &= words.parents_of(words.labelled((RELATIVE_CLAUSE,)))[words.head]
    board.with_heads(words, words.labelled(("prep",)) & words.listed("of") & standing[words.head] & ~you, PHRASE)
    # "by a pupil of Cranach" is not "by Cranach"
    named = words.labelled(("pobj",)) & words.tagged(("NNP",)) & words.listed("of")[words.head]
    named &= words.parents_of(words.listed(("a", "an")) & words.labelled(("det",)))[words.head[words.head]]
    rows = named.rows()
    board.needs(rows, words.head[words.head[rows]], PHRASE)
    # "newly planted shrubs"
    board.with_heads(
        words, words.listed(_NEWLY) & words.labelled(("advmod",)) & words.labelled(("amod",))[words.head], PHRASE
    )
    # "evidence of a collapse" is no collapse, and "a flood of letters" none without letters
    what = words.labelled(("pobj",)) & (words.listed("of") & words.listed(_SIGNS)[words.head])[words.head]
    rows = what.rows()
    board.needs(rows, words.head[words.head[rows]], PHRASE)
    board.with_heads(
        words, words.listed("of") & words.listed(_HEAPS)[words.head] & words.after(words.listed(_HEAPS)), PHRASE
    )
    # "the lowest shelf of the oven" is not the oven
    which = words.parents_of(words.tagged(("JJS",)) & words.labelled(("amod",)))
    rows = (words.labelled(("pobj",)) & (words.listed("of") & which[words.head])[words.head]).rows()
    board.needs(rows, words.head[words.head[rows]], PHRASE)
    # "a wide range of products" is not any products
    wide = words.listed(_WIDE) & words.labelled(("amod",)) & words.listed(_RANGES)[words.head]
    board.prefers(wide | words.parents_of(wide))
    # "elected their youngest delegate treasurer"
    made = words.labelled(("dobj",)) & words.listed(_ELECTING)[words.head]
    made &= words.parents_of(words.labelled(("poss", "det")))
    board.with_heads(words, words.labelled(("compound",)) & words.tagged(("NN",)) & made[words.head], PHRASE)
    _pin_returns(words, board)
    # "none of [the] tablets"
    part = words.listed("of") & (words.listed("one") | words.listed(FRACTIONS) | words.denials)[words.head]
    of_them = words.labelled(("pobj",)) & part[words.head]
    board.with_heads(words, words.listed("the") & words.labelled(("det",)) & of_them[words.head], PHRASE)
    first, second = words.phrases(_PHRASES)
    # in "some of the scenes", "some" stays with "the scenes"; the opposite pin is left to the rules of grammar
    whole = ~words.listed("of")[second] | words.denials[first]
    whole &= ~(words.listed("up")[first] & words.labelled(AUXILIARIES)[second])
    board.needs(first[whole], second[whole], PHRASE)
    board.needs(second, first, PHRASE)


def _pin_returns(words: Words, board: PinBoard) -> None:
    """Pin particles to their verbs, and phrases that verbs have only in one sense."""
    # "give the ring back"
    back = words.listed(_BACK) & words.labelled(("advmod", "prt")) & words.tagged(("RB", "RP"))
    given = words.parents_of(words.labelled(("dobj",))) & words.listed(_GIVING)
    board.with_heads(words, back & given[words.head] & (words.rows > words.head), PHRASE)
    # "plug it back in", where the parser takes "in" for an adverb
    board.with_heads(words, words.tagged(("RP",)) & words.labelled(("advmod",)) & words.after(back), PHRASE)
    board.with_heads(
        words, words.listed("back") & back & words.after(words.labelled(("prt",)) | words.tagged(("RP",)), -1), PHRASE
    )
    # "I am joined by Ann"
    passive = words.listed(_BY) & words.parents_of(words.labelled(("auxpass",)))
    board.with_heads(words, words.listed("by") & words.labelled(PREPOSITIONS) & passive[words.head], PHRASE)
    # "this holds true for many workers"
    true = (
        words.listed(("true", "valid", "good"))
        & words.labelled((*PREDICATES, "oprd"))
        & words.listed("hold")[words.head]
    )
    true |= words.parents_of(true)
    board.with_heads(words, words.listed("for") & words.labelled(PREPOSITIONS) & true[words.head], PHRASE)


RULE: Final = Rule(pin_phrases, order=55)
