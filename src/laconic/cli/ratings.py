"""`laconic ratings`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from laconic.cli.formats import check_format
from laconic.cli.shared_flags import TableFormat
from laconic.errors import LaconicError


def ratings_cli(
    db: Annotated[Path, typer.Argument(help="Database that laconic rate wrote; it may still be writing it.")],
    format: TableFormat = "text",  # noqa: A002
    baseline: Annotated[
        str | None, typer.Option("--baseline", help="System that the others are tested against.", show_default="ilp")
    ] = None,
) -> None:
    """Print the paper's tables of readability and informativeness, and the agreement of the raters.

    Needs the extra `ratings`: pip install "laconic[ratings]".
    """
    check_format(format, ("text", "json", "latex"))
    try:
        import pingouin  # noqa: F401
    except ImportError:
        raise LaconicError('the statistics need pingouin: pip install "laconic[ratings]"') from None
    from laconic.rate.statistics import make_report
    from laconic.rate.tables import as_latex, as_text

    report = make_report(db, baseline)
    if format == "json":
        typer.echo(json.dumps(report.to_dict(), ensure_ascii=False, indent=1))
    else:
        typer.echo(as_latex(report) if format == "latex" else as_text(report))
