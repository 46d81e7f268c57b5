"""Find the best choice that fits the budget when lengths of parts do not quite add up.

Token counts do not; definitions are printed only if they are referenced, and headings only if something below them is
printed. So the budget given to the choice (its room) is adjusted until the printed text just fits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from laconic.document.choose import Offers, TooShort, choose

#: The maximum number of adjustments.
_TRIES: Final = 50
#: The search ends when this share of the budget, or less, is unused.
_ENOUGH: Final = 0.005


def find_best(
    offers: Offers, most: int, room: int, measure: Callable[[Sequence[int]], int], *, adds_up: bool = False
) -> list[int] | None:
    """The best choice found whose print is no longer than `most`, starting with `room` as the budget; None: none.

    `measure` returns the length of what a choice prints, 0 if that is nothing. If lengths are known to add up
    (`adds_up`), the first choice that fits is the best.
    """
    everything = _everything(offers)
    best: list[int] | None = None
    best_value = -1
    low, high = -1, -1  # the largest room whose result fitted, and the smallest whose result did not
    for _ in range(_TRIES):
        found = choose(offers, room)
        if isinstance(found, TooShort):  # it includes items that may not be printed
            if found.least == high:
                break
            room = found.least
            continue
        chosen = found.options.tolist()
        length = measure(chosen)
        if length > most:
            high = found.length  # the choice is the same for all rooms from there on
            room = (low + high) // 2 if low >= 0 else high - max(length - most, 1)
        else:
            if found.value > best_value and length:
                best, best_value = chosen, found.value
            if adds_up or room >= everything:
                break
            low = room
            # Spend what was charged but not printed: line breaks, headings of empty sections.
            room = (low + high) // 2 if high >= 0 else room + most - length
        if room <= low or 0 <= most - length <= most * _ENOUGH:
            break
    return best


def _everything(offers: Offers) -> int:
    """The length of the longest option of every item, with all setups: more room changes nothing."""
    has_options = np.diff(offers.option_ptr) > 0
    return int(offers.length[offers.option_ptr[1:][has_options] - 1].sum() + offers.setup.sum())
