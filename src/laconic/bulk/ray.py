"""The Ray engine: workers on a cluster, by Ray Data.

A row of the dataset is a whole partition, pickled. One read task, on the node of this process, reads the input and
emits partitions. A pool of actors, each of which loads parser and model once, processes them; this process receives the
results and writes them. So other nodes need neither the input nor the output folder, and if Ray processes a partition
twice after a worker has died, nothing is written twice.

Ray Data's scheduler pauses the reader when partitions waiting for workers fill its share of the object store.
"""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import socket
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any, Final

from laconic.bulk.job import Failed, Finished, Job, Output, attempt, failure
from laconic.bulk.local import check_workers
from laconic.bulk.manifest import difference
from laconic.bulk.partitions import Partition, Partitions
from laconic.bulk.rows import DamagedInputError
from laconic.cores import cores
from laconic.errors import LaconicError

#: The number of deaths of workers after which a partition is given up, as it may be the cause.
_ATTEMPTS: Final = 5
#: The size of a local cluster's object store, which holds partitions before and after processing.
_STORE_BYTES: Final = 1 << 28
_STORE_BYTES_PER_WORKER: Final = 1 << 26
_REACHED_WITHIN: Final = 10.0  # seconds
_PAYLOAD: Final = "payload"
#: Environment variables that Ray reads when it is imported. By default, its core prints below Python's logging, where
#: it cannot be filtered, and events of workers are printed among the results.
_QUIET: Final = {
    "RAY_BACKEND_LOG_LEVEL": "fatal",
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",
    "RAY_USAGE_STATS_ENABLED": "0",
}


class RayEngine:
    """Processes partitions by the actors of a Ray cluster.

    `address` is the address of a running cluster, host:port, to which this machine belongs (`auto`: the one that `ray
    start` started here; default: the environment's RAY_ADDRESS). Without an address, a cluster is started on this
    machine and stopped after the run. `workers` is the number of actors, each on one core; default: all cores of the
    cluster.
    """

    def __init__(self, workers: int | None = None, address: str | None = None) -> None:
        self.workers = check_workers(workers)
        self.address = address or os.environ.get("RAY_ADDRESS") or "local"
        _import_ray()

    def map(self, job: Job, partitions: Partitions) -> Generator[Finished]:
        """The processed partitions, in the order in which they finish."""
        ray = _import_ray()
        ours = not ray.is_initialized()
        if ours:
            self._connect(ray)
        try:
            with _settings(ray):
                yield from self._map(ray, job, partitions)
        except ray.exceptions.RayError as error:
            raise LaconicError(
                f"Ray gave up ({_first_line(error)}): the finished parts are kept; go on with resume=True",
                resume=True,
            ) from error
        finally:
            if ours:
                ray.shutdown()

    def _map(self, ray: Any, job: Job, partitions: Partitions) -> Iterator[Finished]:
        workers = self.workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        dataset = _dataset(ray, job, partitions, workers)
        done = 0
        end: _End | None = None
        given_up: list[_GivenUp] = []
        # A block is one partition, so prefetching gains nothing.
        for batch in dataset.iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=0):
            for payload in batch[_PAYLOAD]:
                result: Finished | Failed | _End | _GivenUp = pickle.loads(payload.as_py())
                if isinstance(result, Failed):
                    raise result.error()
                if isinstance(result, _End):
                    end = result
                elif isinstance(result, _GivenUp):
                    given_up.append(result)
                else:
                    done += 1
                    yield result
        if given_up:
            raise LaconicError(
                f"{_ATTEMPTS} workers died over {', '.join(map(str, given_up))}, perhaps for want of memory: all other "
                "parts are kept; go on with resume=True, with fewer workers on a machine",
                resume=True,
                workers=None,
            )
        if end is None or end.partitions != done:
            raise LaconicError(
                f"Ray lost partitions ({done} came back): the others are kept; go on with resume=True", resume=True
            )
        end.check()

    def _connect(self, ray: Any) -> None:
        if self.address.startswith("ray://"):
            raise LaconicError(
                f"{self.address} is an address of the Ray Client, through which files of this machine cannot be read: "
                "run laconic on a node of the cluster, with address='auto' or host:port",
                address="auto",
            )
        options: dict[str, Any] = {}
        if self.address == "local":
            workers = self.workers or cores()
            store = max(_STORE_BYTES, workers * _STORE_BYTES_PER_WORKER)
            options = {"num_cpus": workers, "include_dashboard": False, "object_store_memory": store}
        else:
            _check_reachable(self.address)
        try:
            with _silence():
                ray.init(self.address, logging_level=logging.ERROR, log_to_driver=False, **options)
        except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
            if any("AuthToken" in str(cause) for cause in _causes(error)):
                raise LaconicError(
                    f"the Ray cluster {self.address!r} asks for a token: set RAY_AUTH_MODE=token, and see Ray's "
                    "documentation on token authentication"
                ) from error
            raise LaconicError(
                f"cannot use the Ray cluster {self.address!r} ({_first_line(error)}): start one with `ray start "
                "--head` and give its host:port, or leave address out",
                address=None,
            ) from error


@dataclass(frozen=True, slots=True)
class _End:
    """The last row of the dataset: the number of partitions, and the reason why there are no more."""

    partitions: int
    failed: Failed | None = None
    damaged: str = ""  # name of the source

    @classmethod
    def after(cls, partitions: int, error: Exception) -> _End:
        """The end caused by an exception."""
        return cls(partitions, failure(error), error.name if isinstance(error, DamagedInputError) else "")

    def check(self) -> None:
        """Raise the reader's error, if there is one."""
        if self.failed is not None:
            raise DamagedInputError(self.failed.message, self.damaged) if self.damaged else self.failed.error()


