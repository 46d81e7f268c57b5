"""Detect sentences that need the one before them to be understood, by their first words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from laconic.language.questions import BACKWARD, JOINING
from laconic.parse import lemma_id, scheme

if TYPE_CHECKING:
    from laconic.parse import Parses

#: The number of first words in which a pronoun makes a sentence refer back.
_FRONT: Final = 3
_SUBJECTS: Final = frozenset(scheme.LABEL_ID[label] for label in ("nsubj", "nsubjpass"))
_BACKWARD: Final = frozenset(lemma_id(word) for word in BACKWARD)
_JOINING: Final = frozenset(lemma_id(word) for word in JOINING)
_OF: Final = lemma_id("of")
_SEVERAL: Final = frozenset(lemma_id(word) for word in ("they", "them", "these", "those"))


def refers_back(parses: Parses, first: int, last: int) -> bool:
    """Whether a sentence begins with a pronoun that refers to the previous sentence."""
    return any(lemma in _BACKWARD for lemma in _front(parses, first, last))


def leans(parses: Parses, first: int, last: int) -> bool:
    """Whether a sentence begins with words that need the previous one: "She", "One of them", "Otherwise"."""
    lemmas = _front(parses, first, last)
    if lemmas[0] in _BACKWARD and parses.label[first] in _SUBJECTS:
        return True
    one_of_them = len(lemmas) == _FRONT and lemmas[1] == _OF and lemmas[2] in _SEVERAL
    return one_of_them or lemmas[0] in _JOINING


def _front(parses: Parses, first: int, last: int) -> list[int]:
    """The lemmas of the first words of a sentence."""
    lemmas: list[int] = parses.lemma[first : min(first + _FRONT, last)].tolist()
    return lemmas
