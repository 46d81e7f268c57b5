"""Protection markers: the text between them must be kept unchanged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

from laconic.errors import LaconicError, shorten

Span: TypeAlias = tuple[int, int]


def take_markers_out(text: str, markers: Sequence[str]) -> tuple[str, list[Span]]:
    """The text without its markers, and the spans that they protected."""
    before, after = markers
    parts: list[str] = []
    spans: list[Span] = []
    at = length = 0
    opened: tuple[int, int] | None = None  # offset in the text with markers, and without
    for match in re.finditer("|".join(sorted(map(re.escape, markers), key=len, reverse=True)), text):
        parts.append(text[at : match.start()])
        length += match.start() - at
        at = match.end()
        if match.group() == before:
            if opened is not None:
                raise _unbalanced(text, before, match.start(), f"{after!r} is missing before it")
            opened = (match.start(), length)
        else:
            if opened is None:
                raise _unbalanced(text, after, match.start(), f"there is no {before!r} before it")
            if opened[1] < length:
                spans.append((opened[1], length))
            opened = None
    if opened is not None:
        raise _unbalanced(text, before, opened[0], f"there is no {after!r} after it")
    return "".join([*parts, text[at:]]), spans


def _unbalanced(text: str, marker: str, at: int, reason: str) -> LaconicError:
    return LaconicError(
        f"the protection marker {marker!r} at character {at} of {shorten(text)!r} is not balanced: {reason}; close it, "
        "or choose markers that the text does not have"
    )
