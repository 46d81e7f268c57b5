"""Records as files: JSON Lines, CSV, TSV and Parquet; and the parts of a file put together."""

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

#: The endings of output files; each names a format.
SUFFIXES: Final = (".jsonl", ".jsonl.gz", ".csv", ".tsv", ".parquet", ".txt", ".txt.gz")

#: Two to seven letters behind the last dot of a name are an ending, and so are these; run-0.3, out.v2 have none.
_ENDING: Final = re.compile(r"\.([a-z]{2,7}|bz2|7z)", re.IGNORECASE)
_DELIMITERS: Final = {".csv": ",", ".tsv": "\t"}


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record; JSON Lines need none of them, the other formats their order and type."""

    name: str
    type: Literal["text", "integer", "number", "texts", "integers", "json"] = "text"


def suffix_of(path: Path, formats: Iterable[str] = SUFFIXES) -> str | None:
    """The format that the name of an output ends in, in whatever case; None: it has no ending, and is a folder.

    Refused is an ending that is no format, unless there is a folder of that name. `formats` are those to name then.
    """
    name = path.name.lower()
    # The longest first: .jsonl.gz is no .gz of anything.
    known = next((suffix for suffix in sorted(SUFFIXES, key=len, reverse=True) if name.endswith(suffix)), None)
    if known is None and _ENDING.fullmatch(path.suffix) and not os.path.isdir(path):
        raise LaconicError(
            f"{path} ends in no format that can be written: let it end in one of {', '.join(formats)}, give a folder "
            "(a name without an ending), or make the folder first"
        )
    return known


def check_suffix(suffix: str) -> None:
    """Refuse a format that cannot be written, before any work is done for it."""
    if suffix not in SUFFIXES:
        raise unknown_name("format", suffix, SUFFIXES)
    if suffix == ".parquet":
        import_pyarrow()


def encode(records: Sequence[Mapping[str, Any]], fields: Sequence[Field], suffix: str) -> bytes:
    """The content of a file with these records; the same records give the same bytes."""
    if suffix in _DELIMITERS:
        return _csv(records, fields, _DELIMITERS[suffix])
    if suffix == ".parquet":
        return _parquet(records, fields)
    return encode_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), suffix)


def encode_text(text: str, suffix: str) -> bytes:
    """The content of a file of lines, gzipped where its name says so."""
    data = text.encode()
    return gzip.compress(data, compresslevel=6, mtime=0) if suffix.endswith(".gz") else data


def _csv(records: Sequence[Mapping[str, Any]], fields: Sequence[Field], delimiter: str) -> bytes:
    lines = [[field.name for field in fields]]
    lines += [[_cell(record.get(field.name)) for field in fields] for record in records]
    # By hand, because csv.writer of Python 3.11 does not quote a carriage return, and csv.reader wants it quoted.
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
    """Put the parts of a file together, in their order, with one of them in memory at most."""
    if suffix == ".parquet":
        _join_parquet(parts, out)
        return
    for number, part in enumerate(parts):
        with part.open("rb") as file:
            if number and suffix in _DELIMITERS:
                file.readline()  # the header, which the first one has too; a field's name has no line break
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
