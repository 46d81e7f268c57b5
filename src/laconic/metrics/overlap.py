"""Words of a text, and how many of them two texts share.

A word is a token of `laconic.parse.words` with a letter or a digit in it, lower-cased: the tokens that the network
sees, so that the output of another program is scored as laconic's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Final

from laconic.parse.texts import clean
from laconic.parse.words import WordTokeniser

_TOKENISER: Final = WordTokeniser()


def words(text: str) -> list[str]:
    """The lower-cased words of a text, without punctuation."""
    return [token.lower() for _, token in _tokens(text) if is_word(token)]


def kept_words(text: str, kept: Iterable[tuple[int, int]]) -> list[str]:
    """The lower-cased words of a text at least half of whose characters are in the spans `kept`."""
    inside = bytearray(len(text))
    for start, end in kept:
        inside[start:end] = b"\1" * (end - start)
    return [
        token.lower()
        for start, token in _tokens(text)
        if is_word(token) and 2 * sum(inside[start : start + len(token)]) >= len(token)
    ]


def is_word(token: str) -> bool:
    """Whether a token is a word, not punctuation: one of its characters is a letter or a digit."""
    return any(char.isalnum() for char in token)


def f1(output: Iterable[Hashable], gold: Iterable[Hashable]) -> float:
    """Of two multisets: 2 · what they share / what they have; 1 where both are empty."""
    ours, theirs = Counter(output), Counter(gold)
    total = ours.total() + theirs.total()
    return 2 * (ours & theirs).total() / total if total else 1.0


def word_f1(output: Iterable[str], gold: Iterable[str], *, types: bool = False) -> float:
    """Of two lists of words, as multisets; with `types` each different word counts once."""
    return f1(set(output), set(gold)) if types else f1(output, gold)


def exact(output: Sequence[str], gold: Sequence[str]) -> bool:
    """Whether two lists of words are the same, in order."""
    return list(output) == list(gold)


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    """The tokens of a text and where they start."""
    text = clean(text)
    for start, end in zip(*_TOKENISER.spans(text), strict=True):
        yield start, text[start:end]
