"""How many, how often, which of several: "most of them", "every Monday", "the first half", "only one"."""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.guard.rules.bounds import find_sized
from laconic.guard.rules.phrases import PHRASE
from laconic.guard.rules.restrictions import RESTRICTION
from laconic.language.grammar import NOUN_CLAUSES, PREPOSITIONS, SUBJECTS
from laconic.language.grammar import TIMES as DATES
from laconic.language.word_lists import QUANTITIES, TIMES, TOTALS

#: Adjectives that need the article: "the next days", "the same people".
_WITH_ARTICLE: Final = "next last same past following other previous coming first only very rest".split()
#: Words for a part, where the noun alone would mean all: pinned to subjects only; below, pinned to any noun.
_SOME_OF_THEM: Final = ("some", "several", "few", "all", "these", "those")
_MOST_OF_THEM: Final = ("most", "many", "each", "every", "certain")
#: Which of several, by place: without it, another one is meant.
_ORDINALS: Final = "first second third fourth fifth last next final previous past former future same".split()
#: Adjectives that say that something is not one yet, or perhaps none.
_NOT_YET: Final = "potential alleged supposed would-be aspiring fake mock".split()
#: Nouns of a kind, and how many of them there are: "several species of bat".
_KINDS: Final = "kind type sort species form variety breed class brand".split()
_SEVERAL: Final = "several many various different numerous countless few single".split()
#: Nouns of number, whose phrase with "of" says who or what is counted: "a handful of visitors".
_HANDFULS: Final = "handful couple number majority minority host dozen fraction".split()
#: Nouns of a time that says little without its kind, and the prepositions before it.
_SEASONS: Final = ("season", "hour", "period")
_DURING: Final = ("outside", "during", "in", "within", "throughout")
#: Prepositions that limit "any" and "every".
_LIMITING: Final = "outside over under above below without within before after aged between".split()


def pin_quantities(words: Words, board: PinBoard) -> None:
    """What says how many stays, and so does what limits "any" and "every"."""
    # "any luggage listed below", wherever it stands
    every = words.parents_of(words.listed(TOTALS) & words.labelled(("det", "predet")))
    board.with_heads(
        words,
        words.labelled(NOUN_CLAUSES) & every[words.head] & (words.rows > words.head) & ~words.after_comma,
        RESTRICTION,
    )
    # "all food groups"
    kind = words.labelled(("compound",)) & words.tagged(("NN",)) & words.parents_of(words.listed("all"))[words.head]
    board.with_heads(words, kind, RESTRICTION)
    # "anyone outside the team", "every Saturday in May"
    anyone = every | (words.listed(TOTALS) & words.tagged(("NN", "DT")) & ~words.labelled(("det", "predet")))
    limits = words.listed(_LIMITING) | (words.listed("in") & words.parents_of(words.entities(DATES)))
    limits |= (anyone & ~every)[words.head] & ~words.listed("of")
    # "every warning in this mode", "any say in future mergers", "any employee of the customer"
    each = words.parents_of(words.listed(("any", "every", "each")) & words.labelled(("det",)))
    limits |= (each & words.labelled(("dobj", "pobj")))[words.head] & words.listed(("in", "from", "with"))
    limits |= (each & words.labelled(("dobj",)))[words.head] & words.listed("of")
    some = words.labelled(PREPOSITIONS) & limits & anyone[words.head] & (words.rows > words.head)
    board.with_heads(words, some & ~words.after_comma, RESTRICTION)
    # "every comment added since the last save"
    told = words.labelled(("acl",)) & words.tagged(("VBN",)) & every[words.head]
    when = words.labelled(PREPOSITIONS) & told[words.head] & (words.head == words.rows - 1)
    board.with_heads(words, when, RESTRICTION)
    _pin_kinds(words, board)
    # "with your left hand only", "any metal tool"
    last = words.listed("only") & words.labelled(("advmod",)) & words.after(words.tagged((",", ".", ":", "CC")), -1)
    rows = (last & words.after(words.labelled(("pobj",)))).rows()
    board.needs(rows, rows - 1, RESTRICTION)
    any_ = words.parents_of(words.listed("any") & words.labelled(("det",))) & words.labelled(("dobj",))
    kind = words.labelled(("compound", "amod")) & words.tagged(("NN", "JJ", "VBN"))
    board.with_heads(words, kind & any_[words.head], RESTRICTION)
    # "is closed every Monday"
    often = words.labelled(("npadvmod",)) & words.listed(TIMES)
    often &= words.parents_of(words.listed(("every", "each")) & words.labelled(("det",)))
    board.with_heads(words, often, RESTRICTION)
    # "glass of this type"
    kind = words.listed("type") | words.listed("kind") | words.listed("sort")
    kind &= words.labelled(("pobj",)) & words.listed("of")[words.head]
    board.with_heads(words, words.listed("of") & words.parents_of(kind), RESTRICTION)
    # "in the next twelve months"
    article = words.listed("the") & words.labelled(("det",))
    ordered = words.parents_of(words.listed(_WITH_ARTICLE) & words.labelled(("amod",)))
    ordered |= words.after(words.after(words.listed("only")) & article)
    board.with_heads(words, article & (ordered[words.head] | words.after(words.listed("only"))), PHRASE)
    # "some people can feel dizzy" are not people; "most", "each" and their like stay everywhere
    many = words.labelled(("det", "amod", "predet"))
    some = words.listed(_SOME_OF_THEM) & words.labelled(SUBJECTS)[words.head]
    board.with_heads(words, many & (some | words.listed(_MOST_OF_THEM)), RESTRICTION)
    few = words.labelled(("amod",)) & words.listed(QUANTITIES) & words.labelled(SUBJECTS)[words.head]
    board.with_heads(words, few, RESTRICTION)  # "too few patients"
    # "the first half hour"
    ordinal = (
        (words.listed(_ORDINALS) | words.listed(_NOT_YET) | words.listed("half"))
        & words.labelled(("amod",))
        & (words.rows < words.head)
    )
    board.with_heads(words, ordinal, RESTRICTION)
    # "a little trouble" must not become "a trouble"
    little = (words.listed("little") & words.after(words.listed("a")) & words.labelled(("amod",))).rows()
    board.needs(little - 1, little, PHRASE)
    only = (words.listed("only") & ~words.labelled(("amod", "det")) & ~words.root).rows()
    board.needs(only + 1, only, RESTRICTION)


