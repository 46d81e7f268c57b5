"""Drawings of transformed trees: text for the terminal, SVG for slides and papers."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from html import escape
from itertools import accumulate, chain, count, pairwise
from typing import TYPE_CHECKING, Final

from laconic.tree.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from laconic.tree.tree import Tree

#: Characters that a line of text or XML 1.0 cannot contain.
_UNPRINTABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")

# All lengths are in pixels.
_WORD: Final = 15.0  # font size of the words
_LABEL: Final = 11.5  # font size of the labels
_MARGIN: Final = 24.0
_BOX: Final = 26.0  # height of the row of words
_PAD: Final = 7.0  # between the words and the sides of their box
_GAP: Final = 12.0  # minimum distance of two boxes
_PORT: Final = 10.0  # distance of two arcs that end at the same node
_RADIUS: Final = 7.0  # of an arc's corners; also the space to the left and right of a label
_BASE: Final = 32.0  # from the row to the lowest arcs
_STEP: Final = 24.0  # from one level of arcs to the next
_ARROW: Final = 7.0  # length of an arrow head


@dataclass(frozen=True, slots=True)
class _Style:
    """The style of an arc: colours for screens, widths and dashes for greyscale print."""

    name: str
    legend: str
    colour: str
    width: float
    dash: str = "none"

    def line(self, path: str) -> str:
        return (
            f'<path class="{self.name}" d="{path}" fill="none" stroke="{self.colour}" stroke-width="{self.width:g}" '
            f'stroke-dasharray="{self.dash}"/>'
        )


_KEPT: Final = _Style("kept", "p(retain) ≥ 0.5", "#0b5394", 1.9)
_CUT: Final = _Style("cut", "p(retain) < 0.5", "#c8501e", 1.0, "5 2.5")
_COREF: Final = _Style("coref", "coreference", "#666666", 1.2, "2 3")
_PLAIN: Final = _Style("plain", "", "#444444", 1.3)


@dataclass(frozen=True, slots=True)
class _Arc:
    """An arc between two positions in the row of words; the root is at position 0, node n at n + 1."""

    left: int
    right: int
    tip: int | None  # the position that the arrow points to
    label: str
    number: str
    style: _Style
    level: int = 0  # from 1
    offsets: tuple[float, float] = (0.0, 0.0)  # of its two ends, from the centres of the nodes

    def ends(self, centres: list[float]) -> tuple[float, float]:
        return centres[self.left] + self.offsets[0], centres[self.right] + self.offsets[1]

    def room(self) -> float:
        return _width(f"{self.label} {self.number}".strip(), _LABEL) + 4


def as_text(tree: Tree) -> str:
    """Draw a tree for the terminal: the dummy root's edges, the branches, the coreferences."""
    names = [_clean(node.text) for node in tree.nodes]
    root = [(_clean(edge.label), _number(edge.p_ret), names[edge.node]) for edge in tree.edges if edge.head == ROOT]
    rows = [*root, *_branches(tree, names)]
    left = max((len(row[0]) for row in rows), default=0)
    middle = max((len(row[1]) for row in rows), default=0)
    lines = [f"{label:{left}}  {f'{number:{middle}}  ' if middle else ''}{name}" for label, number, name in rows]
    lines.insert(len(root), "")
    pairs = [f"coref: {_clean(pair.word)} = {names[pair.antecedent]}" for pair in tree.coreferences]
    return "\n".join([*lines, "", *pairs]).strip("\n")


def as_svg(trees: Sequence[Tree]) -> str:
    """Draw trees as one SVG document, below each other: words in a row, edges above, coreferences below."""
    parts: list[str] = []
    width, height = 0.0, _MARGIN
    for body, body_width, body_height in chain(map(_picture, trees), _legend(trees)):
        parts += [f'<g transform="translate({_MARGIN:g} {height:.1f})">', *body, "</g>"]
        width, height = max(width, body_width), height + body_height + _MARGIN
    size = f"{width + 2 * _MARGIN:.0f}", f"{height:.0f}"
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" viewBox="0 0 {" ".join(size)}" '
        'role="img" font-family="Helvetica, Arial, sans-serif" fill="#1a1a1a">',
        f"<title>{escape(_clean(' '.join(tree.text for tree in trees)))}</title>",
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    return "\n".join([*head, *parts, "</svg>\n"])


def _clean(text: str) -> str:
    return _UNPRINTABLE.sub(" ", text)


def _number(p_ret: float | None) -> str:
    return "" if p_ret is None else f"{p_ret:.2f}"


