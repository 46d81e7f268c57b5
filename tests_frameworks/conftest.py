"""Documents about one town, a tokenizer that needs no download, and embeddings that are made here."""

from __future__ import annotations

import re
import zlib
from math import sqrt

import pytest

DOCUMENTS = {
    "bridge": (
        "The old stone bridge over the Wern, which was built in 1764 by the brothers Hale, was closed to lorries in "
        "the spring of last year after engineers had found deep cracks in two of its arches. The repair, which the "
        "county council approved in March, will cost 3.2 million pounds and is expected to take eighteen months. Until "
        "then, drivers of heavy vehicles must use the motorway bridge at Orton, which is eleven miles to the north."
    ),
    "library": (
        "The town library, whose reading room is popular with students, is open from nine until seven on weekdays and "
        "until four on Saturdays. Its director, Miriam Okafor, said that the number of visitors had risen by a fifth "
        "since the café was opened. A children's book club meets every second Thursday in the afternoon, and no "
        "registration is needed."
    ),
    "market": (
        "The weekly market was moved from Church Square to the car park behind the station because the square is being "
        "paved again. Most of the traders, who had at first complained about the decision, now say that their sales "
        "are about as good as before. Fish and cheese are sold on Wednesdays only."
    ),
    "festival": (
        "About 6,000 people came to the summer festival in July, although it rained on two of the three days. The "
        "organisers, a group of volunteers led by Piet Janssen, lost some money on the food stalls but earned more "
        "than they had expected with the concert of the brass band."
    ),
}
QUESTION = "How much will the repair of the bridge cost?"
ANSWER = "3.2 million pounds"
SIZE = 512


def count_tokens(text: str) -> int:
    """Words and marks: a real tokenizer, if a small one."""
    return len(re.findall(r"\w+|[^\w\s]", text))


def embed(text: str) -> list[float]:
    """Words hashed into a vector of length 1: texts with the same words are near each other."""
    vector = [0.0] * SIZE
    for word in re.findall(r"\w{4,}", text.lower()):
        vector[zlib.crc32(word.encode()) % SIZE] += 1.0
    length = sqrt(sum(value * value for value in vector)) or 1.0
    return [value / length for value in vector]


def is_subsequence(short: str, whole: str) -> bool:
    """Whether all words of a text are in another one, in this order."""
    words = iter(re.findall(r"\w+", whole.lower()))
    return all(word in words for word in re.findall(r"\w+", short.lower()))


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing may leave this machine."""
    import socket

    def refuse(self: socket.socket, address: object) -> None:
        raise AssertionError(f"a connection to {address} was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "connect_ex", refuse)
