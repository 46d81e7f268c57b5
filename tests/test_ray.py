"""Bulk runs on a Ray cluster of this machine: the real one, whose workers, and which itself, are killed.

Everything runs in processes of its own, which are all ended, whatever happens.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from laconic.bulk import LocalEngine, run
from laconic.compress_job import TEXT, CompressJob
from laconic.harvest.harvest_job import HEADLINE, HarvestJob
from laconic.harvest.harvest_job import TEXT as HARVEST_TEXT

pytest.importorskip("ray")

CITIES = ["Leeds", "Oslo", "Madrid", "Cairo", "Lima", "Perth"]
PARTITION_ROWS = 20
PARTS = 60


def processes() -> dict[int, tuple[int, str]]:
    """Parent and command of every process that is alive."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid=,stat=,args="], capture_output=True, text=True, check=True).stdout
    fields = [line.split(None, 3) for line in listed.splitlines()]
    return {int(pid): (int(parent), command) for pid, parent, state, command in fields if not state.startswith("Z")}


def descendants(of: int) -> dict[int, str]:
    """Processes that a process started, directly or not."""
    alive = processes()
    found: dict[int, str] = {}
    fresh = {of}
    while fresh:
        children = {pid: command for pid, (parent, command) in alive.items() if parent in fresh and pid not in found}
        found.update(children)
        fresh = set(children)
    return found


