"""What the sentences of a chat history count for.

Old turns count less than new ones. Messages of users count more than answers, questions more than statements, and what
is mentioned again later more than what is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import Final, NamedTuple

from laconic.document.parts import Known, Parts
from laconic.messages.chat_form import Place

#: How much more a sentence of a user counts than one of an answer, and one of theirs that asks than another.
_USERS: Final = 1.5
_ASKS: Final = 2.0
#: How fast what was said counts less: what is so many turns old counts half.
_HALF: Final = 2.0
#: How much more a sentence counts all of whose terms are taken up again later.
_TAKEN_UP: Final = 2.0
#: What a sentence counts for at least: of every message something stays, also where it has nothing to do with a query.
_LEAST: Final = 1.0


class Given(NamedTuple):
    """A text that may be shortened, and what decides how much it counts."""

    place: Place
    text: str
    age: int  # turns after it
    is_users: bool
    later: Mapping[str, int]  # terms of the history, with the last message that has each


def count_turns(given: Given, parts: Parts, weights: Iterable[Sequence[float]]) -> list[list[float]]:
    """What sentences count for in a history: by how old they are, who said them, and whether that is taken up again."""
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
