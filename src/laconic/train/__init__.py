"""Training of the two classifiers, from corpora to a model that ships."""

from laconic.train.train import Settings, train

__all__ = ["Settings", "train"]
