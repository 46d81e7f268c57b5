"""Tokenizers that count: any callable, a file of the Hugging Face library, or one of OpenAI's by name."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sized
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from laconic.errors import LaconicError

_MOST: Final = 2**20
#: Counts that are remembered, of texts up to so many characters; whole documents are not kept.
_REMEMBERED: Final = 2**16
_LONGEST: Final = 2_000

#: From a text to the number of its tokens.
Count: TypeAlias = Callable[[str], int]


def find_counter(tokenizer: str | Path | Callable[[str], Any] | None) -> Count:
    """What counts tokens.

    `tokenizer` is a callable that returns a number, or something with a length such as a list of ids; or the path of a
    `tokenizer.json`; or the name of an encoding or a model that tiktoken knows, as o200k_base or gpt-4o.
    """
    if tokenizer is None:
        raise LaconicError(
            "max_tokens and min_tokens need a tokenizer: give a callable, the path of a tokenizer.json, or a name like "
            "o200k_base"
        )
    return _remember(_find(tokenizer))


def _find(tokenizer: str | Path | Callable[[str], Any]) -> Count:
    if callable(tokenizer):
        return _checked(tokenizer)
    name = str(tokenizer)
    if name.endswith(".json") or Path(name).exists():
        return _from_file(name)
    return _from_tiktoken(name)


def _remember(count: Count) -> Count:
    """The same, which asks the tokenizer once for each text: it may be slow."""
    known = lru_cache(maxsize=_REMEMBERED)(count)
    return lambda text: known(text) if len(text) <= _LONGEST else count(text)


class WordCounts:
    """Counts prints of sentences for a search, and asks the tokenizer for few of them: it may be slow.

    Most tokenizers cut at spaces, so that the tokens of a print are those of its words, each with the space before it.
    Where that holds for the whole sentence and for every print of it that was counted, a print whose words are too many
    or too few is not counted. What is within its bounds always is.
    """

    def __init__(self, count: Count) -> None:
        self._count = count
        self._nothing = count("")
        self._adds_up: dict[tuple[int, int], bool] = {}  # by sentence
        self._words: dict[str, int] = {}

    def measure(self, printed: str, whole: str, sentence: tuple[int, int], least: int, most: int) -> int:
        """The tokens of a print of a sentence, which is known by any two numbers and has these bounds."""
        if sentence not in self._adds_up:
            self._adds_up[sentence] = self._count(whole) == self._by_words(whole)
        if not self._adds_up[sentence]:
            return self._count(printed)
        about = self._by_words(printed)
        if not least <= about <= most:
            return about
        found = self._count(printed)
        self._adds_up[sentence] = found == about
        return found

    def _by_words(self, text: str) -> int:
        first, *others = text.split(" ")
        return self._nothing + self._word(first) + sum(self._word(f" {word}") for word in others)

    def _word(self, word: str) -> int:
        if word not in self._words:
            self._words[word] = self._count(word) - self._nothing
        return self._words[word]


def _checked(tokenizer: Callable[[str], Any]) -> Count:
    def count(text: str) -> int:
        found = tokenizer(text)
        if isinstance(found, Sized) and not isinstance(found, str):
            found = len(found)
        if isinstance(found, bool) or not isinstance(found, int | np.integer) or not 0 <= found < _MOST:
            raise LaconicError(
                f"the tokenizer gave {found!r} for {text[:40]!r}: it must return a number of tokens, or a list of them"
            )
        return int(found)

    return count


@lru_cache(maxsize=4)
def _from_file(path: str) -> Count:
    tokenizers = _import("tokenizers", f"the file {path!r} of a tokenizer needs the library tokenizers")
    try:
        tokenizer = tokenizers.Tokenizer.from_file(path)
    except Exception as error:  # the library raises Exception itself
        raise LaconicError(
            f"cannot read the tokenizer {path!r} ({str(error).splitlines()[0]}): give a tokenizer.json"
        ) from error
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


@lru_cache(maxsize=4)
def _from_tiktoken(name: str) -> Count:
    tiktoken = _import("tiktoken", f"the tokenizer {name!r} is no file, and names need tiktoken")
    try:
        if name in tiktoken.list_encoding_names():
            encoding = tiktoken.get_encoding(name)
        else:
            encoding = tiktoken.encoding_for_model(name)
    except KeyError:
        known = ", ".join(tiktoken.list_encoding_names())
        raise LaconicError(
            f"unknown tokenizer {name!r}: give one of {known}, a model's name, or the path of a tokenizer.json"
        ) from None
    except Exception as error:  # its vocabulary is downloaded when it is first used
        raise LaconicError(
            f"cannot load the tokenizer {name!r} ({type(error).__name__}): tiktoken downloads it when it is first "
            "used: connect once, or give the path of a tokenizer.json"
        ) from error
    return lambda text: len(encoding.encode_ordinary(text))


def _import(library: str, need: str) -> Any:
    try:
        return importlib.import_module(library)
    except ImportError as error:
        raise LaconicError(f'{need}: pip install "laconic[tokens]"') from error
