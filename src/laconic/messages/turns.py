"""The weights of sentences in a chat history.

Old turns have less weight than new ones. Messages of users have more weight than answers, questions more than
statements, and what is mentioned again later more than what is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import Final, NamedTuple

from laconic.document.parts import Known, Parts
from laconic.messages.chat_form import Place

#: The factor for sentences of users, and the additional factor for their questions.
_USERS: Final = 1.5
_ASKS: Final = 2.0
#: The number of turns after which the weight is halved.
_HALF: Final = 2.0
#: The maximum bonus of a sentence whose terms all occur again later.
_TAKEN_UP: Final = 2.0
#: The minimum weight: something of every message is kept, even if it is irrelevant to a query.
_LEAST: Final = 1.0


class Given(NamedTuple):
    """A text that may be shortened, with the data that its weight depends on."""

    place: Place
    text: str
    age: int  # number of later turns
    is_users: bool
    later: Mapping[str, int]  # by term of the history: the last message that contains it


def count_turns(given: Given, parts: Parts, weights: Iterable[Sequence[float]]) -> list[list[float]]:
    """The weights of sentences in a history, by age, speaker and later mentions."""
    factor = (_USERS if given.is_users else 1.0) * 0.5 ** (given.age / _HALF)
    return [
        [
            factor * max(weight, _LEAST) * (_count_sentence(given, sentence) if sentence is not None else 1.0)
            for weight, sentence in zip(own, parts.known(i) or repeat(None), strict=False)
        ]
        for i, own in enumerate(weights)
    ]


def _count_sentence(given: Given, sentence: Known) -> float:
    asks = given.is_users and sentence.text.rstrip().endswith("?")
    terms = {term for term in sentence.terms if term}
    again = sum(given.later.get(term, -1) > given.place.message for term in terms)
    return (_ASKS if asks else 1.0) * (1 + _TAKEN_UP * again / max(len(terms), 1))
