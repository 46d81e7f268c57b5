"""The interface of bulk jobs, which turn partitions into records, with the same result wherever they run."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from laconic.bulk.partitions import Partition, Partitions
from laconic.errors import LaconicError

#: The maximum number of rows that are named for each kind of problem; all rows are counted.
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
    problem: str  # the counter that it increments
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.id}: {self.problem}" + (f" ({self.detail})" if self.detail else "")


@dataclass(frozen=True, slots=True)
class Output:
    """The result of a job for a partition."""

    streams: tuple[bytes, ...]  # the content of a file for each stream
    records: tuple[int, ...]  # number of records in each stream
    counts: Mapping[str, int] = field(default_factory=dict)  # the job's own counters
    problems: tuple[Problem, ...] = ()  # found by the job itself; problems of rows are added and counted automatically


class Job(Protocol):
    """A small picklable object: a frozen dataclass of settings."""

    @property
    def streams(self) -> tuple[Stream, ...]:
        """The outputs; the first one is the main result."""

    def describe(self) -> dict[str, Any]:
        """Everything that could change the output, as JSON-ready data; a run is only resumed with the same description.

        It is also computed on every worker of a cluster, and must be the same there.
        """

    def start(self) -> Callable[[Partition], Output]:
        """Load what is needed, once per worker; returns the function that processes a partition."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A processed partition."""

    number: int
    rows: int
    digest: str
    read: int
    output: Output
    counts: dict[str, int]  # the job's counters, and those of problems
    problems: tuple[Problem, ...]  # the first few of each kind


@dataclass(frozen=True, slots=True)
class Failed:
    """An error of a worker in a form that can be pickled."""

    message: str
    ours: bool  # an error that a user can solve
    options: Mapping[str, object] = field(default_factory=dict)  # the options that the message names

    def error(self) -> Exception:
        """The exception to raise."""
        return LaconicError(self.message, **self.options) if self.ours else RuntimeError(self.message)


class Engine(Protocol):
    """A way to process partitions: on this machine, or on a cluster."""

    def map(self, job: Job, partitions: Partitions) -> Generator[Finished]:
        """The processed partitions, in any order, while the input is read; only a bounded number is in progress.

        If the input turns out to be damaged, everything read before is processed first, and then the error is raised.
        """


def attempt(work: Callable[[Partition], Output], partition: Partition) -> Finished | Failed:
    """Process a partition, returning errors instead of raising them."""
    try:
        return perform(work, partition)
    except Exception as error:
        return failure(error)


def failure(error: Exception) -> Failed:
    """Convert an exception of a worker, to be sent."""
    if isinstance(error, LaconicError):
        return Failed(str(error), ours=True, options=error.options)
    return Failed(f"a worker failed:\n{''.join(traceback.format_exception(error))}", ours=False)


def perform(work: Callable[[Partition], Output], partition: Partition) -> Finished:
    """Process a partition, and count and name the rows with problems."""
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
    """The first few problems of every kind, so that rare kinds are not lost among frequent ones."""
    seen: Counter[str] = Counter()
    named = []
    for problem in problems:
        seen[problem.problem] += 1
        if seen[problem.problem] <= NAMED:
            named.append(problem)
    return tuple(named)
