"""`laconic reproduce`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laconic.cli import options
from laconic.cli.progress import say
from laconic.errors import LaconicError
from laconic.model_folders import maxent_folder


def reproduce_cli(
    dev: Annotated[Path, typer.Option("--dev", help="Corpus to tune and measure on.")],
    out: Annotated[Path, typer.Option("--out", help="Folder for the page, its data and its figures.")],
    train: Annotated[
        list[Path] | None,
        typer.Option(
            "--train", help="Corpus to train on; may be given again.", show_default="measure a model that is there"
        ),
    ] = None,
    cache: Annotated[Path, typer.Option("--cache", help="Folder that keeps parsed corpora.")] = Path(".cache/parses"),
    model: options.Model = None,
    parser: options.Parser = None,
) -> None:
    """Measure what the paper's evaluation has and write one page that sets each of its numbers beside ours.

    With --train a model is trained first, otherwise --model is measured. An interrupted run goes on where it stopped.
    Needs the extra `reproduce`: pip install "laconic[reproduce]".
    """
    from laconic.reproduce import reproduce

    if train and model is not None:
        raise LaconicError("both --train and --model were given: train a model, or measure one that is there")
    page = reproduce(
        dev,
        out=out,
        model=maxent_folder(model),
        corpora=train or [],
        cache=cache,
        parser=parser,
        log=say,
    )
    typer.echo(f"wrote {page}")
