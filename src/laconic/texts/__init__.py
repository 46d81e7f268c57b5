"""Budgets for texts of several sentences: the compressions of all sentences are chosen together."""

from laconic.texts.compress_texts import compress_texts, several_sentences

__all__ = ["compress_texts", "several_sentences"]
