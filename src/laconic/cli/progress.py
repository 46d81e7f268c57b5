"""Progress on a terminal, silence in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(label: str, total: int | None, *, shown: bool = True) -> Iterator[Callable[[int], None]]:
    """A bar on standard error while the block runs; yields the function that moves it on.

    Nothing is shown when standard error is no terminal, or when standard output is one: then the results are the
    progress.
    """
    if not shown or not sys.stderr.isatty() or sys.stdout.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn(label), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    # Standard output is the results' alone: rich would otherwise print it on the bar's console.
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(label, total=total)
        yield lambda amount: bar.advance(task, amount)
