"""The k-best algorithm against exhaustive enumeration."""

from __future__ import annotations

import math
import random

import pytest
from enumeration import enumerate_all, in_order
from hypothesis import given, settings
from hypothesis import strategies as st
from random_trees import random_parents

from laconic import LaconicError, k_best
from laconic.decode import Objective

#: Those of a bare tree, which has no words.
OBJECTIVES = (Objective.MEAN, Objective.JOINT)


def random_tree(rng: random.Random, probability: list[float] | None = None) -> tuple[list[int], list[float], list]:
    n = rng.randint(1, 8)
    heads = random_parents(rng, n, attached=0.95)
    draw = (lambda: rng.choice(probability)) if probability else rng.random
    retain = [draw() for _ in range(n)]
    roots = [draw() if heads[i] == -1 or rng.random() < 0.3 else None for i in range(n)]
    return heads, retain, roots


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("seed", range(10))
def test_equals_enumeration_at_every_rank(seed: int, objective: Objective) -> None:
    rng = random.Random(seed)
    for _ in range(300):
        tree = random_tree(rng)
        expected, found = enumerate_all(*tree, objective), k_best(*tree, k=10**9, objective=objective)
        assert [nodes for _, nodes in found] == [nodes for _, nodes in expected]
        assert [score for score, _ in found] == pytest.approx([score for score, _ in expected], abs=1e-9)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("probability", [[0.5], [0.2, 0.8], [0.1, 0.35, 0.6, 0.9], [0.0, 1.0, 0.5]])
def test_scores_and_sets_with_many_ties(probability: list[float], objective: Objective) -> None:
    rng = random.Random(7)
    for _ in range(300):
        tree = random_tree(rng, probability)
        expected, found = enumerate_all(*tree, objective), k_best(*tree, k=10**9, objective=objective)
        assert sorted(nodes for _, nodes in found) == sorted(nodes for _, nodes in expected)
        assert [score for score, _ in found] == pytest.approx([score for score, _ in expected], abs=1e-9)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_ties_are_broken_in_sentence_order(objective: Objective) -> None:
    rng = random.Random(11)
    for _ in range(300):
        tree = random_tree(rng, [0.5])
        expected = [nodes for _, nodes in enumerate_all(*tree, objective)]
        assert [nodes for _, nodes in k_best(*tree, k=10**9, objective=objective)] == expected


@pytest.mark.parametrize("probability", [[0.2, 0.8], [0.1, 0.35, 0.6, 0.9], [0.0, 1.0, 0.5], [0.25, 0.5, 0.75]])
def test_joint_scores_are_exact_and_so_are_their_ties(probability: list[float]) -> None:
    rng = random.Random(13)
    for _ in range(300):
        tree = random_tree(rng, probability)
        expected = in_order(enumerate_all(*tree, "joint"), len(tree[0]), digits=15)
        assert k_best(*tree, k=10**9, objective="joint") == expected


def test_joint_probabilities_of_all_subtrees_add_up_to_that_of_one_root() -> None:
    rng = random.Random(17)
    for _ in range(100):
        heads, retain, roots = random_tree(rng)
        given = [p for p in roots if p is not None]
        one_root = sum(p * math.prod(1 - q for j, q in enumerate(given) if j != i) for i, p in enumerate(given))
        found = k_best(heads, retain, roots, 10**9, objective="joint")
        assert sum(math.exp(score) for score, _ in found) == pytest.approx(one_root, rel=1e-4)


@given(st.integers(0, 2**32), st.integers(1, 30), st.sampled_from(OBJECTIVES))
@settings(max_examples=200, deadline=None)
def test_asking_for_fewer_gives_a_prefix(seed: int, k: int, objective: Objective) -> None:
    tree = random_tree(random.Random(seed))
    assert k_best(*tree, k=k, objective=objective) == k_best(*tree, k=10**6, objective=objective)[:k]


