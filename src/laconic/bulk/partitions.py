"""Partitions: the pieces of the input that are handed to workers, each of which becomes one part of the output."""

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
    """Some rows that follow one another in the input."""

    number: int
    rows: tuple[Row, ...]
    digest: str  # of the rows: the same rows have the same
    read: int  # bytes of the input that were read for it


@dataclass(frozen=True, slots=True)
class Partitions:
    """The partitions of the sources, in their order; the same at every iteration, wherever it takes place.

    `finished` are the digests of partitions that were done before: these are passed over. With `distinct` a row whose
    values have all come before is marked as a duplicate; the first one stays.
    """

    sources: tuple[Source, ...]
    rows: int = PARTITION_ROWS
    distinct: bool = False
    finished: Mapping[int, str] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Partition]:
        before = 0  # bytes that were read when the last partition was handed out
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
        """Rows of each partition, and the bytes read up to there; of no rows at all, one partition without any."""
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
