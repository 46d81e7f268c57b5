"""Score: deletion probabilities of edges and subset sizes of nodes, from a model of plain arrays or from a network."""

from laconic.score.level_scores import LevelScores
from laconic.score.model import Model
from laconic.score.probabilities import Probabilities

#: What has p_ret of the edges of a forest, with the settings of the decoder that go with it.
EdgeScores = Model | Probabilities

__all__ = ["EdgeScores", "LevelScores", "Model", "Probabilities"]
