"""How likely each sentence of a document is to answer a question.

By default that is BM25 over the terms of sentences (Robertson & Zaragoza 2009), where terms that few sentences have
count most, with what makes up for words that a sentence need not repeat: words of the kind that the question asks
for, words that are spelt alike ("Mongol", "Mongolian"; a slip of the pen), what the sentence before it and its whole
paragraph with its headings have of the question. The weights are those of a conditional logit over sentences of
encyclopedia articles, rounded; any scores can stand in their place.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from laconic.errors import LaconicError

if TYPE_CHECKING:
    from laconic.document.question import Question

#: Scores of sentences for a query, the higher the more relevant, on any scale: those of an embedding model, a reranker.
Relevance: TypeAlias = Callable[[Sequence[str], str], Sequence[float]]

#: Of BM25: how soon another occurrence counts for less, and how much a long sentence is at a disadvantage.
K1: Final = 1.2
B: Final = 0.3

#: How much the parts of relevance count.
_SCORE: Final = 0.15  # BM25
_BEST: Final = 2.6  # the share of the best sentence's
_COVERED: Final = 1.3  # the share of the question's terms
_VERBS: Final = 0.9  # of its verbs
_NOUNS: Final = 0.7  # of its nouns
_ALIKE: Final = 4.5  # of terms that it lacks, where it has one that is spelt alike
_KIND: Final = 1.2  # words of the kind that is asked for, by the logarithm of their number
_BEFORE: Final = 0.4  # the sentence before it
_REFERRING: Final = 1.3  # the same, where it begins with a pronoun
_AROUND: Final = 3.7  # its paragraph and headings
#: Terms of so many letters may be spelt alike, where this share of their groups of three letters is the same.
_SPELT: Final = 4
_SAME: Final = 0.5
#: Scores from outside are brought to this spread.
_SPREAD: Final = 2.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may answer."""

    text: str
    terms: Sequence[str]
    answers: int  # how many words it has of the kind that the question asks for
    refers: bool  # it begins with a pronoun
    paragraph: tuple[int, int]  # the number of its document, and of its block
    headings: frozenset[str]  # terms of the headings above it


def relevance(
    question: Question, sentences: Sequence[Candidate], scores: Relevance | None = None
) -> NDArray[np.float64]:
    """The probability of each sentence to have the answer; they add up to one."""
    if not sentences:
        return np.zeros(0)
    logits = _own(question, sentences) if scores is None else _given(question, sentences, scores)
    odds = np.exp(logits - logits.max())
    found: NDArray[np.float64] = odds / odds.sum()
    return found


def bm25(sentences: Sequence[Sequence[str]], query: frozenset[str]) -> tuple[NDArray[np.float64], dict[str, float]]:
    """The scores of sentences for the terms of a query, and the weight of each term."""
    counts = [Counter(term for term in sentence if term in query) for sentence in sentences]
    among = Counter(term for own in counts for term in own)
    weights = {term: math.log(1 + (len(sentences) - among[term] + 0.5) / (among[term] + 0.5)) for term in sorted(query)}
    average = sum(map(len, sentences)) / len(sentences) or 1.0
    scores = [
        sum(
            weights[term] * count * (K1 + 1) / (count + K1 * (1 - B + B * len(sentence) / average))
            for term, count in own.items()
        )
        for own, sentence in zip(counts, sentences, strict=True)
    ]
    return np.array(scores, dtype=np.float64), weights


def _own(question: Question, sentences: Sequence[Candidate]) -> NDArray[np.float64]:
    scores, weights = bm25([[term for term in sentence.terms if term] for sentence in sentences], question.terms)
    share = scores / (scores.max() or 1.0)

    def covered(terms: frozenset[str], of: frozenset[str] = question.terms) -> float:
        return sum(weights[term] for term in sorted(terms & of)) / (sum(weights[term] for term in sorted(of)) or 1.0)

    around: dict[tuple[int, int], frozenset[str]] = {}
    for sentence in sentences:
        known = around.get(sentence.paragraph, sentence.headings)
        around[sentence.paragraph] = known | (question.terms & frozenset(sentence.terms))
    own = [frozenset(sentence.terms) for sentence in sentences]
    context = np.array([covered(around[sentence.paragraph]) for sentence in sentences])
    same = [False, *(a.paragraph == b.paragraph for a, b in pairwise(sentences))]
    before = np.where(same, np.roll(share, 1), 0.0)
    refers = np.array([sentence.refers for sentence in sentences])
    answers = np.array([sentence.answers for sentence in sentences])
    found: NDArray[np.float64] = (
        _SCORE * scores
        + _BEST * share
        + _COVERED * np.array([covered(terms) for terms in own])
        + _VERBS * np.array([covered(terms, question.verbs) for terms in own])
        + _NOUNS * np.array([covered(terms, question.nouns) for terms in own])
        + _ALIKE * _alike(weights, own)
        + _KIND * np.log1p(answers)
        + (_BEFORE + _REFERRING * refers) * before
        + _AROUND * context
    )
    return found


def _alike(weights: Mapping[str, float], sentences: Sequence[frozenset[str]]) -> NDArray[np.float64]:
    """By sentence: the share of a question's terms that it lacks, as far as it has others that are spelt like them."""
    asked = {term: _letters(term) for term in sorted(weights) if len(term) >= _SPELT}
    alike: dict[str, list[tuple[str, float]]] = {}  # by term: the question's that are spelt like it, and how much
    for term in frozenset[str]().union(*sentences):
        own = _letters(term) if len(term) >= _SPELT else frozenset[str]()
        shares = [(other, 2 * len(own & letters) / (len(own) + len(letters))) for other, letters in asked.items()]
        if found := [(other, share) for other, share in shares if share >= _SAME]:
            alike[term] = found
    total = sum(weights.values()) or 1.0

    def score(terms: frozenset[str]) -> float:
        best: dict[str, float] = {}
        for term in terms & alike.keys():
            for other, share in alike[term]:
                best[other] = max(best.get(other, 0.0), share)
        return sum(weights[term] * best[term] for term in sorted(best.keys() - terms)) / total

    return np.array([score(terms) for terms in sentences])


def _letters(term: str) -> frozenset[str]:
    """The groups of three letters of a term, with its ends."""
    marked = f"^{term}$"
    return frozenset(marked[i : i + 3] for i in range(len(marked) - 2))


def _given(question: Question, sentences: Sequence[Candidate], scores: Relevance) -> NDArray[np.float64]:
    """Scores from outside, on a scale of our own: order and distances are theirs."""
    try:
        given = np.array(scores([sentence.text for sentence in sentences], question.text), dtype=np.float64).ravel()
    except (TypeError, ValueError) as error:
        raise LaconicError(f"relevance must return a number for every sentence ({error}): return a list") from error
    if len(given) != len(sentences) or not np.isfinite(given).all():
        raise LaconicError(
            f"relevance returned {len(given)} numbers for {len(sentences)} sentences, or some that are not finite: "
            "return one finite number for each"
        )
    deviation = float(given.std())
    found: NDArray[np.float64] = _SPREAD * (given - given.mean()) / deviation if deviation > 0 else np.zeros(len(given))
    return found
