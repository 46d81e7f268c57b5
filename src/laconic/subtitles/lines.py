"""Line breaks where a reader would have them.

The published rules: as few lines as will do; no break after an article, a preposition, an auxiliary or a conjunction,
none inside a name or between a word and what belongs to it by the tree; rather after punctuation; lines of about the
same length, the lower one rather the longer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Final

import numpy as np

from laconic.language.speech import BREAK_COSTS, BREAK_ELSE, LEADING_WORDS
from laconic.parse import Parses, scheme
from laconic.subtitles.cues import Rules
from laconic.subtitles.markup import Printed

#: What it costs to break between two printed characters (their places), besides what the words themselves say.
GapCost = Callable[[int, int], float]

#: By label, of a break between a word and what it hangs on.
_COSTS: Final[list[float]] = [BREAK_COSTS.get(label, BREAK_ELSE) for label in scheme.LABELS]
_INSIDE_A_NAME: Final = 5.0
_AFTER_LEADING: Final = 4.0
_AFTER_STOP: Final = -2.5
_AFTER_COMMA: Final = -1.8
_UNEVEN: Final = 4.0  # of lines that differ by the length of a full one
_TOP_HEAVY: Final = 0.6
_STOPS: Final = ".!?…"
_COMMAS: Final = ",;:—–"
_CLOSING: Final = "\"'”’)]»"


def set_lines(printed: Sequence[Printed], rules: Rules, cost: GapCost | None = None) -> list[Printed]:
    """A cue with its spaces, and the line breaks that stay, in as few lines as will do, broken where it costs least.

    Where it cannot be within the rules, it has as few lines as there can be of that length, or lines that are longer.
    """
    segments: list[list[int]] = [[]]
    for place, (char, _) in enumerate(printed):
        if char == "\n":
            segments.append([])
        else:
            segments[-1].append(place)
    found: list[Printed] = list(printed)
    for segment in segments:
        room = max(rules.lines - len(segments) + 1, 1)
        for place in _breaks(printed, segment, rules.line, room, cost):
            found[place] = ("\n", printed[place][1])
    return found


def tree_cost(printed: Sequence[Printed], rows: Mapping[int, int], parses: Parses) -> GapCost:
    """What breaks of a cue cost by its trees; `rows` are the tokens of its glyphs."""
    present = sorted({rows[glyph] for _, glyph in printed if glyph in rows})
    texts = np.searchsorted(parses.token_ptr, present, side="right") - 1
    heads = (parses.token_ptr[texts] + parses.head[present]).tolist()
    arcs = [
        (min(row, head), max(row, head), _COSTS[parses.label[row]])
        for row, head in zip(present, heads, strict=True)
        if head != row and head in present
    ]

    def cost(before: int, after: int) -> float:
        a, b = rows.get(printed[before][1]), rows.get(printed[after][1])
        if a is None or b is None:
            return 0.0
        named = b == a + 1 and parses.entity[a] and parses.entity[a] == parses.entity[b] and not parses.entity_start[b]
        inside: float = _INSIDE_A_NAME if named else 0.0
        return inside + float(sum(weight for low, high, weight in arcs if low <= a and high >= b))

    return cost


def _breaks(printed: Sequence[Printed], segment: list[int], line: int, room: int, cost: GapCost | None) -> list[int]:
    """Which spaces of a part of a cue become line breaks."""
    if len(segment) <= line:
        return []
    gaps = [n for n, place in enumerate(segment) if printed[place][0] == " "]
    text = "".join(printed[place][0] for place in segment)
    costs = {gap: _gap_cost(text, gap) + (cost(segment[gap - 1], segment[gap + 1]) if cost else 0.0) for gap in gaps}
    for lines in range(2, max(room, -(-len(segment) // line)) + 2):
        ways = [
            (sum(costs[gap] for gap in way) + _shape_cost(lengths, line), way)
            for way in combinations(gaps, lines - 1)
            if max(lengths := _lengths(len(segment), way)) <= line
        ]
        if ways:
            return [segment[gap] for gap in min(ways)[1]]
        if lines > 3:
            break
    return [segment[gap] for gap in _fill(text, gaps, line)]


def _lengths(total: int, way: Sequence[int]) -> list[int]:
    edges = [-1, *way, total]
    return [b - a - 1 for a, b in pairwise(edges)]


def _shape_cost(lengths: Sequence[int], line: int) -> float:
    """Of lines of these lengths: they should be even, and rather longer below."""
    uneven = _UNEVEN * (max(lengths) - min(lengths)) / line
    return uneven + _TOP_HEAVY * sum(a > b for a, b in pairwise(lengths))


def _gap_cost(text: str, gap: int) -> float:
    """Of a break at a space, by the words beside it."""
    word = text[:gap].rsplit(" ", 1)[-1]
    bare = word.rstrip(_CLOSING)
    if word.lower().lstrip("\"“'‘([-").replace("’", "'") in LEADING_WORDS:
        return _AFTER_LEADING
    if bare[-1:] and bare[-1] in _STOPS:
        return _AFTER_STOP
    return _AFTER_COMMA if bare[-1:] and bare[-1] in _COMMAS else 0.0


def _fill(text: str, gaps: Sequence[int], line: int) -> list[int]:
    """Lines one after another, each as long as it may be; a word that is longer has its own."""
    found: list[int] = []
    start = 0
    for gap, after in zip(gaps, [*gaps[1:], len(text)], strict=True):
        if after - start > line:
            found.append(gap)
            start = gap + 1
    return found
