"""The figures of the report in journal style: labelled, with units, legible in greyscale."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

from laconic.decode import Method
from laconic.reproduce import paper

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_STYLE: Final[Any] = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "0.9",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "svg.hashsalt": "laconic",  # makes the output deterministic
}
#: Distinguished by grey value, dashes and marker, so that colour is not needed.
_LOOK: Final[dict[Method, dict[str, Any]]] = {
    Method.ILP: {"color": "0.55", "linestyle": ":", "marker": "s"},
    Method.TOPDOWN: {"color": "0.0", "linestyle": "-", "marker": "o"},
    Method.NSS: {"color": "0.3", "linestyle": "--", "marker": "^"},
}


def make_figures(report: dict[str, Any]) -> dict[str, str]:
    """All figures of a report as SVG, by name."""
    from matplotlib import rc_context

    with rc_context(_STYLE):
        return {
            "edge-classifier": _edge_classifier(report["classifiers"]["edges"]),
            "top-five": _top_five(report["systems"]),
            "time-best": _times(report["times"], "best", "Time for the best result"),
            "time-top-five": _times(report["times"], "five", "Time for each of the top five"),
            "length": _by_length(report["lengths"]),
        }


def _figure(width: float, height: float, columns: int = 1) -> tuple[Figure, Sequence[Axes]]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(1, columns, squeeze=False)[0].tolist()


def _svg(figure: Figure) -> str:
    text = StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": "laconic reproduce"})
    return text.getvalue()


def _edge_classifier(edges: dict[str, Any]) -> str:
    figure, (axes,) = _figure(5.2, 3.2)
    looks = [("precision", "0.55", "--"), ("recall", "0.45", ":"), ("f1", "0.0", "-")]
    for name, color, line in looks:
        axes.plot(edges["thresholds"], edges[name], color=color, linestyle=line, label=name.replace("f1", "F1"))
    best = edges["best_threshold"]
    axes.plot([best], [edges["best_f1"]], "o", color="0.0", markersize=4)
    axes.annotate(
        f"best F1: {edges['best_f1']:.3f} at {best:.2f}",
        (best, edges["best_f1"]),
        xytext=(0.5, 0.42),
        arrowprops={"arrowstyle": "-", "color": "0.4", "linewidth": 0.6},
    )
    axes.axvline(paper.BEST_THRESHOLD, color="0.7", linewidth=0.8)
    axes.annotate("the paper's best threshold", (paper.BEST_THRESHOLD + 0.01, 0.03), color="0.4", fontsize=7)
    axes.set(xlabel="threshold of p(delete)", ylabel="share", xlim=(0, 1), ylim=(0, 1.02))
    axes.legend(loc="lower left")
    return _svg(figure)


def _top_five(systems: dict[str, Any]) -> str:
    figure, (axes,) = _figure(5.2, 3.2)
    for shift, (method, look) in zip((-0.06, 0.0, 0.06), _LOOK.items(), strict=True):
        found = systems[method]["by_rank"]
        values = [each["value"] for each in found]
        bars = [[each["value"] - each["low"] for each in found], [each["high"] - each["value"] for each in found]]
        ranks = [rank + shift for rank in range(1, len(found) + 1)]
        axes.errorbar(ranks, values, yerr=bars, capsize=2, markersize=4, label=paper.NAMES[method], **look)
    axes.set(xlabel="rank k", ylabel="tree F1", xticks=range(1, 6))
    axes.legend()
    return _svg(figure)


def _times(times: dict[str, Any], what: str, title: str) -> str:
    figure, panels = _figure(9.2, 2.9, columns=3)
    for axes, method in zip(panels, _LOOK, strict=True):
        share = 1 if what == "best" else 5
        values = [us / share for us in times["methods"][method][what]["us"]]
        unit, scale = ("ms", 1e-3) if max(values) > 2000 else ("µs", 1.0)
        axes.plot(times["lengths"], [value * scale for value in values], ".", color="0.25", markersize=2.5)
        axes.set(title=paper.NAMES[method], xlabel="sentence length (tokens)", ylabel=f"time ({unit})")
        axes.set_ylim(bottom=0)
        axes.set_xlim(left=0)
    figure.suptitle(f"{title}, parsing excluded", fontsize=9)
    return _svg(figure)


def _by_length(groups: list[dict[str, Any]]) -> str:
    figure, (axes,) = _figure(5.2, 3.2)
    names = [f"{group['from']}–{group['to']}\n({group['sentences']:,})" for group in groups]
    for shift, (method, look) in zip((-0.08, 0.0, 0.08), _LOOK.items(), strict=True):
        found = [group[method] for group in groups]
        values = [each["value"] for each in found]
        bars = [[each["value"] - each["low"] for each in found], [each["high"] - each["value"] for each in found]]
        places = [place + shift for place in range(len(groups))]
        axes.errorbar(places, values, yerr=bars, capsize=2, markersize=4, label=paper.NAMES[method], **look)
    axes.set(xlabel="sentence length in tokens (sentences)", ylabel="tree F1")
    axes.set_xticks(range(len(groups)), names, fontsize=8)
    axes.legend()
    return _svg(figure)
