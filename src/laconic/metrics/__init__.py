"""Metrics of compressions: scores with signatures, confidence intervals and paired tests."""

from laconic.metrics.measures import rate_series, room_series, tree_series, word_series
from laconic.metrics.outputs import score_outputs
from laconic.metrics.overlap import exact, f1, is_word, word_f1
from laconic.metrics.report import Table, make_table
from laconic.metrics.series import Comparison, Interval, Series, compare

__all__ = [
    "Comparison",
    "Interval",
    "Series",
    "Table",
    "compare",
    "exact",
    "f1",
    "is_word",
    "make_table",
    "rate_series",
    "room_series",
    "score_outputs",
    "tree_series",
    "word_f1",
    "word_series",
]
