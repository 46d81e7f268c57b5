"""Checks for values of options that types and bounds do not describe: return the normalised value, or refuse it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from laconic.decode.choices import check_k
from laconic.errors import LaconicError
from laconic.known_names import unknown_name
from laconic.model_folders import NAMES
from laconic.parse import scheme

#: The kinds of words that constraints can name.
KINDS: Final = ("names", "numbers", "quotes", "negations", *scheme.ENTITIES[1:])


def check_number_of_results(_: str, value: Any) -> int:
    """Check k."""
    check_k(value)
    return int(value)


def check_words(name: str, value: Any) -> list[str | tuple[int, int]]:
    """Check words, phrases and spans of characters."""
    return [_check_phrase(name, each) for each in _listed(name, value, "words, phrases or spans")]


def check_kinds(name: str, value: Any) -> list[str]:
    """Check kinds of words; case does not matter for entity types."""
    return [_check_kind(each) for each in _listed(name, value, "kinds of words")]


def check_markers(name: str, value: Any) -> tuple[str, str]:
    """Check a pair of markers: two different strings, or one string with a space between the two."""
    pair = value.split() if isinstance(value, str) else list(value) if isinstance(value, Iterable) else []
    if len(pair) != 2 or not all(isinstance(each, str) and each.strip() for each in pair) or pair[0] == pair[1]:
        raise LaconicError(f"{name} is {value!r}: give two different markers, one before and one after, like '[[ ]]'")
    return pair[0], pair[1]


def check_query(name: str, value: Any) -> str:
    """Check a question or keywords."""
    if not isinstance(value, str):
        raise LaconicError(f"the {name} is {value!r}: give a question or keywords as a text")
    text = " ".join(value.split())
    if not any(map(str.isalnum, text)):
        raise LaconicError(f"the {name} {text!r} has no words: give a question or keywords")
    return text


def check_tokenizer(name: str, value: Any) -> Any:
    """Check a tokenizer or its name; whether it exists is checked when it is opened."""
    if not isinstance(value, str | Path) and not callable(value):
        raise LaconicError(
            f"{name} is {value!r}: give a callable, the path of a tokenizer.json, or a name like o200k_base"
        )
    return value


def check_model(name: str, value: Any) -> str | Path:
    """Check a model's name or path; whether it exists is checked when it is opened."""
    if not isinstance(value, str | Path):
        raise LaconicError(f"{name} is {value!r}: use one of {', '.join(NAMES)}, or the path of a model's folder")
    return value


def check_parser(name: str, value: Any) -> Any:
    """Check a parser or its name."""
    if not isinstance(value, str) and not hasattr(value, "parse"):
        raise LaconicError(f"{name} is {value!r}: give network, spacy, the name of a spaCy pipeline, or a parser")
    return value


def check_callable(remedy: str) -> Any:
    """Make a check for a function."""

    def check(name: str, value: Any) -> Any:
        if not callable(value):
            raise LaconicError(f"{name} is {value!r}: {remedy}")
        return value

    return check


def read_span(given: str) -> tuple[int, int]:
    """Parse a span from the command line."""
    match = re.fullmatch(r"(\d+):(\d+)", given)
    if match is None:
        raise LaconicError(f"{given!r}: give the first character and the one after the last, as in 10:25")
    return int(match[1]), int(match[2])


def _listed(name: str, value: Any, what: str) -> Iterable[Any]:
    """The elements of an option's list."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, Iterable) or isinstance(value, Mapping | bytes):
        raise LaconicError(f"{name} is {value!r}: give a list of {what}")
    return value


def _check_phrase(name: str, value: Any) -> str | tuple[int, int]:
    if isinstance(value, str):
        if not value.strip():
            raise LaconicError(f"{name} has an empty phrase: give words of the text")
        return value
    if not isinstance(value, tuple | list) or [type(place) for place in value] != [int, int]:
        raise LaconicError(f"{name} has {value!r}: give words, or the start and end of a span")
    start, end = value
    if not 0 <= start < end:
        raise LaconicError(f"{name} has the span {start}:{end}: give a start of 0 or more and an end after it")
    return start, end


def _check_kind(value: Any) -> str:
    kind = value.upper() if isinstance(value, str) and value.upper() in KINDS else value
    if kind not in KINDS:
        raise unknown_name("entity type or kind of words", kind, KINDS)
    return str(kind)


def check_overhead(name: str, value: Any) -> Any:
    """Check the length of a message's overhead, or a function of the message that returns it."""
    if not callable(value) and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise LaconicError(f"{name} is {value!r}: give a whole number, 0 or more, or a function of a message")
    return value
