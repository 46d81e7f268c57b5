"""Read rows one at a time from JSON Lines, CSV, TSV, Parquet and plain text.

A row that cannot be used is not skipped: it carries its problem, so that it is counted and named in the results. Memory
is bounded whatever the file contains: only the beginning of an endless line is kept.
"""

from __future__ import annotations

import csv
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any, Final

from laconic.bulk.lines import LINE_BYTES, EndlessRowError, numbered_lines, parse_object
from laconic.bulk.parquet import read_batches
from laconic.bulk.sources import Kind, Source
from laconic.bulk.tsv import table_rows
from laconic.errors import LaconicError

#: The maximum number of characters in the values of a row; longer rows are not processed.
MAX_CHARS: Final = 1_000_000
#: The number of characters that are kept of a value that is too long: enough to recognise it.
SHOWN_CHARS: Final = 200

#: The problems that a row can have: the names of their counters.
UNREADABLE: Final = "unreadable"
TOO_LONG: Final = "too long"
DUPLICATE: Final = "duplicate"

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Row:
    """The requested values of one row of a file."""

    id: str  # file name and row number, from 1: news.jsonl:17
    values: tuple[str, ...]
    problem: str | None = None  # None: the row can be processed
    detail: str = ""  # of the problem


class DamagedInputError(LaconicError):
    """An input that could not be read beyond some row."""

    def __init__(self, message: str, name: str, **options: object) -> None:
        super().__init__(message, **options)
        self.name = name  # name of the source


class RowReader:
    """Iterates over the rows of a source; `position` is the number of bytes of the file that were read for them."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._file: IO[bytes] | None = None
        self._share = 0.0  # of the rows of a Parquet file

    @property
    def position(self) -> int:
        """The number of bytes of the file read so far."""
        if self._source.kind is Kind.PARQUET:
            return int(self._share * self._source.size)
        return self._source.size if self._file is None or self._file.closed else self._file.tell()

    def __iter__(self) -> Iterator[Row]:
        number = 0
        readers = {Kind.JSON: self._json, Kind.TEXT: self._text, Kind.PARQUET: self._parquet}
        try:
            for number, values in readers.get(self._source.kind, self._csv)():
                yield self._row(number, values)
        except (OSError, EOFError, zlib.error) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise DamagedInputError(
                f"{self._source.path} cannot be read beyond row {number} ({reason}): the finished parts are kept; mend "
                "the file, with the same rows up to there, and go on with resume=True",
                self._source.name,
                resume=True,
            ) from error

    def _row(self, number: int, values: tuple[str, ...] | _Problem) -> Row:
        name = f"{self._source.name}:{number}"
        if isinstance(values, _Problem):
            kept = values.values or ("",) * max(1, len(self._source.columns))
            return Row(name, tuple(map(_clean, kept)), values.problem, values.detail)
        total = sum(map(len, values))
        if total > MAX_CHARS:
            shown = tuple(_clean(value[:SHOWN_CHARS]) for value in values)
            return Row(name, shown, TOO_LONG, f"{total:,} characters; {MAX_CHARS:,} at most")
        return Row(name, tuple(map(_clean, values)))

    def _lines(self) -> Iterator[tuple[int, bytes, bool]]:
        with self._source.path.open("rb") as self._file:
            yield from numbered_lines(self._file, zipped=self._source.zipped)

    def _text(self) -> Iterator[tuple[int, tuple[str, ...] | _Problem]]:
        for number, line, whole in self._lines():
            text = line.decode("utf-8", "replace")
            if whole:
                yield number, (text.removesuffix("\n").removesuffix("\r"),)
            else:
                yield number, _Problem(TOO_LONG, _ENDLESS, (text[:SHOWN_CHARS],))

    def _json(self) -> Iterator[tuple[int, tuple[str, ...] | _Problem]]:
        for number, line, whole in self._lines():
            if not whole:
                yield number, _Problem(TOO_LONG, _ENDLESS)
            elif line.strip():
                yield number, self._from_json(line)

    def _from_json(self, line: bytes) -> tuple[str, ...] | _Problem:
        record = parse_object(line)
        if isinstance(record, str):
            return _Problem(UNREADABLE, record if line.endswith(b"\n") else f"{record}; the file ends within the line")
        return _texts([record.get(name, _MISSING) for name in self._source.columns], self._source.columns)

    def _csv(self) -> Iterator[tuple[int, tuple[str, ...] | _Problem]]:
        rows = table_rows(self._lines(), tabs=self._source.kind is Kind.TSV)
        header = next(rows, [])
        places = [header.index(name) for name in self._source.columns if name in header]
        number = 0
        while True:
            found: tuple[str, ...] | _Problem
            try:
                fields = next(rows)
                if not fields:  # skip empty lines
                    continue
                found = _Problem(UNREADABLE, f"{len(fields)} fields where the header has {len(header)}")
                if len(fields) == len(header):
                    found = tuple(fields[place] for place in places)
            except StopIteration:
                return
            except EndlessRowError:
                found = _Problem(TOO_LONG, _ENDLESS)
            except csv.Error as error:
                found = _Problem(UNREADABLE, f"no row of {self._source.kind}: {error}")
            number += 1
            yield number, found

    def _parquet(self) -> Iterator[tuple[int, tuple[str, ...] | _Problem]]:
        number = 0
        for columns, total in read_batches(self._source.path, self._source.columns):
            for values in zip(*columns, strict=True):
                number += 1
                yield number, _texts(values, self._source.columns)
            self._share = number / max(total, 1)


@dataclass(frozen=True, slots=True)
class _Problem:
    problem: str
    detail: str
    values: tuple[str, ...] = ()


_ENDLESS: Final = f"a row of more than {LINE_BYTES:,} bytes"
_MISSING: Final = object()


def _texts(values: Sequence[Any], columns: Sequence[str]) -> tuple[str, ...] | _Problem:
    for value, name in zip(values, columns, strict=True):
        if not isinstance(value, str):
            held = "is missing" if value is _MISSING or value is None else f"holds no text but {type(value).__name__}"
            return _Problem(UNREADABLE, f"the column {name!r} {held}")
    return tuple(values)


def _clean(text: str) -> str:
    """Replace lone surrogates, which JSON can contain but files cannot."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
