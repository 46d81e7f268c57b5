"""Probabilities from outside, such as from a neural network, in place of a maximum entropy model's."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic.errors import LaconicError

#: The minimum p_ret of a preferred edge.
_PREFERRED: Final = np.float32(0.999)

#: The minimum distance of probabilities from 0 and 1, as in the core.
_LEAST: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Probabilities:
    """p_ret of the edges of a batch's trees, by token, with the decoder settings that they were tuned with.

    A node is identified by its head word: for that token's row t in the `Parses`, `retain[t]` is p_ret of the edge from
    the node's parent, given that the parent is kept, and `root_retain[t]` is p_ret of the dummy root's edge. They are
    pure probabilities; certainty is expressed by pins (`laconic.guard`). Rows of other tokens, and of edges that the
    tree does not have, are ignored, but must be probabilities too. `evidence[t]` is additional evidence that the word
    is kept, as log-odds; the order by expected F1 uses it. With the objective `words`, `need[t]` is the cost of cutting
    the parent's edge on top of -log p_del, and `alone[t]` the cost of printing the node without its parent.
    """

    retain: NDArray[np.float32]
    root_retain: NDArray[np.float32]
    evidence: NDArray[np.float32] | None = None
    need: NDArray[np.float32] | None = None
    alone: NDArray[np.float32] | None = None
    word_weight: float = 1.0  # of the evidence
    rho: float = 0.5  # the threshold between retaining and deleting
    objective: str = "joint"  # laconic.decode.Objective
    order: str = "score"  # laconic.decode.Order
    temperature: float = 1.0  # of the distribution over candidates, for the order by expected F1
    candidates: int = 64  # the number of candidates that are reordered

    def __post_init__(self) -> None:
        for field in ("retain", "root_retain", "evidence", "need", "alone"):
            if (values := getattr(self, field)) is not None:
                object.__setattr__(self, field, np.ascontiguousarray(values, dtype=np.float32))
        if np.shape(self.retain) != np.shape(self.root_retain) or np.ndim(self.retain) != 1:
            raise LaconicError(
                f"retain has the shape {np.shape(self.retain)} and root_retain {np.shape(self.root_retain)}: give one "
                "number for each token in both"
            )
        for name, values in (("retain", self.retain), ("root_retain", self.root_retain)):
            if (row := _core.first_no_probability(values)) >= 0:
                raise LaconicError(f"{name}[{row}] is {values[row]}: give a probability between 0 and 1")
        for name, kind in (("evidence", "log-odds"), ("need", "costs"), ("alone", "costs")):
            if (known := getattr(self, name)) is None:
                continue
            if np.shape(known) != np.shape(self.retain):
                raise LaconicError(
                    f"{name} has the shape {np.shape(known)} and retain {np.shape(self.retain)}: give one "
                    "number for each token in both"
                )
            if _core.first_not_finite(known) >= 0:
                raise LaconicError(f"{name} has numbers that are not finite: give {kind}, 0 where nothing is known")

    @property
    def core(self) -> _core.Probabilities:
        """The object that the native code reads."""
        evidence = np.zeros_like(self.retain) if self.evidence is None else self.evidence * np.float32(self.word_weight)
        need, alone = (np.zeros_like(self.retain) if own is None else own for own in (self.need, self.alone))
        return _core.Probabilities(self.retain, self.root_retain, evidence, need, alone)

    def preferring(self, rows: NDArray[np.int64]) -> Probabilities:
        """A copy in which the edges into the nodes of these tokens are almost certain."""
        if not len(rows):
            return self
        retain = self.retain.copy()
        retain[rows] = np.maximum(retain[rows], _PREFERRED)
        return replace(self, retain=retain)

    def at(self, rho: float) -> Probabilities:
        """A copy with another threshold; the evidence is rescaled as those of edges will be (paper §2.3)."""
        if rho == self.rho:
            return self
        if self.evidence is None:
            return replace(self, rho=rho)
        kept = 1 / (1 + np.exp(-self.evidence.astype(np.float64)))
        deleted = np.clip(_rescale(1 - kept, _rescale(np.array(rho), self.rho)), _LEAST, 1 - _LEAST)
        return replace(self, rho=rho, evidence=np.log((1 - deleted) / deleted).astype(np.float32))


def _rescale(p: NDArray[np.float64], rho: float | NDArray[np.float64]) -> NDArray[np.float64]:
    """The piecewise linear map that sends 0 to 0, rho to 1/2 and 1 to 1."""
    below = p / 2 / max(float(rho), _LEAST)
    above = 0.5 + (p - rho) / 2 / max(1 - float(rho), _LEAST)
    return np.where(p <= rho, below, above)
