"""Plain data of many things in little room: a document may have millions of sentences."""

from __future__ import annotations

import marshal
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, Final
from zlib import compress, decompress

#: Bytes from which on a pack is compressed, and how hard: as fast as can be, it will be unpacked again and again.
_LARGE: Final = 4096
_LEVEL: Final = 1


class Packs:
    """Tuples, lists, strings, bytes and numbers, by number: what is added together is packed, and unpacked, together.

    So they should be asked for in order.
    """

    def __init__(self) -> None:
        self._count = 0
        self._first = array("q")  # the number of the first thing of each pack
        self._packs: list[bytes] = []
        self._is_compressed = bytearray()
        self._open = -1  # the pack that was asked for last
        self._unpacked: list[Any] = []

    def add(self, things: Sequence[Any]) -> None:
        """Some more; where there is nothing in any of them, they take no room, and must not be asked for."""
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
