"""What the words of a batch of trees are worth, and how that moves the decoder: by a question, or as facts."""

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

#: What the word of a sentence that is worth most adds to the decoder's score: where a question is asked, and where not.
_ANSWERING: Final = 6.0
_FACTUAL: Final = 8.0
#: The share of its worth that is left of a sentence that leans on the one before it, where that is not printed: nobody
#: can tell of whom it speaks. The answer to a question counts nearly as much.
ALONE: Final = 0.3
_ALONE_ANSWER: Final = 0.95


class Known(NamedTuple):
    """What is kept of a sentence to tell how much it counts."""

    terms: tuple[str, ...]
    answers: int  # how many words it has of the kind that the question asks for
    refers: bool  # it begins with a pronoun
    alone: float  # the share of its worth that is left where the sentence before it is not printed


@dataclass(frozen=True, slots=True)
class Worth:
    """What the words of a batch are worth: of a question's answer, shares that add up to one in a sentence."""

    question: Question | None
    forest: Forest
    terms: list[list[str]]  # by sentence, word by word
    word: NDArray[np.float64]  # by token
    node: NDArray[np.float64]  # by node

    @classmethod
    def of(cls, forest: Forest, question: Question | None = None) -> Worth:
        """For the trees of a batch."""
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
        """Edge scores for which words are the better the more they are worth; the paper's model has none of that."""
        if isinstance(edge_scores, Model) or edge_scores.evidence is None:
            return edge_scores
        forest = self.forest
        most = np.maximum.reduceat(self.word, forest.sentence_first) if len(self.word) else np.zeros(0)
        scale = _FACTUAL if self.question is None else _ANSWERING
        share = self.word / np.repeat(np.where(most > 0, most, 1.0), forest.sentence_last - forest.sentence_first)
        return replace(edge_scores, evidence=edge_scores.evidence + (scale * share).astype(np.float32))

    def known(self, sentence: int) -> Known:
        """What is kept of a sentence."""
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
