"""Explanations: why words are deleted, with the edge, its probability, and whose decision it was."""

from laconic.explanation.deletions import By, Comparisons, Deletion, Explainer, Guarded

__all__ = ["By", "Comparisons", "Deletion", "Explainer", "Guarded"]
