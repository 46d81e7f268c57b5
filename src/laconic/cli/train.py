"""`laconic train`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laconic.cli import options
from laconic.cli.progress import say
from laconic.corpus import Trees
from laconic.train import Settings, train

_DEFAULT = Settings()


def train_cli(
    corpora: Annotated[
        list[Path], typer.Argument(help="Training corpora: JSON Lines or official files, plain or gzipped.")
    ],
    dev: Annotated[Path, typer.Option("--dev", help="Corpus to tune on; never trained on.")],
    out: Annotated[Path, typer.Option("--out", help="Folder to write the model and its card to.")],
    cache: Annotated[Path, typer.Option("--cache", help="Folder that keeps parsed corpora.")] = Path(".cache/parses"),
    parser: options.Parser = None,
    trees: Annotated[
        str,
        typer.Option("--trees", help="parser: parse every sentence; corpus: take the trees of items that have one."),
    ] = Trees.PARSER,
    l2: Annotated[float, typer.Option("--l2", help="Strength of the regularisation.")] = _DEFAULT.l2,
    iterations: Annotated[int, typer.Option("--iterations", help="Iterations of L-BFGS.")] = _DEFAULT.iterations,
    least: Annotated[int, typer.Option("--least", help="Leave out features seen less often.")] = _DEFAULT.least,
    min_f1: Annotated[
        float, typer.Option("--min-f1", help="Leave out items that no subtree comes this close to.")
    ] = _DEFAULT.min_f1,
    max_rate: Annotated[
        float, typer.Option("--max-rate", help="Tune rho for at most this compression rate.")
    ] = _DEFAULT.max_rate,
    about: Annotated[str, typer.Option("--about", help="A sentence for the card: what the corpora are.")] = "",
    seed: Annotated[int, typer.Option("--seed", help="Order of the perceptron's training nodes.")] = _DEFAULT.seed,
) -> None:
    """Train the classifiers and write a model that --model takes.

    Parsing is done once and kept in the cache; an interrupted run goes on where it stopped. Needs the extra `train`:
    pip install "laconic[train]".
    """
    settings = Settings(l2=l2, iterations=iterations, least=least, min_f1=min_f1, max_rate=max_rate, seed=seed)
    model = train(
        corpora,
        dev=dev,
        out=out,
        cache=cache,
        parser=parser,
        trees=trees,
        settings=settings,
        about=about,
        log=say,
    )
    typer.echo((out / "CARD.md").read_text(encoding="utf-8"))
    typer.echo(f"wrote {out} (rho {model.rho}, beam {model.beam})")
