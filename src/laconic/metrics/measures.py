"""Compute the `Series` of metrics, with names and signatures, from words, lengths and edges.

Used by both `laconic evaluate` and `laconic score`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from laconic.metrics.overlap import exact, word_f1
from laconic.metrics.series import Series
from laconic.metrics.signature import (
    GOLDS,
    exact_signature,
    rate_signature,
    room_signature,
    tree_f1_signature,
    word_f1_signature,
)
from laconic.parse.words import TOKENS


def word_series(
    results: Sequence[Sequence[Sequence[str]]],
    golds: Sequence[Sequence[str]],
    *,
    k: int = 1,
    types: bool = False,
    tokens: str = TOKENS,
    gold: str = GOLDS[0],
) -> list[Series]:
    """Word F1, exact match and, if `k` is over 1, the best word F1 of k.

    `results` has, for each sentence, the words of its 1 to `k` results, best first; `golds` has the words of its gold.
    `tokens` and `gold` go into the signature: the tokeniser, and whether the gold's words are those kept or those
    printed.
    """
    n = len(golds)
    name = "word F1, types" if types else "word F1"
    scores = [[word_f1(each, wanted, types=types) for each in own] for own, wanted in zip(results, golds, strict=True)]
    same = [exact(own[0], wanted) for own, wanted in zip(results, golds, strict=True)]
    first = np.array([own[0] for own in scores], dtype=np.float64)
    series = [
        Series(name, word_f1_signature(n=n, types=types, tokens=tokens, gold=gold), first),
        Series("exact", exact_signature(n=n, tokens=tokens, gold=gold), np.array(same, dtype=np.float64)),
    ]
    if k > 1:
        best = np.array([max(own) for own in scores], dtype=np.float64)
        signed = word_f1_signature(n=n, types=types, k=k, tokens=tokens, gold=gold)
        series.append(Series(f"{name}, best of {k}", signed, best))
    return series


def tree_series(scores: Sequence[Sequence[float]], *, trees: str, k: int = 1, rank: int = 1) -> list[Series]:
    """Tree F1 and, if `k` is over 1, the best tree F1 of k, from those of each sentence's results, best first.

    `trees` names the parser and the rules that made the trees; `rank` is the rank of the first result.
    """
    n = len(scores)
    name = "tree F1" if rank == 1 else f"tree F1, rank {rank}"
    first = np.array([own[0] for own in scores], dtype=np.float64)
    series = [Series(name, tree_f1_signature(n=n, trees=trees, rank=rank), first)]
    if k > 1:
        best = np.array([max(own) for own in scores], dtype=np.float64)
        series.append(Series(f"tree F1, best of {k}", tree_f1_signature(n=n, trees=trees, k=k), best))
    return series


def rate_series(outputs: Sequence[int], sentences: Sequence[int]) -> list[Series]:
    """The compression rate, macro and micro, from the characters of outputs and of sentences (at least one each)."""
    n = len(outputs)
    ours, whole = np.array(outputs, dtype=np.float64), np.array(sentences, dtype=np.float64)
    return [
        Series("rate", rate_signature(n=n), ours / whole),
        Series("rate, micro", rate_signature(n=n, micro=True), ours, whole),
    ]


def room_series(outputs: Sequence[int], allowed: Sequence[int]) -> Series:
    """The share of the budget that is used, from the characters of outputs (0: no output) and the maxima."""
    used = np.minimum(np.array(outputs, dtype=np.float64) / np.array(allowed, dtype=np.float64), 1)
    return Series("room used", room_signature(n=len(outputs)), used)
