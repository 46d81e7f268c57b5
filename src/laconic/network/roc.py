"""The area under the ROC curve."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def area(scores: NDArray[Any], right: NDArray[np.bool_]) -> float:
    """The probability that a case that is right has a higher score than one that is not."""
    ranks = np.empty(len(scores))
    ranks[scores.argsort(kind="stable")] = np.arange(1, len(scores) + 1)
    of = right.sum()
    return float((ranks[right].sum() - of * (of + 1) / 2) / (of * (len(scores) - of)))
