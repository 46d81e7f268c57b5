"""Score how likely each sentence of a document is to answer a question.

By default, this is BM25 over the terms of sentences (Robertson & Zaragoza 2009), in which rare terms count most,
combined with features for words that a sentence need not repeat: words of the kind that the question asks for, words
with a similar spelling ("Mongol", "Mongolian", or a typo), and terms that the question shares with the previous
sentence, and with the paragraph and its headings. The weights were estimated by a conditional logit over sentences of
encyclopedia articles, and rounded. Scores from outside can replace all this.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from laconic.errors import LaconicError

if TYPE_CHECKING:
    from laconic.document.question import Question

#: Scores sentences for a query: higher is more relevant, on any scale; an embedding model or a reranker, for example.
Relevance: TypeAlias = Callable[[Sequence[str], str], Sequence[float]]

#: The parameters of BM25: saturation of repeated terms, and length normalisation.
K1: Final = 1.2
B: Final = 0.3

#: The weights of the features.
_SCORE: Final = 0.15  # BM25
_BEST: Final = 2.6  # share of the best sentence's BM25
_COVERED: Final = 1.3  # share of the question's terms
_VERBS: Final = 0.9  # share of its verbs
_NOUNS: Final = 0.7  # share of its nouns
_ALIKE: Final = 4.5  # similarity of spelling to question terms that it lacks
_KIND: Final = 1.2  # log of the number of words of the kind asked for
_BEFORE: Final = 0.4  # BM25 share of the previous sentence
_REFERRING: Final = 1.3  # the same, added if it begins with a pronoun
_AROUND: Final = 3.7  # share of the terms in its paragraph and headings
#: Terms with at least this many letters can be similar, if they share this part of their letter trigrams.
_SPELT: Final = 4
_SAME: Final = 0.5
#: The spread that scores from outside are scaled to.
_SPREAD: Final = 2.0


class Candidate(NamedTuple):
    """A sentence that may answer the question."""

    text: str
    terms: Sequence[str]
    answers: int  # number of words of the kind that the question asks for
    refers: bool  # whether it begins with a pronoun
    paragraph: tuple[int, int]  # numbers of its document and of its block
    headings: frozenset[str]  # terms of the headings above it


def relevance(
    question: Question, sentences: Iterable[Candidate], scores: Relevance | None = None
) -> NDArray[np.float64]:
    """The probability that each sentence has the answer; the probabilities add up to one.

    `sentences` is iterated over several times: there may be too many to store.
    """
    logits = _own(question, sentences) if scores is None else _given(question, sentences, scores)
    if not len(logits):
        return logits
    odds = np.exp(logits - logits.max())
    found: NDArray[np.float64] = odds / odds.sum()
    return found


def bm25(sentences: Iterable[Sequence[str]], query: frozenset[str]) -> tuple[NDArray[np.float64], dict[str, float]]:
    """BM25 scores of sentences for a query's terms, and the weight of each term; iterates over the sentences twice."""
    among: Counter[str] = Counter()
    number = total = 0
    for sentence in sentences:
        among.update(query.intersection(sentence))
        number += 1
        total += len(sentence)
    weights = {term: math.log(1 + (number - among[term] + 0.5) / (among[term] + 0.5)) for term in sorted(query)}
    average = total / max(number, 1) or 1.0

    def score(sentence: Sequence[str]) -> float:
        own = Counter(term for term in sentence if term in query)
        return sum(
            weights[term] * count * (K1 + 1) / (count + K1 * (1 - B + B * len(sentence) / average))
            for term, count in own.items()
        )

    return np.fromiter(map(score, sentences), dtype=np.float64), weights


class _Terms:
    """The terms of sentences; generated anew for each pass."""

    def __init__(self, sentences: Iterable[Candidate]) -> None:
        self._sentences = sentences

    def __iter__(self) -> Iterator[Sequence[str]]:
        return (sentence.terms for sentence in self._sentences)


