"""Bulk compression as a user meets it."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from bulk_job import write_lines, written

from laconic.compress_job import CompressJob
from laconic.errors import LaconicError

LACONIC = [sys.executable, "-m", "laconic"]


def laconic(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*LACONIC, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=120,
                          stdin=subprocess.DEVNULL)  # fmt: skip


SENTENCES = [f"Police said {n} people were arrested in Leeds on Friday after a fire at a farm." for n in range(2, 40)]


def test_compressed_files_have_what_compress_prints(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.txt", [*SENTENCES, "", "Rain fell. Snow fell on Monday."])
    jsonl, text, whole = tmp_path / "jsonl", tmp_path / "text", tmp_path / "whole.txt.gz"
    done = laconic("compress", path, "--out", jsonl, "-k", 3, "--partition-rows", 16, "--workers", 2)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("40 texts in 3 parts, ")
    printed = laconic("compress", "-f", path, "-k", 3, "--format", "jsonl").stdout.splitlines()
    expected = [{"id": f"a.txt:{n}", **json.loads(line)} for n, line in enumerate(printed, 1)]
    assert written(jsonl) == expected
    printed = laconic("compress", "-f", path).stdout
    assert laconic("compress", "-f", path, "--out", text, "--format", "text", "--workers", 1).returncode == 0
    assert (text / "part-00000.txt").read_text() == printed
    assert laconic("compress", path, "--out", whole, "--workers", 1).returncode == 0
    assert gzip.decompress(whole.read_bytes()).decode() == printed


def test_options_go_to_the_workers(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.txt", SENTENCES[:6])
    for i, options in enumerate(
        [["--model", "small"], ["--scorer", "maxent", "--parser", "spacy"], ["--order", "score"]]
    ):
        out = tmp_path / f"{i}.txt"
        assert laconic("compress", path, "--out", out, "-k", 4, "--workers", 1, *options).returncode == 0
        printed = laconic("compress", "-f", path, "-k", 4, *options).stdout
        # Every row ends with one more empty line there.
        assert out.read_text().replace("\n\n\n", "\n\n") == printed


def test_texts_that_cannot_be_compressed_keep_their_place(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "a.jsonl",
        [
            '{"body": "Rain fell on Monday."}',
            '{"body": 3}',
            '{"body": "The administration\'s representatives telephoned."}',
            '{"body": "Half',
        ],
    )
    out = tmp_path / "out"
    arguments = ["compress", path, "--out", out, "--method", "ilp", "--max-chars", 10, "--workers", 1]
    assert "has no column 'text' or 'sentence'" in laconic(*arguments).stderr
    done = laconic(*arguments, "--column", "body")
    assert done.returncode == 0, done.stderr
    found = written(out)
    assert [record["id"] for record in found] == [f"a.jsonl:{n}" for n in range(1, 5)]
    assert [record.get("problem") for record in found] == [None, "unreadable", "refused", "unreadable"]
    assert [len(record["sentences"]) for record in found] == [1, 0, 0, 0]
    assert "refused: 1, unreadable: 2" in done.stderr
    assert (
        'a.jsonl:3: refused (no compression of "The administration\'s representatives telephoned." fits into 10'
        in done.stderr
    )


def test_each_text_is_found_among_several_compressions(tmp_path: Path) -> None:
    """An empty line ends a sentence, and one more the text, whether it has sentences or not."""
    lines = ['{"text": ""}', '{"text": "Rain fell on Monday. Snow fell."}', '{"text": 3}', '{"text": "Snow fell."}']
    path, out = write_lines(tmp_path / "a.jsonl", lines), tmp_path / "out.txt"
    assert laconic("compress", path, "--out", out, "-k", 2, "--workers", 1).returncode == 0
    texts: list[list[int]] = [[]]
    compressions = 0
    for line in out.read_text().splitlines():
        if line:
            compressions += 1
        elif compressions:
            texts[-1].append(compressions)
            compressions = 0
        else:
            texts.append([])
    assert [len(sentences) for sentences in texts] == [0, 2, 0, 1, 0]  # and nothing behind the last


def test_job_describes_what_could_change_its_output() -> None:
    plain = CompressJob().describe()
    assert plain == CompressJob().describe()
    for options in [
        {"k": 2},
        {"options": {"method": "nss"}},
        {"options": {"level": "headline"}},
        {"options": {"level": "headline", "rho": 0.1}},
        {"options": {"guard": False}},
        {"options": {"max_chars": 40}},
        {"options": {"keep": ["Acme", (0, 3)]}},
        {"split": False},
        {"options": {"order": "score"}},
        {"model": "small"},
        {"parser": "spacy"},
        {"scorer": "maxent"},
    ]:
        assert CompressJob(**options).describe() != plain, options
    for options in [{"guard": True}, {"nearest": False}, {"level": None}, {"keep": []}]:
        assert CompressJob(options=options).describe() == plain, options
    with pytest.raises(LaconicError, match="k is 0"):
        CompressJob(k=0).describe()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["x", "--resume"], "--resume is for large inputs, whose results go to files: add --out"),
        (["x", "--workers", "0"], "--workers is for large inputs"),
        (["x", "--engine", "ray"], "--engine is for large inputs"),
        (["x", "--column", "text"], "--column is for large inputs"),
        (["--out", "out"], "nothing to read"),
        (["no.txt", "--out", "out"], "cannot read no.txt"),
        (["no.txt", "--out", "out", "--format", "json"], "unknown format 'json': use one of jsonl, text"),
        (["no.txt", "--out", "out", "--partition-rows", "0"], "give 1 or more"),
        (["no.txt", "--out", "out", "--engine", "ray", "--address", "127.0.0.1:1"], "cannot read no.txt"),
    ],
)
def test_bad_options_are_refused(arguments: list[str], message: str) -> None:
    done = laconic("compress", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_run_ends_with_its_workers_and_is_resumed(tmp_path: Path, sent: signal.Signals) -> None:
    path = write_lines(tmp_path / "a.txt", SENTENCES * 12)
    out = tmp_path / "out"
    command = [*LACONIC, "compress", path, "--out", out, "--partition-rows", "4", "--workers", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stderr is not None
        while len(list(out.glob("part-*"))) < 4:
            assert process.poll() is None
            time.sleep(0.02)
        if sent == signal.SIGINT:  # as a terminal does: to all of them
            os.killpg(process.pid, sent)
        else:
            process.kill()
        process.wait()
        errors = process.stderr.read()  # ends when the workers, which have it too, have ended
    if sent == signal.SIGINT:
        assert process.returncode == 130
        assert errors == "laconic: interrupted: the finished parts are kept; go on with --resume\n"
    kept = {file: file.stat().st_mtime_ns for file in out.glob("part-*.jsonl")}
    assert len(kept) < 114
    noted = (out / "manifest.jsonl").read_text().count('"part"')
    done = laconic("compress", path, "--out", out, "--partition-rows", 4, "--workers", 2, "--resume")
    assert f"456 texts in 114 parts ({noted} of them found done)" in done.stderr
    assert sum(kept.get(file) == file.stat().st_mtime_ns for file in out.glob("part-*.jsonl")) == noted
    assert [record["id"] for record in written(out)] == [f"a.txt:{n}" for n in range(1, 457)]
