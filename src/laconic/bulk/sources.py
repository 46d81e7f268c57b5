"""Input files: their kinds, the requested columns, and fingerprints to recognise them."""

from __future__ import annotations

import csv
import hashlib
import itertools
import stat
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from laconic.bulk.lines import EndlessRowError, numbered_lines, parse_object
from laconic.bulk.parquet import column_names
from laconic.bulk.tsv import table_rows
from laconic.errors import LaconicError

#: The number of lines of a JSON Lines file that are examined for its columns.
_LOOKED_AT: Final = 100
_MIB: Final = 1 << 20


class Kind(StrEnum):
    """The kinds of input files, by suffix; all but Parquet may be gzipped."""

    JSON = "JSON Lines"
    CSV = "CSV"
    TSV = "TSV"
    PARQUET = "Parquet"
    TEXT = "plain text"


_KINDS: Final = {
    ".jsonl": Kind.JSON,
    ".ndjson": Kind.JSON,
    ".json": Kind.JSON,
    ".csv": Kind.CSV,
    ".tsv": Kind.TSV,
    ".parquet": Kind.PARQUET,
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column that a job needs: the first of these names that occurs in a file."""

    names: tuple[str, ...]
    plain: bool = False  # whether lines of plain text, which has no columns, can be used


@dataclass(frozen=True, slots=True)
class Source:
    """An input file with the names of the requested columns."""

    path: Path  # absolute, as workers may run in another folder
    name: str  # used in the ids of rows
    kind: Kind
    columns: tuple[str, ...]  # empty for plain text
    size: int

    @property
    def zipped(self) -> bool:
        """Whether the file is gzipped."""
        return self.path.suffix.lower() == ".gz"

    def fingerprint(self) -> dict[str, Any]:
        """The identity of the file for resumed runs: name, columns, size, hash of the first and last MiB."""
        try:
            with self.path.open("rb") as file:
                digest = hashlib.sha256(file.read(_MIB))
                if self.size > _MIB:
                    file.seek(max(_MIB, self.size - _MIB))
                    digest.update(file.read(_MIB))
        except OSError as error:
            raise LaconicError(f"cannot read {self.path} ({error.strerror}): check the path") from error
        return {
            "name": self.name,
            "columns": list(self.columns),
            "bytes": self.size,
            "sha256 of both ends": digest.hexdigest(),
        }


def open_sources(paths: Sequence[Path], columns: Sequence[Column]) -> tuple[Source, ...]:
    """The files with the names of the requested columns; refuses unreadable files and those without such columns."""
    if not paths:
        raise LaconicError("there is nothing to read: give one file or more")
    for path in paths:
        _check_readable(path)
    resolved = [path.resolve() for path in paths]
    for path, count in Counter(resolved).items():
        if count > 1:
            raise LaconicError(f"{path} was given {count} times: give every file once")
    # Row ids contain only the file name; if several files share it, distinguishing folders are added.
    shared = Counter(path.name for path in paths)
    sources = []
    for path, absolute in zip(paths, resolved, strict=True):
        kind = _KINDS.get(Path(path.name.lower().removesuffix(".gz")).suffix, Kind.TEXT)
        name = path.name if shared[path.name] == 1 else str(path)
        source = Source(absolute, name, kind, (), absolute.stat().st_size)
        sources.append(replace(source, columns=_choose(source, columns)))
    return tuple(sources)


def _check_readable(path: Path) -> None:
    if str(path) == "-":
        raise LaconicError("standard input cannot be read again to resume: save it to a file, and give that")
    try:
        with path.open("rb"):
            state = path.stat()
    except OSError as error:
        remedy = "give the files in it" if path.is_dir() else "check the path"
        raise LaconicError(f"cannot read {path} ({error.strerror}): {remedy}") from error
    if not stat.S_ISREG(state.st_mode):
        raise LaconicError(f"{path} cannot be read again to resume: save what comes from it to a file, and give that")


def _choose(source: Source, columns: Sequence[Column]) -> tuple[str, ...]:
    """The names of the requested columns in this file."""
    if source.kind is Kind.TEXT:
        if len(columns) == 1 and columns[0].plain:
            return ()
        wanted = " and ".join(repr(column.names[0]) for column in columns)
        raise LaconicError(
            f"{source.path} is plain text, which has no column {wanted}: give JSON Lines (.jsonl), CSV (.csv), "
            "TSV (.tsv) or Parquet (.parquet)"
        )
    try:
        found = _column_names(source)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise LaconicError(f"cannot read {source.path} ({reason}): check that the file is whole") from error
    if found is None:  # an empty file
        return tuple(column.names[0] for column in columns)
    chosen = []
    for column in columns:
        name = next((name for name in column.names if name in found), None)
        if name is None:
            wanted = " or ".join(repr(name) for name in column.names)
            there = ", ".join(found[:20]) + (", …" if len(found) > 20 else "")
            raise LaconicError(f"{source.path} has no column {wanted}: name one of its columns ({there})")
        chosen.append(name)
    return tuple(chosen)


def _column_names(source: Source) -> list[str] | None:
    """The names of the file's columns, or None if it is empty."""
    if source.kind is Kind.PARQUET:
        return column_names(source.path)
    with source.path.open("rb") as file:
        lines = numbered_lines(file, zipped=source.zipped)
        if source.kind is Kind.JSON:
            return _json_names(source, lines)
        try:
            return next(table_rows(lines, tabs=source.kind is Kind.TSV), None)
        except (EndlessRowError, csv.Error) as error:
            raise LaconicError(
                f"the first line of {source.path} is no header of {source.kind} ({error or 'too long'}): add one"
            ) from error


def _json_names(source: Source, lines: Iterator[tuple[int, bytes, bool]]) -> list[str] | None:
    names: dict[str, None] = {}
    objects = 0
    wrong = None
    try:
        for _, line, _ in itertools.islice(lines, _LOOKED_AT):
            record = parse_object(line)
            if isinstance(record, dict):
                objects += 1
                names.update(dict.fromkeys(record))
            elif line.strip():
                wrong = wrong or record
    except (OSError, EOFError, zlib.error):
        if not objects:  # otherwise, the rows before the damage are read first, and then the error is raised
            raise
    if wrong and not objects:
        raise LaconicError(f"{source.path} is no JSON Lines file ({wrong}): give one JSON object a line")
    return list(names) if objects else None
