"""Times of the decoders, sentence by sentence: what `laconic bench` and `laconic reproduce` print."""

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
#: A round of the solver takes as long as hundreds of the others'.
_ILP_ROUNDS: Final = 3


@dataclass(frozen=True, slots=True)
class Times:
    """Microseconds of every sentence in each stage, the median of some rounds."""

    stages: NDArray[np.float64]  # sentences × (transform, root edges, decode, realise)
    solver: NDArray[np.float64]  # of decode, inside the ILP's solver
    results: int  # compressions found, all sentences together

    @property
    def core(self) -> NDArray[np.float64]:
        """All but realising, by sentence: from the parse to the nodes of the k best."""
        total: NDArray[np.float64] = self.stages[:, :3].sum(axis=1)
        return total

    @property
    def solver_share(self) -> float:
        """How much of that, over all sentences, is spent inside the ILP's solver."""
        return float(self.solver.sum() / self.core.sum())


def time_decoder(
    parses: Parses, scores: Model | LevelScores, method: Method, k: int, rounds: int | None = None
) -> Times:
    """Time a decoder on parsed sentences, for headlines, which all of them know; parsing is not part of it."""
    if rounds is None:
        rounds = _ILP_ROUNDS if method is Method.ILP else _ROUNDS

    def run() -> Decoded:
        forest = make_forest(parses)
        policy = policy_for(scores, Level.HEADLINE)
        plan = make_plan(forest, scores, level=Level.HEADLINE, policy=policy)
        return decode(forest, plan.edge_scores, k=k, method=method, **plan.how)

    return time_runs(run, rounds)


def time_runs(run: Callable[[], Decoded], rounds: int) -> Times:
    """The times that a decoder itself reports, over some rounds."""
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
    """Keep this process on one core, where the system lets us."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
