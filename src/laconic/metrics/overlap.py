"""Words of texts, and the overlap of two texts.

A word is a token of `laconic.parse.words` that contains a letter or digit, lower-cased. These are the tokens that the
network reads, so outputs of other programs are scored like laconic's own.
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
    """The lower-cased words of a text of which at least half of the characters are in the spans `kept`."""
    inside = bytearray(len(text))
    for start, end in kept:
        inside[start:end] = b"\1" * (end - start)
    return [
        token.lower()
        for start, token in _tokens(text)
        if is_word(token) and 2 * sum(inside[start : start + len(token)]) >= len(token)
    ]


def is_word(token: str) -> bool:
    """Whether a token is a word: it contains a letter or digit."""
    return any(char.isalnum() for char in token)


def f1(output: Iterable[Hashable], gold: Iterable[Hashable]) -> float:
    """The F1 of two multisets: twice the overlap divided by the total size; 1 if both are empty."""
    ours, theirs = Counter(output), Counter(gold)
    total = ours.total() + theirs.total()
    return 2 * (ours & theirs).total() / total if total else 1.0


def word_f1(output: Iterable[str], gold: Iterable[str], *, types: bool = False) -> float:
    """The F1 of two lists of words as multisets; with `types`, each different word counts once."""
    return f1(set(output), set(gold)) if types else f1(output, gold)


def exact(output: Sequence[str], gold: Sequence[str]) -> bool:
    """Whether two lists of words are equal, including order."""
    return list(output) == list(gold)


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    """The tokens of a text with their starts."""
    text = clean(text)
    for start, end in zip(*_TOKENISER.spans(text), strict=True):
        yield start, text[start:end]