def _branches(tree: Tree, names: list[str]) -> Iterator[tuple[str, str, str]]:
    """The branch with its label, the probability and the words of each node, depth first."""
    below = defaultdict(list)
    for edge in tree.edges:
        below[edge.head].append(edge)
    for top in sorted(set(range(len(names))) - {edge.node for edge in tree.edges if edge.head != ROOT}):
        yield "┬" if below[top] else "─", "", names[top]
        stack = [("", edge) for edge in reversed(below[top])]
        while stack:
            indent, edge = stack.pop()
            last = not stack or stack[-1][1].head != edge.head
            yield f"{indent}{'└' if last else '├'}─ {_clean(edge.label)}", _number(edge.p_ret), names[edge.node]
            indent += "   " if last else "│  "
            stack += [(indent, lower) for lower in reversed(below[edge.node])]


def _width(text: str, size: float) -> float:
    """The estimated width of a text in a sans-serif font; too large rather than too small."""
    return size * sum(map(_em, text))


def _em(char: str) -> float:
    if unicodedata.combining(char):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF" or char in "mwMW@%—…":
        return 1.0
    if char in "iljtfrI.,:;!|'’() ":
        return 0.36
    return 0.78 if char.isupper() or not char.isascii() else 0.58


def _edge_arcs(tree: Tree) -> list[_Arc]:
    arcs = []
    for edge in tree.edges:
        head, node = (0 if edge.head == ROOT else edge.head + 1), edge.node + 1
        style = _PLAIN if edge.p_ret is None else _KEPT if edge.p_ret >= 0.5 else _CUT
        arcs.append(_Arc(min(head, node), max(head, node), node, _clean(edge.label), _number(edge.p_ret), style))
    return _arrange(arcs)


def _coref_arcs(tree: Tree) -> list[_Arc]:
    ends = [sorted((pair.pronoun + 1, pair.antecedent + 1)) for pair in tree.coreferences]
    return _arrange([_Arc(left, right, None, "coref", "", _COREF) for left, right in ends])


def _arrange(arcs: list[_Arc]) -> list[_Arc]:
    """Assign each arc its ends and the lowest level above all arcs inside it that no arc crossing it uses."""
    done: list[_Arc] = []
    for arc in sorted(arcs, key=lambda arc: arc.right - arc.left):
        enclosed, crossed = 0, set()
        for other in done:
            if arc.left <= other.left and other.right <= arc.right:
                enclosed = max(enclosed, other.level)
            elif other.left < arc.right and arc.left < other.right:
                crossed.add(other.level)
        done.append(replace(arc, level=next(level for level in count(enclosed + 1) if level not in crossed)))
    return _spread(done)


def _spread(arcs: list[_Arc]) -> list[_Arc]:
    """Spread the ends of arcs that share a node, in an order that avoids crossings."""
    ends = defaultdict(list)  # by position; sorted from left to right below
    for i, arc in enumerate(arcs):
        ends[arc.right].append((0, arc.level, i))
        ends[arc.left].append((1, -arc.level, i))
    offset = {
        (place, i): (rank - (len(own) - 1) / 2) * _PORT
        for place, own in ends.items()
        for rank, (_, _, i) in enumerate(sorted(own))
    }
    return [replace(arc, offsets=(offset[arc.left, i], offset[arc.right, i])) for i, arc in enumerate(arcs)]


def _free(arc: _Arc, arcs: list[_Arc], centres: list[float]) -> list[tuple[float, float, int, int]]:
    """The stretches of an arc that no higher arc crosses, each with the two positions that it lies between."""
    first, last = arc.ends(centres)
    stops = [(first, arc.left), (last, arc.right)]
    for other in arcs:
        if other.level > arc.level:
            ends = zip(other.ends(centres), (other.left, other.right), strict=True)
            stops += [end for end in ends if first < end[0] < last]
    return [(a + _RADIUS, b - _RADIUS, u, v) for (a, u), (b, v) in pairwise(sorted(stops))]


def _centres(widths: list[float], above: list[_Arc], below: list[_Arc]) -> list[float]:
    """The centres of the nodes, as close together as their words and the labels of the arcs permit."""
    steps = [widths[0] / 2, *((a + b) / 2 + _GAP for a, b in pairwise(widths))]
    for arcs in (above, below):
        for arc in arcs:
            free = (stretch for stretch in _free(arc, arcs, list(accumulate(steps))) if stretch[2] < stretch[3])
            start, end, u, v = max(free, key=lambda stretch: stretch[1] - stretch[0])
            for place in range(u + 1, v + 1):
                steps[place] += max(0.0, arc.room() - (end - start)) / (v - u)
    return list(accumulate(steps))


