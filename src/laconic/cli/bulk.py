"""What the commands for large inputs share: options, the bar, the summary."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Final

import typer

from laconic.bulk.formats import SUFFIXES, suffix_of
from laconic.bulk.partitions import PARTITION_ROWS
from laconic.bulk.run import Summary
from laconic.cli.options import check_format
from laconic.cli.progress import steps
from laconic.errors import LaconicError

_INTERRUPTED: Final = 130

EngineName = Annotated[str | None, typer.Option("--engine", help="local: processes of this machine; ray: a cluster.",
                                                show_default="local")]  # fmt: skip
Address = Annotated[
    str | None,
    typer.Option("--address", help="Ray cluster, host:port or auto.", show_default="one of this machine's own"),
]
Workers = Annotated[int | None, typer.Option("--workers", help="Processes that work.", show_default="all cores")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with a run that was stopped: do only what is missing.")]
PartitionRows = Annotated[
    int | None,
    typer.Option("--partition-rows", help="Rows in a part of the output.", show_default=str(PARTITION_ROWS)),
]


def run_with_summary(
    call: Callable[[Callable[[int], None]], Summary], inputs: Sequence[Path], *, label: str, rows: str, shown: bool
) -> Summary:
    """Do a run with a bar on standard error, and say there what it did. `rows` is what its rows are called."""
    try:
        with steps(label) if shown else nullcontext((_ignore, _ignore)) as (set_total, advance):
            set_total(sum(path.stat().st_size for path in inputs if path.is_file()))
            summary = call(advance)
    except KeyboardInterrupt:
        print("laconic: interrupted: the finished parts are kept; go on with --resume", file=sys.stderr, flush=True)
        os._exit(_INTERRUPTED)  # at once: a thread of Ray's may still be waiting
    print(describe(summary, rows), file=sys.stderr)
    return summary


def counted(summary: Summary) -> str:
    """Rows with problems, and whatever else the job counts, in a line."""
    return "  " + ", ".join(f"{name}: {count:,}" for name, count in summary.counts.items())


def suffix_for(out: Path, format: str | None, known: Mapping[str, str]) -> str:  # noqa: A002
    """The ending of the output's files: the format's, or else that of the output's name, or else the first known one.

    `known` are the endings of formats; a name may add .gz to them.
    """
    suffix = known[check_format(format or next(iter(known)), tuple(known))]
    named = suffix_of(out, [ending for ending in SUFFIXES if ending.removesuffix(".gz") in known.values()])
    if named is not None and format is None and named.removesuffix(".gz") in known.values():
        suffix = named.removesuffix(".gz")
    return suffix + ".gz" if named == suffix + ".gz" else suffix


def describe(summary: Summary, rows: str) -> str:
    """A summary in words."""
    found = f" ({summary.parts_found} of them found done)" if summary.parts_found else ""
    lines = [f"{_number(summary.rows, rows)} in {_number(summary.parts, 'parts')}{found}"]
    if summary.rows_done:
        lines[0] += f", {summary.seconds:.1f} s, {_number(round(summary.rows_per_second), rows)}/s"
    lines += [f"  {problem}" for problem in summary.problems]
    return "\n".join(lines)


def _number(count: int, things: str) -> str:
    return f"{count:,} {things.removesuffix('s') if count == 1 else things}"


def _ignore(_: int) -> None:
    pass


def refuse_without_out(**given: object) -> None:
    """Options that go with --out alone."""
    for name, value in given.items():
        if value is not None and value is not False:
            option = f"--{name.replace('_', '-')}"
            raise LaconicError(f"{option} is for large inputs, whose results go to files: add --out, or leave it out")
