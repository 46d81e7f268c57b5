"""What a bulk job is: something that makes records out of partitions, the same ones wherever it runs."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from laconic.bulk.partitions import Partition, Partitions
from laconic.errors import LaconicError

#: Rows that are named for each kind of problem, at most; all are counted.
NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class Stream:
    """One of the outputs of a job."""

    name: str
    suffix: str  # of its files, one of laconic.bulk.formats.SUFFIXES


@dataclass(frozen=True, slots=True)
class Problem:
    """A row that could not be processed, and why."""

    id: str
    problem: str  # under which it is counted
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.id}: {self.problem}" + (f" ({self.detail})" if self.detail else "")


@dataclass(frozen=True, slots=True)
class Output:
    """What a job makes of a partition."""

    streams: tuple[bytes, ...]  # the content of a file for each of the job's streams
    records: tuple[int, ...]  # how many there are in each
    counts: Mapping[str, int] = field(default_factory=dict)  # whatever the job counts
    problems: tuple[Problem, ...] = ()  # that it found itself; those of the rows are added and counted for it


class Job(Protocol):
    """A small object that can be pickled: a frozen dataclass of settings."""

    @property
    def streams(self) -> tuple[Stream, ...]:
        """The outputs; the first one is the result."""

    def describe(self) -> dict[str, Any]:
        """Everything that could change the output, as JSON-ready data; a run is resumed only with the same.

        It is asked for on every worker of a cluster too: there it must be the same as here.
        """

    def start(self) -> Callable[[Partition], Output]:
        """Load what is needed, once for each worker; returns the work on a partition."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A partition that is done."""

    number: int
    rows: int
    digest: str
    read: int
    output: Output
    counts: dict[str, int]  # the job's, and the problems
    problems: tuple[Problem, ...]  # the first few of each kind


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a worker could not go on, in a form that can be sent."""

    message: str
    ours: bool  # something a user can mend
    options: Mapping[str, object] = field(default_factory=dict)  # that the message speaks of

    def error(self) -> Exception:
        """The exception to raise."""
        return LaconicError(self.message, **self.options) if self.ours else RuntimeError(self.message)


class Engine(Protocol):
    """Where partitions are worked on."""

    def map(self, job: Job, partitions: Partitions) -> Generator[Finished]:
        """The finished partitions, in any order, while they are read; only a bounded number is on the way.

        When the input turns out to be damaged, what was read before is finished first, then the error is raised.
        """


def attempt(work: Callable[[Partition], Output], partition: Partition) -> Finished | Failed:
    """Do the work on a partition."""
    try:
        return perform(work, partition)
    except Exception as error:
        return failure(error)


def failure(error: Exception) -> Failed:
    """An exception of a worker, to be sent."""
    if isinstance(error, LaconicError):
        return Failed(str(error), ours=True, options=error.options)
    return Failed(f"a worker failed:\n{''.join(traceback.format_exception(error))}", ours=False)


def perform(work: Callable[[Partition], Output], partition: Partition) -> Finished:
    """Do the work on a partition, and count and name the rows that have problems."""
    output = work(partition)
    problems = [Problem(row.id, row.problem, row.detail) for row in partition.rows if row.problem is not None]
    problems += output.problems
    counts = Counter(output.counts)
    counts.update(problem.problem for problem in problems)
    return Finished(
        number=partition.number,
        rows=len(partition.rows),
        digest=partition.digest,
        read=partition.read,
        output=output,
        counts=dict(counts),
        problems=first_of_each(problems),
    )


def first_of_each(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The first few problems of every kind: none of them drowns among the duplicates."""
    seen: Counter[str] = Counter()
    named = []
    for problem in problems:
        seen[problem.problem] += 1
        if seen[problem.problem] <= NAMED:
            named.append(problem)
    return tuple(named)
