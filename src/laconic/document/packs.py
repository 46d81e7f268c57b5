"""Compact storage of many plain values: a document may have millions of sentences."""

from __future__ import annotations

import marshal
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, Final
from zlib import compress, decompress

#: The size in bytes from which a pack is compressed, and the level: the fastest, as packs are unpacked repeatedly.
_LARGE: Final = 4096
_LEVEL: Final = 1


class Packs:
    """Tuples, lists, strings, bytes and numbers, by index; those added together are packed and unpacked together.

    They should be read in order, so that each pack is unpacked once.
    """

    def __init__(self) -> None:
        self._count = 0
        self._first = array("q")  # index of the first value of each pack
        self._packs: list[bytes] = []
        self._is_compressed = bytearray()
        self._open = -1  # the pack that was read last
        self._unpacked: list[Any] = []

    def add(self, things: Sequence[Any]) -> None:
        """Add some values. If all of them are empty, they take no memory and must not be read."""
        if any(things):
            packed = marshal.dumps(list(things))
            is_large = len(packed) >= _LARGE
            self._first.append(self._count)
            self._packs.append(compress(packed, _LEVEL) if is_large else packed)
            self._is_compressed.append(is_large)
        self._count += len(things)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: int) -> Any:
        pack = bisect_right(self._first, number) - 1
        if pack != self._open:
            packed = self._packs[pack]
            self._unpacked = marshal.loads(decompress(packed) if self._is_compressed[pack] else packed)
            self._open = pack
        return self._unpacked[number - self._first[pack]]
