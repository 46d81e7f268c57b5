"""How much the sentences of documents count: by a question, or by what the documents are about.

Without a question the first sentence of a paragraph, which says what it is about, counts more than those after it, and
so does a sentence with the terms that the document is about: those of its headings, and the most frequent ones (Luhn
1958). With a question, what has nothing to do with it counts for nothing. What says the same again as another sentence
counts once.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from laconic.document.relevance import Candidate, Relevance, relevance
from laconic.document.repeats import find_repeats
from laconic.document.terms import unparsed_terms
from laconic.language.word_lists import Denies, negations
from laconic.parse import scheme

if TYPE_CHECKING:
    from laconic.document.blocks import Block
    from laconic.document.candidates import SentenceCandidates
    from laconic.document.parts import Part
    from laconic.document.question import Question

#: What a character of a block that cannot be shortened is worth, and what a word that is a fact for certain is: so that
#: a character of a sentence is worth as much, on average.
_AS_IT_IS: Final = 0.4
_FACT: Final = 20.0
#: What a sentence is worth that has the answer for certain.
_CERTAIN: Final = 1e6
#: How much less a sentence counts than the one before it in its paragraph.
_LATER: Final = 0.1
#: How much more a sentence counts that has more of what the document is about than any other, and how many terms are
#: what it is about, besides those of its headings.
_ABOUT: Final = 0.3
_CENTRAL: Final = 12
#: What is so much less likely to have the answer than the best sentence is left out: where it has no word of the
#: question, and where it has some.
_UNRELATED: Final = 0.005
_UNLIKELY: Final = 0.0005
#: What counts at least, where nothing else fits.
_LEAST: Final = 1.0
#: A sentence that counts at least this share of what the best one does may be the answer to a question, and where it
#: speaks of "her", the sentence that says who she is counts so much of it, at least.
LIKELY: Final = 0.3
_NAMING: Final = 0.1
#: What a likely answer announces with a colon counts so much of it, at least: code, a table, the items of a list.
_ANNOUNCED: Final = 0.3
#: What a sentence counts for that says the same again.
_AGAIN: Final = 0.02

_WORD: Final = re.compile(r"\w+")
#: What two sentences must both have to say the same: numbers, names (but for the first word), denials.
_FIRM: Final = re.compile(
    rf"\d[\w.,:]*|(?<=[^.!?\s] )[A-Z]\w*|\b(?:{'|'.join(sorted(negations(Denies.WORD)))})\b|n['’]t\b"
)
_NOUN: Final = scheme.TAG_ID["NNS"]


@dataclass(frozen=True, slots=True)
class _Item:
    """What counts: a sentence, a row of a table, or a block that is none of these."""

    sentence: SentenceCandidates | None
    text: str
    document: int
    block: int  # its paragraph
    place: int  # in its paragraph
    headings: frozenset[str]
    group: int = -1  # the outermost list or quote around it

    @property
    def terms(self) -> Sequence[str]:
        return self.sentence.terms if self.sentence is not None else unparsed_terms(self.text)


@dataclass(frozen=True, slots=True)
class PartWeights:
    """What the sentences of each part of a document count for, or its rows, or the block; there may be millions."""

    weights: array[float]
    ends: array[int]  # of each part, among the weights

    def __iter__(self) -> Iterator[Sequence[float]]:
        return (self.weights[first:last] for first, last in pairwise(chain([0], self.ends)))


def weigh(
    documents: Sequence[tuple[Sequence[Part], Sequence[Block]]],
    question: Question | None = None,
    scores: Relevance | None = None,
    *,
    leaves_out: bool = True,
) -> list[PartWeights]:
    """Document by document and part by part, what each sentence counts for, or each row, or the block, is worth.

    What has nothing to do with a question counts for nothing, where that `leaves_out` anything; otherwise for little.
    """
    everything: list[_Item] = []
    ends: list[tuple[int, array[int]]] = []  # where each document begins among the items, and its parts end in it
    for number, (parts, blocks) in enumerate(documents):
        first = len(everything)
        own = array("q")
        for items in _items(number, parts, blocks):
            everything += items
            own.append(len(everything) - first)
        ends.append((first, own))
    weights = _by_facts(everything) if question is None else _by_question(everything, question, scores, leaves_out)
    _count_once(everything, weights)
    return [PartWeights(weights[first : first + (own[-1] if own else 0)], own) for first, own in ends]


def _items(number: int, parts: Sequence[Part], blocks: Sequence[Block]) -> Iterator[list[_Item]]:
    """What counts in each part, with the terms of the headings above it."""
    above: list[tuple[int, frozenset[str]]] = []  # level and terms of the headings so far
    headings: frozenset[str] = frozenset()
    known: dict[frozenset[str], frozenset[str]] = {}
    last, place = -1, 0
    for part in parts:
        block = blocks[part.block]
        if block.heading:
            own = frozenset(unparsed_terms(block.source))
            above = [*((level, terms) for level, terms in above if level < block.heading), (block.heading, own)]
            union = frozenset[str]().union(*(terms for _, terms in above))
            headings = known.setdefault(union, union)  # one of those that are the same: there are many
        place = place if part.block == last else 0
        last = part.block
        group = block.place.path[0].group if block.place is not None and block.place.path else -1
        found: list[_Item] = []
        for sentence in part.sentences:
            found.append(_Item(sentence, sentence.text, number, part.block, place, headings, group))
            place += 1
        found += [_Item(None, row.text, number, part.block, 0, headings, group) for row in part.rows]
        yield found or [_Item(None, block.source, number, part.block, 0, headings, group)]


def _by_facts(items: Sequence[_Item]) -> array[float]:
    about = _about(items)
    most = max(about, default=0.0) or 1.0
    return array(
        "d",
        (
            _AS_IT_IS * len(item.text)
            if item.sentence is None
            else _FACT / (1 + _LATER * item.place) * (1 + _ABOUT * own / most)
            for item, own in zip(items, about, strict=True)
        ),
    )


def _about(items: Sequence[_Item]) -> array[float]:
    """How much each has of what the documents are about."""
    among = Counter(term for item in items for term in set(item.terms))
    frequent = sorted(among, key=lambda term: (-among[term], term))[:_CENTRAL]
    central = {term: among[term] for term in frequent if among[term] > 1}
    for heading in frozenset[str]().union(*(item.headings for item in items)):
        central[heading] = central.get(heading, 1) + 1
    return array("d", (float(sum(central[term] for term in set(item.terms) if term in central)) for item in items))


def _by_question(
    items: Sequence[_Item], question: Question, scores: Relevance | None, leaves_out: bool
) -> array[float]:
    candidates = []
    for item in items:
        sentence = item.sentence
        answers, refers = (sentence.answers, sentence.refers) if sentence is not None else (0, False)
        paragraph = (item.document, item.block)
        candidates.append(Candidate(item.text, item.terms, answers, refers, paragraph, item.headings))
    found = relevance(question, candidates, scores)
    if scores is None and leaves_out:
        shares = np.array([not question.terms.isdisjoint(item.terms) for item in items], dtype=bool)
        found[found < np.where(shares, _UNLIKELY, _UNRELATED) * found.max(initial=0.0)] = 0.0
    weights = array("d", (_CERTAIN * found if leaves_out else np.maximum(_CERTAIN * found, _LEAST)).tolist())
    _raise_antecedents(items, weights)
    _raise_announced(items, weights)
    return weights


def _raise_antecedents(items: Sequence[_Item], weights: array[float]) -> None:
    """Makes the sentence count that names what a likely answer begins with a pronoun for: the nearest without one."""
    most = max(weights, default=0.0)
    naming = -1  # the last sentence of this paragraph that begins with no pronoun
    for i, item in enumerate(items):
        if not item.place:
            naming = -1
        if item.sentence is None or not item.sentence.refers:
            naming = i
        elif naming >= 0 and weights[i] >= LIKELY * most:
            weights[naming] = max(weights[naming], _NAMING * weights[i])


def _raise_announced(items: Sequence[_Item], weights: array[float]) -> None:
    """Makes what a likely answer announces count: "Tests can be run with:", and what follows is code, or a list."""
    most = max(weights, default=0.0)
    for i, item in enumerate(items):
        if item.sentence is None or not item.text.endswith(":") or weights[i] < LIKELY * most:
            continue
        block = -1  # the first one that is announced
        for j in range(i + 1, len(items)):
            after = items[j]
            if after.document != item.document or after.block == item.block:
                break
            block = after.block if block < 0 else block
            is_code = after.sentence is None and after.block == block
            if not is_code and (after.group < 0 or after.group != items[i + 1].group or after.group == item.group):
                break
            weights[j] = max(weights[j], _ANNOUNCED * weights[i])


def _count_once(items: Sequence[_Item], weights: array[float]) -> None:
    """Takes their weight from sentences that say the same as another, which counts more or comes first."""
    sentences = [i for i, item in enumerate(items) if item.sentence is not None]
    terms = [items[i].terms for i in sentences]
    firm = [frozenset(_FIRM.findall(items[i].text)) for i in sentences]
    gone: set[int] = set()
    for first, second in find_repeats(terms, firm):
        a, b = sentences[first], sentences[second]
        if a not in gone and b not in gone:
            gone.add(b if weights[a] >= weights[b] else a)
    for i in gone:
        weights[i] *= _AGAIN
