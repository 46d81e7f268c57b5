"""Where the output of a bulk run goes, what is refused there, and what becomes of it."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest
from bulk_job import TEXT, Shout, content, message_of_a_full_disk, numbered, rows, written

from laconic.bulk import LocalEngine, Summary, run, suffix_of
from laconic.cli.bulk import describe, suffix_for
from laconic.errors import LaconicError


def shout(path: Path, out: Path, *, more: Path | None = None, resume: bool = False, log: Path | None = None) -> Summary:
    """Ten rows a part."""
    job = Shout(suffix=(suffix_of(out) or ".jsonl"), second=more is not None, log=log)
    others = None if more is None else {"long": more}
    return run(job, [path], [TEXT], out, more=others, partition_rows=10, resume=resume, engine=LocalEngine(1))


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


# A complete run


def test_parts_that_are_gone_from_a_complete_run_are_done_again(tmp_path: Path) -> None:
    path, out, log = numbered(tmp_path / "a.txt", 30), tmp_path / "out", tmp_path / "log"
    shout(path, out)
    before = content(out)
    (out / "part-00001.jsonl").unlink()
    summary = shout(path, out, resume=True, log=log)
    assert (summary.parts, summary.parts_found, summary.rows, summary.rows_done) == (3, 2, 30, 10)
    assert [line.split()[0] for line in log.read_text().splitlines()] == ["1"]
    assert content(out) == before
    noted = [json.loads(line).get("complete") for line in (out / "manifest.jsonl").read_text().splitlines()]
    assert [complete for complete in noted if complete is not None] == [True, False, True]
    assert shout(path, out, resume=True).rows_done == 0


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv", "out.parquet"])
def test_a_file_that_is_gone_after_a_complete_run_is_made_again(tmp_path: Path, name: str) -> None:
    path, out, more = numbered(tmp_path / "a.txt", 30), tmp_path / name, tmp_path / "more.jsonl"
    shout(path, out, more=more)
    before = out.read_bytes()
    assert shout(path, out, more=more, resume=True).rows_done == 0
    for gone in (out, more):
        gone.unlink()
        assert shout(path, out, more=more, resume=True).rows_done == 30
        assert out.read_bytes() == before
        assert names(tmp_path) == sorted(["a.txt", "more.jsonl", name, f"{name}.manifest"])


@pytest.mark.parametrize("name", ["out.jsonl", "out"])
def test_output_that_was_changed_after_a_complete_run_is_not_overwritten(tmp_path: Path, name: str) -> None:
    path, out = numbered(tmp_path / "a.txt", 30), tmp_path / name
    shout(path, out)
    changed = out if out.is_file() else out / "part-00002.jsonl"
    changed.write_text("mine")
    with pytest.raises(
        LaconicError, match=rf"{changed} has 4 bytes where the run wrote [\d,]+: move it away to have it"
    ):
        shout(path, out, resume=True)
    assert changed.read_text() == "mine"
    changed.unlink()
    assert shout(path, out, resume=True).rows_done == (30 if changed == out else 10)


# Names


@pytest.mark.parametrize("name", [".", "..", "deep/er"])
def test_a_folder_may_be_named_in_any_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    path, work = numbered(tmp_path / "a.txt", 3), tmp_path / "x" / "y"
    work.mkdir(parents=True)
    monkeypatch.chdir(work)
    shout(path, Path(name))
    assert len(written(work / name)) == 3
    assert shout(path, Path(name), resume=True).rows_done == 0


def test_an_empty_manifest_is_no_run(tmp_path: Path) -> None:
    path, out = numbered(tmp_path / "a.txt", 3), tmp_path / "out"
    out.mkdir()
    (out / "manifest.jsonl").touch()
    assert shout(path, out).rows == 3


def test_a_name_says_whether_it_is_a_file_or_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, suffix in [
        ("items.jsonl", ".jsonl"),
        ("x.JSONL", ".jsonl"),
        ("x.Txt.GZ", ".txt.gz"),
        ("out", None),
        (".", None),
        (".hidden", None),
        ("run-0.3", None),
        ("news.2024-05", None),
        ("out.v2", None),
        ("out.d", None),
    ]:
        assert suffix_of(Path(name)) == suffix
    for name in ["items.json", "items.csv.gz", "why.log", "items.jsonl.bz2", "a.parquet.gz", "items.xlsx"]:
        with pytest.raises(
            LaconicError, match=rf"{name} ends in no format .* one of \.jsonl, \.jsonl\.gz, \.csv, .*folder"
        ):
            suffix_of(Path(name))
        with pytest.raises(LaconicError, match=r"one of \.jsonl, \.jsonl\.gz, give a folder"):
            suffix_for(Path(name), None, {"jsonl": ".jsonl"})
    (tmp_path / "items.json").mkdir()
    assert suffix_of(Path("items.json")) is None


def test_a_name_in_capitals_is_a_file(tmp_path: Path) -> None:
    out = tmp_path / "OUT.JSONL"
    shout(numbered(tmp_path / "a.txt", 30), out)
    assert len(rows(out)) == 30
    assert names(tmp_path) == ["OUT.JSONL", "OUT.JSONL.manifest", "a.txt"]


def test_the_output_that_cannot_be_written_is_named_and_nothing_is_left(tmp_path: Path) -> None:
    path = numbered(tmp_path / "a.txt", 3)
    (tmp_path / "file").touch()
    with pytest.raises(LaconicError, match=r"cannot write .*file/why\.jsonl \(Not a directory\)"):
        shout(path, tmp_path / "deep" / "er" / "ok.jsonl", more=tmp_path / "file" / "why.jsonl")
    assert names(tmp_path) == ["a.txt", "file"]


def test_outputs_in_each_others_way_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = numbered(tmp_path / "a.txt", 3)
    (tmp_path / "ok.jsonl.parts").mkdir()
    monkeypatch.chdir(tmp_path)
    before = names(tmp_path)
    for out, more in [
        ("ok.jsonl", "ok.jsonl"),
        ("ok.jsonl", "./deep/../ok.jsonl"),
        ("ok.jsonl", "ok.jsonl.parts"),
        ("ok.jsonl", "ok.jsonl.parts/why.jsonl"),
        ("ok.jsonl", "ok.jsonl.parts/deep/er"),
        ("ok.jsonl", "ok.jsonl.manifest"),
        ("ok.jsonl.parts/out.jsonl", "ok.jsonl"),
        (".", "a/.."),
        ("out", "out/part-why.jsonl"),
        ("out", "out/manifest.jsonl"),
    ]:
        with pytest.raises(LaconicError, match="give each a name of its own"):
            shout(path, Path(out), more=Path(more))
        assert names(tmp_path) == before
    shout(path, Path("out"), more=Path("out/why.jsonl"))
    assert names(tmp_path / "out") == ["manifest.jsonl", "part-00000.jsonl", "why.jsonl"]


# Errors and summaries


def test_a_manifest_that_does_not_fit_on_the_disk_is_named_with_what_is_kept(tmp_path: Path) -> None:
    path, out = numbered(tmp_path / "a.txt", 100), tmp_path / "out"
    message = message_of_a_full_disk(path, out, 2000)
    lines = (out / "manifest.jsonl").read_bytes().splitlines(keepends=True)
    assert f"cannot write {out}/manifest.jsonl ({os.strerror(errno.EFBIG)}): free some space" in message
    assert message.endswith(f"the {len(lines) - 1} finished parts are kept, go on with resume=True")
    assert lines[-1].endswith(b"}\n")  # no half of a line
    assert shout(path, out, resume=True).parts_found == len(lines) - 1 > 1
    assert len(written(out)) == 100


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        ((1, 0, 1, 1), "1 pair in 1 part, 1.0 s, 1 pair/s"),
        ((2, 1, 1200, 1100), "1,200 pairs in 2 parts (1 of them found done), 1.0 s, 1,100 pairs/s"),
        ((1, 0, 0, 0), "0 pairs in 1 part"),
    ],
)
def test_a_summary_counts_as_people_do(counts: tuple[int, int, int, int], text: str) -> None:
    assert describe(Summary(*counts, records=(0,), counts={}, problems=(), seconds=1.0), "pairs") == text