def _picture(tree: Tree) -> tuple[list[str], float, float]:
    """SVG elements of one tree, their width and height."""
    above, below = _edge_arcs(tree), _coref_arcs(tree)
    names = ["root", *(_clean(node.text) for node in tree.nodes)]
    boxes = [_width(name, _WORD) + 2 * _PAD for name in names]
    crowds = [Counter(place for arc in arcs for place in (arc.left, arc.right)) for arcs in (above, below)]
    widths = [max(box, _PORT * max(crowd[place] for crowd in crowds)) for place, box in enumerate(boxes)]
    centres = _centres(widths, above, below)
    heights = [
        _BASE + _STEP * (max(arc.level for arc in arcs) - 1) + _LABEL / 2 if arcs else 0.0 for arcs in (above, below)
    ]
    top = heights[0]
    body = [f"<title>{escape(_clean(tree.text))}</title>"]
    body += [*_arcs(above, centres, top, -1), *_arcs(below, centres, top + _BOX, 1)]
    body += [
        f'<rect x="{centre - box / 2:.1f}" y="{top:.1f}" width="{box:.1f}" height="{_BOX:g}" rx="5" '
        'fill="#f4f6f9" stroke="#b8c0cc" stroke-width="0.8"/>'
        for centre, box in list(zip(centres, boxes, strict=True))[1:]
    ]
    words = [f'<tspan font-weight="bold">{names[0]}</tspan>', *map(escape, names[1:])]
    body += [_text(word, centre, top + _BOX / 2, _WORD) for word, centre in zip(words, centres, strict=True)]
    return body, centres[-1] + widths[-1] / 2, top + _BOX + heights[1]


def _text(content: str, x: float, y: float, size: float, anchor: str = "middle") -> str:
    baseline = y + 0.34 * size
    return f'<text x="{x:.1f}" y="{baseline:.1f}" font-size="{size:g}" text-anchor="{anchor}">{content}</text>'


def _arcs(arcs: list[_Arc], centres: list[float], row: float, side: int) -> Iterator[str]:
    """SVG elements of the arcs on one side of the row: -1 above, 1 below. Labels are drawn over all lines."""
    heights = [row + side * (_BASE + _STEP * (arc.level - 1)) for arc in arcs]
    for arc, y in zip(arcs, heights, strict=True):
        first, last = arc.ends(centres)
        foot, bend = row + side * 2, y - side * _RADIUS
        feet = [foot + side * (_ARROW - 1) if place == arc.tip else foot for place in (arc.left, arc.right)]
        yield arc.style.line(
            f"M{first:.1f} {feet[0]:.1f}V{bend:.1f}Q{first:.1f} {y:.1f} {first + _RADIUS:.1f} {y:.1f}"
            f"H{last - _RADIUS:.1f}Q{last:.1f} {y:.1f} {last:.1f} {bend:.1f}V{feet[1]:.1f}"
        )
        if arc.tip is not None:
            tip = first if arc.tip == arc.left else last
            yield f'<path d="M{tip:.1f} {foot:.1f}l-3.4 {side * _ARROW:g}h6.8z" fill="{arc.style.colour}"/>'
    for arc, y in zip(arcs, heights, strict=True):
        yield from _label(arc, _spot(arc, arcs, centres), y)


def _spot(arc: _Arc, arcs: list[_Arc], centres: list[float]) -> float:
    """The x coordinate of an arc's label: as close to the middle as other arcs permit."""
    middle, half = sum(arc.ends(centres)) / 2, arc.room() / 2 - 0.01
    free = [stretch for stretch in _free(arc, arcs, centres) if stretch[1] - stretch[0] >= 2 * half]
    return min((min(max(middle, start + half), end - half) for start, end, _, _ in free), key=lambda x: abs(x - middle))


def _label(arc: _Arc, x: float, y: float) -> Iterator[str]:
    width, height = arc.room(), _LABEL + 3
    number = f' <tspan fill="{arc.style.colour}">{arc.number}</tspan>' if arc.number else ""
    x0, y0 = x - width / 2, y - height / 2
    yield f'<rect x="{x0:.1f}" y="{y0:.1f}" width="{width:.1f}" height="{height:.1f}" fill="white"/>'
    yield _text(escape(arc.label) + number, x, y, _LABEL)


def _legend(trees: Sequence[Tree]) -> Iterator[tuple[list[str], float, float]]:
    """SVG elements of the legend, with width and height; none without probabilities."""
    numbers = [edge.p_ret for tree in trees for edge in tree.edges if edge.p_ret is not None]
    styles = [_KEPT, _CUT, *([_COREF] if any(tree.coreferences for tree in trees) else [])]
    parts, x = [], 0.0
    for style in styles if numbers else ():
        parts += [style.line(f"M{x:.1f} 0h30"), _text(escape(style.legend), x + 36, 0, _LABEL, "start")]
        x += 54 + _width(style.legend, _LABEL)
    if parts:
        yield parts, x - 18, 0.0
