"""Convert the dependencies of the Google corpus to our scheme.

The corpus' trees use the Stanford dependencies of 2008 (de Marneffe & Manning), with some labels of Google's own;
`laconic.parse.scheme` uses ClearNLP's. Both attach most words alike: a copula is the head of its predicate, an
auxiliary depends on its verb, a preposition stands between its head and its object, a possessive "'s" depends on the
noun before it. Where they differ, in amounts of money and coordinations, the tree is rebuilt.

Each row was chosen by the role of our label in the transformation (`laconic.language.grammar.ROLES`), and checked on
9,000 sentences with known corpus labels, against spaCy's labels of the same words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

#: The label of the non-head words of a node ("May [10]"), which are kept or deleted with its head word.
JOINED: Final = "quantmod"

LABELS: Final[dict[str, str]] = {
    # theirs    ours            example
    "ROOT": "ROOT",
    "abbrev": "appos",  #       the World Health Organization ([WHO])
    "acomp": "acomp",  #        is [ready]
    "advcl": "advcl",  #        left when it [rained]
    "advmod": "advmod",  #      left [early]
    "amod": "amod",  #          a [late] train
    "appos": "appos",  #        Ann Lee, a [teacher]
    "attr": "attr",  #          is a [teacher]
    "aux": "aux",  #            [will] leave, [to] leave
    "auxpass": "auxpass",  #    [was] arrested
    "cc": "cc",  #              tea [and] coffee
    "ccomp": "ccomp",  #        said he [left]
    "complm": "mark",  #        said [that] he left
    "conj": "conj",  #          tea and [coffee]
    "csubj": "csubj",  #        what he [said] is true
    "csubjpass": "csubjpass",
    "dep": "dep",
    "det": "det",  #            [the] man
    "dobj": "dobj",  #          opened a [shop]
    "expl": "expl",  #          [there] is
    "infmod": "acl",  #         a plan to [leave]
    "iobj": "dative",  #        gave [him] it
    "mark": "mark",  #          left [because] it rained
    "mwe": JOINED,  #           [because] of, [such] as: one word but for the spelling
    "neg": "neg",  #            did [not] leave
    "nn": "compound",  #        a [bus] driver
    "npadvmod": "npadvmod",  #  two [years] old
    "nsubj": "nsubj",
    "nsubjpass": "nsubjpass",
    "num": "nummod",  #         [three] men
    "number": "quantmod",  #    [2] million: collapses, as the numbers of spaCy's amounts do
    "p": "punct",
    "parataxis": "parataxis",
    "partmod": "acl",  #        a shop [opened] by two sisters
    "pcomp": "pcomp",  #        after [leaving]
    "pobj": "pobj",  #          in [Bergen]
    "poss": "poss",  #          [his] home, the [man]'s home
    "preconj": "preconj",  #    [both] tea and coffee
    "pred": "ccomp",  #         rare: a clause beside another
    "predet": "predet",  #      [all] the men
    "prep": "prep",  #          [in] Bergen
    "prt": "prt",  #            shut [down]
    "ps": "case",  #            the man['s]
    "purpcl": "advcl",  #       came to [help]
    "quantmod": "quantmod",  #  [more than] 800
    "rcmod": "relcl",  #        the man who [robbed] a bank
    "rel": "dobj",  #           a law [which] they say failed: of the verb inside, which is not its head
    "suffix": "compound",  #    Ford [Inc.]
    "title": "compound",  #     [President] Lee
    "tmod": "npadvmod",  #      left [Friday]
    "xcomp": "xcomp",  #        wants to [leave]
}

_VERBS: Final = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"})
_ADPOSITIONS: Final = frozenset({"IN", "TO"})


@dataclass(frozen=True, slots=True)
class Special:
    """An exception to `LABELS` for certain words and heads; an empty set matches any."""

    label: str
    ours: str
    forms: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    head_tags: frozenset[str] = frozenset()
    head_labels: frozenset[str] = frozenset()


SPECIAL: Final = (
    Special("pcomp", "prep", tags=_ADPOSITIONS),  #                                  according [to] police
    Special("prep", "agent", forms=frozenset({"by"}), head_tags=frozenset({"VBN"})),  # robbed [by] two men
    Special("rel", "prep", tags=_ADPOSITIONS),  #                                    the town [in] which he lived
    Special("partmod", "advcl", head_tags=_VERBS),  #                                fell, [injuring] two
    Special("infmod", "advcl", head_tags=_VERBS),
    Special("advmod", JOINED, head_labels=frozenset({"cc"})),  #                     [as] well as
)

#: Tags with another spelling.
TAGS: Final[dict[str, str]] = {"(": "-LRB-", ")": "-RRB-"}

#: Entity types; others are dropped.
ENTITIES: Final[dict[str, str]] = {
    "PER": "PERSON",
    "PERSON": "PERSON",
    "ORG": "ORG",
    "ORGANIZATION": "ORG",
    "LOC": "GPE",  # mostly countries and cities
    "LOCATION": "GPE",
    "GPE": "GPE",
    "FAC": "FAC",
    "EVENT": "EVENT",
    "PRODUCT": "PRODUCT",
    "WORK_OF_ART": "WORK_OF_ART",
    "DATE": "DATE",
    "TIME": "TIME",
    "MONEY": "MONEY",
    "PERCENT": "PERCENT",
}

#: The tags of words in names.
NAMES: Final = frozenset({"NNP", "NNPS"})
_CURRENCY: Final = "$"
_NUMBERS: Final = frozenset({"num", "number"})
#: An amount that depends on a noun with one of these labels is its number: "a [$ 2 million] gift".
_MODIFIERS: Final = frozenset({"nn", "amod", "num"})


@dataclass(slots=True)
class Word:
    """A word of a tree during conversion."""

    id: int
    form: str
    stem: str
    tag: str
    head: int  # position of its head in the sentence; a root is its own head
    label: str


def convert(words: list[Word]) -> None:
    """Set the heads, labels, tags and lemmas of a tree's words according to our scheme."""
    for symbol, last in amounts(words):
        _head_amount(words, symbol, last)
    _chain_conjuncts(words)
    for word, label in zip(words, [_label(words, word) for word in words], strict=True):
        word.label = label
        # Names are their own lemmas, as in spaCy.
        word.stem = word.form if word.tag in NAMES else (word.stem or word.form).lower()
        word.tag = TAGS.get(word.tag, word.tag)


