"""Progress bars: shown on a terminal, hidden in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from laconic.progress import Advance, ignore


def say(message: str) -> None:
    """Print a line on standard error at once."""
    print(message, file=sys.stderr, flush=True)


@contextmanager
def progress(label: str, total: int | None, *, shown: bool = True) -> Iterator[Advance]:
    """A bar on standard error while the block prints results; yields the function that advances it.

    Nothing is shown if standard error is not a terminal, or if standard output is one: then the results show the
    progress.
    """
    with _bar(label, total, shown=shown and not sys.stdout.isatty()) as (_, advance):
        yield advance


@contextmanager
def steps(label: str, *, shown: bool = True) -> Iterator[tuple[Advance, Advance]]:
    """A bar for work that prints at its end; yields functions that set the number of steps and advance the bar."""
    with _bar(label, None, shown=shown) as functions:
        yield functions


@contextmanager
def _bar(label: str, total: int | None, *, shown: bool) -> Iterator[tuple[Advance, Advance]]:
    if not shown or not sys.stderr.isatty():
        yield ignore, ignore
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn(label), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    # Standard output is for results only: rich would otherwise redirect it to the bar's console.
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(label, total=total)
        yield (lambda count: bar.update(task, total=count)), (lambda amount: bar.advance(task, amount))
