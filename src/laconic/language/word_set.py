"""Notation for tables of words."""

from __future__ import annotations


def word_set(words: str) -> frozenset[str]:
    """The set of words in a string, separated by white space."""
    return frozenset(words.split())
