"""The values of the words of a sentence for a question: how likely each is to be part of the answer.

Questions are seldom answered by their own words. If the question asks for a kind of words (who, when, how many), words
of that kind have high values, and others low ones. Otherwise, nouns, names and numbers have high values, above all near
the question's words. The constants are the shares of such words that were part of an answer, among the words of
sentences that contained it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from laconic.parse import scheme
from laconic.parse.masks import members

if TYPE_CHECKING:
    from collections.abc import Sequence

    from laconic.document.question import Question
    from laconic.parse import Parses

_NAMES: Final = ("NNP", "NNPS")
_NOUNS: Final = ("NN", "NNS", *_NAMES)
_QUALITIES: Final = ("JJ", "JJR", "JJS")
_VERBS: Final = ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ")
_NUMBERS: Final = ("CD",)

#: If the question asks for a kind of words.
_OF_KIND: Final = 0.42
_NUMBER_OF_KIND: Final = 0.65
_NAME: Final = 0.2
_OTHER: Final = 0.07
_OTHER_VERB: Final = 0.03
#: If it does not.
_NOUN: Final = 0.3
_NUMBER: Final = 0.22
_VERB: Final = 0.17
_SMALL: Final = 0.15
#: The factor for words of the question.
_ASKED: Final = 0.3
#: The distance from a word of the question at which the bonus for being near is half of its maximum.
_NEAR: Final = 8.0
_FAR: Final = 0.45


def answer_worth(
    question: Question, parses: Parses, first: int, last: int, terms: Sequence[str]
) -> NDArray[np.float64]:
    """By token of a sentence: how likely it is to be part of the answer, if the sentence contains the answer."""
    tag, entity = parses.tag[first:last], parses.entity[first:last]
    names, numbers = members(scheme.TAGS, _NAMES)[tag], members(scheme.TAGS, _NUMBERS)[tag]
    verbs = members(scheme.TAGS, _VERBS)[tag]
    asked = np.array([term in question.terms for term in terms], dtype=bool)
    if question.kinds:
        worth = np.where(verbs, _OTHER_VERB, _OTHER)
        worth = np.where(names & (entity == 0), _NAME, worth)
        of_kind = np.isin(entity, list(question.kinds))
        worth = np.where(of_kind, np.where(numbers, _NUMBER_OF_KIND, _OF_KIND), worth)
    else:
        nouns = members(scheme.TAGS, (*_NOUNS, *_QUALITIES))[tag]
        worth = np.where(nouns, _NOUN, np.where(numbers, _NUMBER, np.where(verbs, _VERB, _SMALL)))
    worth = np.where(asked, _ASKED * worth, worth)
    return worth * _nearness(asked)


def _nearness(asked: NDArray[np.bool_]) -> NDArray[np.float64]:
    """By token: a factor that is highest beside a word of the question and decreases with the distance."""
    places = np.flatnonzero(asked)
    if not len(places):
        return np.ones(len(asked))
    distance = np.abs(np.arange(len(asked))[:, None] - places).min(axis=1)
    found: NDArray[np.float64] = _FAR + (1 - _FAR) * np.exp(-distance / _NEAR)
    return found
