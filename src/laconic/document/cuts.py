"""Where a very long paragraph is cut: what is read at once stays short, and no sentence is in two parts."""

from __future__ import annotations

import re
from typing import Final

#: Characters of a paragraph that are read at once, about: links and emphasis are looked for in so many.
PART: Final = 10_000
#: Characters of a sentence, at most: the time for its compressions grows with the square of its length.
SENTENCE: Final = 2_000

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
    while len(text) - at > SENTENCE:
        found = _find_end(text, at)
        if found is None:
            break
        end, following = found
        spans.append((at, end))
        at = following
    return [*spans, (at, len(text))] if at < len(text) else spans


def _find_end(text: str, start: int) -> tuple[int, int] | None:
    """Where a part ends that begins at `start`, and where the next one begins; None: nowhere."""
    end, following = start, start  # of the sentences that are not too long
    for match in _ENDS[1].finditer(text, start, start + PART):
        if match.end() - following > SENTENCE:
            break
        end, following = _end(match), match.end()
    rest = min(start + PART, len(text)) - following
    if rest > SENTENCE:
        if following == start:
            return _find_space(text, start)
        return end, following
    if len(text) - start <= PART:
        return None
    for pattern in _ENDS:
        ends = [(_end(match), match.end()) for match in pattern.finditer(text, start + PART // 2, start + PART)]
        if ends:
            tried = ends[: -_TRIED - 1 : -1]
            return next((one for one in tried if _is_closed(text[start : one[0]])), ends[-1])
    return _find_space(text, start)


def _find_space(text: str, start: int) -> tuple[int, int] | None:
    """The last white space of what is as long as a sentence may be, or the first one behind it."""
    spaces = [match.span() for match in _ENDS[-1].finditer(text, start + 1, start + SENTENCE)]
    later = None if spaces else _ENDS[-1].search(text, start + SENTENCE)
    return spaces[-1] if spaces else later.span() if later else None


def _end(match: re.Match[str]) -> int:
    return match.start() + len(match[0].rstrip())


def _is_closed(text: str) -> bool:
    """Whether signs that stand in pairs do, as far as counting can tell."""
    return (
        text.count("`") % 2 == text.count("*") % 2 == 0
        and text.count("[") == text.count("]")
        and text.count("<") == text.count(">")
    )