class Run:
    """A run of a command on two workers of Ray."""

    def __init__(self, command: str, inputs: Path, out: Path, scratch: Path, *more: str) -> None:
        self.out = out
        self._log = (scratch / "log.txt").open("w+")
        whole = [sys.executable, "-m", "laconic", command, str(inputs), "--out", str(out), "--workers", "2",
                 "--engine", "ray", "--partition-rows", str(PARTITION_ROWS), *more]  # fmt: skip
        environment = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"}
        self._process = subprocess.Popen(whole, stdout=self._log, stderr=self._log, start_new_session=True,
                                         env={**environment, "RAY_TMPDIR": str(scratch)})  # fmt: skip
        self.started: dict[int, str] = {}  # what it started, as far as was seen

    def workers(self) -> list[int]:
        """The actors."""
        self.started.update(descendants(self._process.pid))
        alive = processes()
        return [pid for pid in self.started if pid in alive and alive[pid][1].startswith("ray::MapWorker")]

    def wait_for(self, condition: Callable[[], object]) -> None:
        """Wait until it is so, while the run goes on."""
        end = time.monotonic() + 60
        while not condition():
            assert self._process.poll() is None, self.printed()
            assert time.monotonic() < end, self.printed()
            time.sleep(0.05)

    def parts(self) -> int:
        return len(list(self.out.glob("part-*.jsonl")))

    def finish(self, status: int = 0) -> str:
        """Wait for the end; returns what was printed."""
        assert self._process.wait(timeout=80) == status, self.printed()
        return self.printed()

    def printed(self) -> str:
        self._log.flush()
        return Path(self._log.name).read_text()

    def kill(self) -> None:
        """End the whole of it at once, so that nothing can be tidied up."""
        self.started.update(descendants(self._process.pid))
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pid in self.started.keys() & processes().keys():  # those that have a process group of their own
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._log.close()


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A folder for Ray; the names of its sockets allow no long path."""
    folder = Path(tempfile.mkdtemp(prefix="lr", dir="/tmp"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def start(tmp_path: Path, scratch: Path) -> Iterator[Callable[..., Run]]:
    runs: list[Run] = []

    def begin(inputs: Path, *arguments: str, command: str = "compress") -> Run:
        runs.append(Run(command, inputs, tmp_path / "out", scratch, *arguments))
        return runs[-1]

    yield begin
    for each in runs:
        each.kill()
    left = set().union(*(each.started for each in runs)) & processes().keys()
    assert not left


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.name != "manifest.jsonl"}


def test_killed_workers_and_a_killed_run_lose_nothing_and_do_nothing_twice(
    tmp_path: Path, start: Callable[..., Run]
) -> None:
    sentences = [
        f"Police in {CITIES[n % 6]} said {n} people were arrested on Friday after a fire at a farm near the river."
        for n in range(PARTS * PARTITION_ROWS)
    ]
    inputs, out, undisturbed = tmp_path / "in.txt", tmp_path / "out", tmp_path / "undisturbed"
    inputs.write_text("\n".join(sentences), encoding="utf-8")

    killed = start(inputs)
    killed.wait_for(lambda: killed.parts() >= 4 and len(killed.workers()) == 2)
    os.kill(killed.workers()[0], signal.SIGKILL)
    before = killed.parts()
    killed.wait_for(lambda: killed.parts() >= before + 10)
    killed.kill()
    noted = [json.loads(line) for line in (out / "manifest.jsonl").read_bytes().splitlines(keepends=True)
             if line.startswith(b'{"part"') and line.endswith(b"\n")]  # fmt: skip
    kept = {each["files"][0]["file"] for each in noted}
    assert 14 <= len(kept) < PARTS
    states = {name: (out / name).stat() for name in kept}

    resumed = start(inputs, "--resume")
    printed = resumed.finish()
    assert printed.startswith(f"1,200 texts in {PARTS} parts ({len(kept)} of them found done), ")
    assert printed.count("\n") == 1  # nothing of Ray's
    for name, state in states.items():
        assert ((out / name).stat().st_ino, (out / name).stat().st_mtime_ns) == (state.st_ino, state.st_mtime_ns)

    run(CompressJob(), [inputs], [TEXT], undisturbed, engine=LocalEngine(1), partition_rows=PARTITION_ROWS)
    assert content(out) == content(undisturbed)
    ids = [json.loads(line)["id"] for data in content(out).values() for line in data.splitlines()]
    assert ids == [f"in.txt:{n}" for n in range(1, len(sentences) + 1)]


def test_the_harvest_of_a_cluster_is_that_of_one_machine(tmp_path: Path, start: Callable[..., Run]) -> None:
    pairs = [
        {
            "headline": f"{n} people arrested after fire in {CITIES[n % 6]}" if n % 3 else f"Fire in {CITIES[n % 6]}",
            "lead": f"Police said {n} people were arrested on Friday after a fire at a farm in {CITIES[n % 6]}.",
        }
        for n in range(12 * PARTITION_ROWS)
    ]
    pairs[-1] = pairs[1]  # far apart, and still found
    inputs, undisturbed = tmp_path / "in.jsonl", tmp_path / "undisturbed"
    inputs.write_text("".join(json.dumps(pair) + "\n" for pair in pairs), encoding="utf-8")

    disturbed = start(inputs, "--explain", str(tmp_path / "why"), command="harvest")
    disturbed.wait_for(lambda: disturbed.parts() >= 1 and len(disturbed.workers()) == 2)
    os.kill(disturbed.workers()[0], signal.SIGKILL)
    printed = disturbed.finish()

    job = HarvestJob(explain=".jsonl")
    summary = run(job, [inputs], [HEADLINE, HARVEST_TEXT], undisturbed, more={"rejected": tmp_path / "why_not"},
                  engine=LocalEngine(1), partition_rows=PARTITION_ROWS, distinct=True)  # fmt: skip
    assert content(tmp_path / "out") == content(undisturbed)
    assert content(tmp_path / "why") == content(tmp_path / "why_not")
    assert 0 < summary.counts["accepted"] < len(pairs)
    assert summary.counts["duplicate"] == 1
    assert f"{summary.counts['accepted']:>10,}" in printed


def test_what_comes_before_damage_in_the_input_is_done_and_any_engine_goes_on(
    tmp_path: Path, start: Callable[..., Run]
) -> None:
    lines = [f"Rain fell in {CITIES[n % 6]} on Monday, they said, and {n} trees fell too.\n" for n in range(400)]
    lines[7] = "x" * 1_000_001 + "\n"
    whole = gzip.compress("".join(lines).encode())
    inputs, out, undisturbed = tmp_path / "in.txt.gz", tmp_path / "out", tmp_path / "undisturbed"
    inputs.write_bytes(whole[: len(whole) * 3 // 4])
    printed = start(inputs).finish(status=2)
    assert printed.startswith(f"laconic: {inputs} cannot be read beyond row ")
    assert printed.count("\n") == 1
    kept = content(out)
    assert 1 <= len(kept) < 20

    inputs.write_bytes(whole)
    columns, settings = [TEXT], {"engine": LocalEngine(1), "partition_rows": PARTITION_ROWS}
    summary = run(CompressJob(), [inputs], columns, out, resume=True, **settings)
    assert (summary.parts_found, summary.rows, summary.counts) == (len(kept), 400, {"too long": 1})
    run(CompressJob(), [inputs], columns, undisturbed, **settings)
    assert content(out) == content(undisturbed)
    assert content(out).items() >= kept.items()


def test_a_cluster_that_cannot_be_reached_is_named(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("Rain fell.\n")
    for address, message in [
        (
            "127.0.0.1:1",
            "cannot reach a Ray cluster at 127.0.0.1:1 ([Errno 111] Connection refused): check the address",
        ),
        ("ray://127.0.0.1:1", "run laconic on a node of the cluster"),
    ]:
        done = subprocess.run(
            [sys.executable, "-m", "laconic", "compress", str(tmp_path / "in.txt"), "--out", str(tmp_path / "out"),
             "--engine", "ray", "--address", address],
            capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        assert done.returncode == 2
        assert message in done.stderr
        assert done.stderr.count("\n") == 1
        assert not (tmp_path / "out").exists()
