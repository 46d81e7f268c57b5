"""The local engine: processes on this machine, on all its cores by default."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterator
from contextlib import closing
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from laconic.bulk.job import Failed, Finished, Job, attempt, failure, perform
from laconic.bulk.partitions import Partition, Partitions
from laconic.cores import ONE_THREAD, cores
from laconic.errors import LaconicError, warn_in_a_line
from laconic.parent import leave_with_parent


class LocalEngine:
    """Processes partitions in processes of this machine; a single worker runs in this process.

    Each worker has one partition, and one more is read ahead. Workers start when there is work for them, load what they
    need once, and end with this process, however it ends.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers = check_workers(workers) or cores()

    def map(self, job: Job, partitions: Partitions) -> Generator[Finished]:
        """The processed partitions, in the order in which they finish."""
        if self.workers == 1:
            work = job.start()
            for partition in partitions:
                yield perform(work, partition)
            return
        broken: LaconicError | None = None
        with closing(_Pool(job, self.workers)) as pool:
            unread = iter(partitions)
            while True:
                try:
                    partition = next(unread)
                except StopIteration:
                    break
                except LaconicError as error:  # finish everything that was read before
                    broken = error
                    break
                yield from pool.give(partition)
            yield from pool.rest()
        if broken is not None:
            raise broken


def check_workers(workers: int | None) -> int | None:
    """Refuse an invalid number of workers."""
    if workers is not None and workers < 1:
        raise LaconicError(f"{workers} workers: give 1 or more")
    return workers


class _Pool:
    """Workers, each with at most one partition."""

    def __init__(self, job: Job, size: int) -> None:
        self._job = job
        self._size = size
        self._busy: list[_Worker] = []
        self._done: list[_Worker] = []  # idle, as there is no more work

    def give(self, partition: Partition) -> Iterator[Finished]:
        """Give a partition to a worker; if all are busy, to the first one that finishes, whose result is returned."""
        if len(self._busy) < self._size:
            self._busy.append(_Worker(self._job))
            self._busy[-1].send(partition)
            return
        worker = self._next_ready()
        result = worker.receive()
        worker.send(partition)
        yield result

    def rest(self) -> Iterator[Finished]:
        """Wait for the partitions in progress."""
        while self._busy:
            worker = self._next_ready()
            self._busy.remove(worker)
            self._done.append(worker)
            yield worker.receive()

    def close(self) -> None:
        """Terminate all workers."""
        for worker in [*self._busy, *self._done]:
            worker.end()

    def _next_ready(self) -> _Worker:
        """A worker that has a result, or has died."""
        ready = wait([worker.connection for worker in self._busy])
        return next(worker for worker in self._busy if worker.connection in ready)


class _Worker:
    """A worker process and the pipe to it."""

    def __init__(self, job: Job) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(target=_serve, args=(theirs, job), daemon=True)
        with _single_threaded(), _uninterrupted():
            self.process.start()
        theirs.close()
        self._number = -1  # of its current partition

    def send(self, partition: Partition) -> None:
        self._number = partition.number
        with contextlib.suppress(OSError):  # it has died, as receiving its result will show
            self.connection.send(partition)

    def receive(self) -> Finished:
        try:
            result: Finished | Failed = self.connection.recv()
        except (EOFError, OSError) as error:
            self.process.join()
            status = self.process.exitcode or 0
            if status >= 0:
                raise LaconicError(
                    f"the worker process for part {self._number} ended with status {status}: a script that starts "
                    'workers needs `if __name__ == "__main__":` before what it does'
                ) from error
            raise LaconicError(
                f"the worker process for part {self._number} was killed (signal {-status}), perhaps for want of "
                "memory: the finished parts are kept; go on with resume=True, with fewer workers if memory is short",
                resume=True,
                workers=None,
            ) from error
        if isinstance(result, Failed):
            raise result.error()
        return result

    def end(self) -> None:
        self.process.terminate()
        self.process.join()
        self.connection.close()


def _serve(connection: Connection, job: Job) -> None:
    warn_in_a_line()
    leave_with_parent()
    try:
        work = job.start()
    except Exception as error:
        connection.send(failure(error))
        return
    with contextlib.suppress(EOFError, OSError):  # the parent has exited
        while True:
            connection.send(attempt(work, connection.recv()))


@contextlib.contextmanager
def _single_threaded() -> Iterator[None]:
    """Set the environment so that processes started inside use one thread."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Make processes started inside ignore Ctrl-C, which a terminal sends to all: this process ends the others."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
