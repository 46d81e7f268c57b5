"""Texts per second of bulk compression: both engines, with one worker and with two.

    python bench/engines.py FILE [ROWS]

FILE has one text on each line, or the columns that `laconic compress --out` takes. ROWS is the size of a partition
(default 100). Every line of the output is one run in its own process. The startup, until the first worker begins with
its first partition, is measured separately, since it does not depend on the size of the input. The texts per second are
measured from there to the end of the last partition.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from laconic.bulk import Output, Partition, Stream, make_engine
from laconic.bulk.partitions import Partitions
from laconic.bulk.sources import open_sources
from laconic.compress_job import TEXT, CompressJob

CONFIGURATIONS = [("local", 1), ("local", 2), ("ray", 1), ("ray", 2)]


@dataclass(frozen=True)
class Timed:
    """The job, with the times at which the work on a partition began and ended among its counts."""

    job: CompressJob

    @property
    def streams(self) -> tuple[Stream, ...]:
        return self.job.streams

    def describe(self) -> dict[str, Any]:
        return self.job.describe()

    def start(self) -> Callable[[Partition], Output]:
        work = self.job.start()

        def timed(partition: Partition) -> Output:
            begun = time.monotonic_ns()  # the same clock in all processes of a machine
            output = work(partition)
            return Output(output.streams, output.records, {"begun": begun, "ended": time.monotonic_ns()})

        return timed


def measure(name: str, workers: int, file: Path, rows: int) -> None:
    start = time.monotonic_ns()
    partitions = Partitions(open_sources([file], [TEXT]), rows)
    done = list(make_engine(name, workers=workers).map(Timed(CompressJob()), partitions))
    first = min(each.counts["begun"] for each in done)
    last = max(each.counts["ended"] for each in done)
    texts = sum(each.rows for each in done)
    print(
        f"{name:>8} {workers:>8} {(first - start) / 1e9:>10.1f} {(last - first) / 1e9:>10.1f} "
        f"{texts / (last - first) * 1e9:>10.0f}",
        flush=True,
    )


def main() -> None:
    if len(sys.argv) == 5:
        measure(sys.argv[3], int(sys.argv[4]), Path(sys.argv[1]), int(sys.argv[2]))
        return
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    file, rows = sys.argv[1], sys.argv[2] if len(sys.argv) == 3 else "100"
    print(f"{'engine':>8} {'workers':>8} {'startup s':>10} {'work s':>10} {'texts/s':>10}", flush=True)
    for name, workers in CONFIGURATIONS:
        subprocess.run([sys.executable, __file__, file, rows, name, str(workers)], check=True)


if __name__ == "__main__":
    main()
