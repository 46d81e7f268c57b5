"""Text that the cards of all models share."""

from __future__ import annotations

from collections.abc import Sequence


def describe_corpora(about: str, corpora: Sequence[str]) -> str:
    """The beginning of a model card: its corpora, as described by whoever trained the model, or listed by name."""
    return "English. " + (about or f"Trained on {', '.join(corpora)}.")
