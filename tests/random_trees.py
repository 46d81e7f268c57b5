"""Random trees of any shape, over nodes or words in any order."""

from __future__ import annotations

import random


def random_parents(rng: random.Random, count: int, *, attached: float = 1.0, reach: int | None = None) -> list[int]:
    """The parent of each node; -1: a root.

    The first node in a random order is a root. Each of the others hangs, with the probability `attached`, on one of
    those before it, or of the last `reach` of these: the smaller that is, the deeper the tree.
    """
    order = rng.sample(range(count), count)
    parents = [-1] * count
    for i in range(1, count):
        if attached == 1 or rng.random() < attached:
            parents[order[i]] = order[rng.randrange(0 if reach is None else max(0, i - reach), i)]
    return parents


def random_heads(rng: random.Random, count: int, *, reach: int | None = None) -> list[int]:
    """The head of each word as parsers say it: there is one root, which is its own head."""
    return [word if parent < 0 else parent for word, parent in enumerate(random_parents(rng, count, reach=reach))]
