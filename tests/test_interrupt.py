"""Ctrl-C ends every loop of the core that may run for long."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
from conftest import given_parses

from laconic import _core
from laconic.decode import decode
from laconic.limits import Limits
from laconic.parse import Parses
from laconic.score import Probabilities
from laconic.tree import make_forest


@contextmanager
def signal_after(seconds: float) -> Iterator[None]:
    """A signal whose handler raises, as that of Ctrl-C does."""

    def raise_it(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, raise_it)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def chain(n: int) -> np.ndarray:
    return np.arange(-1, n - 1, dtype=np.int32)


def comb(n: int) -> np.ndarray:
    """A root with children only."""
    return np.array([-1] + [0] * (n - 1), dtype=np.int32)


def k_best() -> None:
    n = 60
    root = np.array([0.5] + [-1.0] * (n - 1))
    _core.k_best(comb(n), np.linspace(0.3, 0.7, n), root, 2**40, True)


def knapsack() -> None:
    n = 60
    root = np.array([0.5] + [-1.0] * (n - 1))
    lengths, pins = np.full(n, 3, dtype=np.int32), np.zeros(n, dtype=np.uint8)
    _core.knapsack(comb(n), np.linspace(0.3, 0.7, n), root, lengths, pins, 0, 90, 2**40)


def choose() -> None:
    # Lengths that fill the budget only together, and all worth what they are long: a subset sum.
    rng = np.random.default_rng(1)
    n = 400
    length = rng.integers(2**40, 2**41, n, dtype=np.int64) * 2
    groups = np.arange(n + 1, dtype=np.int64)
    setup, required = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.uint8)
    _core.choose(groups, groups, length, length, setup, required, int(length.sum()) // 2 + 1)


def choose_k_best() -> None:
    n = 40
    option_ptr = np.arange(0, 2 * n + 1, 2, dtype=np.int64)
    length = np.tile(np.array([1, 2], dtype=np.int32), n)
    _core.choose_k_best(option_ptr, length, np.arange(2 * n, dtype=np.int64), 0, 60, 2**40)


def ways() -> None:
    # One part whose sentences have options of lengths and values that all sums differ in: 3^n ways.
    n = 40
    length = np.array([3**i * (o + 1) for i in range(n // 2) for o in range(2)] * 2, dtype=np.int64)
    _core.Ways(
        np.array([0, n], dtype=np.int64),
        np.arange(0, 2 * n + 1, 2, dtype=np.int64),
        length,
        length,
        np.zeros(n, dtype=np.uint8),
        np.ones(n),
        np.zeros(1, dtype=np.int64),
        np.zeros(1, dtype=np.uint8),
        1,
        -1,
    )


def cover() -> None:
    # A dozen demands that two nodes each can meet: 2^12 states, and each pair of them at every node.
    demands, n = 12, 4000
    nodes = [node for d in range(demands) for node in (d + 1, d + 1 + demands)]
    _core.cover(
        comb(n),
        np.array([1] + [0] * (n - 1), dtype=np.uint8),
        np.ones(n, dtype=np.int32),
        np.ones(demands, dtype=np.int32),
        np.arange(0, 2 * demands + 1, 2, dtype=np.int64),
        np.array(nodes, dtype=np.int32),
        np.ones(2 * demands, dtype=np.int32),
    )


def perceptron_pass() -> None:
    ptr, columns, label = rows_of_features(1000, 50)
    order = np.tile(np.arange(1000, dtype=np.int64), 20_000)
    _core.perceptron_pass(ptr, columns, label, order, 5, 0, np.zeros(5000), np.zeros(5000))


def flat_sentence(words: int, label: str) -> Parses:
    """A verb on which all other words hang, each of them "it"."""
    return given_parses("is/VBZ/ROOT/0 " + f"it/PRP/{label}/0 " * (words - 1), lemmas={"is": "be"})


def repeat_last_word(parses: Parses, times: int) -> Parses:
    """The same with so many more words, in no time."""
    size = int(parses.end[-1] - parses.start[-1]) + 1
    more = {name: np.concatenate([own, np.repeat(own[-1:], times)]) for name in (
        "head", "label", "tag", "lemma", "entity", "entity_start", "sentence_start",
    ) for own in [getattr(parses, name)]}  # fmt: skip
    steps = np.arange(1, times + 1, dtype=np.int32) * size
    chars = np.concatenate([parses.chars, np.tile(np.append(np.uint32(ord(" ")), parses.chars[1 - size :]), times)])
    return replace(
        parses,
        chars=chars,
        char_ptr=np.array([0, len(chars)], dtype=np.int64),
        token_ptr=np.array([0, len(parses.start) + times], dtype=np.int64),
        start=np.concatenate([parses.start, parses.start[-1] + steps]),
        end=np.concatenate([parses.end, parses.end[-1] + steps]),
        **more,
    )


def probabilities(words: int) -> Probabilities:
    retain = np.linspace(0.3, 0.7, words).astype(np.float32)
    return Probabilities(retain, retain)


def rows_of_features(rows: int, wide: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    ptr = np.arange(0, rows * wide + 1, wide, dtype=np.int64)
    return ptr, np.resize(np.arange(1000, dtype=np.int32), rows * wide), np.zeros(rows, dtype=np.uint8)


#: Each is one call of the core that takes minutes, or for ever.
LOOPS: list[Callable[[], None]] = [k_best, knapsack, choose, choose_k_best, ways, cover, perceptron_pass]


@pytest.mark.parametrize("loop", LOOPS, ids=lambda loop: loop.__name__)
def test_a_signal_ends_the_loop(loop: Callable[[], None]) -> None:
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt), signal_after(0.3):
        loop()
    assert time.monotonic() - begun < 20


@pytest.mark.parametrize("limits", [None, Limits.of(max_chars=3000)], ids=["free", "budget"])
def test_a_signal_ends_the_decoder(limits: Limits | None) -> None:
    forest = make_forest(flat_sentence(2000, "dobj"))
    bound = None if limits is None else limits.bind(forest)
    with pytest.raises(KeyboardInterrupt), signal_after(0.3):
        decode(forest, probabilities(2000), k=100_000, order="score", limits=bound)


def test_a_signal_ends_the_search_for_antecedents() -> None:
    """Whether each of many pronouns is impersonal is asked of all words after it."""
    forest = make_forest(repeat_last_word(flat_sentence(2, "nsubj"), 200_000))
    with pytest.raises(KeyboardInterrupt), signal_after(0.3):
        assert forest.pronoun is None


@pytest.mark.parametrize("threads", [1, 2])
def test_a_signal_ends_the_loss_before_it_is_there(threads: int) -> None:
    ptr, columns, label = rows_of_features(1_500_000, 50)  # signals are asked for every 50 ms
    gradient = np.full(1000, np.nan)
    with pytest.raises(KeyboardInterrupt), signal_after(0.01):
        _core.logistic_loss(ptr, columns, label, np.zeros(1000), gradient, threads)
    assert np.isnan(gradient).all()  # it is filled in at the end


def test_a_signal_ends_the_count_of_features() -> None:
    index = _core.FeatureIndex()
    ids = np.arange(20_000_000, dtype=np.uint32)
    with pytest.raises(KeyboardInterrupt), signal_after(0.01):
        index.count(ids)
    assert 0 < len(index) < len(ids)