def _label(words: list[Word], word: Word) -> str:
    head = words[word.head]
    for special in SPECIAL:
        if (
            word.label == special.label
            and (not special.forms or word.form.lower() in special.forms)
            and (not special.tags or word.tag in special.tags)
            and (not special.head_tags or head.tag in special.head_tags)
            and (not special.head_labels or head.label in special.head_labels)
        ):
            return special.ours
    return LABELS.get(word.label, "dep")


def amounts(words: list[Word]) -> Iterator[tuple[int, int]]:
    """The positions of currency symbols that head an amount, with that of the amount's last number."""
    for i, word in enumerate(words):
        if word.tag != _CURRENCY:
            continue
        last = i
        while last + 1 < len(words) and words[last + 1].label in _NUMBERS and i <= words[last + 1].head <= last + 2:
            last += 1
        while last > i and words[last].head != i:
            last -= 1
        if last > i:
            yield i, last


def _head_amount(words: list[Word], symbol: int, last: int) -> None:
    """In "$ 2 million", their head is the symbol; ours is the last number, which the symbol is merged into."""
    sign, amount = words[symbol], words[last]
    for word in words:
        if word.head == symbol:
            word.head = last
    amount.head = last if sign.head == symbol else sign.head
    amount.label = "num" if sign.label in _MODIFIERS else sign.label
    sign.head, sign.label = last, "quantmod"


def _chain_conjuncts(words: list[Word]) -> None:
    """In "tea, milk and water", their conjuncts depend on the first one; ours on the one before, as "and" does."""
    before: dict[int, int] = {}  # by first conjunct: the last one so far
    for i, word in enumerate(words):
        first = word.head
        if first >= i or word.label not in ("cc", "conj"):
            continue
        word.head = before.get(first, first)
        if word.label == "conj":
            before[first] = i


def dates(words: list[Word]) -> Iterator[tuple[int, int]]:
    """The first and last positions of times by label: "late [Friday]", with preceding words that depend on it."""
    for i, word in enumerate(words):
        if word.label == "tmod":
            first = i
            while first > 0 and words[first - 1].head == i and words[first - 1].label != "p":
                first -= 1
            yield first, i
