"""Why words are gone: every deletion of a compression with its edge, its probability and who decided."""

from laconic.explanation.deletions import By, Comparisons, Deletion, Explainer, Guarded

__all__ = ["By", "Comparisons", "Deletion", "Explainer", "Guarded"]
