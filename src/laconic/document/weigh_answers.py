"""Weights of sentences for a question: irrelevant sentences have the weight zero."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Final

import numpy as np

from laconic.document.counted import AllCounted
from laconic.document.likely import raise_announced, raise_antecedents
from laconic.document.relevance import Candidate, Relevance, relevance

if TYPE_CHECKING:
    from laconic.document.question import Question

#: The weight of a sentence that contains the answer with certainty.
_CERTAIN: Final = 1e6
#: Sentences are left out if their probability of having the answer is below this share of the best sentence's: if they
#: share no term with the question, and if they share some.
_UNRELATED: Final = 0.005
_UNLIKELY: Final = 0.0005
#: The minimum weight, if nothing else fits.
_LEAST: Final = 1.0


def weigh_by_question(
    items: AllCounted, question: Question, scores: Relevance | None, leaves_out: bool
) -> array[float]:
    """The weight of each item for a question."""
    found = relevance(question, _Candidates(items), scores)
    if scores is None and leaves_out:
        shares = np.fromiter((not question.terms.isdisjoint(item.terms) for item in items), dtype=bool)
        found[found < np.where(shares, _UNLIKELY, _UNRELATED) * found.max(initial=0.0)] = 0.0
    weights = array("d", (_CERTAIN * found if leaves_out else np.maximum(_CERTAIN * found, _LEAST)).tobytes())
    raise_antecedents(items, weights)
    raise_announced(items, weights)
    return weights


class _Candidates:
    """Items that may answer a question, with the terms of the headings above them; generated anew for each pass."""

    def __init__(self, items: AllCounted) -> None:
        self._items = items

    def __iter__(self) -> Iterator[Candidate]:
        for document, items in groupby(self._items, key=lambda item: item.document):
            above: list[tuple[int, frozenset[str]]] = []  # level and terms of the open headings
            headings: frozenset[str] = frozenset()
            for item in items:
                known, terms = item.sentence, item.terms
                if item.level:
                    above = [each for each in above if each[0] < item.level] + [(item.level, frozenset(terms))]
                    headings = frozenset[str]().union(*(own for _, own in above))
                answers, refers = (known.answers, known.refers) if known is not None else (0, False)
                yield Candidate(item.text, terms, answers, refers, (document, item.block), headings)
