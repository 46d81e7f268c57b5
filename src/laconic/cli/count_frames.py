"""`laconic count-frames`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laconic.cli import options
from laconic.cli.progress import say


def count_frames_cli(
    corpus: Annotated[Path, typer.Argument(help="Plain text: JSON Lines with `text`, plain or gzipped.")],
    out: Annotated[Path, typer.Option("--out", help="File to write the table to.")],
    cache: Annotated[Path, typer.Option("--cache", help="Folder that keeps parsed corpora.")] = Path(".cache/parses"),
    parser: options.Parser = None,
) -> None:
    """Count what words seldom stand without, for the guard.

    Parsing is done once and kept in the cache; an interrupted run goes on where it stopped.
    """
    from laconic.frames.make import count_frames

    count_frames(corpus, out=out, cache=cache, parser=parser, log=say)
