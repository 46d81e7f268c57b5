"""One metric of one system by sentence: its score, its confidence interval, and comparisons with other systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic.errors import LaconicError
from laconic.metrics.signature import comparison_signature, interval_signature
from laconic.records import JsonRecord

#: The default numbers of resamples of an interval and trials of a paired test, and the seed of both.
SAMPLES: Final = 1000
TRIALS: Final = 10_000
SEED: Final = 12345
LEVEL: Final = 0.95
#: The maximum number of resamples or trials.
MOST_SAMPLES: Final = 1_000_000

#: The maximum number of random numbers in memory, whatever the number of sentences and samples.
_DRAWN: Final = 1 << 20
#: The number of values whose subsets are drawn together, so that the table of their sums fits into the cache.
_BLOCK: Final = 1 << 13
#: The members of each of the 256 subsets of eight numbers, one subset per column.
_SUBSETS: Final = np.unpackbits(np.arange(256, dtype=np.uint8)[None], axis=0).astype(np.float64)


@dataclass(frozen=True, slots=True)
class Interval(JsonRecord):
    """A confidence interval of a score, from percentiles of resampled scores."""

    low: float
    high: float
    level: float
    samples: int
    seed: int


@dataclass(frozen=True, slots=True)
class Comparison(JsonRecord):
    """The difference between two systems in one metric, on the same sentences."""

    name: str
    signature: str  # of the metric, the test and the interval
    difference: float  # a − b
    low: float  # of the 95% interval of the difference
    high: float
    p: float  # probability of a difference at least as large, two-sided, under the null hypothesis
    trials: int
    samples: int
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """The values of one metric for one system, by sentence.

    Without denominators, the score is the mean of the numerators (macro average). With denominators, it is the sum of
    the numerators divided by the sum of the denominators (micro average).
    """

    name: str
    signature: str
    numerator: NDArray[np.float64]
    denominator: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        for column in (self.numerator, self.denominator):
            if column is None:
                continue
            if column.shape != (len(self.numerator),) or not len(column) or not np.isfinite(column).all():
                raise LaconicError(f"{self.name}: no score for this: give a finite number for each of some sentences")
        if self.denominator is not None and not (self.denominator.min() >= 0 and self.denominator.sum() > 0):
            raise LaconicError(f"{self.name}: no score for this: give denominators that are at least 0 and not all 0")

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.numerator)

    @property
    def value(self) -> float:
        """The score."""
        total = len(self) if self.denominator is None else self.denominator.sum()
        return float(self.numerator.sum() / total)

    def interval(self, *, samples: int = SAMPLES, seed: int = SEED, level: float = LEVEL) -> Interval:
        """The interval of the middle `level` of the scores of `samples` resamples of the sentences."""
        check_sampling(samples, seed)
        if not 0 < level < 1:
            raise LaconicError(f"level is {level}: give a share between 0 and 1, such as {LEVEL}")
        low, high = _middle(_resampled_scores(self, samples, seed), level)
        return Interval(low, high, level, samples, seed)

    def to_dict(self) -> dict[str, Any]:
        """The score as JSON-ready data."""
        return {"name": self.name, "signature": self.signature, "sentences": len(self), "value": self.value}

    def interval_signature(self, *, samples: int = SAMPLES, seed: int = SEED) -> str:
        """The signature of the score with its interval."""
        return interval_signature(self.signature, samples=samples, seed=seed)


def compare(a: Series, b: Series, *, samples: int = TRIALS, seed: int = SEED, resamples: int = SAMPLES) -> Comparison:
    """Test whether two systems differ in a metric, by paired approximate randomisation (Noreen 1989).

    In each of `samples` trials, the two outputs for each sentence are swapped at random. p is the share of trials,
    including the observed one, with an absolute difference at least as large as the observed one. The interval of the
    difference comes from `resamples` bootstrap samples of the sentences, the same for both systems.
    """
    check_sampling(samples, seed)
    check_sampling(resamples, seed)
    if len(a) != len(b):
        raise LaconicError(
            f"{a.name}: cannot compare scores of {len(a)} and {len(b)} sentences: score both on the same"
        )
    if a.signature != b.signature:
        raise LaconicError(f"cannot compare {a.signature} with {b.signature}: score both with the same settings")
    difference = a.value - b.value
    swapped = np.abs(_swapped_differences(a, b, samples, seed))
    # Equal differences may differ by rounding, as sums are in another order: count them as equal.
    as_large = int((swapped >= abs(difference) * (1 - 1e-9) - 1e-12).sum())
    low, high = _middle(_resampled_differences(a, b, resamples, seed), LEVEL)
    return Comparison(
        name=a.name,
        signature=comparison_signature(a.signature, trials=samples, samples=resamples, seed=seed),
        difference=difference,
        low=low,
        high=high,
        p=(as_large + 1) / (samples + 1),
        trials=samples,
        samples=resamples,
        seed=seed,
    )


def check_sampling(samples: int, seed: int, most: int = MOST_SAMPLES) -> None:
    """Refuse invalid numbers of samples or seeds."""
    if not 1 <= samples <= most:
        raise LaconicError(f"{samples} samples: give a number from 1 to {most:,}, such as {SAMPLES}")
    if seed < 0:
        raise LaconicError(f"the seed is {seed}: give 0 or more")


def _middle(scores: NDArray[np.float64], level: float) -> tuple[float, float]:
    low, high = np.quantile(scores, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return low, high


def _resampled_scores(series: Series, samples: int, seed: int) -> NDArray[np.float64]:
    tops = _resampled_sums(series.numerator, samples, seed)
    if series.denominator is None:
        return tops / len(series)
    # A resample with only zero denominators has no score; it is very unlikely, and scores 0.
    bottoms = _resampled_sums(series.denominator, samples, seed)
    return np.divide(tops, bottoms, out=np.zeros_like(tops), where=bottoms > 0)


def _resampled_differences(a: Series, b: Series, samples: int, seed: int) -> NDArray[np.float64]:
    if a.denominator is None:
        return _resampled_sums(a.numerator - b.numerator, samples, seed) / len(a)
    return _resampled_scores(a, samples, seed) - _resampled_scores(b, samples, seed)


def _resampled_sums(column: NDArray[np.float64], samples: int, seed: int) -> NDArray[np.float64]:
    """The sums of resamples of a column; the same seed draws the same sentences for every column."""
    generator = np.random.default_rng(seed)
    n = len(column)
    sums = np.empty(samples)
    step = max(1, _DRAWN // n)
    for first in range(0, samples, step):
        rows = min(step, samples - first)
        sums[first : first + rows] = column[generator.integers(0, n, size=(rows, n), dtype=np.int32)].sum(axis=1)
    return sums


def _swapped_differences(a: Series, b: Series, samples: int, seed: int) -> NDArray[np.float64]:
    """The difference a − b after swapping the systems' outputs for random sentences, `samples` times."""
    top = a.numerator - b.numerator
    if a.denominator is None or b.denominator is None:
        halves = _random_half_sums(top[top != 0], samples, seed)  # swapping zeros changes nothing
        macro: NDArray[np.float64] = (top.sum() - 2 * halves) / len(a)
        return macro
    bottom = a.denominator - b.denominator
    changed = (top != 0) | (bottom != 0)
    tops = _random_half_sums(top[changed], samples, seed)
    bottoms = _random_half_sums(bottom[changed], samples, seed)
    micro: NDArray[np.float64] = (a.numerator.sum() - tops) / (a.denominator.sum() - bottoms)
    micro -= (b.numerator.sum() + tops) / (b.denominator.sum() + bottoms)
    return micro


def _random_half_sums(column: NDArray[np.float64], samples: int, seed: int) -> NDArray[np.float64]:
    """The sums of random subsets of a column, each number included with probability ½; same seed, same subsets.

    A random byte selects a subset of eight numbers, whose sum is looked up, which is faster than adding them.
    """
    generator = np.random.default_rng(seed)
    sums = np.zeros(samples)
    for start in range(0, len(column), _BLOCK):
        block = column[start : start + _BLOCK]
        eights = np.pad(block, (0, -len(block) % 32)).reshape(-1, 8)  # padded to whole 32-bit random numbers
        table = (eights @ _SUBSETS).ravel()
        offsets = np.arange(0, len(table), 256)
        step = max(1, _DRAWN // len(offsets))
        for first in range(0, samples, step):
            rows = min(step, samples - first)
            drawn = generator.integers(0, 1 << 32, size=(rows, len(offsets) // 4), dtype=np.uint32).view(np.uint8)
            sums[first : first + rows] += table[drawn + offsets].sum(axis=1)
    return sums
