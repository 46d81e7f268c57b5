"""`laconic train-reader`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laconic.cli.progress import say
from laconic.network.stages import Stage
from laconic.reader.stages import train_reader


def train_reader_cli(
    treebank: Annotated[Path, typer.Argument(help="Plain sentences: JSON Lines, field text or lead.")],
    networks: Annotated[
        Path | None,
        typer.Option("--networks", help="Folder of trained networks.", show_default="those of laconic"),
    ] = None,
    *,
    out: Annotated[Path, typer.Option("--out", help="Folder for the reader.")],
    cache: Annotated[Path, typer.Option("--cache", help="Folder that keeps what is finished.")] = Path(".cache/parses"),
    stage: Annotated[str, typer.Option("--stage", help="prepare, fit, ship, or all of them.")] = Stage.ALL,
) -> None:
    """Train the reader, which says where something is missing in a print, from plain sentences.

    Sentences are parsed, cut at random and printed; a large network learns to see where, a small one learns from it.
    Fitting needs torch and, for an answer within the hour, a GPU. Needs the extra `network`: pip install
    "laconic[network]".
    """
    train_reader(treebank, out=out, cache=cache, networks=networks, stage=stage, log=say)
    if stage in (Stage.ALL, Stage.SHIP):
        typer.echo(f"wrote {out}")
