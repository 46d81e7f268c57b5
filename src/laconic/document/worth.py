"""The values of the words of a batch, by a question or as facts, and how they change the decoder's scores."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.document.answers import answer_worth
from laconic.document.facts import fact_worth
from laconic.document.leaning import leans, refers_back
from laconic.document.terms import terms
from laconic.score import EdgeScores, Model

if TYPE_CHECKING:
    from laconic.document.question import Question
    from laconic.tree import Forest

#: The amount that the most valuable word of a sentence adds to the decoder's score: with a question, and without.
_ANSWERING: Final = 6.0
_FACTUAL: Final = 5.0
#: The share of its value that remains of a sentence that refers to the previous one if that is not printed: readers
#: cannot tell whom it is about. The answer to a question keeps nearly all of it.
ALONE: Final = 0.3
_ALONE_ANSWER: Final = 0.95


class Known(NamedTuple):
    """The data of a sentence that its weight depends on."""

    terms: tuple[str, ...]
    answers: int  # number of words of the kind that the question asks for
    refers: bool  # whether it begins with a pronoun
    alone: float  # the share of its value that remains if the sentence before it is not printed


@dataclass(frozen=True, slots=True)
class Worth:
    """The values of the words of a batch; with a question, the values in a sentence add up to one."""

    question: Question | None
    forest: Forest
    terms: list[list[str]]  # by sentence and word
    word: NDArray[np.float64]  # by token
    node: NDArray[np.float64]  # by node

    @classmethod
    def of(cls, forest: Forest, question: Question | None = None) -> Worth:
        """The values for the trees of a batch."""
        parses = forest.parses
        texts = parses.texts()
        sentences = parses.sentences()
        found = [terms(parses, texts[number], first, last) for number, first, last in sentences]
        inside = forest.node_of >= 0
        word = np.where(inside, fact_worth(parses), 0.0)
        if question is not None:
            for own, (_, first, last) in zip(found, sentences, strict=True):
                worth = np.where(inside[first:last], answer_worth(question, parses, first, last, own), 0.0)
                word[first:last] = worth / (worth.sum() or 1.0)
        node = np.zeros(len(forest.parent))
        begins = np.repeat(forest.node_ptr[:-1], forest.sentence_last - forest.sentence_first)
        np.add.at(node, (forest.node_of + begins)[inside], word[inside])
        return cls(question, forest, found, word, node)

    def prefer(self, edge_scores: EdgeScores) -> EdgeScores:
        """Edge scores with the values added to the words' evidence; those of a maximum entropy model are unchanged."""
        if isinstance(edge_scores, Model) or edge_scores.evidence is None:
            return edge_scores
        forest = self.forest
        most = np.maximum.reduceat(self.word, forest.sentence_first) if len(self.word) else np.zeros(0)
        scale = _FACTUAL if self.question is None else _ANSWERING
        share = self.word / np.repeat(np.where(most > 0, most, 1.0), forest.sentence_last - forest.sentence_first)
        return replace(edge_scores, evidence=edge_scores.evidence + (scale * share).astype(np.float32))

    def known(self, sentence: int) -> Known:
        """The data of a sentence that its weight depends on."""
        parses, own = self.forest.parses, self.terms[sentence]
        first, last = int(self.forest.sentence_first[sentence]), int(self.forest.sentence_last[sentence])
        answers = 0
        if self.question is not None and self.question.kinds:
            kinds, asked = parses.entity[first:last].tolist(), self.question.terms
            answers = sum(
                kind in self.question.kinds and term not in asked for kind, term in zip(kinds, own, strict=True) if term
            )
        alone = (ALONE if self.question is None else _ALONE_ANSWER) if leans(parses, first, last) else 1.0
        return Known(tuple(filter(None, own)), answers, refers_back(parses, first, last), alone)
