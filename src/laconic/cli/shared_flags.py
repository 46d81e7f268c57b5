"""Flags that several commands have, each defined once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import typer

#: The default cache folder of commands that take long.
CACHE: Final = Path(".cache/parses")

ParsesFolder: TypeAlias = Annotated[Path, typer.Option("--cache", help="Folder that keeps parsed corpora.")]
StagesFolder: TypeAlias = Annotated[Path, typer.Option("--cache", help="Folder that keeps what is finished.")]
StageName: TypeAlias = Annotated[str, typer.Option("--stage", help="prepare, fit, ship, or all of them.")]
TreesName: TypeAlias = Annotated[
    str, typer.Option("--trees", help="parser: parse every sentence; corpus: take the trees of items that have one.")
]
TableFormat: TypeAlias = Annotated[str, typer.Option("--format", help="text, json or latex.")]
Address: TypeAlias = Annotated[str, typer.Option("--host", help="Address to listen at.")]


def repeatable(flag: str, words: str, unset: str) -> Any:
    """A flag that may be repeated; `unset` is what applies if it is not given."""
    return typer.Option(flag, help=f"{words}; may be given again.", show_default=unset)
