"""Blocks: a document cut into pieces that are printed whole, shortened or left out.

A reader (`read_markdown`, `read_plain`) cuts a document into `Blocks`; a block with sentences has `Prose`. A document
of ten megabytes may have millions of blocks, so they are stored in columns, and a `Block` is made on request.
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

# How a block is read: it is never shortened; its source is its plain text; it contains markup.
_AS_IT_IS, _PLAIN, _MARKED = range(3)
#: The markers of bullet lists.
_BULLETS: Final = frozenset("-+*")
# For a list that would otherwise continue the one before it: another marker, seldom used, so unlikely to match the next
# list's.
_UNLIKE: Final = {"-": "+", "*": "+", "+": "-", ".": ")", ")": "."}


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a document that is printed whole, shortened or not at all."""

    lead: str  # printed before the block, in its longest form
    required: bool  # something of it is always printed
    source: str  # printed if nothing is shortened
    prose: Prose | None  # None: it is never shortened
    heading: int = 0  # its level; 0: not a heading
    serves: bool = False  # a rule or definition: printed only if other blocks need it
    has_rows: bool = False  # a table with rows below its head, which may be deleted

    @property
    def head(self) -> str:
        """The part of a table above its rows; for other blocks, all of it."""
        return self.source[: _head_end(self.source)] if self.has_rows else self.source

    @property
    def rows(self) -> Iterator[str]:
        """The rows of a table, each preceded by its line break."""
        at = _head_end(self.source) if self.has_rows else len(self.source)
        while at < len(self.source):
            end = line_end(self.source, at + 1)
            yield self.source[at:end]
            at = end


def line_end(text: str, at: int) -> int:
    """The end of the line that contains an offset."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _head_end(table: str) -> int:
    """The end of a table's head, including the delimiter row."""
    return line_end(table, line_end(table, 0) + 1)


def offsets_into(text: str) -> array[int]:
    """An empty column for offsets into a text, with the smallest type that can hold them."""
    return array("i" if len(text) < 2**31 else "q")


class Blocks:
    """The blocks of a document in columns; all lines end in a line feed."""

    def __init__(self, text: str, containers: Containers | None = None, *, markup: bool = True) -> None:
        self.heading = bytearray()
        self.required = bytearray()
        self.serves = bytearray()
        self.has_rows = bytearray()
        self.paragraph = array("i")  # lines that end in hard breaks are blocks of one paragraph; -1: block of its own
        self.container = array("i")  # the innermost container around it; -1: none
        self.containers = containers or Containers()
        self._text = text
        self._markup = markup
        self._begin, self._end = offsets_into(text), offsets_into(text)
        self._lead, self._prefix = array("i"), array("i")  # indices into `_strings`
        self._strings: list[str] = []  # the distinct leads and prefixes
        self._numbers: dict[str, int] = {}  # of these strings
        self._reading = bytearray()
        # Packed prose with markup, in one buffer, and its offsets, by block number.
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
        """Add a block: offsets into the text, its lead in its longest form, the prefix of its first line."""
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
        """The source of a block, which is printed if nothing is shortened."""
        return self._text[self._begin[i] : self._end[i]]

    def lead(self, i: int) -> str:
        """What is printed before a block, in its longest form."""
        return self._strings[self._lead[i]]

    def prefix(self, i: int) -> str:
        """The beginning of the first line of a block: indentation, quote signs and list markers."""
        return self._strings[self._prefix[i]]

    def gap(self, i: int) -> str:
        """The source between the content of the previous block and that of this one."""
        return self._text[self._end[i - 1] if i else 0 : self._begin[i]]

    def group(self, i: int) -> int:
        """The number of the outermost list or quote around a block; -1: none."""
        outermost = self.containers.outermost(self.container[i])
        return self.containers.group[outermost] if outermost >= 0 else -1

    def serving(self) -> Iterator[int]:
        """The blocks that are rules or definitions."""
        i = self.serves.find(True)
        while i >= 0:
            yield i
            i = self.serves.find(True, i + 1)

    def row_count(self, i: int) -> int:
        """The number of rows of a table."""
        return self._text.count("\n", self._begin[i], self._end[i]) - 1

    def prose(self, i: int) -> Prose | None:
        """The prose of a block; None: it is never shortened."""
        if self._reading[i] == _AS_IT_IS:
            return None
        if self._reading[i] == _PLAIN:
            return Prose(self.source(i), markup=self._markup)
        place = self._places[bisect_left(self._marked, i)]
        return Prose.unpack(memoryview(self._packed)[place:], markup=self._markup)

    def leaving(self, as_they_are: Iterable[int], staying: Iterable[int] = ()) -> Blocks:
        """A copy in which some blocks are never shortened, and `staying` ones are required, with all table rows."""
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
    """The document with these contents of its blocks, structure preserved; None leaves a block out."""
    written = StringIO()
    containers = blocks.containers
    last = -1  # the last printed block
    above: tuple[int, ...] = ()  # the containers around it
    markers: dict[int, str] = {}  # by list: the marker that is printed
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
                # The first printed bullet of a list keeps the spacing of the list's first item.
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
    """The prefix of a block, with list markers changed where they would continue the list before."""
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
    """The number of block quotes that two container paths share."""
    return sum(a == b and containers.marker[a] == QUOTE for a, b in zip(above, path, strict=False))


def blank_line(prefix: str, quotes: int) -> str:
    """The separator from the block printed before, which stays inside the block quotes that both share."""
    signs = [i + 1 for i, char in enumerate(prefix) if char == ">"]
    return "\n" + (prefix[: signs[quotes - 1]] if quotes else "") + "\n"
