"""Tables of scores as text, JSON or LaTeX: values with intervals, paired tests, signatures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from laconic.errors import LaconicError
from laconic.known_names import unknown_name
from laconic.metrics.series import (
    LEVEL,
    MOST_SAMPLES,
    SAMPLES,
    SEED,
    Comparison,
    Interval,
    Series,
    check_sampling,
    compare,
)

#: The formats of tables.
FORMATS: Final = ("text", "json", "latex")
#: The number of trials of a test for each sample of an interval.
TRIALS_PER_SAMPLE: Final = 10

_SIGNIFICANT: Final = 0.05
_LATEX: Final = str.maketrans(
    {
        "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "&": r"\&", "%": r"\%",
        "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}", "<": r"\textless{}", ">": r"\textgreater{}",
        "|": r"\textbar{}", '"': "''",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Score:
    """A metric's score for a system, with its interval."""

    series: Series
    interval: Interval
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """The score as JSON-ready data."""
        return {
            **self.series.to_dict(),
            "low": self.interval.low,
            "high": self.interval.high,
            "level": self.interval.level,
            "signature": self.signature,
        }


@dataclass(frozen=True, slots=True)
class System:
    """A system's scores, and their differences from those of the first system."""

    name: str
    scores: tuple[Score, ...]
    comparisons: tuple[Comparison, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Systems in the given order; each after the first is compared with the first."""

    systems: tuple[System, ...]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The table as JSON-ready data, unrounded."""
        first = self.systems[0].name
        return {
            "systems": [
                {"name": system.name, "scores": [score.to_dict() for score in system.scores]} for system in self.systems
            ],
            "comparisons": [
                {"system": system.name, "against": first, **comparison.to_dict()}
                for system in self.systems
                for comparison in system.comparisons
            ],
            "notes": list(self.notes),
        }

    def render(self, format: str) -> str:  # noqa: A002 - the name of the option
        """The table in one of `FORMATS`."""
        if format == "text":
            return self.as_text()
        if format == "latex":
            return self.as_latex()
        if format == "json":
            return json.dumps(self.to_dict(), ensure_ascii=False, indent=1)
        raise unknown_name("format", format, FORMATS)

    def as_text(self) -> str:
        """A block for each system, then the comparisons, then the signatures."""
        blocks = [
            [system.name, *(_score_line(score, self._width) for score in system.scores)] for system in self.systems
        ]
        blocks += [
            [
                f"{system.name}, difference from {self.systems[0].name}",
                *(_comparison_line(comparison, self._width) for comparison in system.comparisons),
            ]
            for system in self.systems
            if system.comparisons
        ]
        blocks.append([*self.notes, *self._legend()])
        return "\n\n".join("\n".join(lines) for lines in blocks)

    def as_latex(self) -> str:
        """A `tabular` for the package booktabs, a row for each system; signatures and p follow as comments."""
        names = list(dict.fromkeys(score.series.name for system in self.systems for score in system.scores))
        lines = [
            r"% \usepackage{booktabs}",
            rf"\begin{{tabular}}{{l{'c' * len(names)}}}",
            r"\toprule",
            " & ".join(["", *map(_latex, names)]) + r" \\",
            r"\midrule",
        ]
        for system in self.systems:
            cells = {score.series.name: _latex_cell(score, system.comparisons) for score in system.scores}
            # The braces keep a name that begins with [ or * from being parsed as an argument of the preceding \\.
            lines.append(
                " & ".join([f"{{{_latex(system.name)}}}", *(cells.get(name, "--") for name in names)]) + r" \\"
            )
        lines += [r"\bottomrule", r"\end{tabular}"]
        comments = [
            f"{system.name}, difference from {self.systems[0].name}: {' '.join(_comparison_line(each, 0).split())}"
            for system in self.systems
            for each in system.comparisons
        ]
        lines += ["% " + " ".join(comment.split()) for comment in [*comments, *self.notes, *self._legend()]]
        return "\n".join(lines)

    @property
    def _width(self) -> int:
        return max((len(score.series.name) for system in self.systems for score in system.scores), default=0)

    def _legend(self) -> list[str]:
        signatures: dict[str, dict[str, str]] = {}  # by metric: signature, first system with it
        for system in self.systems:
            for score in system.scores:
                signatures.setdefault(score.series.name, {}).setdefault(score.signature, system.name)
        lines = [f"[…]: {LEVEL:.0%} interval, bootstrap over sentences"]
        trials = next((each.trials for system in self.systems for each in system.comparisons), 0)
        if trials:
            lines.append(f"p: two-sided, paired approximate randomisation, {trials} trials; *: p < {_SIGNIFICANT}")
        for name, own in signatures.items():
            lines += [
                f"{name if len(own) == 1 else f'{name} ({system})'}: {signature}" for signature, system in own.items()
            ]
        return lines


def check_samples(samples: int, seed: int) -> None:
    """Refuse invalid numbers of samples or seeds."""
    check_sampling(samples, seed, MOST_SAMPLES // TRIALS_PER_SAMPLE)


def make_table(
    systems: Iterable[tuple[str, Sequence[Series]]],
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    notes: Sequence[str] = (),
) -> Table:
    """The scores of some systems with their intervals, and paired tests of each system against the first.

    Only scores with the same signature are compared. The tests take ten times as many trials as the intervals samples.
    """
    check_samples(samples, seed)
    made: list[System] = []
    baseline: dict[str, Series] = {}
    for name, own in systems:
        scores = tuple(
            Score(each, each.interval(samples=samples, seed=seed), each.interval_signature(samples=samples, seed=seed))
            for each in own
        )
        comparisons = tuple(
            compare(each, baseline[each.signature], samples=TRIALS_PER_SAMPLE * samples, resamples=samples, seed=seed)
            for each in own
            if each.signature in baseline
        )
        if not made:
            baseline = {each.signature: each for each in own}
        made.append(System(name, scores, comparisons))
    if not made:
        raise LaconicError("there is nothing to tabulate: give the scores of one system or more")
    return Table(tuple(made), tuple(notes))


def _score_line(score: Score, width: int) -> str:
    low, high = score.interval.low, score.interval.high
    return f"  {score.series.name:<{width}}  {score.series.value:>7.4f}  [{low:.4f}, {high:.4f}]"


def _comparison_line(comparison: Comparison, width: int) -> str:
    mark = " *" if comparison.p < _SIGNIFICANT else ""
    return (
        f"  {comparison.name:<{width}}  {comparison.difference:+.4f}  "
        f"[{comparison.low:+.4f}, {comparison.high:+.4f}]  p = {comparison.p:.4f}{mark}"
    )


def _latex_cell(score: Score, comparisons: Sequence[Comparison]) -> str:
    differs = any(each.name == score.series.name and each.p < _SIGNIFICANT for each in comparisons)
    low, high = score.interval.low, score.interval.high
    return rf"{score.series.value:.4f}{'$^{*}$' if differs else ''} {{\scriptsize [{low:.4f}, {high:.4f}]}}"


def _latex(text: str) -> str:
    """Escape text for LaTeX, on one line."""
    printable = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(printable.split()).translate(_LATEX).replace("--", "-{}-").replace("--", "-{}-")
