"""Put the best results of a search in the order in which a reader would have them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from laconic import _core

if TYPE_CHECKING:
    from laconic.decode import Decoded

#: Of so many results of a sentence the best is chosen; further ones, where they are asked for, come after them, so that
#: the first does not depend on how many are asked for.
CANDIDATES: Final = 8


def rank(decoded: Decoded, missed: Callable[[NDArray[np.int64]], NDArray[np.float64]], k: int) -> Decoded:
    """The k first of each sentence's results by their scores and by what is missing in them, which makes new scores.

    `missed` says what results lose of their scores: 0 or less. Where one result is asked for, only those are read that
    could still be the best.
    """
    ptr, score = decoded.result_ptr, decoded.score
    counts = np.diff(ptr)
    sentence = np.repeat(np.arange(len(counts)), counts)
    place = np.arange(len(score)) - ptr[sentence]
    worth = score.copy()
    first = ptr[:-1][counts > 0]
    worth[first] += missed(first)
    read = place > 0
    if k == 1:
        read &= score > worth[ptr[sentence]]
    rest = np.flatnonzero(read)
    worth[rest] += missed(rest)
    worth[(place > 0) & ~read] = -np.inf  # they cannot be the best
    order = np.lexsort((place, -worth, place >= CANDIDATES, sentence))
    kept = order[place < k]
    new = np.concatenate([[0], np.cumsum(np.minimum(counts, k))]).astype(np.int64)
    return _core.pick([decoded], new, np.zeros(len(kept), np.int32), kept.astype(np.int64), worth[kept])
