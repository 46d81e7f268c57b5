"""Choose one version of each sentence of a text: the k best choices whose total length is within bounds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

import numpy as np

from laconic import _core
from laconic.document.choose import Offers, TooShort, choose
from laconic.errors import LaconicError

#: Scores are fixed-point numbers, so that sums do not depend on the order.
_SCALE: Final = 1 << 16
#: Reserves digits below the scores: of choices with equal scores, the one whose first sentences are longer wins.
_TIES: Final = 1 << 18
#: The maximum number of entries in the table for k choices: a quarter of a gigabyte.
_MAX_TABLE: Final = 1 << 25


def choose_versions(
    lengths: Sequence[Sequence[int]], scores: Sequence[Sequence[float]], least: int, most: int, k: int = 1
) -> list[tuple[int, ...]]:
    """Up to k choices of one version of each sentence, those with the highest sum of scores first.

    Their total length is from `least` to `most`; the result is empty if there is none. The choice is exact.
    """
    orders = [sorted(range(len(own)), key=own.__getitem__) for own in lengths]
    values = [_values(own, order, len(scores) - i) for i, (own, order) in enumerate(zip(scores, orders, strict=True))]
    length = np.array([own[o] for own, order in zip(lengths, orders, strict=True) for o in order], dtype=np.int64)
    value = np.array([each for own in values for each in own], dtype=np.int64)
    option_ptr = np.array([0, *accumulate(map(len, lengths))], dtype=np.int64)
    most = min(most, sum(map(max, lengths)))
    if k == 1:
        items = len(lengths)
        found = choose(
            Offers(
                item_ptr=np.arange(items + 1),
                option_ptr=option_ptr,
                length=length,
                value=value,
                setup=np.zeros(items, dtype=np.int64),
                required=np.ones(items, dtype=np.uint8),
            ),
            most,
        )
        if isinstance(found, TooShort):
            return []
        if found.length >= least:
            return [tuple(order[o] for order, o in zip(orders, found.options.tolist(), strict=True))]
    if (len(length) + 1) * (most + 1) > _MAX_TABLE:
        asked = "a minimum" if k == 1 else f"{k} compressions"
        raise LaconicError(
            f"a text of {len(lengths)} sentences is too long for {asked} within one budget: ask for one compression "
            "and a maximum, or give a budget for every sentence (each_sentence=True)",
            each_sentence=True,
        )
    chosen = _core.choose_k_best(option_ptr, length.astype(np.int32), value, least, most, k)
    return [tuple(order[o] for order, o in zip(orders, choice, strict=True)) for choice in chosen]


def _values(scores: Sequence[float], order: Sequence[int], weight: int) -> list[int]:
    """Scores in this order as non-negative integers, with a tie-breaking bonus below the last digit."""
    worst = min(scores)
    return [round((scores[o] - worst) * _SCALE) * _TIES + min(weight * i, _TIES - 1) for i, o in enumerate(order)]
