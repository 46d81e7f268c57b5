"""What can be asked of a decoder, and what is refused."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import numpy as np

from laconic.errors import LaconicError

#: More results than this for one sentence would fill the memory before anyone could read them.
MAX_K: Final = 100_000


class Method(StrEnum):
    """How compressions are looked for."""

    TOPDOWN = "topdown"  # paper §2
    NSS = "nss"  # with the node subset scorer, paper §3
    ILP = "ilp"  # the baseline, paper §4: an integer linear program


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
