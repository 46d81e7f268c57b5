"""The maximum entropy classifier of edges (paper §2.2): L2-regularised logistic regression, fitted with L-BFGS."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic.train.feature_rows import Examples


def train_maxent(
    examples: Examples,
    *,
    l2: float,
    iterations: int,
    start: NDArray[np.float64] | None = None,
    on_iteration: Callable[[int, float], None] | None = None,
) -> NDArray[np.float64]:
    """Weights (positive towards deletion) that minimise the mean logistic loss plus l2/2·|w|²/rows."""
    from scipy.optimize import minimize

    penalty = l2 / max(len(examples), 1)
    gradient = np.zeros(len(examples.ids))
    threads = os.cpu_count() or 1
    state = {"iteration": 0, "loss": 0.0}

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        value = _core.logistic_loss(examples.ptr, examples.columns, examples.label, weights, gradient, threads)
        state["loss"] = value
        return value + 0.5 * penalty * float(weights @ weights), gradient + penalty * weights

    def report(_: NDArray[np.float64]) -> None:
        state["iteration"] += 1
        if on_iteration is not None:
            on_iteration(int(state["iteration"]), state["loss"])

    result = minimize(
        loss,
        np.zeros(len(examples.ids)) if start is None else start,
        method="L-BFGS-B",
        jac=True,
        callback=report,
        options={"maxiter": iterations, "maxcor": 8, "ftol": 1e-9, "gtol": 1e-9},
    )
    weights: NDArray[np.float64] = result.x
    return weights
