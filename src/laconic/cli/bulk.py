"""What commands for large inputs share: flags, the run, and its report."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypedDict

from laconic.bulk.engines import ENGINES
from laconic.bulk.sizes import PARTITION_ROWS
from laconic.cli.formats import check_format
from laconic.cli.progress import steps
from laconic.errors import LaconicError
from laconic.options import Option
from laconic.progress import ignore

if TYPE_CHECKING:
    from laconic.bulk import Column, Job, Summary

_INTERRUPTED: Final = 130


class BulkOptions(TypedDict, total=False):
    """How large inputs are processed."""

    engine: Annotated[
        str | None,
        Option(
            "local: processes of this machine; ray: a cluster.",
            more="See [below](#a-cluster).",
            unset="local",
            among=ENGINES,
            metavar="NAME",
        ),
    ]
    address: Annotated[
        str | None,
        Option("Ray cluster, host:port or auto.", unset="one of this machine's own", metavar="ADDRESS"),
    ]
    workers: Annotated[int | None, Option("Processes that work.", unset="all cores", metavar="N")]
    partition_rows: Annotated[
        int | None, Option("Rows in a part of the output.", unset=str(PARTITION_ROWS), metavar="N")
    ]
    resume: Annotated[
        bool,
        Option(
            "Resume an interrupted run: do only what is missing.",
            more="Without one, it starts.",
            default=False,
        ),
    ]


def run_job(
    job: Job,
    inputs: Sequence[Path],
    columns: Sequence[Column],
    out: Path,
    options: BulkOptions,
    *,
    label: str,
    rows: str,
    shown: bool,
    more: Mapping[str, Path] | None = None,
    distinct: bool = False,
) -> Summary:
    """Run a job with a progress bar on standard error, and report there what it did. `rows` is a word for its rows."""
    from laconic.bulk import make_engine, run  # imported here: the flags are shared with commands that run no job

    engine = make_engine(
        options.get("engine") or "local", workers=options.get("workers"), address=options.get("address")
    )
    try:
        with steps(label) if shown else nullcontext((ignore, ignore)) as (set_total, advance):
            set_total(sum(path.stat().st_size for path in inputs if path.is_file()))
            summary = run(
                job,
                inputs,
                columns,
                out,
                more=more,
                engine=engine,
                partition_rows=options.get("partition_rows", PARTITION_ROWS) or 0,
                distinct=distinct,
                resume=options.get("resume", False),
                advance=advance,
            )
    except KeyboardInterrupt:
        print("laconic: interrupted: the finished parts are kept; go on with --resume", file=sys.stderr, flush=True)
        os._exit(_INTERRUPTED)  # exit at once: a thread of Ray's may still be waiting
    print(describe(summary, rows), file=sys.stderr)
    return summary


def counted(summary: Summary) -> str:
    """The numbers of rows with problems and of everything else that the job counts, in a line."""
    return "  " + ", ".join(f"{name}: {count:,}" for name, count in summary.counts.items())


def suffix_for(out: Path, format: str | None, known: Mapping[str, str]) -> str:  # noqa: A002
    """The suffix of the output's files: the format's, else that of the output's name, else the first known one.

    `known` maps formats to suffixes; names may add .gz to them.
    """
    from laconic.bulk.formats import SUFFIXES, suffix_of

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


def refuse_without_out(options: BulkOptions) -> None:
    """Refuse flags that need --out."""
    for name in options:
        option = f"--{name.replace('_', '-')}"
        raise LaconicError(f"{option} is for large inputs, whose results go to files: add --out, or leave it out")
