"""`laconic harvest`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from laconic.bulk import Column, Summary
from laconic.bulk.formats import suffix_of
from laconic.cli import bulk
from laconic.cli.flags import with_flags
from laconic.errors import LaconicError
from laconic.harvest.harvest_job import ACCEPTED, HEADLINE, TEXT, HarvestJob
from laconic.harvest.reasons import Reason
from laconic.harvest.thresholds import Settings

_FORMATS: Final = {"jsonl": ".jsonl", "csv": ".csv", "tsv": ".tsv", "parquet": ".parquet"}


@with_flags
def harvest_cli(
    inputs: Annotated[list[Path], typer.Argument(help="Files of pairs: JSON Lines, CSV, TSV (also .gz) or Parquet.")],
    out: Annotated[Path, typer.Option("--out", help="File, such as items.jsonl, or folder to write the items to.")],
    explain: Annotated[
        Path | None, typer.Option("--explain", help="File or folder for the rejected pairs, each with its reason.")
    ] = None,
    format: Annotated[  # noqa: A002
        str | None,
        typer.Option("--format", help="jsonl, csv, tsv or parquet.", show_default="by the name of --out, or jsonl"),
    ] = None,
    headline_column: Annotated[
        str | None, typer.Option("--headline-column", show_default=" or ".join(HEADLINE.names))
    ] = None,
    text_column: Annotated[
        str | None,
        typer.Option("--text-column", help="First sentences, or articles.", show_default=", ".join(TEXT.names)),
    ] = None,
    *,
    settings: Settings,
    parser: Annotated[
        str | None, typer.Option("--parser", help="spaCy pipeline to parse with.", show_default="spacy")
    ] = None,
    large: bulk.BulkOptions,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Show no progress bar.")] = False,
) -> None:
    """Make training items from headlines and the first sentences of their articles.

    Each item has the sentence, its tree, the headline, and the compression derived from the headline; `laconic train`
    reads them. Finally, a table reports how many pairs were accepted, and why the others were rejected.
    """
    suffix = bulk.suffix_for(out, format, _FORMATS)
    if explain is not None and explain == out:
        raise LaconicError(f"items and rejected pairs would both go to {out}: give --explain another name")
    job = HarvestJob(settings, parser, suffix, None if explain is None else suffix_of(explain) or suffix)
    columns = [
        HEADLINE if headline_column is None else Column((headline_column,)),
        TEXT if text_column is None else Column((text_column,)),
    ]
    summary = bulk.run_job(
        job,
        inputs,
        columns,
        out,
        large,
        more=None if explain is None else {"rejected": explain},
        distinct=True,
        label="harvesting",
        rows="pairs",
        shown=not no_progress,
    )
    typer.echo(table(summary))


def table(summary: Summary) -> str:
    """The table of how many pairs were accepted or rejected, in the order of the filters."""
    lines = []
    for name in [*Reason, ACCEPTED]:
        count = summary.counts.get(name, 0)
        if count or name == ACCEPTED:
            lines.append(f"{count:>10,} {count / max(summary.rows, 1):>6.1%}  {name}")
    lines.append(f"{summary.rows:>10,}         {'pair' if summary.rows == 1 else 'pairs'}")
    return "\n".join(lines)
