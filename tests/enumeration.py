"""All subtrees of small trees, one by one: what judges the decoders."""

from __future__ import annotations

import itertools
import math

Subtrees = list[tuple[float, tuple[int, ...]]]


def log(p: float) -> float:
    """A multiple of 2^-40, as in the core: small sums of them are exact."""
    return round(math.log(min(max(p, 1e-6), 1 - 1e-6)) * 2.0**40) / 2.0**40


def enumerate_all(
    heads: list[int], retain: list[float], root_retain: list[float | None], objective: str = "mean"
) -> Subtrees:
    """Every subtree with its score, straight from equations 4–8, or from all choices that make it."""
    n = len(heads)
    children = [[c for c in range(n) if heads[c] == i] for i in range(n)]
    joint = objective == "joint"

    def results(node: int) -> Subtrees:
        options = []
        for child in children[node]:
            own = [(log(1 - retain[child]), ())]
            for j, (score, nodes) in enumerate(results(child)):
                own.append((log(retain[child]) + (score if j or joint else 0.0), nodes))
            options.append(own)
        found = [
            (
                sum(score for score, _ in combination) / (1 if joint else max(len(options), 1)),
                tuple(sorted(itertools.chain((node,), *(nodes for _, nodes in combination)))),
            )
            for combination in itertools.product(*options)
        ]
        return in_order(found, n)

    candidates = [i for i in range(n) if root_retain[i] is not None]
    everything_deleted = sum(log(1 - root_retain[i]) for i in candidates)
    found = []
    for root in candidates:
        for j, (score, nodes) in enumerate(results(root)):
            total = everything_deleted - log(1 - root_retain[root]) + log(root_retain[root])
            total += score if j or joint else 0.0
            found.append((total / (1 if joint else len(candidates)), nodes))
    return in_order(found, n)


def in_order(found: Subtrees, n: int, digits: int = 9) -> Subtrees:
    """Best first; of two with the same score, the one that retains the first node in which they differ."""
    return sorted(found, key=lambda pair: (-round(pair[0], digits), [node not in pair[1] for node in range(n)]))


def subtrees(parent: list[int], root_edge: list[int]) -> set[frozenset[int]]:
    """All subtrees of a tree under one of its root edges."""
    children: dict[int, list[int]] = {}
    for node, head in enumerate(parent):
        children.setdefault(head, []).append(node)

    def below(node: int) -> list[frozenset[int]]:
        ways = [frozenset([node])]
        for child in children.get(node, []):
            ways = [way | more for way in ways for more in [frozenset(), *below(child)]]
        return ways

    return {nodes for node, has_edge in enumerate(root_edge) if has_edge for nodes in below(node)}
