"""A batch of trees where a question is asked: what their words are worth, and how that moves the decoder."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic.document.terms import terms
from laconic.document.worth import answer_worth
from laconic.language.questions import BACKWARD
from laconic.parse import lemma_id
from laconic.score import Model, Probabilities

if TYPE_CHECKING:
    from laconic.document.question import Question
    from laconic.tree import Forest

#: What the word of a sentence that is most likely to answer adds to the decoder's score.
_PREFERENCE: Final = 6.0
#: Among so many first words a pronoun makes a sentence speak of the one before.
_FRONT: Final = 3
_BACKWARD: Final = frozenset(lemma_id(word) for word in BACKWARD)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question makes of the words of a batch."""

    question: Question
    forest: Forest
    terms: list[tuple[str, ...]]  # by sentence
    word_worth: NDArray[np.float64]  # by token; a sentence's add up to one
    node_worth: NDArray[np.float64]  # by node

    @classmethod
    def of(cls, question: Question, forest: Forest) -> Asked:
        """For the trees of a batch."""
        parses = forest.parses
        texts = parses.texts()
        found: list[tuple[str, ...]] = []
        words = np.zeros(len(parses.start))
        nodes = np.zeros(len(forest.parent))
        node_ptr = forest.node_ptr.tolist()
        for i, (number, first, last) in enumerate(parses.sentences()):
            own = terms(parses, texts[number], first, last)
            found.append(tuple(own))
            inside = forest.node_of[first:last] >= 0
            worth = np.where(inside, answer_worth(question, parses, first, last, own), 0.0)
            words[first:last] = worth / (worth.sum() or 1.0)
            np.add.at(nodes, node_ptr[i] + forest.node_of[first:last][inside], words[first:last][inside])
        return cls(question, forest, found, words, nodes)

    def prefer(self, scorer: Model | Probabilities) -> Model | Probabilities:
        """The scorer, for which words are the better the more likely they are to answer."""
        if isinstance(scorer, Model) or scorer.evidence is None:
            return scorer
        most = np.zeros(len(self.word_worth))
        for first, last in zip(self.forest.sentence_first, self.forest.sentence_last, strict=True):
            most[first:last] = self.word_worth[first:last].max(initial=0.0)
        bonus = _PREFERENCE * self.word_worth / np.where(most > 0, most, 1.0)
        return replace(scorer, evidence=scorer.evidence + bonus.astype(np.float32))

    def known(self, sentence: int) -> dict[str, Any]:
        """What is kept of a sentence to tell how relevant it is."""
        parses, forest = self.forest.parses, self.forest
        first, last = int(forest.sentence_first[sentence]), int(forest.sentence_last[sentence])
        own = self.terms[sentence]
        kinds = parses.entity[first:last].tolist()
        answers = any(
            kind in self.question.kinds and term not in self.question.terms
            for kind, term in zip(kinds, own, strict=True)
            if term
        )
        refers = any(lemma in _BACKWARD for lemma in parses.lemma[first : min(first + _FRONT, last)].tolist())
        return {"terms": tuple(term for term in own if term), "answers": answers, "refers": refers}
