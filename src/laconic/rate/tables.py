"""Format a report on ratings as text or LaTeX: the paper's two tables, and a sentence on agreement for each scale."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from laconic.rate.agreement import Agreement, Correlation
from laconic.rate.database import SCALES
from laconic.rate.statistics import GOLD, Comparison, Report

_NONE: Final = "–"
#: The paper's names of its systems.
_LATEX_NAMES: Final = {"extractive": "Extractive", "ilp": "ILP", "topdown": "Top-down", "nss": "Top-down + NSS"}
_LATEX_ESCAPES: Final = str.maketrans(
    {char: f"\\{char}" for char in "&%$#_{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
)


def as_text(report: Report) -> str:
    """The report for a terminal."""
    parts = [
        _counts(report),
        "Best compressions (k = 1)\n\n"
        + _aligned([["system", *SCALES, "items", "ratings"], *([name, *row] for name, row in _best(report))], "<>>>>"),
        "The k best: readability / informativeness\n\n"
        + _aligned([["k", "items", *_ranked(report)], *_by_rank(report, "†")], ">>" + "<" * len(_ranked(report)))
        + "\n\n"
        + "\n".join(_notes(report)),
        "Agreement (intra-class correlation of Shrout & Fleiss 1979, 95% interval; words of Cicchetti 1994)\n\n"
        + "\n".join(_agreement(report)),
    ]
    return "\n\n".join(parts)


def as_latex(report: Report) -> str:
    """The report as two LaTeX tables and the sentences on agreement."""
    best = []
    for name, row in _best(report):
        best.append(f"      {_latex_name(name)} & {' & '.join(row)} \\\\")
        if name == GOLD and len(report.systems) > 1:
            best.append(r"      \hline")
    ranked = _ranked(report)
    rows = [f"      {k} & {' & '.join(cells)} \\\\" for k, _, *cells in _by_rank(report, r"$^\dagger$")]
    caption = "Readability and informativeness of the $k$ best compressions."
    if report.baseline:
        name = _latex_name(report.baseline)
        caption = caption[:-1] + f"; $^\\dagger$: better than {name} at 95\\% confidence (paired $t$-test over items)."
    lines = [
        *(f"% {line}" for line in _counts(report).splitlines()),
        *_table(
            "l|ll|rr",
            r"       & Readability & Informativeness & Items & Ratings \\",
            best,
            "Results of the manual evaluation ($k = 1$).",
            "table:results:manual",
        ),
        "",
        *_table(
            "l|" + "c" * len(ranked),
            f"      \\emph{{k}} & {' & '.join(map(_latex_name, ranked))} \\\\",
            rows,
            caption,
            "table:results:manualtopn",
        ),
        "",
        *(_sentence(each) for each in report.agreement),
    ]
    return "\n".join(lines).replace(_NONE, "--")


def _counts(report: Report) -> str:
    raters = f"{len(report.raters)} rater{'' if len(report.raters) == 1 else 's'}"
    lines = [f"{raters}, {report.rated_items:,} of {report.items:,} items, {report.ratings:,} ratings"]
    rows = [[f"  {p.rater}", f"{p.ratings:,} of {p.of:,}", f"{100 * p.ratings // p.of}%"] for p in report.raters]
    return "\n".join([*lines, *([_aligned(rows, "<>>")] if rows else [])])


def _best(report: Report) -> list[tuple[str, list[str]]]:
    """The paper's first table: systems with their results at rank 1."""
    rows = []
    for system in report.systems:
        cells = [cell for scale in SCALES if (cell := report.cell(system, 1, scale))]
        if cells:
            items, ratings = max(cell.items for cell in cells), sum(cell.ratings for cell in cells)
            rows.append((system, [*(_number(cell.mean) for cell in cells), f"{items:,}", f"{ratings:,}"]))
    return rows


def _ranked(report: Report) -> list[str]:
    """The systems of the second table; as in the paper, the gold has no ranks."""
    return [system for system in report.systems if system != GOLD]


