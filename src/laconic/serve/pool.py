"""Worker processes and the queue of requests.

Pending requests are given to free workers in batches, shared evenly among the workers. If a worker dies, each of its
jobs is retried once, on its own; if that worker dies, too, the job gets an error. A worker that exceeds the time limit
of answers is killed and replaced.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import math
import os
import pickle
import sys
import time
from asyncio.subprocess import Process
from collections import deque
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

from laconic.cores import ONE_THREAD
from laconic.errors import LaconicError
from laconic.serve.answers import Answer
from laconic.serve.metrics import Metrics
from laconic.serve.problems import Problem
from laconic.serve.settings import Settings
from laconic.serve.worker import HEAD, encode

log: Final = logging.getLogger("laconic.serve")

#: The maximum number of requests, and of their bytes, in one batch for a worker.
_TOGETHER: Final = 128
_TOGETHER_BYTES: Final = 1 << 17
#: The time limits for a worker to start, and to notice that a job was cancelled.
_STARTING: Final = 120.0
_GRACE: Final = 5.0


@dataclass(slots=True, eq=False)
class Waiting:
    """A request without an answer so far."""

    number: int
    endpoint: str
    body: bytes
    answer: asyncio.Future[Answer]
    tries: int = 0
    worker: _Worker | None = None


@dataclass(slots=True, eq=False)
class _Worker:
    """A worker process and its jobs."""

    process: Process
    jobs: dict[int, Waiting] = field(default_factory=dict)
    busy: bool = False
    given: int = 0  # number of jobs in its current batch
    began: float = 0.0  # when it got the batch
    overdue: asyncio.TimerHandle | None = None


class Pool:
    """Answers requests by means of worker processes."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._settings = settings
        self._metrics = metrics
        self._queue: deque[Waiting] = deque()
        self._bytes = 0
        self._workers: set[_Worker] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._numbers = itertools.count(1)
        self._asked = False  # whether `_give_out` is scheduled
        self._closing = False
        self._per_job = 0.01  # average seconds of worker time

    @property
    def ready(self) -> bool:
        """Whether there is a worker and the queue is not full."""
        return bool(self._workers) and not self.full

    @property
    def full(self) -> bool:
        """Whether the queue cannot take another request."""
        return len(self._queue) >= self._settings.max_waiting or self._bytes >= self._settings.max_waiting_bytes

    def busy(self) -> Problem:
        """The problem that reports a full queue, with the time after which to try again."""
        seconds = math.ceil(len(self._queue) * self._per_job / self._settings.workers)
        detail = "too many requests are waiting: try again in a few seconds"
        return Problem(HTTPStatus.SERVICE_UNAVAILABLE, "busy", detail, retry_after=min(max(seconds, 1), 60))

    async def start(self) -> None:
        """Start the workers, unless they are running; raises an error for invalid settings."""
        if not self._workers:
            opening = [self._open() for _ in range(self._settings.workers)]
            for worker in await asyncio.gather(*opening):
                self._keep(worker)

    async def close(self) -> None:
        """Stop the workers; all requests have been answered at this point."""
        self._closing = True
        for worker in list(self._workers):
            assert worker.process.stdin is not None
            worker.process.stdin.close()
        for worker in list(self._workers):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await worker.process.wait()
            _kill(worker.process)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def submit(self, endpoint: str, body: bytes) -> Waiting:
        """Queue a request; raises a `Problem` if the queue is full. Await its `answer`."""
        if self.full:
            raise self.busy()
        waiting = Waiting(next(self._numbers), endpoint, body, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        self._bytes += len(body)
        self._ask()
        return waiting

    def forget(self, waiting: Waiting) -> None:
        """Cancel a request: it is removed from the queue, or its worker is told to stop."""
        waiting.answer.cancel()
        worker = waiting.worker
        if worker is None:
            with contextlib.suppress(ValueError):
                self._queue.remove(waiting)
                self._bytes -= len(waiting.body)
        elif waiting.number in worker.jobs:
            del worker.jobs[waiting.number]
            _send(worker, ("gone", waiting.number))
            if worker.busy and not worker.jobs:  # none of its jobs is wanted: it must notice or be killed
                self._limit(worker, _GRACE)

    def _ask(self) -> None:
        """Schedule distribution of the queue after all requests that have just arrived are in it."""
        if not self._asked:
            self._asked = True
            asyncio.get_running_loop().call_soon(self._give_out)

    def _give_out(self) -> None:
        self._asked = False
        for worker in self._workers:
            if not self._queue:
                break
            if not worker.busy:
                self._give(worker)
        self._metrics.waiting.set(len(self._queue))

    def _give(self, worker: _Worker) -> None:
        share = math.ceil(len(self._queue) / max(len(self._workers), 1))
        size = 0
        jobs: list[Waiting] = []
        while self._queue and len(jobs) < min(share, _TOGETHER) and size < _TOGETHER_BYTES:
            if jobs and (self._queue[0].tries or jobs[0].tries > 1):
                break  # jobs of a worker that died are retried alone
            job = self._queue.popleft()
            self._bytes -= len(job.body)
            size += len(job.body)
            job.tries += 1
            job.worker = worker
            jobs.append(job)
        worker.jobs = {job.number: job for job in jobs}
        worker.busy, worker.given, worker.began = True, len(jobs), time.monotonic()
        self._metrics.together.observe(len(jobs))
        _send(worker, ("jobs", [(job.number, job.endpoint, job.body) for job in jobs]))
        self._limit(worker, self._settings.seconds + _GRACE)

    def _limit(self, worker: _Worker, seconds: float) -> None:
        """Kill a worker if it is still busy after some seconds."""
        if worker.overdue is not None:
            worker.overdue.cancel()
        worker.overdue = asyncio.get_running_loop().call_later(seconds, _kill, worker.process)

    async def _open(self) -> _Worker:
        """Start a worker and wait until it has loaded its models."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "laconic.serve.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, **dict.fromkeys(ONE_THREAD, "1")},
            start_new_session=True,  # Ctrl-C in a terminal is meant for the service, which stops its workers
            limit=1 << 20,
        )
        worker = _Worker(process)
        try:
            _send(worker, ("settings", self._settings))
            async with asyncio.timeout(_STARTING):
                kind, value = await _receive(process)
        except (asyncio.IncompleteReadError, TimeoutError) as error:
            _kill(process)
            raise LaconicError("a worker of the service did not start: see its output above") from error
        except asyncio.CancelledError:
            _kill(process)
            raise
        if kind != "ready":
            await process.wait()
            raise LaconicError(str(value))
        return worker

    def _keep(self, worker: _Worker) -> None:
        """Add a worker; when it dies, it is replaced."""
        self._workers.add(worker)
        self._metrics.workers.set(len(self._workers))
        task = asyncio.ensure_future(self._attend(worker))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._ask()

    async def _attend(self, worker: _Worker) -> None:
        """Receive messages of a worker until it dies, and then replace it."""
        began = time.monotonic()
        with contextlib.suppress(asyncio.IncompleteReadError):
            while True:
                kind, value = await _receive(worker.process)
                if kind == "answers":
                    for answer in value:
                        self._take(worker, answer)
                elif kind == "done":
                    self._free(worker)
        self._workers.discard(worker)
        self._metrics.workers.set(len(self._workers))
        if worker.overdue is not None:
            worker.overdue.cancel()
        await worker.process.wait()
        if self._closing:
            return
        log.warning("a worker ended with status %s: it is replaced", worker.process.returncode)
        self._metrics.restarts.inc()
        self._retry(worker)
        if time.monotonic() - began < 1.0:
            await asyncio.sleep(1.0)  # avoid a busy loop if workers die at once
        await self._replace()

    async def _replace(self) -> None:
        """Start another worker, retrying until it succeeds."""
        while not self._closing:
            try:
                self._keep(await self._open())
                return
            except LaconicError as error:
                log.warning("%s", error)
                await asyncio.sleep(5.0)

    def _free(self, worker: _Worker) -> None:
        """Mark a worker as free and give it pending requests."""
        worker.busy = False
        if worker.overdue is not None:
            worker.overdue.cancel()
        took = (time.monotonic() - worker.began) / max(worker.given, 1)
        self._per_job += 0.1 * (took - self._per_job)
        self._give_out()

    def _take(self, worker: _Worker, answer: Answer) -> None:
        job = worker.jobs.pop(answer.number, None)
        if job is not None and not job.answer.done():
            self._metrics.texts.inc(answer.texts)
            job.answer.set_result(answer)

    def _retry(self, worker: _Worker) -> None:
        """Put the unanswered jobs of a dead worker back at the front of the queue, once."""
        for job in reversed(worker.jobs.values()):
            if job.answer.done():
                continue
            if job.tries > 1:
                detail = "the process that worked on it died twice: leave this text out, or ask for less"
                job.answer.set_exception(Problem(HTTPStatus.INTERNAL_SERVER_ERROR, "worker-lost", detail))
                continue
            job.worker = None
            self._queue.appendleft(job)
            self._bytes += len(job.body)
        self._ask()


def _send(worker: _Worker, message: Any) -> None:
    assert worker.process.stdin is not None
    with contextlib.suppress(OSError, RuntimeError):  # it is dead, as reading its answers will show
        worker.process.stdin.write(encode(message))


async def _receive(process: Process) -> tuple[str, Any]:
    assert process.stdout is not None
    (size,) = HEAD.unpack(await process.stdout.readexactly(HEAD.size))
    kind, value = pickle.loads(await process.stdout.readexactly(size))
    return kind, value


def _kill(process: Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
