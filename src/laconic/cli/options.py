"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from laconic.errors import LaconicError

Model = Annotated[
    str | None,
    typer.Option("--model", help="default, small, or the folder of a trained model.", show_default="default"),
]
Parser = Annotated[
    str | None,
    typer.Option("--parser", help="network, spacy, or a spaCy pipeline to parse with.", show_default="the model's"),
]
Scorer = Annotated[
    str | None, typer.Option("--scorer", help="network, or maxent: the paper's.", show_default="the model's")
]
Order = Annotated[
    str | None,
    typer.Option("--order", help="score, or expected-f1: by the F1 to be expected.", show_default="the model's"),
]
Threads = Annotated[int, typer.Option("--threads", help="Threads of the network, up to the cores there are.")]
Method = Annotated[
    str, typer.Option("--method", help="topdown; nss: with the node subset scorer; ilp: the baseline, by a solver.")
]
Level = Annotated[
    str | None,
    typer.Option("--level", help="light, medium, short or headline.", show_default="medium; the budget, if any"),
]
NoGuard = Annotated[
    bool, typer.Option("--no-guard", help="Let go, too, what changes the truth or leaves a sentence incomplete.")
]
Rho = Annotated[
    float | None,
    typer.Option(
        "--rho",
        help="With --level headline: threshold between deleting (0) and retaining (1).",
        show_default="tuned with the model",
    ),
]
Language = Annotated[
    str, typer.Option("--language", help="en: leave what is not English as it is; any: compress whatever it is.")
]
Whole = Annotated[bool, typer.Option("--no-split", help="Take every text as one sentence.")]


def check_format(name: str, known: Sequence[str]) -> str:
    """The output format of that name."""
    if name not in known:
        raise LaconicError(f"unknown format {name!r}: use one of {', '.join(known)}")
    return name
