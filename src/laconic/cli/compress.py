"""`laconic compress`: texts one by one or, with --out, whole files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from laconic.cli import bulk
from laconic.cli.compress_files import FileOptions, compress_files
from laconic.cli.compress_stream import compress_stream
from laconic.cli.flags import with_flags
from laconic.errors import LaconicError
from laconic.options import CompressOptions, LoadOptions


@with_flags
def compress_cli(
    texts: Annotated[
        list[str] | None,
        typer.Argument(help="Texts to compress (with --out: files of them); without any, lines of standard input."),
    ] = None,
    file: Annotated[
        list[Path] | None, typer.Option("--file", "-f", help="File with one text a line; - is standard input.")
    ] = None,
    format: Annotated[  # noqa: A002
        str | None, typer.Option("--format", help="text, json or jsonl.", show_default="text; with --out jsonl")
    ] = None,
    *,
    asked: CompressOptions,
    loading: LoadOptions,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first text that is refused.")] = False,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Show no progress bar.")] = False,
    large: FileOptions,
) -> None:
    """Print the k best compressions of every sentence of the texts, in order.

    With -k 1, the text format has one line for each text; otherwise rank, score, rate and compression, and a blank line
    after each sentence or, if a budget is for the whole text, after each text. The json format is an array, jsonl has
    one object on a line for each text.

    A budget is for the whole text, of which something of every sentence is kept, or for each sentence
    (--each-sentence); it is never exceeded. Words to keep or drop are always respected. If nothing is within the
    limits, the text is refused: an empty line, or an object with "error", is printed in its place; standard error says
    which text it is and what the shortest possible result is, and the status is 1. --strict stops there.

    With --out, the texts are read from files: one a line, or a column of JSON Lines, CSV, TSV or Parquet. All cores
    work on them, or a cluster, and an interrupted run can be resumed with --resume.
    """
    files = file or []
    out = large.get("out")
    if out is None:
        bulk.refuse_without_out(large)
        if texts and files:
            raise LaconicError("both texts and --file were given: give one or the other")
        if not texts and not files and sys.stdin is not None and sys.stdin.isatty():
            raise LaconicError(
                'nothing to compress: give a text, as in laconic compress "…", a --file, or lines on standard input'
            )
        refused = compress_stream(
            texts or [], files, asked, loading, format=format or "text", strict=strict, shown=not no_progress
        )
        if refused:
            raise typer.Exit(1)
        return
    if strict:
        raise LaconicError("--strict does not go with --out, where every text has its line: leave out --strict")
    if loading.get("threads", 1) != 1:
        raise LaconicError("--threads does not go with --out, where every core has a process: use --workers")
    inputs = [*map(Path, texts or []), *files]
    compress_files(inputs, out, asked, loading, large, format=format, shown=not no_progress)
