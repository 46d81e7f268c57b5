"""`laconic bench`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from laconic.bench import as_table, bench
from laconic.cli.flags import Only, parser_name, with_flags
from laconic.cli.formats import check_format
from laconic.options import LoadOptions


@with_flags
def bench_cli(
    data: Annotated[Path, typer.Argument(help="Corpus, or text file with one sentence a line.")],
    format: Annotated[str, typer.Option("--format", help="text or json.")] = "text",  # noqa: A002
    ilp: Annotated[bool, typer.Option("--ilp", help="Also time the ILP; needs its solver.")] = False,
    *,
    loading: Annotated[LoadOptions, Only.of("model", "parser", "scorer")],
) -> None:
    """Time every stage on one core: mean, median, 99th percentile, and the share of parsing."""
    check_format(format, ("text", "json"))
    report = bench(data, loading.get("model"), parser=parser_name(loading), scorer=loading.get("scorer"), ilp=ilp)
    typer.echo(json.dumps(report.to_dict(), indent=1) if format == "json" else as_table(report))
