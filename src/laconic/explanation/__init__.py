"""Why words are gone: every deletion of a compression with its edge, its probability and who decided."""

from laconic.explanation.deletions import By, Deletion, Explainer

__all__ = ["By", "Deletion", "Explainer"]
