"""Blocks: a document cut into what is printed whole, shortened or left out.

A reader (`read_markdown`, `read_plain`) cuts a document into `Block`s; a block that holds sentences has `Prose`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from laconic.document.prose import Prose


@dataclass(frozen=True, slots=True, eq=False)
class Container:
    """A block quote or an item of a list."""

    group: int  # the number of its list
    marker: str  # "-", "+", "*", "." or ")"; of a quote: ">"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a block stands: known to the reader and the writer only."""

    gap: str  # what stands in the source between the block before it and its content
    prefix: str  # what its first line starts with: indentation, quote signs and list markers
    paragraph: int  # the number of its paragraph: lines that end in hard breaks are blocks of one; -1: it has no others
    path: tuple[Container, ...] = ()  # the containers around it, the outermost first
    markers: tuple[tuple[int, Container], ...] = ()  # items that it opens; where their markers are in the prefix


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a document that is printed whole, shortened or not at all."""

    lead: str  # what is printed before it, at its longest
    required: bool  # at least something of it is always printed
    source: str  # what is printed where nothing is shortened
    prose: Prose | None  # None: it is never shortened
    heading: int = 0  # its level, 0: it is none
    serves: bool = False  # a rule, or a definition of a link or footnote: printed where it serves something
    place: Place | None = None
    rows: tuple[str, ...] = ()  # of a table: what its source ends with, each with the line break before it

    @property
    def head(self) -> str:
        """What a table has above its rows."""
        return self.source[: len(self.source) - sum(map(len, self.rows))]


def write_blocks(blocks: Sequence[Block], contents: Sequence[str | None]) -> str:
    """The document with these contents of its blocks, which keep their structure; None: the block is left out."""
    parts: list[str] = []
    last = -1  # the block printed last
    markers: dict[int, str] = {}  # of the lists, as they are printed
    first: dict[int, int] = {}  # the first block of each list, printed or not
    for i, (block, content) in enumerate(zip(blocks, contents, strict=True)):
        place = block.place
        if place is None:
            raise ValueError(f"block {i} has no place: use the blocks that read_markdown or read_plain returns")
        for _, item in place.markers:
            first.setdefault(item.group, i)
        if content is None:
            continue
        before = blocks[last].place if last >= 0 else None
        prefix = _choose_markers(place, before, markers)
        gap = place.gap[: len(place.gap) - len(prefix)] + prefix if place.gap.endswith(place.prefix) else place.gap
        if before is None:
            parts.append(prefix if i else gap)
        elif last == i - 1 or before.paragraph == place.paragraph >= 0:
            parts.append(gap)
        else:
            common = [a for a, b in zip(before.path, place.path, strict=False) if a is b]
            group = place.markers[0][1].group if place.markers else -1
            tight = gap.count("\n") == 1 and any(item.group == group for item in before.path)
            if group >= 0 and place.markers[0][1].marker in "-+*" and first[group] == last + 1:
                opening = blocks[last + 1].place  # a bullet may stand where the first one of its list stood
                tight = opening is not None and opening.gap.count("\n") == 1
            parts.append("\n" + prefix if tight else blank_line(place.prefix, common) + prefix)
        parts.append(content)
        last = i
    return "".join(parts).rstrip()


def _choose_markers(place: Place, before: Place | None, markers: dict[int, str]) -> str:
    """The prefix of a block, its lists marked unlike a list that they would otherwise continue."""
    prefix = list(place.prefix)
    for at, item in place.markers:
        if item.group not in markers:
            markers[item.group] = item.marker
            depth = place.path.index(item)
            if before and len(before.path) > depth and before.path[:depth] == place.path[:depth]:
                neighbour = markers.get(before.path[depth].group)
                if neighbour == item.marker:
                    # The sign that is seldom used: it will hardly meet the marker of the list after this one.
                    markers[item.group] = {"-": "+", "*": "+", "+": "-", ".": ")", ")": "."}[neighbour]
        prefix[at] = markers[item.group]
    return "".join(prefix)


def blank_line(prefix: str, common: Sequence[Container]) -> str:
    """What separates a block from the one printed before it, inside of the containers that they share."""
    quotes = sum(container.marker == ">" for container in common)
    signs = [i + 1 for i, char in enumerate(prefix) if char == ">"]
    return "\n" + (prefix[: signs[quotes - 1]] if quotes else "") + "\n"
