"""`laconic reproduce`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laconic.cli.flags import Only, parser_name, with_flags
from laconic.cli.progress import say
from laconic.cli.shared_flags import CACHE, ParsesFolder, repeatable
from laconic.errors import LaconicError
from laconic.model_folders import maxent_folder
from laconic.options import LoadOptions


@with_flags
def reproduce_cli(
    dev: Annotated[Path, typer.Option("--dev", help="Corpus to tune and measure on.")],
    out: Annotated[Path, typer.Option("--out", help="Folder for the page, its data and its figures.")],
    train: Annotated[
        list[Path] | None, repeatable("--train", "Corpus to train on", "measure a model that is there")
    ] = None,
    cache: ParsesFolder = CACHE,
    *,
    loading: Annotated[LoadOptions, Only.of("model", "parser")],
) -> None:
    """Measure everything in the paper's evaluation and write a page that compares its numbers with ours.

    With --train, a model is trained first; otherwise --model is measured. An interrupted run can be resumed. Needs the
    extra `reproduce`: pip install "laconic[reproduce]".
    """
    from laconic.reproduce import reproduce

    if train and "model" in loading:
        raise LaconicError("both --train and --model were given: train a model, or measure one that is there")
    page = reproduce(
        dev,
        out=out,
        model=maxent_folder(loading.get("model")),
        corpora=train or [],
        cache=cache,
        parser=parser_name(loading),
        log=say,
    )
    typer.echo(f"wrote {page}")
