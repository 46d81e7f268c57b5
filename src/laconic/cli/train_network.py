"""`laconic train-network`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laconic.cli.progress import say
from laconic.cli.shared_flags import CACHE, StageName, StagesFolder, repeatable
from laconic.network.stages import Sources, Stage, train_network


def train_network_cli(
    corpora: Annotated[list[Path], typer.Argument(help="Corpora of headlines, plain or gzipped.")],
    dev: Annotated[Path, typer.Option("--dev", help="Corpus of headlines to tune on; never trained on.")],
    levels: Annotated[
        list[Path],
        typer.Option("--levels", help="Corpus with light, medium and short compressions; may be given again."),
    ],
    levels_dev: Annotated[Path, typer.Option("--levels-dev", help="The same, to tune on; never trained on.")],
    treebank: Annotated[
        Path, typer.Option("--treebank", help="Sentences whose trees are learned: JSON Lines, field text or lead.")
    ],
    plain: Annotated[
        Path | None,
        typer.Option(
            "--plain",
            help="Texts for the teachers to label: the same form. Without them, --go-on-from is needed.",
            show_default="none",
        ),
    ] = None,
    verdicts: Annotated[
        list[Path] | None,
        repeatable("--verdicts", "Sentences with deletions that are fine, or at fault", "none"),
    ] = None,
    verdicts_dev: Annotated[
        Path | None,
        typer.Option("--verdicts-dev", help="The same, to measure on; never trained on.", show_default="none"),
    ] = None,
    polish_verdicts: Annotated[
        list[Path] | None,
        repeatable("--polish-verdicts", "Of the files of verdicts, one with the strictest", "all of them"),
    ] = None,
    polish: Annotated[
        list[Path] | None,
        repeatable("--polish", "Of the corpora, one whose text is as users have it, with its case", "all of them"),
    ] = None,
    go_on_from: Annotated[
        Path | None,
        typer.Option("--go-on-from", help="Folder of networks to train on, in place of MiniLM.", show_default="none"),
    ] = None,
    *,
    out: Annotated[Path, typer.Option("--out", help="Folder for the networks, each in one of its own.")],
    cache: StagesFolder = CACHE,
    parser: Annotated[
        str | None,
        typer.Option("--parser", help="spaCy pipeline whose trees are learned.", show_default="en_core_web_md"),
    ] = None,
    about: Annotated[str, typer.Option("--about", help="A sentence for the cards: what the corpora are.")] = "",
    stage: StageName = Stage.ALL,
    try_sizes: Annotated[
        bool, typer.Option("--try-sizes", help="Also networks of three and of six layers, to compare.")
    ] = False,
) -> None:
    """Train the networks that parse and score, and write folders for --model.

    Preparing needs spaCy; fitting needs torch and, to finish within the hour, a GPU. The stages can run on different
    machines: each finds the results of the previous one in the cache. Needs the extra `network`: pip install
    "laconic[network]".
    """
    train_network(
        Sources(
            corpora,
            dev,
            levels,
            levels_dev,
            treebank,
            plain,
            verdicts or (),
            verdicts_dev,
            polish or (),
            polish_verdicts or (),
            go_on_from,
        ),
        out=out,
        cache=cache,
        parser=parser,
        about=about,
        stage=stage,
        try_sizes=try_sizes,
        log=say,
    )
    if stage in (Stage.ALL, Stage.SHIP):
        typer.echo(f"wrote {out}")
