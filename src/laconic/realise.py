"""Realise: from kept pieces of the input to a sentence that a person would print.

Which words and punctuation stay is decided in the native core (`native/realise.cpp`). Here the pieces become a string:
the only change to a kept word is a capital at the front.
"""

from __future__ import annotations

from collections.abc import Sequence


def join_pieces(
    text: str, starts: Sequence[int], ends: Sequence[int], spaces: Sequence[int]
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The printed sentence and the spans of the text it was taken from; neighbouring pieces become one span."""
    parts: list[str] = []
    spans: list[tuple[int, int]] = []
    for start, end, space in zip(starts, ends, spaces, strict=True):
        if parts:
            last_start, last_end = spans[-1]
            if (start == last_end and not space) or (space and text[last_end:start].isspace()):
                spans[-1] = (last_start, end)
            else:
                spans.append((start, end))
            if space:
                parts.append(" ")
        else:
            spans.append((start, end))
        parts.append(text[start:end])
    return capitalise(" ".join("".join(parts).split())), tuple(spans)


def capitalise(text: str) -> str:
    """Upper-case the first letter, unless its word has a capital of its own further in, like iPhone."""
    for i, char in enumerate(text):
        if char.isalpha():
            word = text[i:].split(maxsplit=1)[0]
            upper = char.upper()
            if not char.islower() or len(upper) != 1 or any(c.isupper() for c in word):
                return text
            return text[:i] + upper + text[i + 1 :]
        if char.isdigit():
            return text
    return text
