"""A set of what was seen that takes little memory."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Sequence
from typing import Final

_SLOTS: Final = 1 << 12


class Seen:
    """Remembers rows by a 64-bit digest of their values, in one flat table.

    That takes 12 to 24 bytes a row, and for a moment 36, while the table grows; a set of Python's takes about 80. Among
    a hundred million different rows, the chance that any two share a digest is 1 in 3,700.
    """

    def __init__(self) -> None:
        self._table = array("Q", bytes(8 * _SLOTS))
        self._used = 0

    def add(self, values: Sequence[str]) -> bool:
        """Remember the values; False if they were there."""
        data = "\x1f".join(values).encode("utf-8", "replace")
        digest = int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little") or 1  # 0 is a free slot
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
    """Where the digest is, or the free slot for it; the number of slots is a power of two."""
    mask = len(table) - 1
    at = digest & mask
    while table[at] not in (0, digest):
        at = (at + 1) & mask
    return at
