"""The k-best algorithm on its own (paper §2.3, §2.4), for any tree with probabilities."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic.decode.choices import Objective, check_k, check_objective
from laconic.errors import LaconicError

#: The maximum number of nodes: fixed-point scores could overflow. The joint one may add two edges for each node.
MAX_NODES: Final = {Objective.MEAN: 500_000, Objective.JOINT: 250_000}

#: The maximum number of entries in a table of the knapsack: half a gigabyte.
MAX_TABLE: Final = 2**26


def k_best(
    heads: Sequence[int],
    retain: Sequence[float],
    root_retain: Sequence[float | None],
    k: int,
    *,
    objective: Objective | str = Objective.MEAN,
    lengths: Sequence[int] | None = None,
    min_length: int = 0,
    max_length: int | None = None,
    keep: Collection[int] = (),
    drop: Collection[int] = (),
) -> list[tuple[float, tuple[int, ...]]]:
    """The k best subtrees of a tree: the algorithm on its own, for any tree and probabilities.

    `heads[i]` is the parent of node i, or -1 if only the dummy root leads to it; `retain[i]` is p_ret of the edge
    heads[i] → i (ignored if heads[i] is -1); `root_retain[i]` is p_ret of the dummy root's edge to i, or None if there
    is none. Returns up to k pairs of score (equations 4–8) and sorted tuple of retained nodes, best first; fewer if the
    tree has fewer subtrees. Of two subtrees with the same score, the one that retains the first node in which they
    differ comes first. With the objective joint, the score is the log-probability of all choices that make the subtree:
    this root edge and no other, and for each of its nodes the children retained and deleted.

    With that objective, there can be limits: each node adds `lengths[i]`, and only subtrees count whose length is from
    `min_length` to `max_length` and that have all nodes of `keep` and none of `drop`. Ties are then broken in the order
    of the tree, parents before children.

    >>> [nodes for _, nodes in k_best([-1, 0, 0], [0, 0.9, 0.2], [0.9, None, None], 3)]
    [(0, 1), (0, 1, 2), (0,)]
    >>> limits = {"objective": "joint", "lengths": [3, 5, 2], "max_length": 5}
    >>> [nodes for _, nodes in k_best([-1, 0, 0], [0, 0.9, 0.2], [0.9, None, None], 3, **limits)]
    [(0,), (0, 2)]
    """
    check_k(k, most=None)
    objective = check_objective(objective)
    if objective not in MAX_NODES:
        raise LaconicError(
            f"the objective {objective} counts the words of a sentence, and a bare tree has none: give mean or joint"
        )
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
    p_ret, root_p_ret = np.array(edge, dtype=np.float64), np.array(root, dtype=np.float64)
    k = min(k, 2**62)
    limited = lengths is not None or keep or drop
    for name, bound in (("min_length", min_length), ("max_length", max_length)):
        if bound is not None and (isinstance(bound, bool) or not isinstance(bound, int | np.integer)):
            raise LaconicError(f"{name} is {bound!r}: give a whole number")
    if (min_length or max_length is not None) and lengths is None:
        raise LaconicError("min_length and max_length need lengths: give what each node adds")
    if not limited:
        found = _core.k_best(parent, p_ret, root_p_ret, k, objective is Objective.JOINT)
    elif objective is not Objective.JOINT:
        raise LaconicError("lengths, keep and drop go with the objective joint: give that")
    else:
        weights = _check_lengths(lengths, count)
        most = int(weights.sum()) if max_length is None else max_length
        if count * (min(most, int(weights.sum())) + 1) > MAX_TABLE:
            raise LaconicError(
                f"{count:,} nodes with lengths up to {most:,} need a table of more than {MAX_TABLE:,} entries: give "
                "smaller lengths, in larger units"
            )
        found = _core.knapsack(
            parent,
            p_ret,
            root_p_ret,
            weights.astype(np.int32),
            _check_pins(keep, drop, count),
            max(-(2**40), min(min_length, 2**40)),
            max(-(2**40), min(most, 2**40)),
            k,
        )
    return [(score, tuple(nodes)) for score, nodes in found]


def _check_head(heads: Sequence[int], i: int) -> int:
    head = heads[i]
    if not isinstance(head, int | np.integer) or not -1 <= head < len(heads) or head == i:
        raise LaconicError(f"heads[{i}] is {head}: give another node, 0 to {len(heads) - 1}, or -1 for the dummy root")
    return int(head)


def _check_lengths(lengths: Sequence[int] | None, count: int) -> NDArray[np.int64]:
    if lengths is None:
        return np.zeros(count, dtype=np.int64)
    if len(lengths) != count:
        raise LaconicError(f"lengths has {len(lengths)} entries for {count} nodes: give one for each")
    for i, length in enumerate(lengths):
        if isinstance(length, bool) or not isinstance(length, int | np.integer) or not 0 <= length < 2**24:
            raise LaconicError(f"lengths[{i}] is {length!r}: give a whole number, 0 or more")
    return np.array(lengths, dtype=np.int64)


def _check_pins(keep: Collection[int], drop: Collection[int], count: int) -> NDArray[np.uint8]:
    pins = np.zeros(count, dtype=np.uint8)
    for name, nodes, pin in (("keep", keep, 1), ("drop", drop, 2)):
        for node in nodes:
            if not isinstance(node, int | np.integer) or not 0 <= node < count:
                raise LaconicError(f"{name} has {node!r}: give nodes, 0 to {count - 1}")
            if pins[node] not in (0, pin):
                raise LaconicError(f"node {node} is in keep and in drop: take it out of one of them")
            pins[node] = pin
    return pins


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
