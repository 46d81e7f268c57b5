"""Choose one compression of every sentence, or none, for the highest total value within a budget."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic import _core


@dataclass(frozen=True, slots=True)
class Offers:
    """The options of a choice: groups of items, each with options that have a length and a value.

    Group `g` has the items `item_ptr[g]:item_ptr[g + 1]`, item `i` the options `option_ptr[i]:option_ptr[i + 1]`.
    """

    item_ptr: NDArray[np.int64]
    option_ptr: NDArray[np.int64]
    length: NDArray[np.int64]  # by option
    value: NDArray[np.int64]  # by option, not negative
    setup: NDArray[np.int64]  # by group: the length that is added if any of its items is printed
    required: NDArray[np.uint8]  # by item: one of its options must be taken


@dataclass(frozen=True, slots=True)
class Choice:
    """The best choice."""

    options: NDArray[np.int32]  # by item: the index of its chosen option, or -1 for none
    length: int
    value: int


@dataclass(frozen=True, slots=True)
class TooShort:
    """The budget is too short for the required items."""

    least: int  # the shortest possible length


def choose(offers: Offers, budget: int) -> Choice | TooShort:
    """Choose the options with the highest total value whose total length, including setups, is within the budget.

    The choice is exact (native/choose.hpp). Ties are broken by the shortest length, and then deterministically.
    """
    found = _core.choose(
        offers.item_ptr, offers.option_ptr, offers.length, offers.value, offers.setup, offers.required, budget
    )
    if isinstance(found, int):
        return TooShort(found)
    options, length, value, _ = found
    return Choice(options, length, value)
