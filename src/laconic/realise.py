"""Realise: from kept pieces of the input to a sentence that a person would print.

Which words and punctuation stay is decided in the native core (`native/realise.cpp`). Here the pieces become a string:
the only change to a kept word is a capital at the front, or that none is there any more when an antecedent moves from
the front of the sentence into the place of its pronoun.
"""

from __future__ import annotations

from collections.abc import Sequence

from laconic.parse import Parses, scheme


def print_pieces(
    parses: Parses,
    text: str,
    first: int,
    starts: Sequence[int],
    ends: Sequence[int],
    spaces: Sequence[int],
    pronouns: Sequence[int] | None = None,
    exact: Sequence[tuple[int, int]] = (),
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The print of a sentence, whose first token is `first`, and the spans of the text it was taken from.

    `pronouns` are given where some pieces stand in the place of one; spans that are `exact` get no capital.
    """
    lowered = -1 if pronouns is None else find_lowered(parses, first, starts, pronouns)
    first_word = next((a for a, b in zip(starts, ends, strict=True) if any(map(str.isalnum, text[a:b]))), -1)
    capital = not any(start <= first_word < end for start, end in exact)
    return join_pieces(text, starts, ends, spaces, lowered, capital=capital)


def join_pieces(
    text: str,
    starts: Sequence[int],
    ends: Sequence[int],
    spaces: Sequence[int],
    lowered: int = -1,
    *,
    capital: bool = True,
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The printed sentence and the spans of the text it was taken from; neighbouring pieces become one span.

    The piece with the number `lowered` loses its capital; the first one gets one, unless it is to be left alone.
    """
    parts: list[str] = []
    spans: list[tuple[int, int]] = []
    for i, (start, end, space) in enumerate(zip(starts, ends, spaces, strict=True)):
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
        word = text[start:end]
        parts.append(word[:1].lower() + word[1:] if i == lowered and not word[1:2].isupper() else word)
    printed = " ".join("".join(parts).split())
    return capitalise(printed) if capital else printed, tuple(spans)


def find_lowered(parses: Parses, first: int, starts: Sequence[int], pronouns: Sequence[int]) -> int:
    """The piece that moved from the front of the sentence, whose first token is `first`, and is no name; -1: none."""
    if parses.entity[first] or scheme.TAGS[parses.tag[first]].startswith("NNP"):
        return -1
    front = int(parses.start[first])
    moved = (
        i for i, (start, row) in enumerate(zip(starts, pronouns, strict=True)) if i and row >= 0 and start == front
    )
    return next(moved, -1)


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
