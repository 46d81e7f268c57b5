"""Bulk runs: parts into folders, engines, and what happens when something goes wrong on the way."""

from __future__ import annotations

import errno
import gzip
import json
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from bulk_job import TEXT, Shout, content, message_of_a_full_disk, numbered, rows, write_lines, written

from laconic.bulk import LocalEngine, Partition, Problem, Row, encode, make_engine, run
from laconic.bulk.ray import RayEngine, _Actor, _End
from laconic.bulk.rows import DamagedInputError
from laconic.errors import LaconicError

# Runs


def test_a_run_writes_parts_and_a_manifest(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", ['{"text": "one"}', '{"text": 1}', '{"text": "three"}'])
    out = tmp_path / "out"
    summary = run(Shout(), [path], [TEXT], out, partition_rows=2, engine=LocalEngine(1))
    assert sorted(file.name for file in out.iterdir()) == ["manifest.jsonl", "part-00000.jsonl", "part-00001.jsonl"]
    assert written(out) == [{"id": "a.jsonl:1", "text": "ONE"}, {"id": "a.jsonl:3", "text": "THREE"}]
    first, *parts, last = [json.loads(line) for line in (out / "manifest.jsonl").read_text().splitlines()]
    assert first["run"]["job"] == {"name": "shout", "loud": True}
    assert first["run"]["inputs"][0]["bytes"] == path.stat().st_size
    assert [part["rows"] for part in parts] == [2, 1]
    assert parts[0]["counts"] == {"letters": 1, "unreadable": 1}
    counts = {"letters": 2, "unreadable": 1}
    assert last == {"complete": True, "parts": 2, "rows": 3, "records": [2], "bytes": [72], "counts": counts}
    assert (summary.parts, summary.rows, summary.records, summary.counts) == (2, 3, (2,), counts)
    assert summary.problems == (Problem("a.jsonl:2", "unreadable", "the column 'text' holds no text but int"),)


def test_a_few_rows_of_every_problem_are_named(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", ['{"text": "one"}'] * 30 + ['{"text": 1}'])
    summary = run(Shout(), [path], [TEXT], tmp_path / "out", partition_rows=7, distinct=True, engine=LocalEngine(1))
    assert summary.counts == {"duplicate": 29, "letters": 1, "unreadable": 1}
    assert [problem.id for problem in summary.problems] == [f"a.jsonl:{n}" for n in (2, 3, 4, 31)]


def test_one_file_is_put_together_at_the_end_and_further_streams_too(tmp_path: Path) -> None:
    path = numbered(tmp_path / "a.txt", 2000)
    out, long = tmp_path / "out.csv", tmp_path / "long.jsonl"
    arguments = (Shout(suffix=".csv", second=True), [path], [TEXT], out)
    with pytest.raises(ZeroDivisionError):
        run(Shout(suffix=".csv", second=True, fails_at=3), *arguments[1:], more={"long": long}, engine=LocalEngine(1),
            partition_rows=300)  # fmt: skip
    assert not out.exists()
    assert not long.exists()
    summary = run(*arguments, more={"long": long}, engine=LocalEngine(1), partition_rows=300, resume=True)
    assert summary.records == (2000, 0)
    assert summary.parts_found == 3
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.txt", "long.jsonl", "out.csv", "out.csv.manifest"]
    assert [row.values[0] for row in rows(out)] == [f"TEXT {i}" for i in range(2000)]
    again = run(*arguments, more={"long": long}, partition_rows=300, resume=True)
    assert (again.rows, again.rows_done) == (2000, 0)
    assert not (tmp_path / "out.csv.parts").exists()


def test_no_rows_are_an_empty_part(tmp_path: Path) -> None:
    for name, suffix in [("a.txt", ".jsonl"), ("a.jsonl", ".csv"), ("a.csv", ".parquet")]:
        (tmp_path / name).write_bytes(b"")
        out = tmp_path / f"out{suffix}"
        summary = run(Shout(suffix=suffix), [tmp_path / name], [TEXT], out, engine=LocalEngine(1))
        assert (summary.parts, summary.rows, summary.records) == (1, 0, (0,))
        assert rows(out) == []


def test_wherever_a_run_was_killed_resuming_gives_the_same_parts(tmp_path: Path) -> None:
    """Half a line in the manifest, a part without its line, a line without its part, half a part."""
    path = numbered(tmp_path / "a.txt", 100)
    whole = tmp_path / "whole"
    run(Shout(), [path], [TEXT], whole, partition_rows=10, engine=LocalEngine(1))
    manifest = (whole / "manifest.jsonl").read_bytes()
    expected = content(whole)
    header = manifest.index(b"\n") + 1
    choice = random.Random(3)
    for attempt in range(25):
        out = tmp_path / f"out{attempt}"
        out.mkdir()
        (out / "manifest.jsonl").write_bytes(manifest[: choice.randrange(header, len(manifest) - 80)])
        lines = (out / "manifest.jsonl").read_text().count("\n") - 1
        for number, (name, data) in enumerate(expected.items()):
            if number < lines + choice.randrange(2):
                (out / name).write_bytes(data)
        (out / "part-00000.jsonl.partial").write_bytes(b"hal")
        (out / "part-00042.jsonl.partial").write_bytes(b"hal")
        if lines:
            victim = out / f"part-{choice.randrange(lines):05d}.jsonl"
            victim.write_bytes(victim.read_bytes()[:-1]) if choice.random() < 0.5 else victim.unlink()
        kept = {file.name: file.stat().st_mtime_ns for file in out.glob("part-*.jsonl")}
        summary = run(Shout(), [path], [TEXT], out, partition_rows=10, resume=True, engine=LocalEngine(1))
        assert content(out) == expected
        assert summary.parts_found == max(0, lines - 1)
        assert sum(kept.get(name) == (out / name).stat().st_mtime_ns for name in expected) == summary.parts_found
        assert summary.counts == {"letters": 100}
        assert len([json.loads(line) for line in (out / "manifest.jsonl").read_text().splitlines()]) >= 12


def test_a_complete_run_is_not_touched_again(tmp_path: Path) -> None:
    path, out, log = numbered(tmp_path / "a.txt", 30), tmp_path / "out", tmp_path / "log"
    run(Shout(), [path], [TEXT], out, partition_rows=10, engine=LocalEngine(1))
    before = {file: file.stat().st_mtime_ns for file in out.iterdir()}
    summary = run(Shout(log=log), [path], [TEXT], out, partition_rows=10, resume=True)
    assert (summary.parts, summary.parts_found, summary.rows, summary.rows_done) == (3, 3, 30, 0)
    assert {file: file.stat().st_mtime_ns for file in out.iterdir()} == before
    assert not log.exists()


def test_output_of_another_run_is_refused_with_what_differs(tmp_path: Path) -> None:
    path, other, out = numbered(tmp_path / "a.txt", 30), numbered(tmp_path / "b.txt", 3), tmp_path / "out"
    with pytest.raises(ZeroDivisionError):
        run(Shout(fails_at=2), [path], [TEXT], out, partition_rows=10, engine=LocalEngine(1))
    before = content(out)

    def refused(message: str, *paths: Path, loud: bool = True, partition_rows: int = 10, **options: bool) -> None:
        with pytest.raises(LaconicError) as caught:
            run(Shout(loud), paths, [TEXT], out, partition_rows=partition_rows, **options)
        assert message in str(caught.value)
        assert content(out) == before

    refused("holds the output of a run: go on with it (resume=True)", path)
    refused("job, loud was true and is false", path, loud=False, resume=True)
    refused("partition, rows was 10 and is 20", path, partition_rows=20, resume=True)
    refused("distinct was false and is true", path, distinct=True, resume=True)
    refused("inputs, b.txt was not there and is there", path, other, resume=True)
    refused("inputs, b.txt was not there and is there", other, resume=True)
    path.write_text(path.read_text().replace("text 29", "text 92"))
    refused("inputs, a.txt, sha256 of both ends was", path, resume=True)
    (out / "manifest.jsonl").unlink()
    refused("is there already: move it away", path, resume=True)


def test_a_folder_with_other_files_is_used_and_they_stay(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "notes.txt").write_text("mine")
    run(Shout(), [numbered(tmp_path / "a.txt", 3)], [TEXT], out, engine=LocalEngine(1))
    assert (out / "notes.txt").read_text() == "mine"


def test_two_runs_do_not_write_to_the_same_folder(tmp_path: Path) -> None:
    path, out = numbered(tmp_path / "a.txt", 30), tmp_path / "out"
    engine = LocalEngine(1)
    arguments = (Shout(), [path], [TEXT], out)
    failures = []

    def second(_: int) -> None:
        with pytest.raises(LaconicError, match="another run is writing") as caught:
            run(*arguments, engine=engine, partition_rows=10, resume=True)
        failures.append(caught)

    run(*arguments, engine=engine, partition_rows=10, advance=second)
    assert len(failures) == 3


def test_a_damaged_input_can_be_mended_and_the_run_resumed(tmp_path: Path) -> None:
    path, out, log = tmp_path / "a.jsonl.gz", tmp_path / "out", tmp_path / "log"
    lines = [json.dumps({"text": f"text {random.Random(i).random()}"}).encode() + b"\n" for i in range(500)]
    whole = gzip.compress(b"".join(lines))
    path.write_bytes(whole[:-4000])
    after = numbered(tmp_path / "b.txt", 20)
    with pytest.raises(DamagedInputError):
        run(Shout(), [path, after], [TEXT], out, partition_rows=50, engine=LocalEngine(2))
    kept = len(content(out))
    assert kept >= 2
    path.write_bytes(gzip.compress(b"".join([lines[0], *lines])))
    with pytest.raises(LaconicError, match="part 0 was made of other rows"):
        run(Shout(), [path, after], [TEXT], out, partition_rows=50, engine=LocalEngine(1), resume=True)
    path.write_bytes(whole)
    job = Shout(log=log)
    summary = run(job, [path, after], [TEXT], out, partition_rows=50, engine=LocalEngine(1), resume=True)
    assert (summary.rows, summary.parts, summary.parts_found) == (520, 11, kept)
    assert len(log.read_text().splitlines()) == 11 - kept
    run(Shout(), [path, after], [TEXT], tmp_path / "undisturbed", partition_rows=50, engine=LocalEngine(1))
    assert content(out) == content(tmp_path / "undisturbed")


def test_an_output_that_cannot_be_written_is_refused_before_any_work(tmp_path: Path) -> None:
    path, log = numbered(tmp_path / "a.txt", 3), tmp_path / "log"
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    for out, message in [
        (blocked / "out", "Not a directory"),
        (blocked, "File exists"),
        (Path("/proc/laconic"), "/proc/laconic"),
        (tmp_path / "out.parquet", "is to have the format .jsonl"),
        (path.with_suffix(".jsonl.gz"), "is to have the format .jsonl"),
    ]:
        with pytest.raises(LaconicError, match=message):
            run(Shout(log=log), [path], [TEXT], out, engine=LocalEngine(1))
    assert not log.exists()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.txt", "file"]


def test_a_run_that_finished_nothing_leaves_nothing_behind(tmp_path: Path) -> None:
    path, out = numbered(tmp_path / "a.txt", 3), tmp_path / "out"
    with pytest.raises(LaconicError, match="enough"):
        run(Shout(refuses_at=0), [path], [TEXT], out, engine=LocalEngine(1))
    assert not out.exists()


def test_a_full_disk_is_named_and_what_was_written_is_kept(tmp_path: Path) -> None:
    """A limit on the size of files is the full disk that needs no other disk."""
    path, out = tmp_path / "a.txt", tmp_path / "out"
    write_lines(path, ["short"] * 30 + ["long " * 200] * 10 + ["short"] * 10)
    message = message_of_a_full_disk(path, out, 6000)
    assert f"part-00003.jsonl ({os.strerror(errno.EFBIG)}): free some space" in message
    assert message.endswith("the 3 finished parts are kept, go on with resume=True")
    assert len(content(out)) == 3  # and nothing half written
    run(Shout(), [path], [TEXT], out, partition_rows=10, engine=LocalEngine(1), resume=True)
    assert len(written(out)) == 50


# Engines


def test_two_workers_write_what_one_does(tmp_path: Path) -> None:
    path, log = numbered(tmp_path / "a.txt", 200), tmp_path / "log"
    run(Shout(), [path], [TEXT], tmp_path / "one", partition_rows=10, engine=LocalEngine(1))
    run(Shout(log=log), [path], [TEXT], tmp_path / "two", partition_rows=10, engine=LocalEngine(2))
    assert content(tmp_path / "one") == content(tmp_path / "two")
    workers = {line.split()[1] for line in log.read_text().splitlines()}
    assert len(workers) == 2
    assert str(os.getpid()) not in workers
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)


def test_only_so_much_is_read_ahead() -> None:
    read = 0

    def partitions() -> Iterator[Partition]:
        nonlocal read
        for number in range(12):
            read += 1
            yield Partition(number, (Row(f"a:{number}", ("x",)),), "", 0)

    for done, _ in enumerate(LocalEngine(2).map(Shout(), partitions()), 1):  # type: ignore[arg-type]
        assert read <= done + 3
    assert read == 12


def test_a_killed_worker_is_named_and_the_run_can_be_resumed(tmp_path: Path) -> None:
    path, out = numbered(tmp_path / "a.txt", 100), tmp_path / "out"
    with pytest.raises(LaconicError, match=r"worker process for part 5 was killed \(signal 9\).*resume=True"):
        run(Shout(dies_at=5), [path], [TEXT], out, partition_rows=10, engine=LocalEngine(2))
    kept = content(out)
    assert len(kept) >= 3
    run(Shout(), [path], [TEXT], out, partition_rows=10, engine=LocalEngine(2), resume=True)
    assert len(written(out)) == 100
    assert content(out).items() >= kept.items()


def test_errors_in_a_worker_come_out_of_it(tmp_path: Path) -> None:
    path, out = numbered(tmp_path / "a.txt", 30), tmp_path / "out"
    with pytest.raises(RuntimeError, match="ZeroDivisionError: of all things"):
        run(Shout(fails_at=1), [path], [TEXT], out, partition_rows=10, engine=LocalEngine(2))
    with pytest.raises(LaconicError, match="enough: try later"):
        run(Shout(refuses_at=1), [path], [TEXT], out, partition_rows=10, engine=LocalEngine(2), resume=True)


def test_engines_by_name() -> None:
    assert isinstance(make_engine(), LocalEngine)
    assert isinstance(make_engine("ray", workers=2), RayEngine)
    for options, message in [
        ({"name": "spark"}, "unknown engine 'spark': use one of local, ray"),
        ({"workers": 0}, "0 workers: give 1 or more"),
        ({"address": "a:1"}, "add engine='ray'"),
    ]:
        with pytest.raises(LaconicError, match=message):
            make_engine(**options)


@pytest.mark.parametrize("missing", ["ray", "pyarrow"])
def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, missing: str) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(LaconicError, match=rf'pip install "laconic\[{"parquet" if missing == "pyarrow" else "ray"}\]"'):
        RayEngine() if missing == "ray" else encode([], [], ".parquet")


def test_a_node_that_would_do_another_job_is_refused() -> None:
    actor = _Actor(Shout(), {"name": "shout", "loud": False}, None)
    failed = actor._do(Partition(0, (), "", 0))
    assert "loud was false and is true there. Install the same versions and models on all nodes" in failed.message


def test_what_happened_to_a_reader_elsewhere_is_raised_here() -> None:
    _End(3).check()
    with pytest.raises(DamagedInputError, match="half a file") as caught:
        _End.after(3, DamagedInputError("half a file", "a.gz")).check()
    assert caught.value.name == "a.gz"
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        _End.after(3, ZeroDivisionError()).check()
