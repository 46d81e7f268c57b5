"""Inter-rater agreement: intra-class correlation (Shrout & Fleiss 1979) over the rated texts.

If all texts have the same raters, these are a random sample of raters who each rated everything: ICC(2,·). Otherwise,
ICC(1,·) is used, over the texts with the same number of ratings (the number that retains most ratings). (·,1) is the
reliability of a single rater, (·,k) that of the mean of k raters. Verbal labels are from Cicchetti (1994).
"""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from laconic.rate.database import Scale

#: The minimum number of ratings: with fewer, agreement is meaningless, and pingouin fails.
_LEAST_RATINGS: Final = 5


@dataclass(frozen=True, slots=True)
class Correlation:
    """An intra-class correlation with its 95% confidence interval."""

    form: str
    value: float
    low: float | None
    high: float | None

    @property
    def word(self) -> str:
        """Cicchetti's label for the correlation, rounded to two digits as printed."""
        rounded = round(self.value, 2)
        return next((w for w, below in (("poor", 0.4), ("fair", 0.6), ("good", 0.75)) if rounded < below), "excellent")


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of raters on a scale; without correlations if there is a `reason`."""

    scale: Scale
    texts: int
    raters: int  # for each text
    left_out: int  # texts excluded as they have another number of ratings
    single: Correlation | None
    average: Correlation | None
    reason: str = ""


def agreement(scale: Scale, texts: Iterable[Mapping[str, int]]) -> Agreement:
    """Intra-class correlation over texts, each with its raters' values."""
    rated = [values for values in texts if values]
    sizes = Counter(len(values) for values in rated)
    several = [size for size in sizes if size > 1]
    if not several:
        reason = "no text has two raters" if rated else "no ratings"
        return Agreement(scale, 0, min(len(rated), 1), len(rated), None, None, reason)
    size = max(several, key=lambda size: (size * sizes[size], size))
    used = [values for values in rated if len(values) == size]
    crossed = len({frozenset(values) for values in rated}) == 1
    # ICC(1,·) does not depend on the raters, so any order will do.
    rows = [[values[rater] for rater in sorted(values)] for values in used]
    found: dict[str, Correlation] = {}
    reason = ""
    if len(rows) < 2 or size * len(rows) < _LEAST_RATINGS:
        reason = "too few texts that several raters rated"
    elif len({value for row in rows for value in row}) == 1:
        reason = "all ratings are the same"
    else:
        found = intraclass_correlations(rows)
        reason = "" if found else "not defined for these ratings"
    model = "2" if crossed else "1"
    single, average = found.get(f"ICC({model},1)"), found.get(f"ICC({model},k)")
    return Agreement(scale, len(rows), size, len(rated) - len(rows), single, average, reason)


def intraclass_correlations(rows: Sequence[Sequence[float]]) -> dict[str, Correlation]:
    """All six correlations of a complete table (rows are targets, columns are judges), by Shrout & Fleiss' names."""
    import pandas
    import pingouin

    table = [(target, judge, float(value)) for target, row in enumerate(rows) for judge, value in enumerate(row)]
    frame = pandas.DataFrame(table, columns=["target", "judge", "value"])
    with np.errstate(all="ignore"), warnings.catch_warnings():
        # Users cannot fix pingouin's own use of pandas.
        warnings.filterwarnings("ignore", category=DeprecationWarning, module=r"pingouin\.")
        warnings.filterwarnings("ignore", category=FutureWarning, module=r"pingouin\.")
        found = pingouin.intraclass_corr(frame, targets="target", raters="judge", ratings="value")
    names = {"A": "2", "C": "3"}  # "ICC(A,1)": McGraw & Wong's names for absolute agreement and consistency
    correlations = {}
    for form, value, interval in zip(found["Type"], found["ICC"], found["CI95"], strict=True):
        ours = form[:4] + names.get(form[4], form[4]) + form[5:]
        low, high = (float(end) if math.isfinite(end) else None for end in interval)
        if math.isfinite(value):
            correlations[ours] = Correlation(ours, float(value), low, high)
    return correlations
