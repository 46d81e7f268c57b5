"""Verdicts on deletions, and sentences that are put together with what was said of them."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from laconic import LaconicError
from laconic.corpus import read_corpus
from laconic.corpus.verdicts import Verdict, read_verdicts

JOIN = Path(__file__).parents[1] / "data" / "join.py"

SNOW = "Heavy snow closed three schools in Bath this morning."
SAID = "The mayor said on Monday that the old bridge will reopen."
#: What the files of data/ know them by.
KEYS = {SNOW: "86a403a34cf4ba80", SAID: "8e31a8bd81585095"}
RECORDS = [
    {"text": SNOW, "deleted": [[32, 40], [40, 52]], "fine": [35], "faulty": [45]},
    {"text": SAID, "deleted": [[0, 30]], "fine": [], "faulty": [], "root": 50, "root_faulty": 1},
    {"text": SNOW, "deleted": [[0, 5]], "fine": [0], "faulty": []},
]


def write(path: Path, *records: object) -> Path:
    lines = "".join(json.dumps(record) + "\n" for record in records)
    path.write_bytes(gzip.compress(lines.encode()) if path.suffix == ".gz" else lines.encode())
    return path


@pytest.mark.parametrize("name", ["verdicts.jsonl", "verdicts.jsonl.gz"])
def test_verdicts_are_read_by_text(tmp_path: Path, name: str) -> None:
    found = read_verdicts(write(tmp_path / name, *RECORDS))
    assert found == {
        SNOW: [Verdict(((32, 40), (40, 52)), {35: 0, 45: 1}, {}), Verdict(((0, 5),), {0: 0}, {})],
        SAID: [Verdict(((0, 30),), {}, {50: 1})],
    }
    assert [verdict.faulty for verdict in found[SNOW] + found[SAID]] == [{35: 0, 45: 1}, {0: 0}, {50: 1}]


def test_verdicts_of_several_files_are_in_the_order_of_the_files(tmp_path: Path) -> None:
    files = [write(tmp_path / f"{i}.jsonl", RECORDS[i]) for i in (2, 1, 0)]
    assert read_verdicts(*files)[SNOW] == [
        Verdict(((0, 5),), {0: 0}, {}),
        Verdict(((32, 40), (40, 52)), {35: 0, 45: 1}, {}),
    ]
    assert read_verdicts() == {}


@pytest.mark.parametrize(
    "wrong",
    [
        "no object",
        [],
        {name: value for name, value in RECORDS[0].items() if name != "faulty"},
        {**RECORDS[0], "deleted": [[1]]},
        {**RECORDS[0], "fine": ["Bath"]},
        {**RECORDS[0], "fine": 3},
        {**RECORDS[0], "root": 3},
    ],
)
def test_a_line_that_is_no_verdict_is_named(tmp_path: Path, wrong: object) -> None:
    path = write(tmp_path / "verdicts.jsonl", RECORDS[0], wrong)
    with pytest.raises(LaconicError, match=r"verdicts.jsonl:2: no verdict .* text, deleted, fine and faulty"):
        read_verdicts(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(LaconicError, match=r"nothing.jsonl"):
        read_verdicts(tmp_path / "nothing.jsonl")


def join(folder: Path, *sources: Path) -> subprocess.CompletedProcess[str]:
    """Join what is said in a folder with the sentences of some files, into its folder `out`."""
    shutil.copy(JOIN, folder)
    command = [sys.executable, str(folder / JOIN.name), str(folder / "out"), *map(str, sources)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def said(tmp_path: Path) -> Path:
    """A folder as data/ is, in which every sentence is known by its hash."""
    levels = {"light": [[0, 31], [40, 53]], "medium": [[0, 31]], "short": [[6, 31]]}
    write(tmp_path / "editors.jsonl.gz", {"key": KEYS[SNOW], "genre": "news", **levels})
    verdicts = [{"key": KEYS[record["text"]], **record} for record in RECORDS]
    for record in verdicts:
        del record["text"]
    write(tmp_path / "verdicts.jsonl.gz", *verdicts)
    write(tmp_path / "strict.jsonl.gz", {**verdicts[1], "grammar": 3, "faithful": 0})
    write(tmp_path / "own.jsonl.gz", {"text": "Nobody asked for this one."})
    write(tmp_path / "written.jsonl.gz", {"text": "Nor for this one."})
    return tmp_path


def test_what_was_said_is_joined_with_its_sentences(said: Path) -> None:
    first = write(said / "a.jsonl.gz", {"text": SNOW, "lead": "Not this."}, {"text": "Nor this."})
    done = join(said, first, write(said / "b.jsonl.gz", {"lead": SAID}))
    assert done.returncode == 0, done.stderr
    printed = [
        next(read_corpus(said / "out" / "editors.jsonl.gz", level=level)) for level in ("light", "medium", "short")
    ]
    assert {item.text for item in printed} == {SNOW}
    assert [item.compression for item in printed] == [
        "Heavy snow closed three schools this morning.",
        "Heavy snow closed three schools",
        "snow closed three schools",
    ]
    assert read_verdicts(said / "out" / "verdicts.jsonl.gz") == read_verdicts(write(said / "v.jsonl", *RECORDS))
    assert read_verdicts(said / "out" / "strict.jsonl.gz") == {SAID: [Verdict(((0, 30),), {}, {50: 1})]}
    assert not read_verdicts(said / "out" / "strict-dev.jsonl.gz")


def test_sentences_that_are_in_no_file_are_counted_and_nothing_is_written(said: Path) -> None:
    done = join(said, write(said / "a.jsonl.gz", {"text": SNOW}))
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line == "1 of 2 sentences are not in these files: give all that data/README.md names"
    assert not (said / "out").exists()
