"""Words as the network reads them: ids of word pieces, and a case class."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from laconic.errors import LaconicError

CLS: Final = 101
SEP: Final = 102
UNKNOWN: Final = 100

#: The maximum number of pieces of a word; the rest is ignored.
MAX_PIECES_OF_WORD: Final = 8

#: The maximum number of words whose pieces are cached.
_REMEMBERED: Final = 200_000

#: The case class of a word, since pieces are lower-cased. 0 is for special pieces.
NO_LETTERS, LOWER, TITLE, UPPER, MIXED = 1, 2, 3, 4, 5

#: Characters that are words of their own: Chinese ones, as defined by BERT.
_IDEOGRAPHS: Final = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


def case_of(word: str) -> int:
    """The case class of a word; a single capital letter counts as title case."""
    if word.islower():
        return LOWER
    if word.isupper():
        return UPPER if len(word) > 1 else TITLE
    if word[:1].isupper() and (word[1:].islower() or not any(map(str.isalpha, word[1:]))):
        return TITLE
    return MIXED if any(map(str.isalpha, word)) else NO_LETTERS


class Pieces:
    """Splits words into pieces of a vocabulary, with a cache. `sha256` is the expected hash of the file, if known."""

    def __init__(self, vocabulary: Path, *, sha256: str | None = None) -> None:
        from laconic._core import WordPieces  # imported here: machines that train networks need no core

        self._pieces = WordPieces(_read_vocabulary(vocabulary, sha256))
        self._seen: dict[str, tuple[tuple[int, ...], int]] = {}

    def read(self, words: Iterable[str]) -> list[tuple[tuple[int, ...], int]]:
        """The pieces of every word, at least one each, and its case."""
        seen = self._seen
        if len(seen) > _REMEMBERED:
            seen.clear()  # bounds the memory; frequent words are soon cached again
        found = []
        for word in words:
            entry = seen.get(word)
            if entry is None:
                entry = seen[word] = (tuple(self.cut(word)[:MAX_PIECES_OF_WORD]) or (UNKNOWN,), case_of(word))
            found.append(entry)
        return found

    def cut(self, text: str) -> list[int]:
        """All pieces of a text that need not be split into words."""
        return self._pieces.cut(list(_basic_words(text)), UNKNOWN)


def _basic_words(text: str) -> Iterator[str]:
    """The words of a text as in BERT's basic tokeniser: lower case, no accents, punctuation separate."""
    if text.isascii() and text.isalpha():  # the most frequent case
        yield text.lower()
        return
    plain = unicodedata.normalize("NFD", "".join(map(_clean, text)))
    word: list[str] = []
    for char in plain:
        if unicodedata.category(char) == "Mn":
            continue
        alone = _is_punctuation(char) or _is_ideograph(char)
        if (alone or char.isspace()) and word:
            yield "".join(word)
            word = []
        if alone:
            yield char.lower()
        elif not char.isspace():
            word.append(char.lower())  # one by one: in isolation, sigma has a single lower-case form
    if word:
        yield "".join(word)


def _clean(char: str) -> str:
    """A character; a space for white space; nothing for a control character."""
    if char in "\t\n\r":
        return " "
    return "" if char == "\ufffd" or unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs") else char


def _is_punctuation(char: str) -> bool:
    if char.isascii():
        return char.isprintable() and not char.isalnum() and char != " "
    return unicodedata.category(char)[0] == "P"


def _is_ideograph(char: str) -> bool:
    return char >= "\u3400" and any(first <= ord(char) <= last for first, last in _IDEOGRAPHS)


def _read_vocabulary(vocabulary: Path, sha256: str | None) -> str:
    try:
        data = vocabulary.read_bytes()
    except OSError as error:
        raise LaconicError(f"cannot read the vocabulary {vocabulary} ({error.strerror}): reinstall laconic") from error
    if sha256 is not None and hashlib.sha256(data).hexdigest() != sha256:
        raise LaconicError(f"the vocabulary {vocabulary} is damaged: copy it again, or reinstall laconic")
    return data.decode("utf-8", "replace")
