"""Score: deletion probabilities of edges and subset sizes of nodes, from a model of plain arrays."""

from laconic.score.model import Model

__all__ = ["Model"]
