"""How tables of words are written."""

from __future__ import annotations


def word_set(words: str) -> frozenset[str]:
    """Words with white space between them."""
    return frozenset(words.split())
