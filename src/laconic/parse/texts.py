"""Prepare texts for parsers: invalid characters are replaced, and long texts split."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from laconic.parse.runs import end_of_run

#: Spans of a text, ascending and disjoint.
Spans = Sequence[tuple[int, int]]

#: Texts longer than this many characters are parsed in parts, split between sentences where possible: spaCy needs some
#: kilobytes of memory for each character of a part.
PART_CHARS: Final = 20_000

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_RUN: Final = 400
_UNBROKEN: Final = re.compile(rf"\S{{{_RUN}}}")
_SENTENCE_END: Final = re.compile(r"[.!?][\"'”’)]*\s+|\n")


def clean(text: str) -> str:
    """Replace lone surrogates, which are not characters, by a character of the same length."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def is_inside(at: int, spans: Spans) -> bool:
    """Whether an offset is strictly inside a span, not at one of its ends."""
    number = bisect_left(spans, (at,)) - 1
    return number >= 0 and at < spans[number][1]


def spans_of(start: int, end: int, spans: Spans) -> Spans:
    """The spans that overlap with a part of a text, as offsets into the part."""
    first = bisect_left(spans, (start,))
    first -= first > 0 and spans[first - 1][1] > start
    return [(max(a - start, 0), b - start) for a, b in spans[first : bisect_left(spans, (end,))]]


def split_text(text: str, whole: Spans = (), *, unbroken: bool = True) -> list[str]:
    """The parts of a long text, end to end; without `unbroken`, long runs of characters without a space are split, too.

    Where possible, no split is inside a span in `whole`.
    """
    parts = []
    at = 0
    cuts = iter([] if unbroken or len(text) <= _RUN else [match.end() for match in _UNBROKEN.finditer(text)])
    cut = next(cuts, len(text))
    while at < len(text):
        if cut <= at:
            cut = next(cuts, len(text))
            continue
        window = text[at : min(at + PART_CHARS, cut)]
        end = len(window)
        if end == PART_CHARS:
            ends = [match.end() for match in _SENTENCE_END.finditer(window, PART_CHARS // 2)]
            ends = [cut for cut in ends if not is_inside(at + cut, whole)]
            end = ends[-1] if ends else window.rfind(" ") + 1 or PART_CHARS
            if end == PART_CHARS and cut == len(text):  # no word is cut
                end = end_of_run(text, at + end) - at
                window = text[at : at + end]
        parts.append(window[:end])
        at += end
    return parts or [text]
