"""The options of decoders, and the checks of their values."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from laconic._core import Unit
from laconic.errors import LaconicError
from laconic.known_names import find_named

if TYPE_CHECKING:
    from laconic.limits import Limits

#: The maximum k: results of one sentence beyond it would exhaust memory.
MAX_K: Final = 100_000

#: The maximum number of candidates: they are compared pairwise.
MAX_CANDIDATES: Final = 1000


class Method(StrEnum):
    """How compressions are searched for."""

    TOPDOWN = "topdown"  # paper §2
    NSS = "nss"  # with the node subset scorer, paper §3
    ILP = "ilp"  # the baseline, paper §4: an integer linear program


class Objective(StrEnum):
    """What the decoder maximises."""

    MEAN = "mean"  # the paper's score, equations 4–8: means over the children of a node
    JOINT = "joint"  # the log-probability of the subtree
    WORDS = "words"  # the same plus the weights of the kept words, which a network gives


class Order(StrEnum):
    """The order in which the best subtrees are returned."""

    SCORE = "score"  # by score
    EXPECTED_F1 = "expected-f1"  # by expected F1 against all of them, weighted by their probabilities


def check_k(k: int, most: int | None = MAX_K) -> None:
    """Refuse a k that is not a positive integer, or is above the maximum."""
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise LaconicError(f"k is {k!r}: ask for a whole number of compressions, 1 or more")
    if most is not None and k > most:
        raise LaconicError(f"k is {k}: ask for at most {most} compressions of a sentence")


def check_rho(rho: float) -> float:
    """Refuse a threshold outside [0, 1]."""
    if not isinstance(rho, int | float | np.number) or not 0 <= rho <= 1:
        raise LaconicError(f"rho is {rho!r}: give a threshold between 0 (delete most) and 1 (delete least)")
    return float(rho)


def check_method(method: Method | str) -> Method:
    """The method of that name."""
    return find_named(Method, method, "method")


def check_objective(objective: str) -> Objective:
    """The objective of that name."""
    return find_named(Objective, objective, "objective")


def check_order(order: str) -> Order:
    """The order of that name."""
    return find_named(Order, order, "order")


def check_candidates(candidates: int) -> int:
    """Refuse a number of candidates that is not positive, or is above the maximum."""
    if not isinstance(candidates, int | np.integer) or not 1 <= candidates <= MAX_CANDIDATES:
        raise LaconicError(f"candidates is {candidates!r}: give a whole number, 1 to {MAX_CANDIDATES}")
    return int(candidates)


def check_temperature(temperature: float) -> float:
    """Refuse a temperature that is not a positive number."""
    if not isinstance(temperature, int | float | np.number) or not 0 < temperature < math.inf:
        raise LaconicError(
            f"temperature is {temperature!r}: give a positive number, smaller to trust the scores more, larger to "
            "trust them less"
        )
    return float(temperature)


def check_limits(limits: Limits | None, method: Method, resolve_pronouns: bool = False) -> None:
    """Refuse limits that the method does not support: the ILP supports `max_chars`, the node subset scorer none."""
    if not limits or method is Method.TOPDOWN:
        return
    budget = limits.budget
    plain = isinstance(budget.most, int) and not (budget.least or budget.rate or budget.min_rate or budget.nearest)
    if method is Method.NSS or limits.constraints or budget.unit is not Unit.CHARS or not plain:
        raise LaconicError(
            f"budgets and constraints go with the method topdown, and max_chars with ilp: leave out the method {method}"
        )
    if resolve_pronouns:
        # The solver counts the characters of the kept words; printed antecedents may differ.
        raise LaconicError("resolve_pronouns does not go with max_chars and the method ilp: leave out one of them")
