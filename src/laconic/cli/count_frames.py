"""`laconic count-frames`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laconic.cli.flags import Only, parser_name, with_flags
from laconic.cli.progress import say
from laconic.cli.shared_flags import CACHE, ParsesFolder
from laconic.options import LoadOptions


@with_flags
def count_frames_cli(
    corpus: Annotated[Path, typer.Argument(help="Plain text: JSON Lines with `text`, plain or gzipped.")],
    out: Annotated[Path, typer.Option("--out", help="File to write the table to.")],
    cache: ParsesFolder = CACHE,
    *,
    parsing: Annotated[LoadOptions, Only.of("parser")],
) -> None:
    """Count which complements words seldom lack, for the guard.

    Parsing is done once and cached; an interrupted run can be resumed.
    """
    from laconic.frames.make import count_frames

    count_frames(corpus, out=out, cache=cache, parser=parser_name(parsing), log=say)
