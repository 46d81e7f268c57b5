"""Corpora: sentences with their compressions, for training and measuring."""

from laconic.corpus.gold import gold_tokens
from laconic.corpus.read import Item, read_corpus

__all__ = ["Item", "gold_tokens", "read_corpus"]
