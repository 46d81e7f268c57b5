"""Words as the network reads them: numbers of word pieces, and how the word is written."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from laconic.errors import LaconicError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

CLS: Final = 101
SEP: Final = 102
UNKNOWN: Final = 100

#: A longer word is read by its beginning.
MAX_PIECES_OF_WORD: Final = 8

#: Words that are remembered, at most, with their pieces.
_REMEMBERED: Final = 200_000

#: How a word is written: the pieces themselves are lower-cased. 0 is for what is no word.
NO_LETTERS, LOWER, TITLE, UPPER, MIXED = 1, 2, 3, 4, 5


def case_of(word: str) -> int:
    """Which of the classes above a word belongs to; one capital letter alone counts as a title's."""
    if word.islower():
        return LOWER
    if word.isupper():
        return UPPER if len(word) > 1 else TITLE
    if word[:1].isupper() and (word[1:].islower() or not any(map(str.isalpha, word[1:]))):
        return TITLE
    return MIXED if any(map(str.isalpha, word)) else NO_LETTERS


class Pieces:
    """Cuts words into pieces of a vocabulary; remembers the words it has seen. `sha256` is the file's, where known."""

    def __init__(self, vocabulary: Path, *, sha256: str | None = None) -> None:
        self._tokenizer = _make_tokenizer(vocabulary, sha256)
        self._seen: dict[str, tuple[tuple[int, ...], int]] = {}

    def read(self, words: Iterable[str]) -> list[tuple[tuple[int, ...], int]]:
        """The pieces of every word, at least one each, and its case."""
        seen = self._seen
        if len(seen) > _REMEMBERED:
            seen.clear()  # a bound for the memory; what is frequent comes back at once
        found = []
        for word in words:
            entry = seen.get(word)
            if entry is None:
                ids = self._tokenizer.encode(word, add_special_tokens=False).ids[:MAX_PIECES_OF_WORD]
                entry = seen[word] = (tuple(ids) or (UNKNOWN,), case_of(word))
            found.append(entry)
        return found


def _make_tokenizer(vocabulary: Path, sha256: str | None) -> Tokenizer:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    try:
        data = vocabulary.read_bytes()
    except OSError as error:
        raise LaconicError(f"cannot read the vocabulary {vocabulary} ({error.strerror}): reinstall laconic") from error
    if sha256 is not None and hashlib.sha256(data).hexdigest() != sha256:
        raise LaconicError(f"the vocabulary {vocabulary} is damaged: copy it again, or reinstall laconic")
    words = data.decode("utf-8", "replace").splitlines()
    tokenizer = Tokenizer(models.WordPiece({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer
