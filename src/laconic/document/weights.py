"""Weights of the sentences of documents: by a question, or by the topics of the documents.

Sentences that repeat another one count once.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, Final

from laconic.document.counted import AllCounted
from laconic.document.relevance import Relevance
from laconic.document.repeats import find_copies, find_repeats
from laconic.document.weigh_answers import weigh_by_question
from laconic.document.weigh_facts import weigh_by_facts
from laconic.language.word_lists import Denies, negations

if TYPE_CHECKING:
    from laconic.document.blocks import Blocks
    from laconic.document.parts import Parts
    from laconic.document.question import Question

#: The factor on the weight of a sentence that repeats another.
_AGAIN: Final = 0.02
#: Matches what two sentences must have in common to be repetitions: numbers, names (not as first words), denials.
_FIRM: Final = re.compile(
    rf"\d[\w.,:]*|(?<=[^.!?\s] )[A-Z]\w*|\b(?:{'|'.join(sorted(negations(Denies.WORD)))})\b|n['’]t\b"
)


@dataclass(frozen=True, slots=True)
class PartWeights:
    """The weights of each part's sentences, rows or block; there may be millions."""

    weights: array[float]
    ends: array[int]  # cumulative counts by part

    def __iter__(self) -> Iterator[Sequence[float]]:
        return (self.weights[first:last] for first, last in pairwise(chain([0], self.ends)))


def weigh(
    documents: Sequence[tuple[Parts, Blocks]],
    question: Question | None = None,
    scores: Relevance | None = None,
    *,
    leaves_out: bool = True,
    copies: bool = False,
) -> list[PartWeights]:
    """The weight of each sentence, row or block, by document and part.

    With `leaves_out`, what is irrelevant to the question has the weight zero; otherwise, a small one. With `copies`,
    only one of several word-for-word copies in the documents has a weight, however short they are.
    """
    items = AllCounted(documents)
    weights = weigh_by_facts(items) if question is None else weigh_by_question(items, question, scores, leaves_out)
    _count_once(items, weights, copies=copies)
    ends = items.ends()
    firsts = accumulate((own[-1] if own else 0 for own in ends), initial=0)
    return [PartWeights(weights[first:last], own) for (first, last), own in zip(pairwise(firsts), ends, strict=True)]


def _count_once(items: AllCounted, weights: array[float], *, copies: bool) -> None:
    """Reduce the weights of sentences that repeat another, keeping the one with the highest weight or the first."""
    firm = (partial(_find_firm, known.text) for known in items.sentences())
    numbers = items.sentence_numbers()
    repeats = ((numbers[first], numbers[second]) for first, second in find_repeats(_Terms(items), firm))
    gone: set[int] = set()
    for a, b in chain(repeats, find_copies(items) if copies else ()):
        if a not in gone and b not in gone:
            gone.add(b if weights[a] >= weights[b] else a)
    for i in gone:
        weights[i] *= _AGAIN


def _find_firm(text: str) -> frozenset[str]:
    return frozenset(_FIRM.findall(text))


class _Terms:
    """The terms of sentences; generated anew for each pass."""

    def __init__(self, items: AllCounted) -> None:
        self._items = items

    def __iter__(self) -> Iterator[Sequence[str]]:
        return (known.terms for known in self._items.sentences())
