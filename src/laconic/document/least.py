"""The shortest print of a document: everything that is required, or else its shortest part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from laconic.document.choose import Offers

#: The maximum number of parts that are tried, by increasing estimated length; the real length depends on related
#: blocks.
_TRIED: Final = 32


def find_shortest(offers: Offers, measure: Callable[[list[int]], int], most: int) -> tuple[list[int], int]:
    """The shortest choice that prints anything, and its length; the first one found that is no longer than `most`.

    `measure` returns the length of what a choice prints, 0 if that is nothing.
    """
    counts = np.diff(offers.option_ptr)
    always = [0 if required else -1 for required in offers.required.tolist()]
    length = measure(always)
    if length:
        return always, length
    # The first option of an item is its shortest.
    groups = np.repeat(np.arange(len(offers.setup)), np.diff(offers.item_ptr))
    able = np.flatnonzero((counts > 0) & (offers.required == 0))
    seems = offers.length[offers.option_ptr[able]] + offers.setup[groups[able]]
    best, least = always, 0
    for item in able[np.argsort(seems, kind="stable")][:_TRIED].tolist():
        chosen = list(always)
        chosen[item] = 0
        length = measure(chosen)
        if length and (not least or length < least):
            best, least = chosen, length
        if 0 < least <= most:
            break
    return best, least