def _by_rank(report: Report, dagger: str) -> list[list[str]]:
    """The paper's second table: for each k, the number of items and every system's means."""
    rows = []
    for k in sorted({cell.k for cell in report.cells if cell.system != GOLD}):
        pairs = [[report.cell(system, k, scale) for scale in SCALES] for system in _ranked(report)]
        texts = [
            " / ".join(_number(c.mean) + (dagger if c.test and c.test.better else "") if c else _NONE for c in pair)
            for pair in pairs
        ]
        items = [max(cell.items for cell in pair if cell) for pair in pairs if any(pair)]
        low, high = min(items), max(items)
        rows.append([str(k), f"{low:,}" if low == high else f"{low:,}–{high:,}", *texts])
    return rows


def _tests(report: Report) -> list[Comparison]:
    return [cell.test for cell in report.cells if cell.test and cell.system != GOLD]


def _notes(report: Report) -> list[str]:
    if report.baseline is None:
        return ["no daggers: there is no system ilp; give another baseline"]
    lines = [f"† better than {report.baseline} at the same k (paired t-test over items, two-sided, p < .05)"]
    tests = _tests(report)
    reasons = Counter(test.reason for test in tests if test.reason)
    lines += [f"{_NONE} {count} of {len(tests)} comparisons without a test: {why}" for why, count in reasons.items()]
    return lines


def _agreement(report: Report) -> list[str]:
    head = ["scale", "one rater", "mean of raters", "reliability", "texts", "raters", "left out"]
    rows = [
        [
            each.scale,
            _correlation(each.single),
            _correlation(each.average),
            each.single.word if each.single else _NONE,
            *(f"{count:,}" for count in (each.texts, each.raters, each.left_out)),
        ]
        for each in report.agreement
    ]
    lines = [_aligned([head, *rows], "<<<<>>>")]
    lines += [f"{_NONE} no correlation for {each.scale}: {each.reason}" for each in report.agreement if each.reason]
    if any(each.left_out for each in report.agreement):
        lines.append("left out: texts with another number of ratings")
    return lines


def _correlation(correlation: Correlation | None) -> str:
    return f"{correlation.form} {_number(correlation.value)} {_interval(correlation)}" if correlation else _NONE


def _interval(correlation: Correlation) -> str:
    if correlation.low is None or correlation.high is None:
        return f"[{_NONE}]"  # perfect agreement: no variance to estimate an interval from
    return f"[{_number(correlation.low)}, {_number(correlation.high)}]"


def _sentence(agreement: Agreement) -> str:
    single = agreement.single
    if single is None:
        return f"% no ICC for {agreement.scale}: {agreement.reason}"
    left_out = f"; {agreement.left_out} left out" if agreement.left_out else ""
    return (
        f"ICC for {agreement.scale} was {_number(single.value)} (95\\% confidence interval {_interval(single)}; "
        f"{single.form}, {agreement.texts} texts with {agreement.raters} ratings each{left_out}), "
        f"indicating {single.word} reliability."
    )


def _number(value: float | None) -> str:
    return _NONE if value is None else f"{round(value, 2) + 0.0:.2f}"  # + 0.0: avoids -0.00


def _latex_name(system: str) -> str:
    return f"\\textsc{{{_LATEX_NAMES.get(system) or system.translate(_LATEX_ESCAPES)}}}"


def _table(columns: str, head: str, rows: Sequence[str], caption: str, label: str) -> list[str]:
    return [
        r"\begin{table}[htb]",
        r"  \begin{center}",
        f"    \\begin{{tabular}}{{{columns}}}",
        head,
        r"      \hline",
        *rows,
        r"    \end{tabular}",
        r"  \end{center}",
        f"  \\caption{{{caption}}}",
        f"  \\label{{{label}}}",
        r"\end{table}",
    ]


def _aligned(rows: Sequence[Sequence[str]], sides: str) -> str:
    widths = [max(len(row[place]) for row in rows) for place in range(len(sides))]
    lines = [
        "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True)) for row in rows
    ]
    return "\n".join(line.rstrip() for line in lines)
