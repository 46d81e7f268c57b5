"""Cut very long paragraphs, so that parsing time stays bounded, and no sentence is split between two parts."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

#: The approximate number of characters that are read at once: links and emphasis are looked for within it.
PART: Final = 10_000
#: The maximum number of characters of a sentence: the time for its compressions is quadratic in its length.
SENTENCE: Final = 1_500

#: Patterns of sentence ends at which to cut, best first: certain ones, and likely ones.
_ENDS: Final = (
    re.compile(r"(?<=[a-z]{3}[.!?])[\"'”’)\]*_]*\s+(?=[\"'“‘(\[*_]*[A-Z])"),
    re.compile(r"(?<=[.!?])[\"'”’)\]*_]*\s+"),
)
_SPACE: Final = re.compile(r"\s+")
_PAUSE: Final = re.compile(r"(?<=[,;:–—])\s+")
#: The number of ends that are tried, from the last one back, to find one that is outside of all paired signs.
_TRIED: Final = 20


class Cut(NamedTuple):
    """A part of a paragraph."""

    start: int
    end: int
    has_sentences: bool  # False: no end of a sentence was found within the maximum length


def cut_long(text: str) -> list[Cut]:
    """The parts of a paragraph, without the white space between them; a short one is a single part.

    A part is longer than `PART` only if it has no white space to cut at.
    """
    cuts = []
    at = 0
    while len(text) - at > SENTENCE:
        end, following, has_sentences = _find_end(text, at)
        cuts.append(Cut(at, end, has_sentences))
        at = following
    return [*cuts, Cut(at, len(text), True)] if at < len(text) else cuts


def _find_end(text: str, start: int) -> tuple[int, int, bool]:
    """The end of the part that begins at `start`, the start of the next part, and whether the part has sentences."""
    stop = min(start + PART, len(text))
    end, following = start, start  # of the last sentence so far that is not too long
    for match in _ENDS[1].finditer(text, start, stop):
        if match.end() - following > SENTENCE:
            break
        end, following = _end(match), match.end()
    if stop - following > SENTENCE:
        return (end, following, True) if following > start else (*_find_space(text, start), False)
    if stop == len(text):
        return stop, stop, True
    for pattern in _ENDS[:2]:
        ends = [(_end(match), match.end()) for match in pattern.finditer(text, start + PART // 2, stop)]
        if ends:
            tried = ends[: -_TRIED - 1 : -1]
            return *next((one for one in tried if _is_closed(text[start : one[0]])), ends[-1]), True
    return end, following, True


def _find_space(text: str, start: int) -> tuple[int, int]:
    """The last white space within the maximum length of a sentence, or the first one after it.

    White space after a comma or similar sign is preferred, as either side may be printed without the other.
    """
    pauses = [match.span() for match in _PAUSE.finditer(text, start + SENTENCE // 2, start + SENTENCE)]
    spaces = pauses or [match.span() for match in _SPACE.finditer(text, start + 1, start + SENTENCE)]
    later = None if spaces else _SPACE.search(text, start + SENTENCE)
    return spaces[-1] if spaces else later.span() if later else (len(text), len(text))


def _end(match: re.Match[str]) -> int:
    return match.start() + len(match[0].rstrip())


def _is_closed(text: str) -> bool:
    """Whether all paired signs are closed, judged by their counts."""
    return (
        text.count("`") % 2 == text.count("*") % 2 == 0
        and text.count("[") == text.count("]")
        and text.count("<") == text.count(">")
    )
