"""Statistics of ratings: means for each system and rank, tests against a baseline, agreement between raters.

- **mean**: the mean of the items' means, so that every item has the same weight, however many raters it had. A text
  that several systems printed counts for each of them.
- **test**: paired t-test, two-sided, over the items that have ratings for both systems at the same rank; a pair
  consists of an item's mean ratings for the two systems. All systems are rated on the same items, so pairing removes
  the difficulty of the items. "Better" is a higher mean with p < .05.
- **agreement**: intra-class correlation over the rated texts (`laconic.rate.agreement`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from laconic.errors import LaconicError
from laconic.rate.agreement import Agreement, agreement
from laconic.rate.database import SCALES, Rating, Scale, Store
from laconic.rate.items import Item

GOLD: Final = "extractive"
BASELINE: Final = "ilp"
#: The order of systems in the paper's tables; other systems follow alphabetically.
ORDER: Final = (GOLD, BASELINE, "topdown", "nss")
ALPHA: Final = 0.05


@dataclass(frozen=True, slots=True)
class Comparison:
    """The test of a system against the baseline at the same rank; without t and p if there is a `reason`."""

    items: int
    difference: float | None
    t: float | None
    p: float | None
    better: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """The result of one system on one scale for its compressions of one rank."""

    system: str
    k: int
    scale: Scale
    mean: float | None
    items: int
    ratings: int
    test: Comparison | None  # None for the baseline, and without a baseline


@dataclass(frozen=True, slots=True)
class Progress:
    """A rater's progress in the study."""

    rater: str
    ratings: int
    of: int


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that `laconic ratings` prints."""

    items: int
    rated_items: int
    ratings: int
    raters: tuple[Progress, ...]
    baseline: str | None
    systems: tuple[str, ...]
    cells: tuple[Cell, ...]
    agreement: tuple[Agreement, ...]

    def cell(self, system: str, k: int, scale: Scale) -> Cell | None:
        """The cell of a system, rank and scale, if the items have such outputs."""
        wanted = (system, k, scale)
        return next((each for each in self.cells if (each.system, each.k, each.scale) == wanted), None)

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON-ready data."""
        report = asdict(self)
        for mine, its in zip(self.agreement, report["agreement"], strict=True):
            its["word"] = mine.single.word if mine.single else None
        return report


def make_report(db: Path, baseline: str | None = None) -> Report:
    """Summarise a database of ratings, finished or not. The default baseline is `ilp`, if it exists."""
    with Store.read(db) as store:
        items, ratings = store.items, store.ratings()
    named = {output.system for item in items for output in item.outputs}
    systems = tuple(sorted(named, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name)))
    if baseline is not None and baseline not in named:
        raise LaconicError(
            f"{db} has no system {baseline!r}: give one of {', '.join(systems)} as baseline", baseline=None
        )
    if baseline is None and BASELINE in named:
        baseline = BASELINE
    of_text: dict[tuple[int, int, Scale], dict[str, int]] = defaultdict(dict)
    for rating in ratings:
        of_text[rating.item, rating.text, rating.scale][rating.rater] = rating.value
    return Report(
        items=len(items),
        rated_items=len({rating.item for rating in ratings}),
        ratings=len(ratings),
        raters=_progress(items, ratings),
        baseline=baseline,
        systems=systems,
        cells=tuple(_cells(items, of_text, systems, baseline)),
        agreement=tuple(
            agreement(scale, [values for (_, _, its), values in of_text.items() if its == scale]) for scale in SCALES
        ),
    )


def paired_test(system: Sequence[float], baseline: Sequence[float]) -> Comparison:
    """Paired t-test of a system's items against the baseline's, two-sided."""
    from scipy import stats

    differences = np.asarray(system, dtype=np.float64) - np.asarray(baseline, dtype=np.float64)
    count = len(differences)
    difference = float(differences.mean()) if count else None
    if count < 2:
        return Comparison(count, difference, None, None, False, "fewer than two items in common")
    if np.ptp(differences) < 1e-9:  # equal for every item: no variance to test against
        return Comparison(count, difference, None, None, False, "the same difference in every item")
    result = stats.ttest_rel(system, baseline)
    t, p = float(result.statistic), float(result.pvalue)
    return Comparison(count, difference, t, p, t > 0 and p < ALPHA)


def _progress(items: Sequence[Item], ratings: Iterable[Rating]) -> tuple[Progress, ...]:
    of = len(SCALES) * sum(len(item.texts) for item in items)
    return tuple(Progress(name, count, of) for name, count in Counter(rating.rater for rating in ratings).items())


def _cells(
    items: Sequence[Item],
    of_text: Mapping[tuple[int, int, Scale], Mapping[str, int]],
    systems: Sequence[str],
    baseline: str | None,
) -> Iterable[Cell]:
    values: dict[tuple[str, int, Scale], dict[int, list[int]]] = defaultdict(dict)  # by item
    for number, item in enumerate(items):
        texts = {text: place for place, text in enumerate(item.texts)}
        for output in item.outputs:
            for scale in SCALES:
                of_item = values[output.system, output.k, scale]
                if given := of_text.get((number, texts[output.text], scale)):
                    of_item[number] = list(given.values())
    means = {key: {number: float(np.mean(given)) for number, given in of.items()} for key, of in values.items()}
    for key in sorted(values, key=lambda key: (systems.index(key[0]), key[1], SCALES.index(key[2]))):
        system, k, scale = key
        own = means[key]
        test = None
        if baseline is not None and system != baseline:
            its = means.get((baseline, k, scale), {})
            common = sorted(own.keys() & its.keys())
            test = paired_test([own[number] for number in common], [its[number] for number in common])
        mean = float(np.mean(list(own.values()))) if own else None
        yield Cell(system, k, scale, mean, len(own), sum(map(len, values[key].values())), test)
