"""Edge weights for the ILP: an averaged structured perceptron (Collins 2002) that decodes with the program itself.

If the best subtree under the current weights is not the gold's, the features of edges that only the gold has are
increased, and those of edges that only the output has are decreased. No length is given, so the model learns one (paper
§4).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic.decode.ilp import Solver, programs
from laconic.progress import Advance, ignore
from laconic.train.cache import Shard


@dataclass(slots=True)
class Perceptron:
    """The state between two passes: weights, the sum to subtract for averaging, and the number of sentences seen."""

    weights: NDArray[np.float64]
    totals: NDArray[np.float64]
    steps: int = 0

    @classmethod
    def start(cls, features: int) -> Perceptron:
        """A state with zero weights."""
        return cls(np.zeros(features), np.zeros(features))

    def averaged(self) -> NDArray[np.float64]:
        """The mean of the weights over all sentences seen."""
        return self.weights - self.totals / max(self.steps, 1)


def perceptron_pass(
    state: Perceptron,
    shards: Iterable[Shard],
    index: _core.FeatureIndex,
    *,
    min_f1: float,
    seed: int,
    advance: Advance = ignore,
) -> int:
    """One pass over a corpus, in random order within each shard; returns the number of wrong sentences."""
    solver = Solver()
    random = np.random.default_rng(seed)
    mistakes = 0
    for shard in shards:
        gold = _core.GoldSubtrees(shard.forest, shard.gold)
        f1, root, node_ptr, kept = gold.f1, gold.root, shard.forest.node_ptr, gold.kept
        all_programs = list(programs(shard.forest, None))
        ptr, ids = _core.edge_features(shard.forest)
        ptr, columns = index.number(ids, ptr)
        edge_ptr = np.concatenate([[0], np.cumsum([len(program.head) for program in all_programs])])
        for i in random.permutation(np.flatnonzero((root >= 0) & (f1 >= min_f1))).tolist():
            program = all_programs[i]
            rows = ptr[edge_ptr[i] : edge_ptr[i + 1] + 1]
            features = columns[rows[0] : rows[-1]]
            sums = np.concatenate([[0.0], np.cumsum(state.weights[features])])
            chosen = solver.best(program, np.diff(sums[rows - rows[0]]))
            in_gold = kept[node_ptr[i] : node_ptr[i + 1]] != 0
            wanted = np.where(program.head < 0, program.node == root[i], in_gold[program.head] & in_gold[program.node])
            state.steps += 1
            if (chosen == wanted).all():
                continue
            mistakes += 1
            change = np.repeat(wanted.astype(np.float64) - chosen, np.diff(rows))
            np.add.at(state.weights, features, change)
            np.add.at(state.totals, features, change * state.steps)
        advance(len(shard.parses))
    return mistakes
