"""Build a self-contained page from the report's data: tables as HTML, figures inline, nothing loaded."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from laconic.decode import Method
from laconic.errors import LaconicError
from laconic.reproduce import paper
from laconic.reproduce.classifiers import CLASSES
from laconic.reproduce.figures import make_figures

#: Shares of fewer items than this are shown without a verdict.
_FEW: Final = 30


@dataclass(frozen=True, slots=True)
class Row:
    """A number of the paper next to ours; `better` is the sign of a better difference (0: neither)."""

    what: str
    paper: float
    ours: float | None  # None: there were no items
    kind: str = "share"  # or "count", "us", "ratio"
    low: float | None = None
    high: float | None = None
    better: int = 0
    count: int | None = None  # number of items of a share, if it may be small

    @property
    def verdict(self) -> str:
        """Whether ours is better or worse than the paper's, or not distinguishable by the interval."""
        if not self.better or self.ours is None:
            return ""
        if self.count is not None and self.count < _FEW:
            return "too few to tell"
        if self.low is not None and self.high is not None and self.low <= self.paper <= self.high:
            return "not told apart"
        return "ahead" if (self.ours - self.paper) * self.better > 0 else "behind"


def import_plotting() -> None:
    """Fail at the start, not after hours, if the libraries for the page are missing."""
    try:
        import jinja2  # noqa: F401
        import matplotlib  # noqa: F401
    except ImportError:
        raise LaconicError('the page needs Matplotlib and Jinja2: pip install "laconic[reproduce]"') from None


def write_report(report: dict[str, Any], out: Path) -> Path:
    """Write `index.html`, `report.json` and the figures; returns the page's path."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    tables = make_tables(report)
    figures = make_figures(report)
    for name, svg in figures.items():
        (out / f"{name}.svg").write_text(svg, encoding="utf-8")
    environment = Environment(
        loader=PackageLoader("laconic.reproduce", "."), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.filters.update(number=format_number, us=_us)
    page = environment.get_template("page.html").render(
        report=report,
        tables=tables,
        all_scores=list(zip(*(report["systems"][method]["scores"] for method in paper.NAMES), strict=True)),
        comparisons=_comparisons(report["systems"]),
        signatures=_signatures(report),
        behind=[row for rows in tables.values() for row in rows if row.verdict == "behind"],
        figures={name: _embedded(svg) for name, svg in figures.items()},
        names={str(method): name for method, name in paper.NAMES.items()},
        paper=paper,
    )
    data = {**report, "beside_the_paper": {name: [_as_dict(row) for row in rows] for name, rows in tables.items()}}
    (out / "report.json").write_text(
        json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n", encoding="utf-8"
    )
    path = out / "index.html"
    path.write_text(page, encoding="utf-8")
    return path


def make_tables(report: dict[str, Any]) -> dict[str, list[Row]]:
    """The paper's numbers next to ours, by table."""
    corpus, sizes = report["corpus"], report["classifiers"]["sizes"]
    times, systems = report["times"]["methods"], report["systems"]
    tables = {
        "corpus": [
            Row("training sentences", paper.TRAINING_ITEMS, corpus["sentences"], "count"),
            Row("edges", paper.EDGES, corpus["edges"], "count"),
            Row("deleted edges", paper.DELETED, corpus["deleted"]),
            Row("nodes", paper.NODES, corpus["nodes"], "count"),
            *(
                Row(f"nodes that retain {name} children", theirs, ours)
                for name, theirs, ours in zip(CLASSES, paper.SIZE_CLASSES, corpus["size_classes"], strict=True)
            ),
        ],
        "edges": [
            Row("threshold with the highest F1", paper.BEST_THRESHOLD, report["classifiers"]["edges"]["best_threshold"])
        ],
        "sizes": [
            _scored("accuracy of the subset sizes", paper.SIZE_ACCURACY, sizes["accuracy"], better=1),
            *(
                _scored(f"{name} of subset size {CLASSES[c]}", theirs[c], sizes[name][c], better=1)
                for c in range(len(CLASSES))
                for name, theirs in (("precision", paper.SIZE_PRECISION), ("recall", paper.SIZE_RECALL))
            ),
        ],
        "systems": [],
        "by_rank": [],
        "times": [],
    }
    for method, name in paper.NAMES.items():
        scores = {each["name"]: each for each in systems[method]["scores"]}
        tables["systems"].append(_scored(f"{name}: tree F1", paper.TREE_F1[method], scores["tree F1"], better=1))
        tables["systems"].append(_scored(f"{name}: compression rate", paper.RATE[method], scores["rate"]))
        for rank, theirs in enumerate(paper.TREE_F1_BY_RANK.get(method, ()), 1):
            ours = systems[method]["by_rank"][rank - 1 : rank]
            tables["by_rank"] += [_scored(f"{name}: tree F1 at k = {rank}", theirs, each, better=1) for each in ours]
    for what, theirs_us, key in (("best", paper.BEST_US, "mean"), ("five", paper.OF_FIVE_US, "for_each")):
        title = "the best result" if what == "best" else "each of the top five"
        for method, name in paper.NAMES.items():
            better = 0 if method is Method.ILP else -1  # the ILP is a baseline: its speed is neither good nor bad
            tables["times"].append(
                Row(f"{name}: {title}", theirs_us[method], times[method][what][key], "us", better=better)
            )
        ilp = times[Method.ILP][what][key]
        for method in (Method.TOPDOWN, Method.NSS):
            theirs = theirs_us[Method.ILP] / theirs_us[method]
            ratio = ilp / times[method][what][key]
            tables["times"].append(Row(f"ILP / {paper.NAMES[method]}: {title}", theirs, ratio, "ratio", better=1))
    return tables


