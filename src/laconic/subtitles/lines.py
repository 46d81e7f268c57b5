"""Line breaks at natural positions.

The published rules: as few lines as possible; no break after an article, a preposition, an auxiliary or a conjunction,
inside a name, or between a word and its dependents in the tree; preferably after punctuation; lines of about equal
length, the lower one rather longer.
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

#: The cost of a break between two printed characters (given by index), in addition to what the words themselves cost.
GapCost = Callable[[int, int], float]

#: The costs of a break between a word and its head, by label.
_COSTS: Final[list[float]] = [BREAK_COSTS.get(label, BREAK_ELSE) for label in scheme.LABELS]
_INSIDE_A_NAME: Final = 5.0
_AFTER_LEADING: Final = 4.0
_AFTER_STOP: Final = -2.5
_AFTER_COMMA: Final = -1.8
_UNEVEN: Final = 4.0  # for lines whose lengths differ by a full line
_TOP_HEAVY: Final = 0.6
_STOPS: Final = ".!?…"
_COMMAS: Final = ",;:—–"
_CLOSING: Final = "\"'”’)]»"


def set_lines(printed: Sequence[Printed], rules: Rules, cost: GapCost | None = None) -> list[Printed]:
    """Break a cue into as few lines as possible, at minimum cost; spaces become breaks, permanent breaks are kept.

    If it cannot be within the rules, it gets more lines than allowed, or lines that are too long.
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
    """The costs of breaks in a cue, derived from its trees; `rows` are the token rows of its glyphs."""
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
    """The positions of the spaces in a segment that become line breaks."""
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
    """The cost of line lengths: lines should be even, and the lower ones rather longer."""
    uneven = _UNEVEN * (max(lengths) - min(lengths)) / line
    return uneven + _TOP_HEAVY * sum(a > b for a, b in pairwise(lengths))


def _gap_cost(text: str, gap: int) -> float:
    """The cost of a break at a space, by the words beside it."""
    word = text[:gap].rsplit(" ", 1)[-1]
    bare = word.rstrip(_CLOSING)
    if word.lower().lstrip("\"“'‘([-").replace("’", "'") in LEADING_WORDS:
        return _AFTER_LEADING
    if bare[-1:] and bare[-1] in _STOPS:
        return _AFTER_STOP
    return _AFTER_COMMA if bare[-1:] and bare[-1] in _COMMAS else 0.0


def _fill(text: str, gaps: Sequence[int], line: int) -> list[int]:
    """Fill the lines greedily; a word longer than a line gets a line of its own."""
    found: list[int] = []
    start = 0
    for gap, after in zip(gaps, [*gaps[1:], len(text)], strict=True):
        if after - start > line:
            found.append(gap)
            start = gap + 1
    return found
