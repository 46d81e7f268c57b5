"""Containers of blocks: block quotes and list items, in columns, since a document may have millions."""

from __future__ import annotations

from array import array
from typing import Final

QUOTE: Final = ord(">")
NONE: Final = -1


class Containers:
    """The block quotes and list items of a document, numbered in the order in which they open."""

    def __init__(self) -> None:
        self.parent = array("i")
        self.group = array("i")  # the number of its list; a quote has its own number
        self.marker = bytearray()  # "-", "+", "*", "." or ")"; ">" for quotes
        self._opener = array("i")  # the block on whose first line it opens
        self._sign = array("i")  # the offset of its marker in the prefix of that line
        self.first = array("i")  # by list: its first block

    def open(self, parent: int, group: int, marker: str) -> int:
        """Add a container inside another one (-1: none); returns its number."""
        self.parent.append(parent)
        self.group.append(group)
        self.marker.append(ord(marker))
        self._opener.append(NONE)
        self._sign.append(NONE)
        return len(self.parent) - 1

    def path(self, number: int) -> tuple[int, ...]:
        """A container (-1: none) and those around it, outermost first."""
        found = []
        while number >= 0:
            found.append(number)
            number = self.parent[number]
        return tuple(reversed(found))

    def outermost(self, number: int) -> int:
        """The outermost container around this one, which may be itself; -1: none."""
        while number >= 0 and self.parent[number] >= 0:
            number = self.parent[number]
        return number

    def note_marker(self, number: int, block: int, sign: int) -> None:
        """Record which block opens an item, and the offset of the marker in the prefix of that block's first line."""
        self._opener[number], self._sign[number] = block, sign
        group = self.group[number]
        self.first.extend([NONE] * (group + 1 - len(self.first)))
        if self.first[group] < 0:
            self.first[group] = block

    def markers(self, block: int, path: tuple[int, ...]) -> list[tuple[int, int]]:
        """The offsets, in the prefix of a block, of the markers of items that it opens, and the items' numbers."""
        return [(self._sign[number], number) for number in path if self._opener[number] == block]
