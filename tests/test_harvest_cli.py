"""`laconic harvest` as a user meets it, bad input included."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import refused, run
from harvest_files import LEAD, ROWS, read, write

FERRY = "The ferry between Bergen and Stavanger will not sail on Friday because of a storm at sea."


def harvest(*arguments: object) -> str:
    done = run("harvest", *map(str, arguments), "--workers", "1")
    assert done.returncode == 0, done.stderr
    return done.stdout


def counts(table: str) -> dict[str, int]:
    rows = [line.split(maxsplit=2) for line in table.splitlines()]
    return {row[2]: int(row[0].replace(",", "")) for row in rows if len(row) == 3}


def test_the_run_ends_with_a_table_of_reasons(tmp_path: Path) -> None:
    source = write(tmp_path / "news.jsonl", ROWS)
    table = harvest(source, "--out", tmp_path / "items.jsonl", "--explain", tmp_path / "why.csv")
    assert counts(table) == {"duplicate": 1, "content word of the headline missing": 1, "accepted": 2}
    assert table.splitlines()[-1].split() == ["4", "pairs"]
    assert [row["reason"] for row in read(tmp_path / "why.csv")] == [
        "content word of the headline missing",
        "duplicate",
    ]


def test_bad_rows_are_named_and_counted_and_take_nothing_with_them(tmp_path: Path) -> None:
    source = tmp_path / "news.jsonl"
    rows = [
        {"headline": "Ann Lee opens new library", "lead": LEAD},
        {"headline": "Ann Lee opens new library", "lead": LEAD},
        {"headline": "Ann Lee opens new library", "lead": "Ann Lee " * 700_000 + "opened a new library."},
        {"headline": "Ferry will not sail on Friday", "lead": FERRY},
    ]
    half = json.dumps(rows[0])[:60]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows) + half)
    done = run("harvest", str(source), "--out", str(tmp_path / "items.jsonl"), "--workers", "1")
    assert done.returncode == 0, done.stderr
    assert counts(done.stdout) == {"unreadable": 1, "too long": 1, "duplicate": 1, "accepted": 2}
    assert "news.jsonl:5: unreadable" in done.stderr
    assert "news.jsonl:3: too long" in done.stderr
    assert [item["sentence"] for item in read(tmp_path / "items.jsonl")] == [LEAD, FERRY]


def test_an_unknown_column_is_refused_with_those_that_there_are(tmp_path: Path) -> None:
    source = write(tmp_path / "news.csv", ROWS)
    message = refused("harvest", str(source), "--out", str(tmp_path / "items.jsonl"), "--text-column", "body")
    assert "news.csv" in message
    assert "'body'" in message
    assert "headline, lead, url" in message
    assert not list(tmp_path.glob("items*"))


def test_an_output_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    source = write(tmp_path / "news.jsonl", ROWS)
    file = tmp_path / "file"
    file.touch()
    assert "file" in refused("harvest", str(source), "--out", str(file / "items.jsonl"))
    both = refused("harvest", str(source), "--out", str(tmp_path / "x.jsonl"), "--explain", str(tmp_path / "x.jsonl"))
    assert "another name" in both


def test_what_is_there_is_not_written_over(tmp_path: Path) -> None:
    source = write(tmp_path / "news.jsonl", ROWS)
    out = tmp_path / "items"
    harvest(source, "--out", out, "--partition-rows", 1)
    parts = {path.name: path.read_bytes() for path in out.iterdir()}
    assert len([name for name in parts if name.startswith("part-")]) == 4
    assert "--resume" in refused("harvest", str(source), "--out", str(out))
    assert "max_missing" in refused(
        "harvest", str(source), "--out", str(out), "--partition-rows", "1", "--resume", "--max-missing", "1"
    )
    table = harvest(source, "--out", out, "--partition-rows", 1, "--resume")
    assert counts(table)["accepted"] == 2
    assert {path.name: path.read_bytes() for path in out.iterdir()} == parts


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--min-words", "0"], "min_words is 0"),
        (["--min-ratio", "-1"], "min_ratio is -1"),
        (["--format", "xml"], "unknown format 'xml'"),
        (["--engine", "spark"], "spark"),
    ],
)
def test_bad_options_are_refused(tmp_path: Path, options: list[str], message: str) -> None:
    source = write(tmp_path / "news.jsonl", ROWS)
    assert message in refused("harvest", str(source), "--out", str(tmp_path / "items"), *options)


def test_pronouns_are_resolved_on_demand() -> None:
    text = "Aluminum producer Alcoa Inc said it will permanently close its Point Henry smelter."
    headline = ("compress", text, "--level", "headline")
    assert run(*headline).stdout == "It will close its Point Henry smelter.\n"
    assert run(*headline, "--resolve-pronouns").stdout == "Alcoa Inc will close its Point Henry smelter.\n"
    refused("compress", text, "--resolve-pronouns", "--method", "ilp", "--max-chars", "60")
