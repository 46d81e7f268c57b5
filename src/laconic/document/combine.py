"""The ways to print a block: which option of each of its sentences, or which of its rows, by length and worth.

A block's sentences stand beside each other with a separator between them. Its ways are all that no other is better
than: longer and worth more, one after another. A table has one way for every number of rows: the best ones of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Ways:
    """The ways to print a block, ascending in length and value; the first may be to print nothing."""

    length: NDArray[np.int64]
    value: NDArray[np.int64]
    # Sentence by sentence, in order: the way of the sentences before it that each way builds on, and the sentence's own
    # option, -1 where it is left out. Small numbers: a long document has many of them.
    steps: tuple[tuple[NDArray[np.int32], NDArray[np.signedinteger[Any]]], ...]

    def options(self, way: int) -> list[int]:
        """The options of the sentences in one of the ways."""
        found = []
        for before, option in reversed(self.steps):
            found.append(int(option[way]))
            way = int(before[way])
        return found[::-1]


def combine(
    lengths: Sequence[Sequence[int]],
    values: Sequence[Sequence[int]],
    required: Sequence[bool],
    separator: int,
    most: int | None = None,
) -> Ways:
    """The ways to print a block whose sentences have options of these lengths and values, up to a length `most`."""
    length = np.zeros(1, dtype=np.int64)
    value = np.zeros(1, dtype=np.int64)
    steps = []
    for own_lengths, own_values, must in zip(lengths, values, required, strict=True):
        option: NDArray[np.signedinteger[Any]] = np.arange(-1, len(own_lengths), dtype=np.int32)
        option = option.astype(np.int8) if len(own_lengths) < 128 else option
        add = np.array([0, *own_lengths], dtype=np.int64)
        worth = np.array([0, *own_values], dtype=np.int64)
        total = length[:, None] + add + np.where((length[:, None] > 0) & (option >= 0), separator, 0)
        gain = value[:, None] + worth
        if must:
            total, gain, option = total[:, 1:], gain[:, 1:], option[1:]
        keep = _undominated(total.ravel(), gain.ravel())
        if most is not None and len(shorter := keep[total.ravel()[keep] <= most]):
            keep = shorter
        before, chosen = np.divmod(keep, len(option))
        length, value = total.ravel()[keep], gain.ravel()[keep]
        steps.append((before.astype(np.int32), option[chosen]))
    return Ways(length, value, tuple(steps))


@dataclass(frozen=True, slots=True)
class RowWays:
    """The ways to print a table, ascending in length and value: way `w` has the first `least + w` rows of `order`."""

    length: NDArray[np.int64]
    value: NDArray[np.int64]
    order: NDArray[np.int64]  # the rows, those that must stay first, then the best ones
    least: int
    rows: int  # with those that must go

    def options(self, way: int) -> list[int]:
        """Of every row 0, or -1 where it is left out."""
        found = np.full(self.rows, -1)
        found[self.order[: self.least + way]] = 0
        return found.tolist()


def combine_rows(
    head: int, lengths: Sequence[int], values: Sequence[int], required: Sequence[bool], gone: Sequence[bool]
) -> RowWays:
    """The ways to print a table of these rows below a head of that length, which stays with any of them."""
    length, value = np.array(lengths, dtype=np.int64), np.array(values, dtype=np.int64)
    must, can = np.array(required, dtype=bool), ~np.array(gone, dtype=bool)
    density = value / np.maximum(length, 1)
    order = np.lexsort((np.arange(len(length)), -density, ~must))
    order = order[can[order]]
    least = max(int((must & can).sum()), 1)
    lengths_of = head + np.cumsum(length[order])[least - 1 :]
    return RowWays(lengths_of, np.cumsum(value[order])[least - 1 :], order, least, len(length))


def _undominated(length: NDArray[np.int64], value: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of those that are worth more than everything that is no longer than they are, by length."""
    order = np.lexsort((-value, length))
    best = np.maximum.accumulate(value[order])
    chosen: NDArray[np.int64] = order[np.concatenate([[True], best[1:] > best[:-1]])]
    return chosen
