"""Blocks: a document cut into what is printed whole, shortened or left out.

A reader (`read_markdown`, `read_plain`) cuts a document into `Blocks`; a block that holds sentences has `Prose`. Ten
megabytes may have millions of blocks, so that they are kept in columns, and a `Block` is made where one is asked for.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from io import StringIO
from typing import Final

from laconic.document.containers import QUOTE, Containers
from laconic.document.prose import Prose

# How a block is read: it is never shortened; a reader sees what its source is; there is markup in it.
_AS_IT_IS, _PLAIN, _MARKED = range(3)
#: The signs of lists with bullets, and what another list is marked with that would otherwise continue one.
_BULLETS: Final = frozenset("-+*")
# The sign that is seldom used: it will hardly meet the marker of the list after this one.
_UNLIKE: Final = {"-": "+", "*": "+", "+": "-", ".": ")", ")": "."}


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a document that is printed whole, shortened or not at all."""

    lead: str  # what is printed before it, at its longest
    required: bool  # at least something of it is always printed
    source: str  # what is printed where nothing is shortened
    prose: Prose | None  # None: it is never shortened
    heading: int = 0  # its level, 0: it is none
    serves: bool = False  # a rule, or a definition of a link or footnote: printed where it serves something
    has_rows: bool = False  # a table with some below its head, which may go

    @property
    def head(self) -> str:
        """What a table has above its rows; all of what has none."""
        return self.source[: _head_end(self.source)] if self.has_rows else self.source

    @property
    def rows(self) -> Iterator[str]:
        """The rows of a table, each with the line break before it."""
        at = _head_end(self.source) if self.has_rows else len(self.source)
        while at < len(self.source):
            end = line_end(self.source, at + 1)
            yield self.source[at:end]
            at = end


def line_end(text: str, at: int) -> int:
    """Where the line ends that a place in a text is in."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _head_end(table: str) -> int:
    """The end of a table's head, and of the line under that."""
    return line_end(table, line_end(table, 0) + 1)


def offsets_into(text: str) -> array[int]:
    """An empty column for offsets into a text: no wider than they need."""
    return array("i" if len(text) < 2**31 else "q")


class Blocks:
    """The blocks of a document, all lines of which end in a line feed, in columns."""

    def __init__(self, text: str, containers: Containers | None = None, *, markup: bool = True) -> None:
        self.heading = bytearray()
        self.required = bytearray()
        self.serves = bytearray()
        self.has_rows = bytearray()
        self.paragraph = array("i")  # its number: lines that end in hard breaks are blocks of one; -1: it has no others
        self.container = array("i")  # the innermost that it stands in; -1: none
        self.containers = containers or Containers()
        self._text = text
        self._markup = markup
        self._begin, self._end = offsets_into(text), offsets_into(text)
        self._lead, self._prefix = array("i"), array("i")  # numbers of strings
        self._strings: list[str] = []  # what stands before blocks: there are few that differ
        self._numbers: dict[str, int] = {}  # of these strings
        self._reading = bytearray()
        # Where prose with markup is, packed one after another, by number of its block.
        self._marked, self._places, self._packed = array("i"), array("q"), bytearray()

    def add(
        self,
        begin: int,
        end: int,
        lead: str,
        prefix: str,
        prose: Prose | None,
        *,
        required: bool = False,
        heading: int = 0,
        serves: bool = False,
        has_rows: bool = False,
        paragraph: int = -1,
        container: int = -1,
    ) -> None:
        """One more block: offsets into the text, what is printed before it at its longest, its first line's start."""
        reading = _AS_IT_IS
        if prose is not None:
            is_plain = prose.is_plain and prose.plain == self._text[begin:end]
            reading = _PLAIN if is_plain else _MARKED
            if not is_plain:
                self._marked.append(len(self._begin))
                self._places.append(len(self._packed))
                self._packed += prose.pack()
        self._reading.append(reading)
        self._begin.append(begin)
        self._end.append(end)
        self._lead.append(self._number(lead))
        self._prefix.append(self._number(prefix))
        self.required.append(required)
        self.heading.append(heading)
        self.serves.append(serves)
        self.has_rows.append(has_rows)
        self.paragraph.append(paragraph)
        self.container.append(container)

    def _number(self, string: str) -> int:
        number = self._numbers.setdefault(string, len(self._strings))
        if number == len(self._strings):
            self._strings.append(string)
        return number

    def __len__(self) -> int:
        return len(self._begin)

    def __getitem__(self, i: int) -> Block:
        return Block(
            self.lead(i),
            bool(self.required[i]),
            self.source(i),
            self.prose(i),
            self.heading[i],
            bool(self.serves[i]),
            bool(self.has_rows[i]),
        )

    def __iter__(self) -> Iterator[Block]:
        return map(self.__getitem__, range(len(self)))

    def source(self, i: int) -> str:
        """What is printed of a block where nothing is shortened."""
        return self._text[self._begin[i] : self._end[i]]

    def lead(self, i: int) -> str:
        """What is printed before a block, at its longest."""
        return self._strings[self._lead[i]]

    def prefix(self, i: int) -> str:
        """What the first line of a block starts with: indentation, quote signs and list markers."""
        return self._strings[self._prefix[i]]

    def gap(self, i: int) -> str:
        """What stands in the source between the block before it and its content."""
        return self._text[self._end[i - 1] if i else 0 : self._begin[i]]

    def group(self, i: int) -> int:
        """The number of the outermost list or quote around a block; -1: there is none."""
        outermost = self.containers.outermost(self.container[i])
        return self.containers.group[outermost] if outermost >= 0 else -1

    def serving(self) -> Iterator[int]:
        """The blocks that are rules, or definitions."""
        i = self.serves.find(True)
        while i >= 0:
            yield i
            i = self.serves.find(True, i + 1)

    def row_count(self, i: int) -> int:
        """How many rows a table has."""
        return self._text.count("\n", self._begin[i], self._end[i]) - 1

    def prose(self, i: int) -> Prose | None:
        """A block as a reader sees it; None: it is never shortened."""
        if self._reading[i] == _AS_IT_IS:
            return None
        if self._reading[i] == _PLAIN:
            return Prose(self.source(i), markup=self._markup)
        place = self._places[bisect_left(self._marked, i)]
        return Prose.unpack(memoryview(self._packed)[place:], markup=self._markup)

    def leaving(self, as_they_are: Iterable[int], staying: Iterable[int] = ()) -> Blocks:
        """The same blocks, but for some that are never shortened, and some of these that always stay, with all rows."""
        found = copy(self)
        found._reading, found.required = self._reading.copy(), self.required.copy()
        found.has_rows = self.has_rows.copy()
        for i in as_they_are:
            found._reading[i] = _AS_IT_IS
        for i in staying:
            found._reading[i] = _AS_IT_IS
            found.required[i], found.has_rows[i] = True, False
        return found


