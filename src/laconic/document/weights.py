"""How much the sentences of documents count: by a question, or by what the documents are about.

What says the same again as another sentence counts once.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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

#: What a sentence counts for that says the same again.
_AGAIN: Final = 0.02
#: What two sentences must both have to say the same: numbers, names (but for the first word), denials.
_FIRM: Final = re.compile(
    rf"\d[\w.,:]*|(?<=[^.!?\s] )[A-Z]\w*|\b(?:{'|'.join(sorted(negations(Denies.WORD)))})\b|n['’]t\b"
)


@dataclass(frozen=True, slots=True)
class PartWeights:
    """What the sentences of each part of a document count for, or its rows, or the block; there may be millions."""

    weights: array[float]
    ends: array[int]  # of each part, among the weights

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
    """Document by document and part by part, what each sentence counts for, or each row, or the block, is worth.

    What has nothing to do with a question counts for nothing, where that `leaves_out` anything; otherwise for little.
    Where the documents may have `copies` of each other's parts, one of these counts, however short they are.
    """
    items = AllCounted(documents)
    weights = weigh_by_facts(items) if question is None else weigh_by_question(items, question, scores, leaves_out)
    _count_once(items, weights, copies=copies)
    ends = items.ends()
    firsts = accumulate((own[-1] if own else 0 for own in ends), initial=0)
    return [PartWeights(weights[first:last], own) for (first, last), own in zip(pairwise(firsts), ends, strict=True)]


def _count_once(items: AllCounted, weights: array[float], *, copies: bool) -> None:
    """Takes its weight from what says the same as something else, which counts more or comes first."""
    firm = (frozenset(_FIRM.findall(known.text)) for known in items.sentences())
    numbers = items.sentence_numbers()
    repeats = ((numbers[first], numbers[second]) for first, second in find_repeats(_Terms(items), firm))
    gone: set[int] = set()
    for a, b in chain(repeats, find_copies(items) if copies else ()):
        if a not in gone and b not in gone:
            gone.add(b if weights[a] >= weights[b] else a)
    for i in gone:
        weights[i] *= _AGAIN


class _Terms:
    """The terms of sentences; made anew for each pass."""

    def __init__(self, items: AllCounted) -> None:
        self._items = items

    def __iter__(self) -> Iterator[Sequence[str]]:
        return (known.terms for known in self._items.sentences())
