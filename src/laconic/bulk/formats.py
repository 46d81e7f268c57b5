"""Write records as JSON Lines, CSV, TSV and Parquet, and join the parts of a file."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, Literal

from laconic.bulk.parquet import import_pyarrow
from laconic.errors import LaconicError
from laconic.known_names import unknown_name

#: The suffixes of output files; each names a format.
SUFFIXES: Final = (".jsonl", ".jsonl.gz", ".csv", ".tsv", ".parquet", ".txt", ".txt.gz")

#: A suffix is two to seven letters after the last dot, or one of these; so run-0.3 and out.v2 have none.
_ENDING: Final = re.compile(r"\.([a-z]{2,7}|bz2|7z)", re.IGNORECASE)
_DELIMITERS: Final = {".csv": ",", ".tsv": "\t"}


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record; JSON Lines needs no fields, other formats need their order and types."""

    name: str
    type: Literal["text", "integer", "number", "texts", "integers", "json"] = "text"


def suffix_of(path: Path, formats: Iterable[str] = SUFFIXES) -> str | None:
    """The format that an output's name ends in, ignoring case; None: it has no suffix, so it is a folder.

    Refuses an unknown suffix, unless a folder of that name exists; the message then names `formats`.
    """
    name = path.name.lower()
    # Longest first: .jsonl.gz before a plain .gz.
    known = next((suffix for suffix in sorted(SUFFIXES, key=len, reverse=True) if name.endswith(suffix)), None)
    if known is None and _ENDING.fullmatch(path.suffix) and not os.path.isdir(path):
        raise LaconicError(
            f"{path} ends in no format that can be written: let it end in one of {', '.join(formats)}, give a folder "
            "(a name without an ending), or make the folder first"
        )
    return known


def check_suffix(suffix: str) -> None:
    """Refuse a format that cannot be written, before any work is done."""
    if suffix not in SUFFIXES:
        raise unknown_name("format", suffix, SUFFIXES)
    if suffix == ".parquet":
        import_pyarrow()


def encode(records: Sequence[Mapping[str, Any]], fields: Sequence[Field], suffix: str) -> bytes:
    """The content of a file with these records; equal records give equal bytes."""
    if suffix in _DELIMITERS:
        return _csv(records, fields, _DELIMITERS[suffix])
    if suffix == ".parquet":
        return _parquet(records, fields)
    return encode_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), suffix)


def encode_text(text: str, suffix: str) -> bytes:
    """The content of a text file, gzipped if its suffix says so."""
    data = text.encode()
    return gzip.compress(data, compresslevel=6, mtime=0) if suffix.endswith(".gz") else data


def _csv(records: Sequence[Mapping[str, Any]], fields: Sequence[Field], delimiter: str) -> bytes:
    lines = [[field.name for field in fields]]
    lines += [[_cell(record.get(field.name)) for field in fields] for record in records]
    # Done by hand: csv.writer of Python 3.11 does not quote carriage returns, but csv.reader requires it.
    special = re.compile(f'[{delimiter}"\r\n]')
    return "".join((delimiter.join(_quote(cell, special) for cell in line) or '""') + "\n" for line in lines).encode()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | tuple | dict | bool) else str(value)


def _quote(cell: str, special: re.Pattern[str]) -> str:
    return '"' + cell.replace('"', '""') + '"' if special.search(cell) else cell


def _parquet(records: Sequence[Mapping[str, Any]], fields: Sequence[Field]) -> bytes:
    pa = import_pyarrow()
    types = {
        "text": pa.string(),
        "integer": pa.int64(),
        "number": pa.float64(),
        "texts": pa.list_(pa.string()),
        "integers": pa.list_(pa.int64()),
        "json": pa.string(),
    }
    columns = {}
    for field in fields:
        values = [record.get(field.name) for record in records]
        if field.type == "json":
            values = [None if value is None else json.dumps(value, ensure_ascii=False) for value in values]
        columns[field.name] = pa.array(values, types[field.type])
    out = io.BytesIO()
    pa.parquet.write_table(pa.table(columns), out)
    return out.getvalue()


def join(parts: Iterable[Path], out: IO[bytes], suffix: str) -> None:
    """Join the parts of a file in order, with at most one of them in memory."""
    if suffix == ".parquet":
        _join_parquet(parts, out)
        return
    for number, part in enumerate(parts):
        with part.open("rb") as file:
            if number and suffix in _DELIMITERS:
                file.readline()  # skip the header, which the first part has; field names contain no line breaks
            shutil.copyfileobj(file, out, 1 << 20)


def _join_parquet(parts: Iterable[Path], out: IO[bytes]) -> None:
    pa = import_pyarrow()
    writer = None
    try:
        for part in parts:
            with pa.parquet.ParquetFile(part) as file:
                writer = writer or pa.parquet.ParquetWriter(out, file.schema_arrow)
                for group in range(file.num_row_groups):
                    writer.write_table(file.read_row_group(group))
    finally:
        if writer is not None:
            writer.close()
