"""Score: deletion probabilities of edges and subset sizes of nodes, from a maximum entropy model or a network."""

from laconic.score.level_scores import LevelScores
from laconic.score.model import Model
from laconic.score.probabilities import Probabilities

#: Gives p_ret of the edges of a forest, with the decoder settings that it was tuned with.
EdgeScores = Model | Probabilities

__all__ = ["EdgeScores", "LevelScores", "Model", "Probabilities"]
