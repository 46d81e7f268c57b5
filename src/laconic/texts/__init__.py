"""A budget for a text of several sentences: one version of each is taken, and all are chosen together."""

from laconic.texts.compress_texts import compress_texts, several_sentences

__all__ = ["compress_texts", "several_sentences"]
