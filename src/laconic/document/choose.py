"""The choice of one compression for every sentence, or none, that makes the best of a budget."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic import _core


@dataclass(frozen=True, slots=True)
class Offers:
    """What can be chosen: groups of items, each with options that have a length and a value.

    Group `g` has the items `item_ptr[g]:item_ptr[g + 1]`, item `i` the options `option_ptr[i]:option_ptr[i + 1]`.
    """

    item_ptr: NDArray[np.int64]
    option_ptr: NDArray[np.int64]
    length: NDArray[np.int64]  # by option
    value: NDArray[np.int64]  # by option, not negative
    setup: NDArray[np.int64]  # by group: the length that it adds if anything of it is taken
    required: NDArray[np.uint8]  # by item: one of its options must be taken


@dataclass(frozen=True, slots=True)
class Choice:
    """The best choice."""

    options: NDArray[np.int32]  # by item: which of its options is taken, -1 for none
    length: int
    value: int


@dataclass(frozen=True, slots=True)
class TooShort:
    """The budget is too short for what is required."""

    least: int  # the shortest length there is


def choose(offers: Offers, budget: int) -> Choice | TooShort:
    """Choose the options with the highest total value whose total length, setups included, is within the budget.

    The choice is exact (native/choose.hpp). Of several with the same value the shortest is taken, and of those the same
    one every time.
    """
    found = _core.choose(
        offers.item_ptr, offers.option_ptr, offers.length, offers.value, offers.setup, offers.required, budget
    )
    if isinstance(found, int):
        return TooShort(found)
    options, length, value, _ = found
    return Choice(options, length, value)