def test_no_subtree_twice_and_scores_fall() -> None:
    rng = random.Random(3)
    n = 40
    heads = [-1] + [rng.randrange(i) for i in range(1, n)]
    found = k_best(
        heads, [rng.random() for _ in range(n)], [rng.random() if i % 4 == 0 else None for i in range(n)], 5000
    )
    assert len({nodes for _, nodes in found}) == 5000
    scores = [score for score, _ in found]
    assert scores == sorted(scores, reverse=True)


def test_paper_table_1_scores() -> None:
    # was arrested -> the man (1.0), at his home (.22), Friday (.05) -> late (.4)
    heads, retain = [3, 3, 4, -1, 3], [1.0, 0.22, 0.4, 0.0, 0.05]
    found = {nodes: score for score, nodes in k_best(heads, retain, [None, None, None, 0.9, None], 100)}
    base = math.log(0.9)
    inside = {
        (0, 3): math.log(0.78) + math.log(0.95),
        (0, 3, 4): math.log(0.78) + math.log(0.05),
        (0, 2, 3, 4): math.log(0.78) + math.log(0.05) + math.log(0.4),
    }
    assert found[0, 3] == pytest.approx(base, abs=1e-6)
    for nodes in [(0, 3, 4), (0, 2, 3, 4)]:
        assert found[nodes] == pytest.approx(base + inside[nodes] / 3, abs=1e-5)


def test_deep_chain_does_not_overflow_the_stack() -> None:
    n = 20_000
    found = k_best(list(range(-1, n - 1)), [0.6] * n, [0.5] + [None] * (n - 1), 3)
    assert [len(nodes) for _, nodes in found] == [n, 1, 2]
    found = k_best(list(range(-1, n - 1)), [0.6] * n, [0.5] + [None] * (n - 1), 3, objective="joint")
    assert [len(nodes) for _, nodes in found] == [1, 2, 3]


def test_no_root_edge_means_no_result() -> None:
    assert k_best([-1, 0], [0.5, 0.5], [None, None], 3) == []
    assert k_best([], [], [], 3) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([-1], [0.5], [0.5], 0), "k is 0"),
        (([-1], [0.5], [0.5], -3), "k is -3"),
        (([-1], [0.5], [0.5], 2.5), "k is 2.5"),
        (([1, 0], [0.5, 0.5], [0.5, None], 1), "cycle"),
        (([5], [0.5], [0.5], 1), r"heads\[0\] is 5"),
        (([0], [0.5], [0.5], 1), r"heads\[0\] is 0"),
        (([-1, 0], [0.5, 1.5], [0.5, None], 1), r"retain\[1\] is 1.5"),
        (([-1], [0.5], [float("nan")], 1), r"root_retain\[0\] is nan"),
        (([-1, 0], [0.5], [0.5, None], 1), "one entry for each node"),
        (([-1, 0.7], [0.5, 0.5], [0.5, None], 1), r"heads\[1\] is 0.7"),
        (([-1] * 500_001, [0.5] * 500_001, [0.5] * 500_001, 1), "at most 500,000"),
    ],
)
def test_bad_input_is_named(arguments: tuple, message: str) -> None:
    with pytest.raises(LaconicError, match=message):
        k_best(*arguments)


def test_bad_objective_is_named() -> None:
    with pytest.raises(LaconicError, match="unknown objective 'sum': use one of mean, joint"):
        k_best([-1], [0.5], [0.5], 1, objective="sum")
    with pytest.raises(LaconicError, match="at most 250,000"):
        k_best([-1] * 250_001, [0.5] * 250_001, [0.5] * 250_001, 1, objective="joint")


@pytest.mark.parametrize("limits", [{}, {"lengths": [1, 1], "max_length": 1}, {"drop": [1]}])
def test_the_words_of_a_bare_tree_cannot_count(limits: dict) -> None:
    with pytest.raises(LaconicError, match=r"the objective words counts the words of a sentence.*: give mean or joint"):
        k_best([-1, 0], [0, 0.5], [0.5, None], 1, objective="words", **limits)
