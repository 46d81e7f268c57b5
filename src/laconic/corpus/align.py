"""Align a compression with its sentence by characters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

Span = tuple[int, int]

#: The maximum number of characters between successive words of a corpus; beyond it, another word is meant.
MAX_GAP: Final = 40

_WORD: Final = re.compile(r"\w+|[^\w\s]")

_PRONOUNS: Final = frozenset(
    ["he", "him", "his", "she", "her", "hers", "it", "its", "they", "them", "their", "theirs", "who", "whom", "whose",
     "which", "that", "i", "me", "my", "we", "us", "our", "you", "your"]
)  # fmt: skip


def align_tokens(text: str, tokens: Sequence[str], keep: Sequence[int]) -> list[Span]:
    """The spans of the kept tokens in `text`; tokens that are not found are skipped."""
    spans = []
    at = 0
    for token, kept in zip(tokens, keep, strict=True):
        start = text.find(token, at)
        if start < 0 or start - at > MAX_GAP:
            continue
        at = start + len(token)
        if kept:
            spans.append((start, at))
    return spans


def align_compression(text: str, compression: str, hints: Sequence[Span]) -> list[Span] | None:
    """The spans in `text` of the words of `compression`, or None if they are not a subsequence of it.

    Of several alignments, the one that agrees best with `hints` is chosen, then the one with the fewest gaps.
    Punctuation is ignored, since it often changes in print, and so is letter case.
    """
    words = [(m.start(), m.end()) for m in _WORD.finditer(text) if m.group()[0].isalnum()]
    wanted = [m.group().lower() for m in _WORD.finditer(compression) if m.group()[0].isalnum()]
    if not wanted:
        return None
    hinted = [any(s < end and start < e for s, e in hints) for start, end in words]
    forms = [text[start:end].lower() for start, end in words]
    # best[j]: the best alignment of the words so far that ends at word j, as (score, previous word).
    minus = float("-inf")
    previous = [minus] * len(words)
    back: list[list[int]] = []
    for i, want in enumerate(wanted):
        current = [minus] * len(words)
        pointers = [-1] * len(words)
        reach, reach_at = (0.0, -1) if i == 0 else (minus, -1)  # best score of any earlier end
        for j, form in enumerate(forms):
            if form == want:
                score, at = reach, reach_at
                if i > 0 and j > 0 and previous[j - 1] + 0.1 > score:  # no gap
                    score, at = previous[j - 1] + 0.1, j - 1
                if score > minus:
                    current[j] = score + (1.0 if hinted[j] else 0.0)
                    pointers[j] = at
            if i > 0 and previous[j] > reach:
                reach, reach_at = previous[j], j
        previous = current
        back.append(pointers)
    end = max(range(len(words)), key=lambda j: previous[j], default=-1)
    if end < 0 or previous[end] == minus:
        return None
    chosen = []
    for pointers in reversed(back):
        chosen.append(words[end])
        end = pointers[end]
    return chosen[::-1]


def prints_antecedent(words: Sequence[str], compression: str) -> bool:
    """Whether the compression differs only in words that replace pronouns: "Ford" instead of "it"."""
    wanted = [m.group().lower() for word in words for m in _WORD.finditer(word) if m.group()[0].isalnum()]
    printed = [m.group().lower() for m in _WORD.finditer(compression)]
    rest = iter(printed)
    in_order = all(word in _PRONOUNS or word in rest for word in wanted)
    return in_order and any(word in _PRONOUNS and word not in printed for word in wanted)
