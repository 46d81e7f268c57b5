"""What can be asked of a decoder, and what is refused."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Final

import numpy as np

from laconic.errors import LaconicError

#: More results than this for one sentence would fill the memory before anyone could read them.
MAX_K: Final = 100_000

#: Each of the candidates is compared with each other.
MAX_CANDIDATES: Final = 1000


class Method(StrEnum):
    """How compressions are looked for."""

    TOPDOWN = "topdown"  # paper §2
    NSS = "nss"  # with the node subset scorer, paper §3
    ILP = "ilp"  # the baseline, paper §4: an integer linear program


class Objective(StrEnum):
    """What makes one subtree better than another."""

    MEAN = "mean"  # the paper's score, equations 4–8: means over the children of a node
    JOINT = "joint"  # the log-probability of the whole subtree


class Order(StrEnum):
    """Which of the best subtrees is printed first."""

    SCORE = "score"  # the one with the highest score
    EXPECTED_F1 = "expected-f1"  # the one that is closest to all of them, each counted by its probability


def check_k(k: int, most: int | None = MAX_K) -> None:
    """Refuse a k that is no positive whole number, or larger than anyone could read."""
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
    try:
        return Method(method)
    except ValueError:
        raise LaconicError(f"unknown method {method!r}: use one of {', '.join(Method)}") from None


def check_objective(objective: str) -> Objective:
    """The objective of that name."""
    try:
        return Objective(objective)
    except ValueError:
        raise LaconicError(f"unknown objective {objective!r}: use one of {', '.join(Objective)}") from None


def check_order(order: str) -> Order:
    """The order of that name."""
    try:
        return Order(order)
    except ValueError:
        raise LaconicError(f"unknown order {order!r}: use one of {', '.join(Order)}") from None


def check_candidates(candidates: int) -> int:
    """Refuse a number of candidates that is not positive, or larger than what can be compared with each other."""
    if not isinstance(candidates, int | np.integer) or not 1 <= candidates <= MAX_CANDIDATES:
        raise LaconicError(f"candidates is {candidates!r}: give a whole number, 1 to {MAX_CANDIDATES}")
    return int(candidates)


def check_temperature(temperature: float) -> float:
    """Refuse a temperature that is no positive number."""
    if not isinstance(temperature, int | float | np.number) or not 0 < temperature < math.inf:
        raise LaconicError(
            f"temperature is {temperature!r}: give a positive number, smaller to trust the scores more, larger to "
            "trust them less"
        )
    return float(temperature)


def check_max_chars(max_chars: int | None, method: Method) -> None:
    """Refuse a length that is no positive number, or that the method cannot respect."""
    if max_chars is None:
        return
    if isinstance(max_chars, bool) or not isinstance(max_chars, int | np.integer) or max_chars < 1:
        raise LaconicError(f"max_chars is {max_chars!r}: give a whole number of characters, 1 or more")
    if method is not Method.ILP:
        raise LaconicError(f"max_chars goes with the method ilp, not with {method}: choose ilp or leave max_chars out")


def check_resolve_pronouns(resolve_pronouns: bool, max_chars: int | None) -> None:
    """Refuse antecedents within a length: the solver counts the characters of what is kept, not of what is printed."""
    if resolve_pronouns and max_chars is not None:
        raise LaconicError("resolve_pronouns does not go with max_chars: leave out one of them")
