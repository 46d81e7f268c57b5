"""The values of words as facts, for documents without a question.

What people ask about a text are its numbers, dates and names, then its nouns and their modifiers; verbs and function
words connect them. The constants are the shares of such words that were the answer to some question about a paragraph
of an encyclopedia.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from laconic.language.grammar import NAMES
from laconic.parse import scheme
from laconic.parse.masks import members

if TYPE_CHECKING:
    from laconic.parse import Parses

_NUMBER: Final = 0.37
_NAME: Final = 0.22
_NOUN: Final = 0.115
_OTHER: Final = 0.05

#: By index of a tag, and of an entity type.
_BY_TAG: Final = np.full(len(scheme.TAGS), _OTHER)
_BY_TAG[members(scheme.TAGS, ("NN", "NNS", "JJ", "JJR", "JJS"))] = _NOUN
_BY_TAG[members(scheme.TAGS, ("NNP", "NNPS"))] = _NAME
_BY_TAG[members(scheme.TAGS, ("CD",))] = _NUMBER
_BY_ENTITY: Final = np.where([name != "" for name in scheme.ENTITIES], 0.15, 0.0)
_BY_ENTITY[members(scheme.ENTITIES, (*NAMES, "DATE", "TIME"))] = _NAME
_BY_ENTITY[members(scheme.ENTITIES, ("CARDINAL", "MONEY", "PERCENT", "QUANTITY"))] = 0.3
_SMALL: Final = members(scheme.TAGS, ("DT", "IN", "TO", "CC", "POS", "PRP", "PRP$", "HYPH", ",", "."))


def fact_worth(parses: Parses) -> NDArray[np.float64]:
    """By token: how likely it is to be what a reader wants to know."""
    tag = _BY_TAG[parses.tag]
    found: NDArray[np.float64] = np.where(_SMALL[parses.tag], tag, np.maximum(tag, _BY_ENTITY[parses.entity]))
    return found
