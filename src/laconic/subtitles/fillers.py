"""Fillers, repetitions and false starts: what can go first, since it says nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from laconic.language.speech import ASIDES, DOUBLED, OPENERS, SOUNDS, STUTTERED


def _any(phrases: Sequence[str]) -> str:
    ordered = sorted(phrases, key=len, reverse=True)
    return "|".join(re.escape(phrase).replace("'", "['’]").replace(r"\ ", r"\s") for phrase in ordered)


_BEGINS: Final = r"(?:(?<=^)|(?<=[.!?…]\s)|(?<=[\"“'‘]))"
_PATTERNS: Final = (
    # "[Um,] I went", "I [uh] went", "[Er...] no"
    re.compile(rf"(?<![\w'’-])(?:{_any(SOUNDS)})(?![\w'’-])(?:,|…|\.\.\.|\s?[-–—]+)?\s+(?=\w)", re.IGNORECASE),
    # "I went[, uh]."
    re.compile(rf",?\s(?:{_any(SOUNDS)})(?=[.!])", re.IGNORECASE),
    # "[Well,] I went"
    re.compile(rf"{_BEGINS}(?:{_any(OPENERS)})(?:,|…|\.\.\.)\s+(?=\w)", re.IGNORECASE),
    # "It's[, you know,] late", "It's late[, you know]."
    re.compile(rf",\s(?:{_any(ASIDES)})(?:,(?=\s)|(?=[.!](?:\s|$)))", re.IGNORECASE),
    # "[I, ]I went", "[it was, ]it was late", "[No, no, ]no"
    re.compile(
        r"(?<![\w'’-])(?P<said>[^\W\d_][\w'’]*(?:\s[^\W\d_][\w'’]*){0,3})(?:,|…|\.\.\.|\s?[-–—]+)\s?(?=(?P=said)(?![\w'’-]))",
        re.IGNORECASE,
    ),
    # "[the ]the"
    re.compile(r"(?<![\w'’-])(?P<word>[^\W\d_][\w'’]*)\s(?=(?P=word)(?![\w'’-]))", re.IGNORECASE),
    # "[w-- ]we", "[I-]I"
    re.compile(r"(?<![\w'’-])(?P<begun>[^\W\d_]{1,3})[-–—]+\s?(?=(?P=begun)[\w'’]*(?![\w-]))", re.IGNORECASE),
)


@dataclass(frozen=True, slots=True, order=True)
class Filler:
    """A span of a text that can be taken out of it."""

    start: int
    end: int
    capital: bool  # what is left begins with a capital then


def find_fillers(text: str) -> Iterator[Filler]:
    """What says nothing in a text; those that overlap are found again when one of them is gone."""
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            found = match.groupdict()
            if "word" in found and found["word"].lower().replace("’", "'") not in STUTTERED:
                continue
            if "said" in found and found["said"].lower() in DOUBLED:
                continue
            first = match.group().lstrip(", ")[:1]
            opens = not text[: match.start()].strip("\"“'‘ ") or text[: match.start()].rstrip()[-1:] in ".!?…"
            yield Filler(match.start(), match.end(), first.isupper() and opens)
