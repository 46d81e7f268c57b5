"""What blocks stand in: block quotes and items of lists, in columns, since a document may have millions."""

from __future__ import annotations

from array import array
from typing import Final

QUOTE: Final = ord(">")
NONE: Final = -1


class Containers:
    """The block quotes and items of lists of a document, numbered as they open."""

    def __init__(self) -> None:
        self.parent = array("i")
        self.group = array("i")  # the number of its list; a quote has one of its own
        self.marker = bytearray()  # "-", "+", "*", "." or ")"; of a quote: ">"
        self._opener = array("i")  # the block whose first line it opens in
        self._sign = array("i")  # where its marker stands in what that line starts with
        self.first = array("i")  # by list: its first block

    def open(self, parent: int, group: int, marker: str) -> int:
        """One more container, inside of another (-1: of none); its number."""
        self.parent.append(parent)
        self.group.append(group)
        self.marker.append(ord(marker))
        self._opener.append(NONE)
        self._sign.append(NONE)
        return len(self.parent) - 1

    def path(self, number: int) -> tuple[int, ...]:
        """A container (-1: none) and those around it, the outermost first."""
        found = []
        while number >= 0:
            found.append(number)
            number = self.parent[number]
        return tuple(reversed(found))

    def outermost(self, number: int) -> int:
        """The outermost container around one, or itself; -1: there is none."""
        while number >= 0 and self.parent[number] >= 0:
            number = self.parent[number]
        return number

    def note_marker(self, number: int, block: int, sign: int) -> None:
        """Say which block opens an item, and where its marker stands in what the first line of that starts with."""
        self._opener[number], self._sign[number] = block, sign
        group = self.group[number]
        self.first.extend([NONE] * (group + 1 - len(self.first)))
        if self.first[group] < 0:
            self.first[group] = block

    def markers(self, block: int, path: tuple[int, ...]) -> list[tuple[int, int]]:
        """Where in what a block starts with are markers of items that it opens, and the numbers of these."""
        return [(self._sign[number], number) for number in path if self._opener[number] == block]
