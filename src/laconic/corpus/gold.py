"""The gold compressions of parsed sentences, by token."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from laconic.corpus.read import Item
from laconic.parse import Parses


def gold_tokens(parses: Parses, items: Sequence[Item]) -> NDArray[np.uint8]:
    """By token: 1 if the gold keeps at least half of its characters."""
    gold = np.zeros(len(parses.start), dtype=np.uint8)
    for i, item in enumerate(items):
        kept = np.zeros(len(item.text) + 1, dtype=np.int32)
        for first, last in item.kept:
            kept[first + 1 : last + 1] = 1
        np.cumsum(kept, out=kept)
        rows = slice(int(parses.token_ptr[i]), int(parses.token_ptr[i + 1]))
        start, end = parses.start[rows], parses.end[rows]
        gold[rows] = 2 * (kept[end] - kept[start]) >= np.maximum(end - start, 1)
    return gold
