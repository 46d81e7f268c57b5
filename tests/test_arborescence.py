"""The best tree over a sentence's words against all trees there are."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from laconic import _core

Scores = NDArray[np.float32]


def is_tree(heads: tuple[int, ...] | list[int]) -> bool:
    """Whether exactly one word is its own head, and all others lead up to it."""
    if sum(head == word for word, head in enumerate(heads)) != 1:
        return False
    for word in range(len(heads)):
        at = word
        for _ in heads:
            at = heads[at]
        if heads[at] != at:
            return False
    return True


@cache
def all_trees(n: int) -> NDArray[np.int64]:
    return np.array([heads for heads in itertools.product(range(n), repeat=n) if is_tree(heads)])


def total(scores: Scores, heads: NDArray[np.int64]) -> NDArray[np.float64]:
    """The sum over all words; `heads` has a row for each tree."""
    return scores.astype(np.float64)[np.arange(len(scores)), heads].sum(axis=-1)


def check(scores: Scores) -> bool:
    """The heads are a tree, and no tree has a higher total; whether the best head of every word would not do."""
    heads = _core.arborescence(scores)
    assert is_tree(heads.tolist())
    assert total(scores, heads) == pytest.approx(total(scores, all_trees(len(scores))).max(), rel=1e-6, abs=1e-6)
    return not is_tree(scores.argmax(axis=1).tolist())


def test_enumeration_has_all_trees() -> None:
    # Cayley: n^(n-2) trees over n words, any of which can be the root.
    assert [len(all_trees(n)) for n in range(1, 7)] == [n ** (n - 1) for n in range(1, 7)]


@pytest.mark.parametrize("n", range(1, 7))
def test_random_scores_give_the_best_of_all_trees(n: int) -> None:
    rng = np.random.default_rng(n)
    hard = sum(check(rng.normal(size=(n, n)).astype(np.float32)) for _ in range(300))
    assert n == 1 or hard > 50


@pytest.mark.parametrize("values", [1, 2, 3, 6])
@pytest.mark.parametrize("n", range(1, 7))
def test_ties_give_a_best_tree(n: int, values: int) -> None:
    rng = np.random.default_rng(values)
    for _ in range(150):
        check(rng.integers(0, values, (n, n)).astype(np.float32))


@pytest.mark.parametrize("n", [3, 5, 6])
def test_words_that_all_want_to_be_the_root_give_one_root(n: int) -> None:
    rng = np.random.default_rng(n)
    for _ in range(100):
        scores = rng.normal(size=(n, n)).astype(np.float32)
        scores[np.diag_indices(n)] += 20
        assert check(scores)


@pytest.mark.parametrize("n", [3, 5, 6])
def test_words_that_none_wants_to_be_the_root_give_one_root(n: int) -> None:
    rng = np.random.default_rng(n)
    for _ in range(100):
        scores = rng.normal(size=(n, n)).astype(np.float32)
        scores[np.diag_indices(n)] -= 20
        assert check(scores)


def test_cycles_inside_cycles_are_resolved() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        # Pairs of words want each other most, and pairs of pairs next.
        scores = rng.normal(size=(6, 6)).astype(np.float32)
        for i, j in itertools.permutations(range(6), 2):
            scores[i, j] += 10 if i // 2 == j // 2 else 5 if i // 4 == j // 4 else 0
        assert check(scores)


@pytest.mark.parametrize("size", [1e-4, 1.0, 1e4])
def test_large_and_small_scores(size: float) -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        scores = (size * rng.normal(size=(5, 5))).astype(np.float32)
        best = total(scores, all_trees(5)).max()
        assert total(scores, _core.arborescence(scores)) == pytest.approx(best, rel=1e-5)


def test_best_heads_that_are_a_tree_stay() -> None:
    rng = np.random.default_rng(4)
    for n in (1, 2, 10, 100):
        order = rng.permutation(n)
        heads = np.arange(n)
        heads[order[1:]] = [order[rng.integers(0, i)] for i in range(1, n)]
        scores = rng.random((n, n), dtype=np.float32)
        scores[np.arange(n), heads] = 2
        assert _core.arborescence(scores).tolist() == heads.tolist()


@pytest.mark.parametrize("n", [7, 20, 64, 150, 300])
@pytest.mark.parametrize("kind", ["normal", "ties", "pairs"])
def test_long_sentences_give_a_tree(n: int, kind: str) -> None:
    rng = np.random.default_rng(n)
    scores = rng.normal(size=(n, n)).astype(np.float32)
    if kind == "ties":
        scores = np.sign(scores)
    if kind == "pairs":
        scores[np.arange(n), np.arange(n) ^ 1 if n % 2 == 0 else (np.arange(n) + 1) % n] += 50
    heads = _core.arborescence(scores).tolist()
    assert is_tree(heads)
    # Any other single head that still makes a tree is no better.
    for word in rng.integers(0, n, 20).tolist():
        for head in rng.integers(0, n, 20).tolist():
            if is_tree([*heads[:word], head, *heads[word + 1 :]]):
                assert scores[word, head] <= scores[word, heads[word]]


def test_no_words_give_no_heads() -> None:
    assert _core.arborescence(np.zeros((0, 0), dtype=np.float32)).tolist() == []


@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (0, 1)])
def test_scores_that_are_no_square_are_refused(shape: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="scores must have a column for each word"):
        _core.arborescence(np.zeros(shape, dtype=np.float32))


def test_scores_of_other_types_and_strides_are_read_as_they_are() -> None:
    scores = np.random.default_rng(6).normal(size=(12, 12)).astype(np.float32)
    expected = _core.arborescence(np.ascontiguousarray(scores[::2, ::2])).tolist()
    assert _core.arborescence(scores[::2, ::2]).tolist() == expected
    assert _core.arborescence(scores[::2, ::2].astype(np.float64)).tolist() == expected


@pytest.mark.parametrize("scores", [np.zeros(4, dtype=np.float32), np.zeros((2, 2, 2), dtype=np.float32), [[0.0]]])
def test_what_is_no_matrix_is_refused(scores: object) -> None:
    with pytest.raises(TypeError):
        _core.arborescence(scores)
