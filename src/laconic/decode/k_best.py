"""The bare k-best algorithm (paper §2.3, §2.4), for anyone with a tree and probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic.decode.options import Objective, check_k, check_objective
from laconic.errors import LaconicError

#: Larger trees could overflow the fixed-point scores. The joint one may add up two edges into each node.
MAX_NODES: Final = {Objective.MEAN: 500_000, Objective.JOINT: 250_000}


def k_best(
    heads: Sequence[int],
    retain: Sequence[float],
    root_retain: Sequence[float | None],
    k: int,
    *,
    objective: Objective | str = Objective.MEAN,
) -> list[tuple[float, tuple[int, ...]]]:
    """The k best subtrees of a tree: the bare algorithm, for any tree and any probabilities.

    `heads[i]` is the parent of node i, or -1 when only the dummy root can lead to it; `retain[i]` is p_ret of the edge
    heads[i] → i (ignored when heads[i] is -1); `root_retain[i]` is p_ret of the dummy root's edge to i, or None where
    there is none. Returns up to k pairs of score (equations 4–8) and sorted tuple of retained nodes, best first. Of two
    subtrees with the same score the one that retains the first node in which they differ comes first. Asked for more
    than there are, it returns all there are. With the objective joint, the score is the log-probability of all choices
    that make the subtree: its root edge and no other, and for each of its nodes the children retained and deleted.

    >>> [nodes for _, nodes in k_best([-1, 0, 0], [0, 0.9, 0.2], [0.9, None, None], 3)]
    [(0, 1), (0, 1, 2), (0,)]
    """
    check_k(k, most=None)
    objective = check_objective(objective)
    count = len(heads)
    if len(retain) != count or len(root_retain) != count:
        raise LaconicError(
            f"heads, retain and root_retain must have one entry for each node: got {count}, {len(retain)} and "
            f"{len(root_retain)}"
        )
    if count > MAX_NODES[objective]:
        raise LaconicError(f"the tree has {count:,} nodes: at most {MAX_NODES[objective]:,} are possible")
    parent = np.array([_check_head(heads, i) for i in range(count)], dtype=np.int32)
    _check_tree(parent)
    edge = [_check_probability("retain", i, retain[i]) if parent[i] >= 0 else 0.0 for i in range(count)]
    root = [-1.0 if p is None else _check_probability("root_retain", i, p) for i, p in enumerate(root_retain)]
    found = _core.k_best(
        parent,
        np.array(edge, dtype=np.float64),
        np.array(root, dtype=np.float64),
        min(k, 2**62),
        objective is Objective.JOINT,
    )
    return [(score, tuple(nodes)) for score, nodes in found]


def _check_head(heads: Sequence[int], i: int) -> int:
    head = heads[i]
    if not isinstance(head, int | np.integer) or not -1 <= head < len(heads) or head == i:
        raise LaconicError(f"heads[{i}] is {head}: give another node, 0 to {len(heads) - 1}, or -1 for the dummy root")
    return int(head)


def _check_probability(name: str, i: int, p: float) -> float:
    if not (isinstance(p, int | float | np.number) and math.isfinite(p) and 0 <= p <= 1):
        raise LaconicError(f"{name}[{i}] is {p!r}: give a probability between 0 and 1")
    return float(p)


def _check_tree(parent: NDArray[np.int32]) -> None:
    """Refuse cycles: every node must lead up to a node without a parent."""
    state = np.zeros(len(parent), dtype=np.int8)  # 1: on the path, 2: leads to the top
    for start in range(len(parent)):
        path = []
        at = start
        while at >= 0 and state[at] == 0:
            state[at] = 1
            path.append(at)
            at = int(parent[at])
        if at >= 0 and state[at] == 1:
            raise LaconicError(
                f"heads has a cycle through node {at}: every node must lead up to a node whose head is -1"
            )
        state[path] = 2