def _comparisons(systems: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """The paired tests that a reader of the paper's table 3 would want."""
    pairs = [(Method.TOPDOWN, Method.ILP), (Method.NSS, Method.ILP), (Method.NSS, Method.TOPDOWN)]
    wanted = ("tree F1", "word F1", "exact")
    return [
        (first, second, found)
        for first, second in pairs
        for found in systems[first]["against"][second]
        if found["name"] in wanted
    ]


def _signatures(report: dict[str, Any]) -> list[str]:
    """The distinct signatures of all scores on the page."""
    systems = report["systems"].values()
    found = [score["signature"] for own in systems for score in [*own["scores"], *own["by_rank"]]]
    found += [test["signature"] for *_, test in _comparisons(report["systems"])]
    found += [group[method]["signature"] for group in report["lengths"] for method in paper.NAMES]
    sizes = report["classifiers"]["sizes"]
    shares = [sizes["accuracy"], *sizes["precision"], *sizes["recall"]]
    return list(dict.fromkeys(found + [share["signature"] for share in shares if share["count"]]))


def _scored(what: str, theirs: float, score: dict[str, Any], better: int = 0) -> Row:
    low, high, count = score["low"], score["high"], score.get("count")
    return Row(what, theirs, score["value"], low=low, high=high, better=better, count=count)


def format_number(value: float | None, kind: str = "share") -> str:
    """Format a number for readers."""
    if value is None:
        return "–"
    if kind == "count":
        return f"{value:,.0f}"
    if kind == "ratio":
        return f"{value:,.0f} ×" if value >= 10 else f"{value:.1f} ×"
    if kind == "us":
        return _us(value)
    return f"{value:.3f}"


def _us(value: float) -> str:
    return f"{value:,.0f} µs" if value >= 100 else f"{value:.1f} µs"


def _embedded(svg: str) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def _as_dict(row: Row) -> dict[str, Any]:
    values = {"what": row.what, "paper": row.paper, "ours": row.ours, "low": row.low, "high": row.high}
    return {**values, "verdict": row.verdict}
