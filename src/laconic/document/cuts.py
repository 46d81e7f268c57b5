"""Where a very long paragraph is cut: what is read at once stays short, and no sentence is in two parts."""

from __future__ import annotations

import re
from typing import Final

#: Characters of a paragraph that are read at once, about: links and emphasis are looked for in so many.
PART: Final = 10_000

#: What may part a paragraph, the best first: a sentence ends for certain, or by its looks; any white space.
_ENDS: Final = (
    re.compile(r"(?<=[a-z]{3}[.!?])[\"'”’)\]*_]*\s+(?=[\"'“‘(\[*_]*[A-Z])"),
    re.compile(r"(?<=[.!?])[\"'”’)\]*_]*\s+"),
    re.compile(r"\s+"),
)
#: Ends that are tried, from the last one back, until one is outside of everything that has two signs.
_TRIED: Final = 20


def cut_long(text: str) -> list[tuple[int, int]]:
    """The spans of a paragraph's parts, without the white space between them; of a short one, of all of it.

    A part is longer than `PART` only where there is no white space to cut at.
    """
    spans = []
    at = 0
    while len(text) - at > PART:
        found = _find_end(text, at)
        if found is None:
            break
        end, following = found
        spans.append((at, end))
        at = following
    return [*spans, (at, len(text))] if at < len(text) else spans


def _find_end(text: str, start: int) -> tuple[int, int] | None:
    """Where a part ends that begins at `start`, and where the next one begins; None: nowhere."""
    for pattern in _ENDS:
        ends = [(_end(match), match.end()) for match in pattern.finditer(text, start + PART // 2, start + PART)]
        ends = [(end, following) for end, following in ends if start < end and following < len(text)]
        if ends:
            tried = ends[: -_TRIED - 1 : -1]
            return next((one for one in tried if _is_closed(text[start : one[0]])), ends[-1])
    later = _ENDS[-1].search(text, start + PART)
    return None if later is None or later.end() == len(text) else later.span()


def _end(match: re.Match[str]) -> int:
    return match.start() + len(match[0].rstrip())


def _is_closed(text: str) -> bool:
    """Whether signs that stand in pairs do, as far as counting can tell."""
    return (
        text.count("`") % 2 == text.count("*") % 2 == 0
        and text.count("[") == text.count("]")
        and text.count("<") == text.count(">")
    )
