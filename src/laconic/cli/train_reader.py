"""`laconic train-reader`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laconic.cli.progress import say
from laconic.cli.shared_flags import CACHE, StageName, StagesFolder
from laconic.network.stages import Stage
from laconic.reader.stages import ReaderSources, train_reader


def train_reader_cli(
    network: Annotated[Path, typer.Argument(help="Folder of the network that it is for; it is written there.")],
    levels: Annotated[
        list[Path],
        typer.Option("--levels", help="Corpus with light, medium and short compressions; may be given again."),
    ],
    verdicts: Annotated[
        Path, typer.Option("--verdicts", help="Compressions, and which deletions an editor would undo.")
    ],
    plain: Annotated[Path, typer.Option("--plain", help="Sentences to compress: JSON Lines, field text or lead.")],
    cache: StagesFolder = CACHE,
    stage: StageName = Stage.ALL,
) -> None:
    """Train the reader of a network, which says which deletions an editor would undo.

    Large networks learn what editors cut, and what they say of our compressions; the reader learns from them. Fitting
    needs torch and, for an answer within the hour, a GPU. Needs the extra `network`: pip install "laconic[network]".
    """
    train_reader(ReaderSources(levels, verdicts, plain), out=network, cache=cache, stage=stage, log=say)
    if stage in (Stage.ALL, Stage.SHIP):
        typer.echo(f"wrote {network}")