def write_blocks(blocks: Blocks, contents: Iterable[str | None]) -> str:
    """The document with these contents of its blocks, which keep their structure; None: the block is left out."""
    written = StringIO()
    containers = blocks.containers
    last = -1  # the block printed last
    above: tuple[int, ...] = ()  # what it stands in
    markers: dict[int, str] = {}  # of the lists, as they are printed
    for i, content in zip(range(len(blocks)), contents, strict=True):
        if content is None:
            continue
        path = containers.path(blocks.container[i])
        opened = containers.markers(i, path)
        own = blocks.prefix(i)
        prefix = _choose_markers(own, opened, path, above, containers, markers) if opened else own
        gap = blocks.gap(i)
        if prefix != own and gap.endswith(own):
            gap = gap[: len(gap) - len(own)] + prefix
        if last < 0:
            written.write(prefix if i else gap)
        elif last == i - 1 or blocks.paragraph[last] == blocks.paragraph[i] >= 0:
            written.write(gap)
        else:
            group = containers.group[opened[0][1]] if opened else -1
            tight = gap.count("\n") == 1 and any(containers.group[item] == group for item in above)
            if group >= 0 and chr(containers.marker[opened[0][1]]) in _BULLETS and containers.first[group] == last + 1:
                # A bullet may stand where the first one of its list stood.
                tight = blocks.gap(last + 1).count("\n") == 1
            written.write("\n" + prefix if tight else blank_line(own, shared_quotes(containers, above, path)) + prefix)
        written.write(content)
        last, above = i, path
    return written.getvalue().rstrip()


def _choose_markers(
    prefix: str,
    opened: Sequence[tuple[int, int]],
    path: tuple[int, ...],
    above: tuple[int, ...],
    containers: Containers,
    markers: dict[int, str],
) -> str:
    """What a block starts with, its lists marked unlike a list that they would otherwise continue."""
    signs = list(prefix)
    for at, item in opened:
        group = containers.group[item]
        if group not in markers:
            markers[group] = chr(containers.marker[item])
            depth = path.index(item)
            if len(above) > depth and above[:depth] == path[:depth]:
                neighbour = markers.get(containers.group[above[depth]])
                if neighbour == markers[group]:
                    markers[group] = _UNLIKE[neighbour]
        signs[at] = markers[group]
    return "".join(signs)


def shared_quotes(containers: Containers, above: tuple[int, ...], path: tuple[int, ...]) -> int:
    """How many quotes two blocks share, of the containers that they stand in."""
    return sum(a == b and containers.marker[a] == QUOTE for a, b in zip(above, path, strict=False))


def blank_line(prefix: str, quotes: int) -> str:
    """What separates a block from the one printed before it, inside of the quotes that they share."""
    signs = [i + 1 for i, char in enumerate(prefix) if char == ">"]
    return "\n" + (prefix[: signs[quotes - 1]] if quotes else "") + "\n"
