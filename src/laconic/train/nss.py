"""The node subset scorer (paper §3): an averaged perceptron over five classes of the number of retained children."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic.train.feature_rows import Examples

CLASSES: Final = 5  # 0, 1, 2, 3, 4+


def train_perceptron(examples: Examples, *, passes: int, seed: int) -> NDArray[np.float64]:
    """Averaged weights, features × classes (Freund & Schapire 1999; averaging as Collins 2002)."""
    weights = np.zeros(len(examples.ids) * CLASSES)
    totals = np.zeros_like(weights)
    random = np.random.default_rng(seed)
    steps = 0
    for _ in range(passes):
        order = random.permutation(len(examples))
        _core.perceptron_pass(examples.ptr, examples.columns, examples.label, order, CLASSES, steps, weights, totals)
        steps += len(examples)
    return (weights - totals / max(steps, 1)).reshape(-1, CLASSES)


def class_scores(examples: Examples, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The scores of every row, rows × classes."""
    sums = np.zeros((len(examples.columns) + 1, CLASSES))
    np.cumsum(weights[examples.columns], axis=0, out=sums[1:])
    scores: NDArray[np.float64] = sums[examples.ptr[1:]] - sums[examples.ptr[:-1]]
    return scores


def tune_temperature(scores: NDArray[np.float64], label: NDArray[np.uint8]) -> float:
    """The temperature of the softmax that maximises the likelihood of the labels; rows must not be training rows."""
    from scipy.optimize import minimize_scalar
    from scipy.special import log_softmax

    rows = np.arange(len(label))

    def loss(log_temperature: float) -> float:
        return -float(log_softmax(scores / np.exp(log_temperature), axis=1)[rows, label].mean())

    return float(np.exp(minimize_scalar(loss, bounds=(-5.0, 10.0), method="bounded").x))
