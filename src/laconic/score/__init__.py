"""Score: deletion probabilities of edges and subset sizes of nodes, from a model of plain arrays or from a network."""

from laconic.score.levels import LevelScores
from laconic.score.model import Model
from laconic.score.probabilities import Probabilities

__all__ = ["LevelScores", "Model", "Probabilities"]
