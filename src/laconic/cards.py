"""What the cards of all models say."""

from __future__ import annotations

from collections.abc import Sequence


def describe_corpora(about: str, corpora: Sequence[str]) -> str:
    """The first sentences of a card: what its corpora are, in the words of who trained the model, or their names."""
    return "English. " + (about or f"Trained on {', '.join(corpora)}.")
