"""Time the decoders, sentence by sentence, for `laconic bench` and `laconic reproduce`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from laconic.decode import Decoded, Method, decode
from laconic.levels import Level
from laconic.parse import Parses
from laconic.plan import make_plan, policy_for
from laconic.score import LevelScores, Model
from laconic.tree import make_forest

_ROUNDS: Final = 21
#: One round of the ILP solver takes as long as hundreds of rounds of the other decoders.
_ILP_ROUNDS: Final = 3


@dataclass(frozen=True, slots=True)
class Times:
    """The times of every sentence in each stage, in microseconds: medians over some rounds."""

    stages: NDArray[np.float64]  # sentences × (transform, root edges, decode, realise)
    solver: NDArray[np.float64]  # the part of decode that is spent in the ILP solver
    results: int  # compressions found, over all sentences

    @property
    def core(self) -> NDArray[np.float64]:
        """The time of each sentence from the parse to the nodes of the k best: all stages but realise."""
        total: NDArray[np.float64] = self.stages[:, :3].sum(axis=1)
        return total

    @property
    def solver_share(self) -> float:
        """The share of that time, over all sentences, that is spent in the ILP solver."""
        return float(self.solver.sum() / self.core.sum())


def time_decoder(
    parses: Parses, scores: Model | LevelScores, method: Method, k: int, rounds: int | None = None
) -> Times:
    """Time a decoder on parsed sentences, without parsing, at the level headline, which all decoders support."""
    if rounds is None:
        rounds = _ILP_ROUNDS if method is Method.ILP else _ROUNDS

    def run() -> Decoded:
        forest = make_forest(parses)
        policy = policy_for(scores, Level.HEADLINE)
        plan = make_plan(forest, scores, level=Level.HEADLINE, policy=policy)
        return decode(forest, plan.edge_scores, k=k, method=method, **plan.how)

    return time_runs(run, rounds)


def time_runs(run: Callable[[], Decoded], rounds: int) -> Times:
    """The median times that a decoder reports over some rounds."""
    stages, solver, results = [], [], 0
    for _ in range(rounds):
        decoded = run()
        stages.append(decoded.nanoseconds.reshape(-1, 4) / 1e3)
        inside = decoded.solver_nanoseconds
        solver.append(inside / 1e3 if len(inside) else np.zeros(len(stages[-1])))
        results = len(decoded.score)
    return Times(np.median(np.stack(stages), axis=0), np.median(np.stack(solver), axis=0), results)


@contextmanager
def one_core() -> Iterator[None]:
    """Pin this process to one core, if the system supports it."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
