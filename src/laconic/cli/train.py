"""`laconic train`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laconic.cli.flags import Only, parser_name, with_flags
from laconic.cli.progress import say
from laconic.cli.shared_flags import CACHE, ParsesFolder, TreesName
from laconic.corpus import Trees
from laconic.options import LoadOptions
from laconic.train import Settings, train


@with_flags
def train_cli(
    corpora: Annotated[
        list[Path], typer.Argument(help="Training corpora: JSON Lines or official files, plain or gzipped.")
    ],
    dev: Annotated[Path, typer.Option("--dev", help="Corpus to tune on; never trained on.")],
    out: Annotated[Path, typer.Option("--out", help="Folder to write the model and its card to.")],
    cache: ParsesFolder = CACHE,
    *,
    parsing: Annotated[LoadOptions, Only.of("parser")],
    trees: TreesName = Trees.PARSER,
    settings: Settings,
    about: Annotated[str, typer.Option("--about", help="A sentence for the card: what the corpora are.")] = "",
) -> None:
    """Train the classifiers and write a model for --model.

    Parsing is done once and cached; an interrupted run can be resumed. Needs the extra `train`: pip install
    "laconic[train]".
    """
    model = train(
        corpora,
        dev=dev,
        out=out,
        cache=cache,
        parser=parser_name(parsing),
        trees=trees,
        settings=settings,
        about=about,
        log=say,
    )
    typer.echo((out / "CARD.md").read_text(encoding="utf-8"))
    typer.echo(f"wrote {out} (rho {model.rho}, beam {model.beam})")
