"""A job without a parser for the tests of bulk runs, and their files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from laconic.bulk import Column, Field, Output, Partition, Row, Stream, encode
from laconic.bulk.partitions import Partitions
from laconic.bulk.sources import open_sources
from laconic.errors import LaconicError

TEXT = Column(("text", "sentence"), plain=True)


@dataclass(frozen=True)
class Shout:
    """A job without a parser: prints texts in capitals, and the longer ones into a second stream."""

    loud: bool = True
    dies_at: int = -1  # number of the partition
    fails_at: int = -1
    refuses_at: int = -1
    suffix: str = ".jsonl"
    second: bool = False
    log: Path | None = None

    @property
    def streams(self) -> tuple[Stream, ...]:
        return (Stream("results", self.suffix), *([Stream("long", ".jsonl")] if self.second else []))

    def describe(self) -> dict[str, Any]:
        return {"name": "shout", "loud": self.loud}

    def start(self) -> Callable[[Partition], Output]:
        return self.work

    def work(self, partition: Partition) -> Output:
        if self.log is not None:
            with self.log.open("a") as file:
                file.write(f"{partition.number} {os.getpid()}\n")
        if partition.number == self.dies_at:
            os.kill(os.getpid(), signal.SIGKILL)
        if partition.number == self.fails_at:
            raise ZeroDivisionError("of all things")
        if partition.number == self.refuses_at:
            raise LaconicError("enough: try later")
        records = [{"id": row.id, "text": row.values[0].upper()} for row in partition.rows if row.problem is None]
        long = [record for record in records if len(record["text"]) > 10]
        fields = [Field("id"), Field("text")]
        outputs = [encode(records, fields, self.suffix), *([encode(long, fields, ".jsonl")] if self.second else [])]
        return Output(tuple(outputs), (len(records), len(long))[: len(outputs)], {"letters": len(records)})


def rows(*paths: Path, columns: tuple[Column, ...] = (TEXT,), distinct: bool = False) -> list[Row]:
    return [row for partition in Partitions(open_sources(paths, columns), distinct=distinct) for row in partition.rows]


def write_lines(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def numbered(path: Path, count: int) -> Path:
    return write_lines(path, [f"text {i}" for i in range(count)])


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("part-*"))}


def written(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for data in content(folder).values() for line in data.splitlines()]


def message_of_a_full_disk(path: Path, out: Path, size: int) -> str:
    """What a job says when it may write no larger files: the full disk that needs no other disk."""
    limited = (
        f"import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, resource.RLIM_INFINITY));"
        "from pathlib import Path; from bulk_job import *; from laconic.bulk import *;"
        f"run(Shout(), [Path({str(path)!r})], [TEXT], Path({str(out)!r}), partition_rows=10, engine=LocalEngine(1))"
    )
    command = [sys.executable, "-c", limited]
    done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    return done.stderr.splitlines()[-1]
