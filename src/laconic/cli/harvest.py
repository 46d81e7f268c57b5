"""`laconic harvest`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from laconic.bulk import Column, Summary, make_engine, run
from laconic.bulk.formats import suffix_of
from laconic.bulk.partitions import PARTITION_ROWS
from laconic.cli import bulk
from laconic.errors import LaconicError
from laconic.harvest.job import ACCEPTED, HEADLINE, TEXT, HarvestJob
from laconic.harvest.reasons import Reason
from laconic.harvest.settings import Settings

_DEFAULT: Final = Settings()
_FORMATS: Final = {"jsonl": ".jsonl", "csv": ".csv", "tsv": ".tsv", "parquet": ".parquet"}


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
    min_words: Annotated[
        int, typer.Option("--min-words", help="Fewest words of headline and sentence.")
    ] = _DEFAULT.min_words,
    max_words: Annotated[int, typer.Option("--max-words", help="Most words of a sentence.")] = _DEFAULT.max_words,
    min_ratio: Annotated[
        float, typer.Option("--min-ratio", help="Least words of the sentence / words of the headline.")
    ] = _DEFAULT.min_ratio,
    max_length: Annotated[
        float, typer.Option("--max-length", help="Most characters of the compression / characters of the headline.")
    ] = _DEFAULT.max_length,
    max_missing: Annotated[
        int, typer.Option("--max-missing", help="Content words of the headline that the sentence may lack.")
    ] = _DEFAULT.max_missing,
    any_order: Annotated[
        bool, typer.Option("--any-order", help="Take pairs whose content words come in another order.")
    ] = not _DEFAULT.in_order,
    parser: Annotated[
        str | None, typer.Option("--parser", help="spaCy pipeline to parse with.", show_default="spacy")
    ] = None,
    engine: bulk.EngineName = None,
    address: bulk.Address = None,
    workers: bulk.Workers = None,
    partition_rows: bulk.PartitionRows = None,
    resume: bulk.Resume = False,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Show no progress bar.")] = False,
) -> None:
    """Make training items of headlines and the first sentences of their articles.

    Each item has the sentence, its tree, the headline and the compression that the headline led to; `laconic train`
    takes them. At the end a table says how many pairs went where.
    """
    settings = Settings(min_words, max_words, min_ratio, max_length, max_missing, not any_order)
    suffix = bulk.suffix_for(out, format, _FORMATS)
    if explain is not None and explain == out:
        raise LaconicError(f"items and rejected pairs would both go to {out}: give --explain another name")
    job = HarvestJob(settings, parser, suffix, None if explain is None else suffix_of(explain) or suffix)
    columns = [
        HEADLINE if headline_column is None else Column((headline_column,)),
        TEXT if text_column is None else Column((text_column,)),
    ]
    made = make_engine(engine or "local", workers=workers, address=address)
    summary = bulk.run_with_summary(
        lambda advance: run(
            job,
            inputs,
            columns,
            out,
            more=None if explain is None else {"rejected": explain},
            engine=made,
            partition_rows=PARTITION_ROWS if partition_rows is None else partition_rows,
            distinct=True,
            resume=resume,
            advance=advance,
        ),
        inputs,
        label="harvesting",
        rows="pairs",
        shown=not no_progress,
    )
    typer.echo(table(summary))


def table(summary: Summary) -> str:
    """How many pairs went where, in the order of the filters."""
    lines = []
    for name in [*Reason, ACCEPTED]:
        count = summary.counts.get(name, 0)
        if count or name == ACCEPTED:
            lines.append(f"{count:>10,} {count / max(summary.rows, 1):>6.1%}  {name}")
    lines.append(f"{summary.rows:>10,}         {'pair' if summary.rows == 1 else 'pairs'}")
    return "\n".join(lines)