@dataclass(frozen=True, slots=True)
class _GivenUp:
    """A partition whose workers have died too often."""

    number: int
    ends: tuple[str, ...]  # its first and its last row

    def __str__(self) -> str:
        return f"part {self.number} ({' to '.join(self.ends)})"


class _Attempts:
    """Counts how often each partition was started, as Ray itself would retry without end."""

    def __init__(self) -> None:
        self._begun: Counter[int] = Counter()

    def count(self, number: int) -> int:
        """The number of starts of this partition, including this one."""
        self._begun[number] += 1
        return self._begun[number]


def _start_attempts(ray: Any) -> Any:
    here = ray.get_runtime_context().get_node_id()
    near = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(here, soft=False)
    options = {"num_cpus": 0, "max_restarts": -1, "max_task_retries": -1, "scheduling_strategy": near}
    return ray.remote(**options)(_Attempts).remote()


class _Actor:
    """A worker. Errors are returned instead of raised, as Ray would wrap them beyond recognition."""

    def __init__(self, job: Job, description: dict[str, Any], attempts: Any) -> None:
        self._attempts = attempts
        self._work: Callable[[Partition], Output] | Failed
        try:
            found = difference(description, job.describe())
            if found:
                raise LaconicError(
                    f"the node {socket.gethostname()} would do another job: {found} there. Install the same versions "
                    "and models on all nodes"
                )
            self._work = job.start()
        except Exception as error:
            self._work = failure(error)

    def __call__(self, batch: Any) -> Any:
        return _block([self._do(pickle.loads(payload.as_py())) for payload in batch[_PAYLOAD]])

    def _do(self, item: Partition | _End) -> Finished | Failed | _End | _GivenUp:
        if isinstance(item, _End):
            return item
        if isinstance(self._work, Failed):
            return self._work
        if _import_ray().get(self._attempts.count.remote(item.number)) > _ATTEMPTS:
            return _GivenUp(item.number, tuple(row.id for row in item.rows[:: max(1, len(item.rows) - 1)]))
        return attempt(self._work, item)


def _dataset(ray: Any, job: Job, partitions: Partitions, workers: int) -> Any:
    """The lazy dataset of processed partitions."""
    data = ray.data
    base: Any = data.Datasource
    # The list of finished partitions can be long; passing it in the task would cause a warning.
    reference = ray.put(partitions)

    def read() -> Iterator[Any]:
        count = 0
        try:
            for partition in ray.get(reference):
                yield _block([partition])
                count += 1
        except Exception as error:
            yield _block([_End.after(count, error)])
        else:
            yield _block([_End(count)])

    class Input(base):  # type: ignore[misc]
        """The input files, read on the node of this process."""

        supports_distributed_reads = False

        def estimate_inmemory_data_size(self) -> int | None:
            return None

        def get_read_tasks(self, *_: Any, **__: Any) -> list[Any]:
            unknown = data.block.BlockMetadata(num_rows=None, size_bytes=None, input_files=None, exec_stats=None)
            return [data.ReadTask(read, unknown)]

    # The reader mostly waits, so it takes no core from workers; this also keeps Ray Data from reading inside a worker.
    return data.read_datasource(Input(), num_cpus=0, override_num_blocks=1).map_batches(
        _Actor,
        fn_constructor_args=(job, job.describe(), _start_attempts(ray)),
        batch_size=1,
        batch_format="pyarrow",
        compute=data.ActorPoolStrategy(size=workers),
        num_cpus=1,
    )


def _block(items: list[Any]) -> Any:
    import pyarrow as pa

    return pa.table({_PAYLOAD: pa.array(map(pickle.dumps, items), pa.large_binary())})


def _import_ray() -> Any:
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    try:
        import ray
        import ray.data
        import ray.exceptions
        import ray.util.scheduling_strategies
    except ImportError as error:
        raise LaconicError(f'the engine ray needs Ray ({error}): pip install "laconic[ray]"') from None
    return ray


def _check_reachable(address: str) -> None:
    """Check that the address is reachable: Ray itself would try for minutes."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        return  # auto, or another name that Ray resolves
    try:
        socket.create_connection((host, int(port)), _REACHED_WITHIN).close()
    except (OSError, OverflowError) as error:
        raise LaconicError(
            f"cannot reach a Ray cluster at {address} ({error}): check the address, and that `ray start --head` runs "
            "there"
        ) from error


@contextlib.contextmanager
def _settings(ray: Any) -> Iterator[None]:
    """Ray Data's settings for this run; its reports go only to its log file."""
    context = ray.data.DataContext.get_current()
    # Pass blocks on one by one: by default, Ray Data collects partitions up to 128 MB.
    settings = {"target_max_block_size": 1, "enable_progress_bars": False}
    before = {name: getattr(context, name) for name in settings}
    handlers = [each for each in logging.getLogger("ray.data").handlers if type(each).__name__ == "PlainRayHandler"]
    levels = [handler.level for handler in handlers]
    for name, value in settings.items():
        setattr(context, name, value)
    for handler in handlers:
        handler.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(context, name, value)
        for handler, level in zip(handlers, levels, strict=True):
            handler.setLevel(level)


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Suppress all output inside: Ray prints a message about the very setting that silences its core."""
    sink = os.open(os.devnull, os.O_WRONLY)
    saved = os.dup(2)
    os.dup2(sink, 2)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(sink)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
