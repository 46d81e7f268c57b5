"""Records as files: JSON Lines, CSV, TSV and Parquet; and the parts of a file put together."""

from __future__ import annotations

import csv
import gzip
import io
import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, Literal

from laconic.bulk.parquet import import_pyarrow
from laconic.errors import LaconicError

#: The endings of output files; each names a format.
SUFFIXES: Final = (".jsonl", ".jsonl.gz", ".csv", ".tsv", ".parquet", ".txt", ".txt.gz")

_DELIMITERS: Final = {".csv": ",", ".tsv": "\t"}


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record; JSON Lines need none of them, the other formats their order and type."""

    name: str
    type: Literal["text", "integer", "number", "texts", "integers", "json"] = "text"


def suffix_of(path: Path) -> str | None:
    """The format that the name of a file ends in, if it does: what has none is a folder."""
    # The longest first: .jsonl.gz is no .gz of anything.
    return next((suffix for suffix in sorted(SUFFIXES, key=len, reverse=True) if path.name.endswith(suffix)), None)


def check_suffix(suffix: str) -> None:
    """Refuse a format that cannot be written, before any work is done for it."""
    if suffix not in SUFFIXES:
        raise LaconicError(f"unknown format {suffix!r}: use one of {', '.join(SUFFIXES)}")
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
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(field.name for field in fields)
    for record in records:
        writer.writerow(_cell(record.get(field.name)) for field in fields)
    return out.getvalue().encode()


def _cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | tuple | dict | bool) else value


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
