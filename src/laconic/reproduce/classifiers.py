"""Evaluate the two classifiers on their own (paper §4.2), on data that they were not trained on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic.errors import LaconicError
from laconic.evaluate import Gold
from laconic.metrics import Series
from laconic.metrics.signature import signature
from laconic.score import Model

THRESHOLDS: Final = tuple(round(0.01 * i, 2) for i in range(1, 100))
CLASSES: Final = ("0", "1", "2", "3", "4+")


def edge_classifier(gold: Gold, model: Model, *, min_f1: float) -> dict[str, Any]:
    """Precision, recall and F1 of deletion at every threshold of p_del, over the edges that training would label.

    These are the edges that leave nodes of the gold's subtree, and the dummy root's edges; as in training, only of
    items whose gold is close enough to a subtree (`min_f1`).
    """
    retain, root_retain = model.core.retain(gold.forest)
    all_parents, all_root_edges = gold.forest.parent, gold.forest.root_edge
    p_del, deleted = [], []
    for rows, kept, root in _usable(gold, min_f1):
        parent = all_parents[rows]
        leaves_gold = (parent >= 0) & kept[parent]
        p_del.append(1 - retain[rows][leaves_gold])
        deleted.append(~kept[leaves_gold])
        root_edges = all_root_edges[rows] != 0
        p_del.append(1 - root_retain[rows][root_edges])
        deleted.append(np.flatnonzero(root_edges) != root)
    return curve(np.concatenate(p_del), np.concatenate(deleted))


def curve(p_del: NDArray[np.float64], deleted: NDArray[np.bool_]) -> dict[str, Any]:
    """Precision, recall and F1 of "delete where p_del is at least the threshold"."""
    rows = []
    for threshold in THRESHOLDS:
        said = p_del >= threshold
        right = int((said & deleted).sum())
        precision = right / max(int(said.sum()), 1)
        recall = right / max(int(deleted.sum()), 1)
        rows.append((precision, recall, 2 * precision * recall / max(precision + recall, 1e-12)))
    precisions, recalls, f1s = zip(*rows, strict=True)
    best = int(np.argmax(f1s))
    return {
        "edges": len(deleted),
        "deleted": float(deleted.mean()),
        "thresholds": list(THRESHOLDS),
        "precision": list(precisions),
        "recall": list(recalls),
        "f1": list(f1s),
        "best_threshold": THRESHOLDS[best],
        "best_f1": f1s[best],
        "accuracy": float(((p_del >= 0.5) == deleted).mean()),
    }


def size_classifier(gold: Gold, model: Model, *, min_f1: float) -> dict[str, Any]:
    """Accuracy, and precision and recall of each subset size, over the nodes of the gold's subtrees with children."""
    sizes = model.core.sizes(gold.forest).reshape(-1, len(CLASSES))
    all_parents = gold.forest.parent
    truth, guess = [], []  # by sentence
    for rows, kept, _ in _usable(gold, min_f1):
        parent = all_parents[rows]
        inner = parent >= 0
        children = np.bincount(parent[inner], minlength=len(kept))
        retained = np.bincount(parent[inner & kept], minlength=len(kept))
        counted = kept & (children > 0)
        truth.append(np.minimum(retained[counted], len(CLASSES) - 1))
        guess.append(sizes[rows][counted].argmax(axis=1))
    return confusion(truth, guess)


def confusion(truth: Sequence[NDArray[np.int64]], guess: Sequence[NDArray[np.int64]]) -> dict[str, Any]:
    """Accuracy, and for each class its share, precision and recall; both arguments have the nodes of each sentence."""
    pairs = list(zip(truth, guess, strict=True))
    everything = np.concatenate(truth)
    classes = range(len(CLASSES))
    return {
        "nodes": len(everything),
        "accuracy": _share("size_accuracy", [t == g for t, g in pairs]),
        "shares": [float((everything == c).mean()) if len(everything) else 0.0 for c in classes],
        "precision": [_share(f"size_{c}_precision", [t[g == c] == c for t, g in pairs]) for c in classes],
        "recall": [_share(f"size_{c}_recall", [g[t == c] == c for t, g in pairs]) for c in classes],
    }


def _share(name: str, right: Sequence[NDArray[np.bool_]]) -> dict[str, Any]:
    """The share of nodes that are right, with a bootstrap interval over sentences; no value if there are no nodes."""
    hits = np.array([own.sum() for own in right], dtype=np.float64)
    nodes = np.array([len(own) for own in right], dtype=np.float64)
    count = int(nodes.sum())
    if not count:
        return {"value": None, "low": None, "high": None, "count": 0}
    series = Series(name, signature(name, n=len(right), unit="nodes", avg="micro"), hits, nodes)
    interval = series.interval()
    found = {"value": series.value, "low": interval.low, "high": interval.high, "count": count}
    return {**found, "signature": series.interval_signature()}


def _usable(gold: Gold, min_f1: float) -> list[tuple[slice, NDArray[np.bool_], int]]:
    """For every item that training would use: its nodes, whether the gold keeps each, and the gold's root."""
    f1, root, kept = gold.subtrees.f1, gold.subtrees.root, gold.subtrees.kept
    node_ptr = gold.forest.node_ptr.tolist()
    found = [
        (rows, kept[rows] != 0, int(root[i]))
        for i in range(len(f1))
        if root[i] >= 0 and f1[i] >= min_f1
        for rows in [slice(node_ptr[i], node_ptr[i + 1])]
    ]
    if not found:
        raise LaconicError(
            f"no compression of the {len(f1)} items is near a subtree of its sentence (word F1 {min_f1} or more): "
            "check that the compressions belong to the sentences"
        )
    return found
