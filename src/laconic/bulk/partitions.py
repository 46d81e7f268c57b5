"""Partitions: the pieces of the input that workers process, each of which becomes one part of the output."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from laconic.bulk.rows import DUPLICATE, Row, RowReader
from laconic.bulk.seen import Seen
from laconic.bulk.sizes import PARTITION_CHARS, PARTITION_ROWS
from laconic.bulk.sources import Source
from laconic.errors import LaconicError


@dataclass(frozen=True, slots=True)
class Partition:
    """Successive rows of the input."""

    number: int
    rows: tuple[Row, ...]
    digest: str  # of the rows: equal rows have equal digests
    read: int  # bytes of the input read for it


@dataclass(frozen=True, slots=True)
class Partitions:
    """The partitions of the sources, in order; every iteration gives the same ones, on any machine.

    `finished` are the digests of partitions that are already done; they are skipped. With `distinct`, a row whose
    values occurred before is marked as a duplicate; the first one is kept.
    """

    sources: tuple[Source, ...]
    rows: int = PARTITION_ROWS
    distinct: bool = False
    finished: Mapping[int, str] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Partition]:
        before = 0  # bytes read before the current partition
        number = -1
        for number, (rows, read) in enumerate(self._cut()):
            digest = _digest(rows)
            known = self.finished.get(number)
            if known is None:
                yield Partition(number, tuple(rows), digest, read - before)
                before = read
            elif known != digest:
                raise _changed(number)
        if max(self.finished, default=-1) > number:
            raise _changed(number + 1)

    def _cut(self) -> Iterator[tuple[list[Row], int]]:
        """The rows of each partition, and the bytes read so far; without any rows, a single empty partition."""
        rows: list[Row] = []
        chars = total = position = 0
        started = False
        seen = Seen()
        for source in self.sources:
            reader = RowReader(source)
            for row in reader:
                if self.distinct and row.problem is None and not seen.add(row.values):
                    rows.append(replace(row, problem=DUPLICATE, detail="the same values came before"))
                else:
                    rows.append(row)
                chars += sum(map(len, row.values))
                if len(rows) >= self.rows or chars >= PARTITION_CHARS:
                    position = total + reader.position
                    yield rows, position
                    rows, chars, started = [], 0, True
            total += source.size
        if rows or not started:
            yield rows, total


def _changed(number: int) -> LaconicError:
    return LaconicError(
        f"part {number} was made of other rows than the inputs have there now: give the files as they were when the "
        "run began, or another output"
    )


def _digest(rows: list[Row]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for row in rows:
        digest.update("\x1f".join((row.id, row.problem or "", *row.values, "\x1e")).encode())
    return digest.hexdigest()
