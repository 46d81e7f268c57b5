"""`laconic evaluate`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from laconic.cli import options
from laconic.compressor import default_model
from laconic.evaluate import as_table, evaluate
from laconic.parse import SpacyParser
from laconic.score import Model


def evaluate_cli(
    data: Annotated[Path, typer.Argument(help="Corpus with compressions: JSON Lines, plain or gzipped.")],
    k: Annotated[int, typer.Option("-k", help="Results for the best of k.")] = 5,
    method: Annotated[list[str] | None, typer.Option("--method", help="topdown or nss; may be given twice.")] = None,
    format: Annotated[str, typer.Option("--format", help="text or json.")] = "text",  # noqa: A002
    rho: options.Rho = None,
    model: options.Model = None,
    parser: options.Parser = None,
) -> None:
    """Compare compressions with a corpus: tree F1, word F1, exact match, rate, best of k, ceiling of the trees."""
    options.check_format(format, ("text", "json"))
    opened = Model.load(default_model() if model is None else model)
    pipeline = SpacyParser(parser, split=False)
    methods = method or ["topdown", "nss"]
    rows = [(name, evaluate(data, opened, parser=pipeline, k=k, method=name, rho=rho)) for name in methods]
    if format == "json":
        typer.echo(json.dumps({name: scores.to_dict() for name, scores in rows}, indent=1))
    else:
        typer.echo(as_table(rows, k))