def _own(question: Question, sentences: Iterable[Candidate]) -> NDArray[np.float64]:
    scores, weights = bm25(_Terms(sentences), question.terms)
    share = scores / (scores.max(initial=0.0) or 1.0)

    def covered(terms: frozenset[str], of: frozenset[str] = question.terms) -> float:
        return sum(weights[term] for term in sorted(terms & of)) / (sum(weights[term] for term in sorted(of)) or 1.0)

    alike = _Alike(weights)
    paragraphs = groupby(sentences, key=_paragraph)
    around = array("d", (covered(_terms_around(paragraph, question.terms)) for _, paragraph in paragraphs))
    columns: array[float] = array("d")  # one row per sentence
    for context, (_, paragraph) in zip(around, groupby(sentences, key=_paragraph), strict=True):
        for k, sentence in enumerate(paragraph):
            terms = frozenset(sentence.terms)
            columns.extend((covered(terms), covered(terms, question.verbs), covered(terms, question.nouns)))
            columns.extend((alike.score(terms), sentence.answers, sentence.refers, k > 0, context))
    own, verbs, nouns, spelt, answers, refers, same, contexts = np.asarray(columns).reshape(-1, 8).T
    before = np.where(same > 0, np.roll(share, 1), 0.0)
    found: NDArray[np.float64] = (
        _SCORE * scores
        + _BEST * share
        + _COVERED * own
        + _VERBS * verbs
        + _NOUNS * nouns
        + _ALIKE * spelt
        + _KIND * np.log1p(answers)
        + (_BEFORE + _REFERRING * refers) * before
        + _AROUND * contexts
    )
    return found


def _paragraph(sentence: Candidate) -> tuple[int, int]:
    return sentence.paragraph


def _terms_around(paragraph: Iterator[Candidate], asked: frozenset[str]) -> frozenset[str]:
    """The question's terms that occur in a paragraph, and all terms of the headings above it."""
    first = next(paragraph)
    found = set(first.headings)
    for sentence in chain([first], paragraph):
        found.update(asked.intersection(sentence.terms))
    return frozenset(found)


class _Alike:
    """Scores terms whose spelling is similar to terms of the question that a sentence lacks."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = weights
        self._total = sum(weights.values()) or 1.0
        self._asked = {term: _letters(term) for term in sorted(weights) if len(term) >= _SPELT}
        #: By term: similar terms of the question, with their similarity.
        self._alike: dict[str, Sequence[tuple[str, float]]] = {}

    def score(self, terms: frozenset[str]) -> float:
        """The weighted share of the question's terms that are missing but have a similar term, by similarity."""
        best: dict[str, float] = {}
        for term in terms:
            for other, share in self._of(term):
                best[other] = max(best.get(other, 0.0), share)
        return sum(self._weights[term] * best[term] for term in sorted(best.keys() - terms)) / self._total

    def _of(self, term: str) -> Sequence[tuple[str, float]]:
        if term not in self._alike:
            own = _letters(term) if len(term) >= _SPELT else frozenset[str]()
            shares = ((other, 2 * len(own & each) / (len(own) + len(each))) for other, each in self._asked.items())
            self._alike[term] = tuple((other, share) for other, share in shares if share >= _SAME)
        return self._alike[term]


def _letters(term: str) -> frozenset[str]:
    """The letter trigrams of a term, including its boundaries."""
    marked = f"^{term}$"
    return frozenset(marked[i : i + 3] for i in range(len(marked) - 2))


def _given(question: Question, sentences: Iterable[Candidate], scores: Relevance) -> NDArray[np.float64]:
    """Scores from outside, rescaled linearly to our spread."""
    texts = [sentence.text for sentence in sentences]
    if not texts:
        return np.zeros(0)
    try:
        given = np.array(scores(texts, question.text), dtype=np.float64).ravel()
    except (TypeError, ValueError) as error:
        raise LaconicError(f"relevance must return a number for every sentence ({error}): return a list") from error
    if len(given) != len(texts) or not np.isfinite(given).all():
        raise LaconicError(
            f"relevance returned {len(given)} numbers for {len(texts)} sentences, or some that are not finite: "
            "return one finite number for each"
        )
    deviation = float(given.std())
    found: NDArray[np.float64] = _SPREAD * (given - given.mean()) / deviation if deviation > 0 else np.zeros(len(given))
    return found
