"""A bulk run: from input files, through an engine, to the output."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from laconic.bulk.engines import make_engine
from laconic.bulk.job import Engine, Job, Problem, first_of_each
from laconic.bulk.output import Store
from laconic.bulk.partitions import Partitions
from laconic.bulk.rows import DamagedInputError
from laconic.bulk.sizes import PARTITION_CHARS, PARTITION_ROWS
from laconic.bulk.sources import Column, Source, open_sources
from laconic.errors import LaconicError
from laconic.progress import Advance, ignore


@dataclass(frozen=True, slots=True)
class Summary:
    """The results of a run."""

    parts: int
    parts_found: int  # of these, found done from an earlier start
    rows: int
    rows_done: int  # by this start
    records: tuple[int, ...]  # of each stream
    counts: dict[str, int]  # of problems, and the job's own counters
    problems: tuple[Problem, ...]  # the first few of each kind, from this start
    seconds: float  # of this start

    @property
    def rows_per_second(self) -> float:
        """The speed of this start, including loading."""
        return self.rows_done / self.seconds if self.seconds else 0.0


def run(
    job: Job,
    inputs: Sequence[Path],
    columns: Sequence[Column],
    out: Path,
    *,
    more: Mapping[str, Path] | None = None,
    engine: Engine | None = None,
    partition_rows: int = PARTITION_ROWS,
    distinct: bool = False,
    resume: bool = False,
    advance: Advance = ignore,
) -> Summary:
    """Apply a job to all rows of the inputs and write the results to `out`.

    `out` is a folder, or a file whose name ends in the format of the job's first stream; `more` has the outputs of the
    other streams, by name. With `distinct`, rows whose values occurred before are not processed again. With `resume`,
    existing parts are kept and only missing ones are processed. `advance` is called with the number of bytes of the
    inputs that have been processed. The default engine is the local one.
    """
    started = time.monotonic()
    if partition_rows < 1:
        raise LaconicError(f"{partition_rows} rows in a partition: give 1 or more")
    sources = open_sources(inputs, columns)
    problems: tuple[Problem, ...] = ()
    rows_done = 0
    with Store(out, job.streams, more, resume=resume) as store:
        finished = store.begin(_description(job, sources, partition_rows, distinct))
        if not store.complete:
            partitions = Partitions(sources, partition_rows, distinct, finished)
            try:
                with closing((engine or make_engine()).map(job, partitions)) as results:
                    for done in results:
                        store.add(done)
                        advance(done.read)
                        rows_done += done.rows
                        problems = first_of_each([*problems, *done.problems])
            except DamagedInputError as error:
                store.stop(error.name)
                raise
            store.finish()
        totals = store.totals
    return Summary(
        parts=totals.parts,
        parts_found=len(finished),
        rows=totals.rows,
        rows_done=rows_done,
        records=totals.records,
        counts=totals.counts,
        problems=problems,
        seconds=time.monotonic() - started,
    )


def _description(job: Job, sources: Sequence[Source], partition_rows: int, distinct: bool) -> dict[str, Any]:
    """Everything that could change the output."""
    return {
        "job": job.describe(),
        "inputs": [source.fingerprint() for source in sources],
        "partition": {"rows": partition_rows, "characters": PARTITION_CHARS},
        "distinct": distinct,
        "streams": {stream.name: stream.suffix for stream in job.streams},
    }
