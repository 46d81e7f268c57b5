"""Token counters: any callable, a file of the Hugging Face library, or the name of one of OpenAI's tokenizers."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sized
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from laconic.errors import LaconicError

_MOST: Final = 2**20
#: The number of counts that are cached; texts above this length, such as whole documents, are not cached.
_REMEMBERED: Final = 2**16
_LONGEST: Final = 2_000

#: Returns the number of tokens of a text.
Count: TypeAlias = Callable[[str], int]


def find_counter(tokenizer: str | Path | Callable[[str], Any] | None) -> Count:
    """The function that counts the tokens of a text.

    `tokenizer` is a callable that returns a number, or something with a length, such as a list of ids; or the path of a
    `tokenizer.json`; or the name of an encoding or model that tiktoken knows, such as o200k_base or gpt-4o.
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
    """A cached version of `count`, since tokenizers may be slow."""
    known = lru_cache(maxsize=_REMEMBERED)(count)
    return lambda text: known(text) if len(text) <= _LONGEST else count(text)


class WordCounts:
    """Counts the tokens of printed sentences during a search with few calls of the tokenizer, which may be slow.

    Most tokenizers split at spaces, so that the count of a print is the sum over its words, each with the space before
    it. As long as this holds for the whole sentence and for every print that was counted, a print is not passed to the
    tokenizer if the sum is out of bounds. A count within the bounds always comes from the tokenizer.
    """

    def __init__(self, count: Count) -> None:
        self._count = count
        self._nothing = count("")
        self._adds_up: dict[tuple[int, int], bool] = {}  # by sentence: whether counts of words add up
        self._words: dict[str, int] = {}

    def measure(self, printed: str, whole: str, sentence: tuple[int, int], least: int, most: int) -> int:
        """The number of tokens of a print; `sentence` is any unique key of its sentence, with the given bounds."""
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
    except Exception as error:  # the library raises plain Exception
        raise LaconicError(
            f"cannot read the tokenizer {path!r} ({str(error).splitlines()[0]}): give a tokenizer.json"
        ) from error
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


@lru_cache(maxsize=4)
def _from_tiktoken(name: str) -> Count:
    tiktoken = _import("tiktoken", f"the tokenizer {name!r} is no file: names of tokenizers need tiktoken")
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
    except Exception as error:  # its vocabulary is downloaded on first use
        raise LaconicError(
            f"cannot load the tokenizer {name!r} ({type(error).__name__}): tiktoken downloads it on first "
            "use: connect once, or give the path of a tokenizer.json"
        ) from error
    return lambda text: len(encoding.encode_ordinary(text))


def _import(library: str, need: str) -> Any:
    try:
        return importlib.import_module(library)
    except ImportError as error:
        raise LaconicError(f'{need}: pip install "laconic[tokens]"') from error
