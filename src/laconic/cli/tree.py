"""`laconic tree`."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from laconic.cli.flags import Only, with_flags
from laconic.cli.formats import check_format
from laconic.cli.inputs import read_standard_input
from laconic.compressor import load
from laconic.options import LoadOptions


@with_flags
def tree_cli(
    text: Annotated[str, typer.Argument(help="Text whose trees to show; - reads it from standard input.")],
    format: Annotated[str, typer.Option("--format", help="text, json or svg.")] = "text",  # noqa: A002
    *,
    loading: Annotated[LoadOptions, Only.of("model", "parser", "scorer", "split")],
) -> None:
    """Show the transformed tree of every sentence: root edges, words, labels and the probabilities of the edges."""
    from laconic.tree.draw import as_svg, as_text

    check_format(format, ("text", "json", "svg"))
    if text == "-":
        text = read_standard_input().decode("utf-8", "replace")
    trees = load(**loading).tree(text)
    if format == "json":
        typer.echo(json.dumps([tree.to_dict() for tree in trees], ensure_ascii=False, indent=1))
    elif format == "svg":
        typer.echo(as_svg(trees))
    else:
        typer.echo("\n\n".join(f"{tree.text}\n\n{as_text(tree)}" for tree in trees))
