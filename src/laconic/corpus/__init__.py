"""Corpora: sentences with their compressions, for training and evaluation."""

from laconic.corpus.gold import gold_tokens
from laconic.corpus.read import Item, read_corpus, read_plain
from laconic.corpus.trees import ItemTree, Trees

__all__ = ["Item", "ItemTree", "Trees", "gold_tokens", "read_corpus", "read_plain"]
