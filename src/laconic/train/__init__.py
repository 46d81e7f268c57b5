"""Train the two classifiers, from corpora to a shipped model."""

from laconic.train.train import Settings, train

__all__ = ["Settings", "train"]