def _pin_kinds(words: Words, board: PinBoard) -> None:
    """What kinds, how many of what, and which time: "several species of bat", "outside the breeding season"."""
    # "several species of bat"
    kinds = words.listed(_KINDS) & words.parents_of(words.listed("of") & words.labelled(("prep",)))
    several = words.listed(_SEVERAL) & words.labelled(("amod",)) & kinds[words.head]
    board.with_heads(words, several, RESTRICTION)
    # these are not "bat", nor are "the majority of those affected" "those"
    part = (words.listed("side") & words.found(find_sized)) | words.listed(("majority", "minority", "fraction"))
    part |= words.parents_of(several) & words.listed(("species", "breed"))
    whole = words.labelled(("pobj",)) & (words.listed("of") & part[words.head])[words.head]
    rows = whole.rows()
    board.needs(rows, words.head[words.head[rows]], RESTRICTION)
    # and of what: "several species of bat", "a handful of visitors climbed it"
    heap = words.listed(_HANDFULS) & words.labelled(SUBJECTS) & words.parents_of(words.listed(("a", "an")))
    of = words.listed("of") & words.labelled(("prep",)) & (words.head == words.rows - 1)
    board.with_heads(words, of & (heap | words.parents_of(several))[words.head], RESTRICTION)
    # "outside the breeding season", "during office hours"
    when = words.labelled(("pobj",)) & words.listed(_SEASONS) & words.listed(_DURING)[words.head]
    kind = words.labelled(("compound",)) & words.tagged(("NN",)) | (words.labelled(("amod",)) & words.tagged(("JJ",)))
    board.with_heads(words, kind & when[words.head], RESTRICTION)
    # "by any one club", "at any one time"
    one = words.listed("one") & words.after(words.listed("any"))
    anyone = words.parents_of(words.labelled(("pobj",)) & words.parents_of(one)) & words.labelled(
        (*PREPOSITIONS, "agent")
    )
    board.with_heads(words, anyone | one, RESTRICTION)


RULE: Final = Rule(pin_quantities, order=85)
