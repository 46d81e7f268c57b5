"""The best choice whose print is within a budget, where lengths do not quite add up.

Those of a tokenizer do not, definitions are printed with what refers to them, and headings with what is below them. So
the room for the choice is changed until what is printed just fits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from laconic.document.choose import Offers, TooShort, choose

#: How often the room is changed.
_TRIES: Final = 50
#: What leaves no more than this share of its budget is not tried to be filled further.
_ENOUGH: Final = 0.005


def find_best(
    offers: Offers, most: int, room: int, measure: Callable[[Sequence[int]], int], *, adds_up: bool = False
) -> list[int] | None:
    """The best choice found whose print has at most `most`, beginning with this room; None: none was found.

    `measure` has the length of what a choice prints, 0 where that is nothing. Where lengths do `adds_up`, the first
    choice that fits is the best.
    """
    everything = _everything(offers)
    best: list[int] | None = None
    best_value = -1
    low, high = -1, -1  # the most room for the choice that led to a text that fits, and the least that did not
    for _ in range(_TRIES):
        found = choose(offers, room)
        if isinstance(found, TooShort):  # it counts what may not be printed
            if found.least == high:
                break
            room = found.least
            continue
        chosen = found.options.tolist()
        length = measure(chosen)
        if length > most:
            high = found.length  # from there on the choice is the same
            room = (low + high) // 2 if low >= 0 else high - max(length - most, 1)
        else:
            if found.value > best_value and length:
                best, best_value = chosen, found.value
            if adds_up or room >= everything:
                break
            low = room
            # What was charged and not printed can be spent: line breaks, headings of empty sections.
            room = (low + high) // 2 if high >= 0 else room + most - length
        if room <= low or 0 <= most - length <= most * _ENOUGH:
            break
    return best


def _everything(offers: Offers) -> int:
    """The length of the longest option of every item, with all setups: no choice needs more room."""
    has_options = np.diff(offers.option_ptr) > 0
    return int(offers.length[offers.option_ptr[1:][has_options] - 1].sum() + offers.setup.sum())
