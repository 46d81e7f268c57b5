"""Find fillers, repetitions and false starts, which are removed first since they carry no meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from laconic.language.speech import ANSWERS, ASIDES, DOUBLED, OPENERS, SOUNDS, STUTTERED


def _any(phrases: Sequence[str]) -> str:
    ordered = sorted(phrases, key=len, reverse=True)
    return "|".join(re.escape(phrase).replace("'", "['’]").replace(r"\ ", r"\s") for phrase in ordered)


_WORD: Final = r"[^\W\d_][\w'’]*"
_WORD_BEGINS: Final = r"(?<![\w'’-])"
_WORD_ENDS: Final = r"(?![\w'’-])"
_BEGINS: Final = r"(?:(?<=^)|(?<=[.!?…]\s)|(?<=[\"“'‘]))"
_PATTERNS: Final = (
    # "[Um,] I went", "I [uh] went", "[Er...] no"
    re.compile(rf"{_WORD_BEGINS}(?:{_any(SOUNDS)}){_WORD_ENDS}(?:,|…|\.\.\.|\s?[-–—]+)?\s+(?=\w)", re.IGNORECASE),
    # "I went[, uh]."
    re.compile(rf",?\s(?:{_any(SOUNDS)})(?=[.!])", re.IGNORECASE),
    # "[Well,] I went"
    re.compile(rf"{_BEGINS}(?:{_any(OPENERS)})(?:,|…|\.\.\.)\s+(?=\w)", re.IGNORECASE),
    # "It's[, you know,] late", "It's late[, you know]."
    re.compile(rf",\s(?:{_any(ASIDES)})(?:(?P<comma>,)(?=\s)|(?=[.!](?:\s|$)))", re.IGNORECASE),
    # "[that, you know, ]that is"
    re.compile(
        rf"{_WORD_BEGINS}(?P<said>{_WORD}(?:\s{_WORD})?),\s(?:{_any([*ASIDES, *SOUNDS])}),\s(?=(?P=said){_WORD_ENDS})",
        re.IGNORECASE,
    ),
    # "[I, ]I went", "[No, no, ]no"
    re.compile(rf"{_WORD_BEGINS}(?P<said>{_WORD})(?:,|…|\.\.\.|\s?[-–—]+)\s?(?=(?P=said){_WORD_ENDS})", re.IGNORECASE),
    # "[it was, ]it was late", "[it was ]it was late"
    re.compile(
        rf"{_WORD_BEGINS}(?P<said>{_WORD}(?:\s{_WORD}){{1,3}})(?:,|…|\.\.\.|\s?[-–—]+)?\s(?=(?P=said){_WORD_ENDS})",
        re.IGNORECASE,
    ),
    # "[the ]the"
    re.compile(rf"{_WORD_BEGINS}(?P<word>{_WORD})\s(?=(?P=word){_WORD_ENDS})", re.IGNORECASE),
    # "[w-- ]we", "[I-]I"
    re.compile(rf"{_WORD_BEGINS}(?P<begun>[^\W\d_]{{1,3}})[-–—]+\s?(?=(?P=begun)[\w'’]*(?![\w-]))", re.IGNORECASE),
)


#: Matches introductory words before a sentence: "Well", "No".
_LEAD: Final = re.compile(rf"{_BEGINS}(?:{_any([*OPENERS, *ANSWERS])})$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, order=True)
class Filler:
    """A span that can be removed from a text."""

    start: int
    end: int
    capital: bool  # whether the next letter must then be capitalised


def find_fillers(text: str) -> Iterator[Filler]:
    """The fillers of a text; overlapping ones are found again once one of them has been removed."""
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            found = match.groupdict()
            if "word" in found and found["word"].lower().replace("’", "'") not in STUTTERED:
                continue
            if "said" in found and found["said"].lower() in DOUBLED:
                continue
            if found.get("comma") and _between_the_same(text, match):
                continue  # the word after it is a filler, too, and goes with it
            first = match.group().lstrip(", ")[:1]
            opens = not text[: match.start()].strip("\"“'‘ ") or text[: match.start()].rstrip()[-1:] in ".!?…"
            # "Well[, you know], I went": an introductory word keeps its comma.
            leads = found.get("comma") and _LEAD.search(text, 0, match.start())
            yield Filler(match.start(), match.end() - bool(leads), first.isupper() and opens)


def _between_the_same(text: str, match: re.Match[str]) -> bool:
    """Whether the words before and after a match are the same."""
    before, after = re.search(r"[\w'’]+$", text[: match.start()]), re.match(r"\s?([\w'’]+)", text[match.end() :])
    return before is not None and after is not None and before.group().lower() == after.group(1).lower()
