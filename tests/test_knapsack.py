"""Subtrees within a length that keep and drop given nodes, against exhaustive enumeration."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from enumeration import enumerate_all
from random_trees import random_parents

from laconic import LaconicError, k_best

TREES = 10_000


@dataclass
class Case:
    heads: list[int]
    retain: list[float]
    root_retain: list[float | None]
    lengths: list[int]
    low: int
    high: int
    keep: list[int]
    drop: list[int]

    def found(self, k: int = 10**6) -> list[tuple[float, tuple[int, ...]]]:
        return k_best(
            self.heads,
            self.retain,
            self.root_retain,
            k,
            objective="joint",
            lengths=self.lengths,
            min_length=self.low,
            max_length=self.high,
            keep=self.keep,
            drop=self.drop,
        )

    def expected(self) -> list[tuple[float, tuple[int, ...]]]:
        return [
            (score, nodes)
            for score, nodes in enumerate_all(self.heads, self.retain, self.root_retain, "joint")
            if self.low <= sum(self.lengths[node] for node in nodes) <= self.high
            and set(self.keep) <= set(nodes)
            and not set(self.drop) & set(nodes)
        ]


def random_cases(seed: int, count: int, *, ties: bool = False) -> Iterator[Case]:
    rng = random.Random(seed)
    for _ in range(count):
        n = rng.randint(1, 8)
        heads = random_parents(rng, n, attached=0.95)
        p = (lambda: rng.choice([0.0, 0.2, 0.5, 0.8, 1.0])) if ties else rng.random
        roots = [p() if heads[i] < 0 or rng.random() < 0.4 else None for i in range(n)]
        lengths = [rng.choice([0, 1, 2, 3, 7, 12]) for _ in range(n)]
        total = sum(lengths)
        low, high = sorted((rng.choice([0, 0, rng.randint(0, total)]), rng.choice([total, rng.randint(0, total)])))
        pins = [rng.choices("-kd", [6, 1, 1])[0] for _ in range(n)]
        keep = [i for i in range(n) if pins[i] == "k"]
        drop = [i for i in range(n) if pins[i] == "d"]
        yield Case(heads, [p() for _ in range(n)], roots, lengths, low, high, keep, drop)


def test_ten_thousand_random_trees_are_as_enumerated() -> None:
    some = 0
    for case in random_cases(1, TREES):
        expected, found = case.expected(), case.found()
        some += bool(expected)
        assert [nodes for _, nodes in found] == [nodes for _, nodes in expected], case
        assert [score for score, _ in found] == pytest.approx([score for score, _ in expected], abs=1e-9)
        assert case.found(3) == found[:3]
    assert some > TREES / 3


def test_ties_come_in_the_order_of_the_tree_and_none_is_lost() -> None:
    for case in random_cases(2, 2000, ties=True):
        found = case.found()
        assert sorted(nodes for _, nodes in found) == sorted(nodes for _, nodes in case.expected()), case
        place = in_tree_order(case.heads)
        keys = [(-score, [node not in nodes for node in place]) for score, nodes in found]
        assert keys == sorted(keys), case
        assert case.found(4) == found[:4]


def in_tree_order(heads: list[int]) -> list[int]:
    def below(node: int) -> Iterator[int]:
        for child in (i for i, head in enumerate(heads) if head == node):
            yield child
            yield from below(child)

    return list(below(-1))


def test_a_chain_of_any_depth_is_no_recursion() -> None:
    n = 5000
    heads = [i - 1 for i in range(n)]
    limits = {"objective": "joint", "lengths": [1] * n, "min_length": 700, "max_length": 900}
    assert k_best(heads, [0.9] * n, [0.9] + [None] * (n - 1), 1, **limits)[0][1] == tuple(range(700))


def test_a_wide_length_takes_what_it_needs() -> None:
    """Lengths in the thousands, as of a sentence of two thousand words."""
    rng = np.random.default_rng(3)
    n = 1500
    heads = [-1, *(int(rng.integers(0, i)) for i in range(1, n))]
    lengths = rng.integers(1, 12, n).tolist()
    found = k_best(
        heads, rng.random(n).tolist(), [0.5] + [None] * (n - 1), 5, objective="joint", lengths=lengths, max_length=4000
    )
    assert len(found) == 5
    assert all(sum(lengths[node] for node in nodes) <= 4000 for _, nodes in found)
    assert [score for score, _ in found] == sorted((score for score, _ in found), reverse=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lengths": [1]}, "lengths has 1 entries for 2 nodes"),
        ({"lengths": [1, -1]}, r"lengths\[1\] is -1"),
        ({"max_length": 3}, "need lengths"),
        ({"keep": [2]}, "keep has 2: give nodes, 0 to 1"),
        ({"keep": [1], "drop": [1]}, "node 1 is in keep and in drop"),
        ({"drop": [1], "objective": "mean"}, "go with the objective joint"),
        ({"lengths": [2**24, 1]}, r"lengths\[0\] is 16777216"),
    ],
)
def test_what_cannot_be_is_refused(options: dict, message: str) -> None:
    with pytest.raises(LaconicError, match=message):
        k_best([-1, 0], [0, 0.5], [0.5, None], 1, **{"objective": "joint", **options})


def test_a_table_that_would_fill_the_memory_is_refused() -> None:
    n = 100
    with pytest.raises(LaconicError, match="give smaller lengths, in larger units"):
        k_best([-1, *[0] * (n - 1)], [0.5] * n, [0.5] * n, 1, objective="joint", lengths=[10**6] * n)
