"""A memory-efficient set for detecting duplicates."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Sequence
from typing import Final

_SLOTS: Final = 1 << 12


class Seen:
    """Remembers rows by 64-bit digests of their values, in one flat table.

    This takes 12 to 24 bytes a row (36 while the table grows), where a Python set takes about 80. The chance that any
    two of a hundred million different rows share a digest is 1 in 3,700.
    """

    def __init__(self) -> None:
        self._table = array("Q", bytes(8 * _SLOTS))
        self._used = 0

    def add(self, values: Sequence[str]) -> bool:
        """Add the values; returns False if they were already there."""
        data = "\x1f".join(values).encode("utf-8", "replace")
        digest = int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little") or 1  # 0 marks a free slot
        at = _find(self._table, digest)
        if self._table[at]:
            return False
        self._table[at] = digest
        self._used += 1
        if 3 * self._used > 2 * len(self._table):
            self._grow()
        return True

    def _grow(self) -> None:
        larger = array("Q", bytes(2 * 8 * len(self._table)))
        for digest in self._table:
            if digest:
                larger[_find(larger, digest)] = digest
        self._table = larger


def _find(table: array[int], digest: int) -> int:
    """The slot of a digest, or a free slot for it; the number of slots is a power of two."""
    mask = len(table) - 1
    at = digest & mask
    while table[at] not in (0, digest):
        at = (at + 1) & mask
    return at
