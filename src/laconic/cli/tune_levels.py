"""`laconic tune-levels`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laconic.cli.progress import say
from laconic.network.stages import need_modules


def tune_levels_cli(
    network: Annotated[Path, typer.Argument(help="Folder of a network; its header and card are written anew.")],
    levels_dev: Annotated[Path, typer.Option("--levels-dev", help="Corpus with three compressions, to tune on.")],
) -> None:
    """Fit the thresholds of a network's levels, so that as much is kept as editors keep.

    The guard affects how much is kept, so fit the thresholds again after a change to it. Needs the extra `network`: pip
    install "laconic[network]".
    """
    need_modules("torch", "onnx")
    from laconic.network.ship import tune_levels

    tune_levels(network, levels_dev, say)
