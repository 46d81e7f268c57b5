"""Read lines from plain or gzipped files in bounded memory."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterator
from typing import IO, Any, Final, cast

#: Only this many bytes are kept of a longer line or row.
LINE_BYTES: Final = 1 << 22

_MARK: Final = b"\xef\xbb\xbf"


class EndlessRowError(Exception):
    """A row of CSV or TSV is longer than `LINE_BYTES`."""


def numbered_lines(file: IO[bytes], *, zipped: bool) -> Iterator[tuple[int, bytes, bool]]:
    """Lines with their numbers, from 1; the flag is False if a line was too long and truncated."""
    lines = cast(IO[bytes], gzip.GzipFile(fileobj=file)) if zipped else file
    number = 0
    while line := lines.readline(LINE_BYTES):
        whole = len(line) < LINE_BYTES or line.endswith(b"\n")
        rest = line
        while not whole and rest and not rest.endswith(b"\n"):
            rest = lines.readline(LINE_BYTES)
        number += 1
        yield number, line.removeprefix(_MARK) if number == 1 else line, whole


class CsvRows:
    """Rows of CSV as lists of fields.

    After `EndlessRowError` or `csv.Error`, iteration can continue with the next row. An unclosed quote makes the
    following lines part of its field, until the row is too long.
    """

    def __init__(self, lines: Iterator[tuple[int, bytes, bool]]) -> None:
        csv.field_size_limit(max(csv.field_size_limit(), LINE_BYTES))
        self._used = 0  # bytes of the current row
        # A generator would be exhausted by an exception; map is not. Strict: a quote that is still open at the end of
        # the file is an error.
        self._reader = csv.reader(map(self._take, lines), "excel", strict=True)

    def __iter__(self) -> CsvRows:
        return self

    def __next__(self) -> list[str]:
        self._used = 0
        return next(self._reader)

    def _take(self, numbered: tuple[int, bytes, bool]) -> str:
        _, line, whole = numbered
        self._used += len(line)
        if not whole or self._used > LINE_BYTES:
            raise EndlessRowError
        return line.decode("utf-8", "replace")


def parse_object(line: bytes) -> dict[str, Any] | str:
    """The object on a line of JSON Lines, or the reason why there is none."""
    try:
        record = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"
    return record if isinstance(record, dict) else "not a JSON object"
