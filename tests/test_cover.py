"""The smallest subtree that covers a headline, against exhaustive search."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from random_trees import random_parents

from laconic import _core

Tree = tuple[list[int], list[int], list[int]]  # parents, root edges, words
Demand = tuple[int, dict[int, int]]  # how many are wanted, how many each node has


def cover(tree: Tree, demands: list[Demand]) -> list[int] | None:
    parent, root_edge, words = tree
    options = [sorted(nodes.items()) for _, nodes in demands]
    flat = [option for own in options for option in own]
    return _core.cover(
        np.array(parent, dtype=np.int32),
        np.array(root_edge, dtype=np.uint8),
        np.array(words, dtype=np.int32),
        np.array([need for need, _ in demands], dtype=np.int32),
        np.cumsum([0, *map(len, options)], dtype=np.int64),
        np.array([node for node, _ in flat], dtype=np.int32),
        np.array([count for _, count in flat], dtype=np.int32),
    )


def search(tree: Tree, demands: list[Demand]) -> list[int] | None:
    """Every subtree under a root edge is looked at."""
    parent, root_edge, words = tree
    best = None
    for size in range(1, len(parent) + 1):
        for nodes in itertools.combinations(range(len(parent)), size):
            tops = [node for node in nodes if parent[node] not in nodes]
            if len(tops) != 1 or not root_edge[tops[0]]:
                continue
            if all(sum(has.get(node, 0) for node in nodes) >= need for need, has in demands):
                cost = (size, sum(words[node] for node in nodes), sum(nodes))
                best = min(best, (cost, list(nodes))) if best else (cost, list(nodes))
    return best[1] if best else None


def random_tree(rng: random.Random) -> Tree:
    n = rng.randint(1, 9)
    parent = random_parents(rng, n, attached=0.95)
    root_edge = [int(parent[node] < 0 or rng.random() < 0.4) for node in range(n)]
    return parent, root_edge, [rng.randint(1, 4) for _ in range(n)]


def random_demands(rng: random.Random, n: int) -> list[Demand]:
    demands = []
    for _ in range(rng.randint(0, 4)):
        nodes = rng.sample(range(n), rng.randint(1, min(n, 4)))
        demands.append((rng.randint(1, 3), {node: rng.randint(1, 2) for node in nodes}))
    return demands


@pytest.mark.parametrize("seed", range(20))
def test_is_the_smallest_of_all_subtrees(seed: int) -> None:
    rng = random.Random(seed)
    outcomes = set()
    for _ in range(60):
        tree = random_tree(rng)
        demands = random_demands(rng, len(tree[0]))
        found, expected = cover(tree, demands), search(tree, demands)
        outcomes.add(expected is None)
        if found is None or expected is None:
            assert found == expected
            continue

        def cost(nodes: list[int], words: list[int] = tree[2]) -> tuple[int, int, int]:
            return len(nodes), sum(words[node] for node in nodes), sum(nodes)

        assert cost(found) == cost(expected), (tree, demands)
        tops = [node for node in found if tree[0][node] not in found]
        assert len(tops) == 1
        assert tree[1][tops[0]]
        assert all(sum(has.get(node, 0) for node in found) >= need for need, has in demands)
    assert outcomes == {False, True}  # both kinds were met


#      0 said
#     / \
#    1   2 was arrested (a root of its own)
#        |  \
#        3   4
TREE: Tree = ([-1, 0, 0, 2, 2], [1, 0, 1, 0, 0], [1, 1, 2, 1, 1])


def test_a_word_that_occurs_twice_is_taken_where_the_subtree_stays_small() -> None:
    assert cover(TREE, [(1, {1: 1, 3: 1}), (1, {2: 1})]) == [2, 3]


def test_a_word_that_the_headline_has_twice_is_covered_twice() -> None:
    assert cover(TREE, [(2, {1: 1, 3: 1})]) == [0, 1, 2, 3]


def test_a_node_may_have_a_word_twice() -> None:
    assert cover(TREE, [(2, {4: 2, 1: 1})]) == [2, 4]


def test_there_is_none_where_the_tree_has_the_word_too_seldom() -> None:
    assert cover(TREE, [(2, {3: 1})]) is None


def test_there_is_none_where_no_root_edge_leads_above_all_words() -> None:
    assert cover(([-1, -1], [1, 1], [1, 1]), [(1, {0: 1}), (1, {1: 1})]) is None


def test_too_many_choices_are_refused_rather_than_guessed() -> None:
    n = 14
    tree: Tree = ([-1, *[0] * n], [1, *[0] * n], [1] * (n + 1))
    with pytest.raises(ValueError, match="too many choices"):
        cover(tree, [(1, {node: 1, 1 + node % n: 1}) for node in range(1, n + 1)])


def test_deep_trees_need_no_deep_stack() -> None:
    n = 5000
    tree: Tree = ([-1, *range(n - 1)], [1] * n, [1] * n)
    assert cover(tree, [(1, {0: 1}), (1, {n - 1: 1})]) == list(range(n))


@pytest.mark.parametrize(
    ("tree", "demands"),
    [(([5], [1], [1]), []), (TREE, [(1, {9: 1})]), (TREE, [(-1, {1: 1})]), (([-1], [1], [-1]), [])],
)
def test_what_is_no_tree_is_refused(tree: Tree, demands: list[Demand]) -> None:
    with pytest.raises(ValueError, match=r"must be nodes|not negative|too large"):
        cover(tree, demands)
