"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from laconic.errors import LaconicError

Model = Annotated[
    Path | None,
    typer.Option("--model", help="Folder of a trained model.", show_default="the one that comes with laconic"),
]
Parser = Annotated[
    str | None, typer.Option("--parser", help="spaCy pipeline to parse with.", show_default="en_core_web_sm")
]
Method = Annotated[
    str, typer.Option("--method", help="topdown; nss: with the node subset scorer; ilp: the baseline, by a solver.")
]
MaxChars = Annotated[
    int | None,
    typer.Option("--max-chars", help="Longest print of a sentence; with the method ilp.", show_default="any length"),
]
Rho = Annotated[
    float | None,
    typer.Option(
        "--rho", help="Threshold between deleting (0) and retaining (1).", show_default="tuned with the model"
    ),
]
Whole = Annotated[bool, typer.Option("--no-split", help="Take every text as one sentence.")]


def check_format(name: str, known: Sequence[str]) -> str:
    """The output format of that name."""
    if name not in known:
        raise LaconicError(f"unknown format {name!r}: use one of {', '.join(known)}")
    return name
