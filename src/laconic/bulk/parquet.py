"""Read and write Parquet files by pyarrow, which is imported only for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from laconic.errors import LaconicError

#: The number of rows that are decoded at once.
_BATCH_ROWS: Final = 256


def import_pyarrow() -> Any:
    """Import pyarrow with its submodule for Parquet."""
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError:
        raise LaconicError('Parquet files need pyarrow: pip install "laconic[parquet]"') from None
    return pa


def column_names(path: Path) -> list[str]:
    """The names of a file's columns."""
    pa = import_pyarrow()
    try:
        with pa.parquet.ParquetFile(path) as file:
            return list(file.schema_arrow.names)
    except (OSError, pa.ArrowException) as error:
        raise LaconicError(f"cannot read {path} ({_reason(error)}): check that it is a whole Parquet file") from error


def read_batches(path: Path, columns: Sequence[str]) -> Iterator[tuple[list[list[Any]], int]]:
    """Batches of the columns' values, with the number of rows in the file; one row group is in memory at a time."""
    pa = import_pyarrow()
    try:
        with pa.parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(_BATCH_ROWS, columns=list(columns), use_threads=False):
                yield [batch.column(name).to_pylist() for name in columns], file.metadata.num_rows
    except pa.ArrowException as error:
        raise OSError(_reason(error)) from error


def _reason(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
