"""Probabilities that come from outside, from a neural network for example, in the place of a model's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic.errors import LaconicError


@dataclass(frozen=True, slots=True)
class Probabilities:
    """p_ret of the edges of a batch's trees, by token, with the settings of the decoder that they were tuned with.

    A node is found by its head word: for the row t of that token in the `Parses`, `retain[t]` is p_ret of the edge from
    the node's parent, given that the parent is kept, and `root_retain[t]` is p_ret of the dummy root's edge. Rows of
    other tokens, and of edges that the tree does not have, are ignored, but must be probabilities too. `evidence[t]` is
    what is known besides of whether the word is kept, as log-odds; the order by expected F1 takes it into account.
    """

    retain: NDArray[np.float32]
    root_retain: NDArray[np.float32]
    evidence: NDArray[np.float32] | None = None
    rho: float = 0.5  # the threshold between retaining and deleting
    objective: str = "joint"  # laconic.decode.Objective
    order: str = "score"  # laconic.decode.Order
    temperature: float = 1.0  # of the distribution over candidates, for the order by expected F1
    candidates: int = 64  # that are put in that order

    def __post_init__(self) -> None:
        if np.shape(self.retain) != np.shape(self.root_retain) or np.ndim(self.retain) != 1:
            raise LaconicError(
                f"retain has the shape {np.shape(self.retain)} and root_retain {np.shape(self.root_retain)}: give one "
                "number for each token in both"
            )
        for name, values in (("retain", self.retain), ("root_retain", self.root_retain)):
            wrong = np.flatnonzero(~((values >= 0) & (values <= 1)))  # so that NaN is wrong, too
            if len(wrong):
                row = int(wrong[0])
                raise LaconicError(f"{name}[{row}] is {values[row]}: give a probability between 0 and 1")
        if self.evidence is not None:
            if np.shape(self.evidence) != np.shape(self.retain):
                raise LaconicError(
                    f"evidence has the shape {np.shape(self.evidence)} and retain {np.shape(self.retain)}: give one "
                    "number for each token in both"
                )
            if not np.isfinite(self.evidence).all():
                raise LaconicError("evidence has numbers that are not finite: give log-odds, 0 where nothing is known")

    @property
    def core(self) -> _core.Probabilities:
        """What the native code reads."""
        evidence = np.zeros_like(self.retain) if self.evidence is None else self.evidence
        return _core.Probabilities(self.retain, self.root_retain, evidence)
