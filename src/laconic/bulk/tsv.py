"""Read rows of TSV, where quotation marks are usually ordinary characters.

A field is quoted, as in CSV, if it begins with a quotation mark whose partner stands right before a tab or the end of a
line, with all marks in between doubled, as `encode` writes it. Otherwise its marks are ordinary characters, as in `"Dog
bites man" says chief`. A quoted field may contain line breaks if the row then has as many fields as the header, so an
unclosed quotation mark does not swallow the following rows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Final

from laconic.bulk.lines import LINE_BYTES, CsvRows, EndlessRowError

_MARK: Final = '"'


class TsvRows:
    """Rows of TSV as lists of fields; the first one is the header.

    After `EndlessRowError`, iteration can continue with the next row.
    """

    def __init__(self, lines: Iterator[tuple[int, bytes, bool]]) -> None:
        self._lines = lines
        self._ahead: deque[str | None] = deque()  # lines of the current row and following ones; None: too long
        self._width: int | None = None  # number of fields in the header

    def __iter__(self) -> TsvRows:
        return self

    def __next__(self) -> list[str]:
        if not self._reach(0):
            raise StopIteration
        if self._ahead[0] is None:
            self._ahead.popleft()
            raise EndlessRowError
        fields, used = self._read(across=self._width is not None)
        if used > 1 and len(fields) != self._width:
            fields, used = self._read(across=False)
        for _ in range(used):
            self._ahead.popleft()
        if self._width is None:
            self._width = len(fields)
        return fields

    def _reach(self, number: int) -> bool:
        """Read ahead until a line with this index is available; returns False at the end of the input."""
        while len(self._ahead) <= number:
            found = next(self._lines, None)
            if found is None:
                return False
            _, line, whole = found
            self._ahead.append(line.decode("utf-8", "replace") if whole else None)
        return True

    def _read(self, *, across: bool) -> tuple[list[str], int]:
        """The fields of the next row and its number of lines, which can be several with `across`."""
        fields: list[str] = []
        number, start = 0, 0
        line = _without_break(self._ahead[0] or "")
        if not line:
            return [], 1
        while start <= len(line):
            quoted = self._quoted(number, start + 1, across=across) if line.startswith(_MARK, start) else None
            if quoted is None:
                end = line.find("\t", start)
                end = len(line) if end < 0 else end
                fields.append(line[start:end])
            else:
                text, number, end = quoted
                line = _without_break(self._ahead[number] or "")
                fields.append(text)
            start = end + 1
            if number and self._width is not None and len(fields) > self._width:
                break  # too many fields for a row
        return fields, number + 1

    def _quoted(self, number: int, start: int, *, across: bool) -> tuple[str, int, int] | None:
        """The text after an opening mark, and the line and offset of the field's end; None: the field is not quoted."""
        pieces = []
        size = 0
        while (line := self._ahead[number]) is not None:
            body = _without_break(line)
            end = _closing(body, start)
            if end >= 0:
                if end + 1 < len(body) and body[end + 1] != "\t":
                    return None
                pieces.append(body[start:end])
                return "".join(pieces).replace(_MARK * 2, _MARK), number, end + 1
            pieces.append(line[start:])
            size += len(line)
            if not across or size > LINE_BYTES or not self._reach(number + 1):
                return None
            number, start = number + 1, 0
        return None


def table_rows(lines: Iterator[tuple[int, bytes, bool]], *, tabs: bool) -> CsvRows | TsvRows:
    """Rows of TSV (tabs) or CSV."""
    return TsvRows(lines) if tabs else CsvRows(lines)


def _without_break(line: str) -> str:
    return line.removesuffix("\n").removesuffix("\r")


def _closing(text: str, start: int) -> int:
    """The offset of the first mark that is not doubled, or -1."""
    while (start := text.find(_MARK, start)) >= 0 and text.startswith(_MARK, start + 1):
        start += 2
    return start
