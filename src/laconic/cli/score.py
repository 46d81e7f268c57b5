"""`laconic score`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laconic.cli.formats import check_format
from laconic.cli.shared_flags import TableFormat
from laconic.metrics import make_table, score_outputs
from laconic.metrics.report import FORMATS, check_samples
from laconic.metrics.series import SAMPLES, SEED


def score_cli(
    references: Annotated[Path, typer.Argument(help="Corpus with compressions, or text with one reference a line.")],
    outputs: Annotated[list[Path], typer.Argument(help="Outputs of programs: text, one a line, or JSON Lines.")],
    sources: Annotated[
        Path | None, typer.Option("--sources", help="Sentences of plain-text references, one a line, for the rate.")
    ] = None,
    gold: Annotated[
        str, typer.Option("--gold", help="Of a corpus: text, what it prints, or kept, what that keeps of the sentence.")
    ] = "text",
    types: Annotated[bool, typer.Option("--types", help="Word F1 counts each different word once.")] = False,
    format: TableFormat = "text",  # noqa: A002
    samples: Annotated[
        int, typer.Option("--samples", help="Resamples for each interval; the paired tests take ten times as many.")
    ] = SAMPLES,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the intervals and tests.")] = SEED,
) -> None:
    """Score the outputs of any program: word F1, exact match, rate, best of k, with intervals and paired tests."""
    check_format(format, FORMATS)
    check_samples(samples, seed)
    systems = score_outputs(references, outputs, sources=sources, gold=gold, types=types)
    rated = any(series.name.startswith("rate") for _, own in systems for series in own)
    notes = [] if rated else ["no rate: the references are plain text; give their sentences with --sources FILE"]
    typer.echo(make_table(systems, samples=samples, seed=seed, notes=notes).render(format))
