"""Compress files of texts into files, on all cores or a cluster."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypedDict

from laconic.cli import bulk
from laconic.cli.flags import parser_name
from laconic.cli.wording import told
from laconic.errors import LaconicError
from laconic.model_folders import model_folder
from laconic.options import CompressOptions, LoadOptions, Option


class OutOptions(TypedDict, total=False):
    """The input column and the output location."""

    out: Annotated[
        Path | None,
        Option(
            "Compress files into parts in this folder, or into this file.",
            more="A file (`all.jsonl`) is assembled at the end.",
            metavar="PATH",
        ),
    ]
    column: Annotated[
        str | None,
        Option("Where texts are in JSON Lines, CSV, Parquet.", unset="text or sentence", metavar="NAME"),
    ]


class FileOptions(OutOptions, bulk.BulkOptions, total=False):
    """How files of texts are compressed."""


def compress_files(
    inputs: Sequence[Path],
    out: Path,
    asked: CompressOptions,
    loading: LoadOptions,
    large: FileOptions,
    *,
    format: str | None,  # noqa: A002
    shown: bool,
) -> None:
    """Compress the texts of files into a file or a folder, and report how many were refused."""
    from laconic.bulk import Column
    from laconic.compress_job import TEXT, CompressJob

    model = loading.get("model")
    options = asked.copy()
    job = CompressJob(
        k=options.pop("k", 1),
        options=options,
        model=None if model is None else model_folder(model).absolute(),
        parser=parser_name(loading),
        scorer=loading.get("scorer"),
        split=loading.get("split", True),
        suffix=bulk.suffix_for(out, format, {"jsonl": ".jsonl", "text": ".txt"}),
        tell=told,
    )
    if asked.get("explain") and job.suffix.startswith(".txt"):
        raise LaconicError("--explain goes with --format jsonl, where there is room for the reasons: use that")
    column = large.get("column")
    columns = [TEXT if column is None else Column((column,))]
    summary = bulk.run_job(job, inputs, columns, out, large, label="compressing", rows="texts", shown=shown)
    if summary.counts:
        print(bulk.counted(summary), file=sys.stderr)
