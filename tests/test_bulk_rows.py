"""Rows out of files of any kind, whatever is in them; partitions of rows; records into files."""

from __future__ import annotations

import csv
import gzip
import json
import os
import random
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from bulk_job import TEXT, numbered, rows, write_lines

from laconic.bulk import Column, Field, Partition, Row, encode
from laconic.bulk.formats import join
from laconic.bulk.partitions import Partitions
from laconic.bulk.rows import DamagedInputError, RowReader
from laconic.bulk.seen import Seen
from laconic.bulk.sizes import PARTITION_CHARS
from laconic.bulk.sources import open_sources
from laconic.corpus import read_corpus
from laconic.errors import LaconicError

FIELDS = (Field("n", "integer"), Field("text"), Field("score", "number"), Field("tags", "texts"), Field("more", "json"))

# Rows


def test_all_formats_give_the_same_rows(tmp_path: Path) -> None:
    texts = ["Rain fell, they said.", 'He said "no"\tand left.', "Two\nlines", "Ünïcode – ok"]
    records = [{"n": i, "sentence": text} for i, text in enumerate(texts)]
    fields = [Field("n", "integer"), Field("sentence")]
    for suffix in [".jsonl", ".csv", ".tsv", ".parquet"]:
        path = tmp_path / f"in{suffix}"
        path.write_bytes(encode(records, fields, suffix))
        assert rows(path) == [Row(f"in{suffix}:{i}", (text,)) for i, text in enumerate(texts, 1)]
        if suffix != ".parquet":
            zipped = tmp_path / f"zipped{suffix}.gz"
            zipped.write_bytes(gzip.compress(path.read_bytes()))
            assert [row.values for row in rows(zipped)] == [(text,) for text in texts]
    plain = tmp_path / "in.txt"
    plain.write_bytes(b"\xef\xbb\xbfRain fell.\r\n\nSnow \xff fell.")
    assert [row.values[0] for row in rows(plain)] == ["Rain fell.", "", "Snow � fell."]


def test_a_column_goes_by_the_first_of_its_names_that_a_file_has(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.jsonl", ['{"body": "b", "title": "t"}'])
    write_lines(tmp_path / "b.csv", ["headline,title,text", "h,t,x"])
    columns = (Column(("headline", "title")), Column(("text", "body")))
    assert [row.values for row in rows(tmp_path / "a.jsonl", tmp_path / "b.csv", columns=columns)] == [
        ("t", "b"),
        ("h", "x"),
    ]


@pytest.mark.parametrize(
    ("name", "lines", "message"),
    [
        ("a.jsonl", ['{"title": "t", "body": "b"}'], "has no column 'text' or 'sentence': name one of its columns"),
        ("a.csv", ["title,body", "t,b"], "(title, body)"),
        ("a.json", ["[", "1", "]"], "no JSON Lines file (not JSON: Expecting value"),
        ("a.csv", ['"an open quote'], "is no header of CSV (unexpected end of data)"),
        ("a.parquet", ["nothing of the sort"], "check that it is a whole Parquet file"),
    ],
)
def test_what_has_no_such_column_is_refused(tmp_path: Path, name: str, lines: list[str], message: str) -> None:
    path = write_lines(tmp_path / name, lines)
    with pytest.raises(LaconicError) as caught:
        rows(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_inputs_that_cannot_be_read_again_are_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    lines = numbered(tmp_path / "a.txt", 1)
    for paths, message in [
        ([], "nothing to read"),
        ([tmp_path / "no.txt"], "No such file"),
        ([tmp_path], "give the files in it"),
        ([Path("-")], "standard input cannot be read again"),
        ([lines, tmp_path / "." / "a.txt"], "given 2 times"),
        (["/dev/null"], "cannot be read again to resume"),
    ]:
        with pytest.raises(LaconicError, match=message):
            open_sources([Path(path) for path in paths], [TEXT])
    with pytest.raises(LaconicError, match="plain text, which has no column 'body'"):
        open_sources([lines], [Column(("body",))])


def test_rows_that_cannot_be_read_keep_their_place_and_say_why(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(
        b'{"text": "one"}\n\n{"other": 1}\n{"text": 7}\n[1]\n{"text": null}\n'
        b'{"text": "Rain \xff and \\ud800"}\n{"text": "half a li'
    )
    found = rows(path)
    assert [(row.id, row.problem) for row in found] == [
        ("a.jsonl:1", None),
        ("a.jsonl:3", "unreadable"),
        ("a.jsonl:4", "unreadable"),
        ("a.jsonl:5", "unreadable"),
        ("a.jsonl:6", "unreadable"),
        ("a.jsonl:7", None),
        ("a.jsonl:8", "unreadable"),
    ]
    assert found[1].detail == "the column 'text' is missing"
    assert found[2].detail == "the column 'text' holds no text but int"
    assert found[5].values == ("Rain � and �",)
    assert found[6].detail.endswith("the file ends within the line")


def test_bad_rows_of_csv_do_not_take_others_with_them(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    lines = ["n,text", "1,fine", "1,2,3", "", '2,"two', 'lines"', '3,"a"b', "4," + "x" * 5_000_000, "5,fine", '6,"open']
    write_lines(path, lines)
    assert [(row.id, row.problem, row.values[0][:9]) for row in rows(path)] == [
        ("a.csv:1", None, "fine"),
        ("a.csv:2", "unreadable", ""),
        ("a.csv:3", None, "two\nlines"),
        ("a.csv:4", "unreadable", ""),
        ("a.csv:5", "too long", ""),
        ("a.csv:6", None, "fine"),
        ("a.csv:7", "unreadable", ""),
    ]
    assert csv.field_size_limit() >= 4_000_000


def test_quotation_marks_in_tsv_are_letters_unless_they_enclose_a_field(tmp_path: Path) -> None:
    lines = [
        "n\ttext",
        '"Dog bites man" says chief\tone',
        '2\t"Dog bites man" says chief',
        '"We will fight on\tthree',
        "4\tfour",
        '5\tHe said "no"',
        '"6"\t"He said ""no"""',
        '7\t"two',
        'lines\tand a ""tab"""',
        "8\tone\ttoo many",
        '9\t""',
        '"10\tnobody closes this',
        '11\t"nor this',
        "12\tfine",
    ]
    path = write_lines(tmp_path / "a.tsv", lines)
    assert [(row.id, *row.values) for row in rows(path, columns=(Column(("n",)), Column(("text",))))] == [
        ("a.tsv:1", '"Dog bites man" says chief', "one"),
        ("a.tsv:2", "2", '"Dog bites man" says chief'),
        ("a.tsv:3", '"We will fight on', "three"),
        ("a.tsv:4", "4", "four"),
        ("a.tsv:5", "5", 'He said "no"'),
        ("a.tsv:6", "6", 'He said "no"'),
        ("a.tsv:7", "7", 'two\nlines\tand a "tab"'),
        ("a.tsv:8", "", ""),
        ("a.tsv:9", "9", ""),
        ("a.tsv:10", '"10', "nobody closes this"),
        ("a.tsv:11", "11", '"nor this'),
        ("a.tsv:12", "12", "fine"),
    ]
    path.write_bytes("".join(f"{line}\r\n" for line in lines[:7]).encode())
    assert rows(path)[5].values == ('He said "no"',)


def test_a_quotation_that_nobody_closes_takes_no_rows_of_tsv_with_it(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.tsv", ["n\ttext", '1\t"open', *["2\tfine"] * 5, 'x" y\tfine', '3"', "4\tfine"])
    assert [row.problem for row in rows(path)] == [None] * 7 + ["unreadable", None]
    write_lines(path, ["n\ttext", '1\t"open', "2\t" + "x" * 5_000_000, "3\tfine"])
    assert [row.problem for row in rows(path)] == [None, "too long", None]


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_whatever_is_written_as_a_table_is_read_again(tmp_path: Path, suffix: str) -> None:
    choice = random.Random(5)
    for width in (1, 2, 3):
        texts = ["".join(choice.choices('"\t\r\n, a\u2028', k=choice.randrange(7))) for _ in range(width * 500)]
        names = [f"c{at}" for at in range(width)]
        written = [dict(zip(names, texts[at : at + width], strict=True)) for at in range(0, len(texts), width)]
        path = tmp_path / f"{width}{suffix}"
        path.write_bytes(encode(written, [Field(name) for name in names], suffix))
        found = rows(path, columns=tuple(Column((name,)) for name in names))
        assert [row.values for row in found] == [tuple(record.values()) for record in written]


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.csv", "a.txt.gz"])
def test_an_endless_line_is_passed_over_in_little_memory(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    head = {"a.jsonl": b'{"text": "one"}\n{"text": "', "a.csv": b'text\none\n"'}.get(name, b"one\n")
    tail = {"a.jsonl": b'"}\n{"text": "two"}\n', "a.csv": b'"\ntwo\n'}.get(name, b"\ntwo\n")
    with gzip.open(path, "wb") if name.endswith(".gz") else path.open("wb") as file:
        file.write(head)
        for _ in range(40):
            file.write(b"word " * 200_000)
        file.write(tail)
    tracemalloc.start()
    found = rows(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [row.problem for row in found] == [None, "too long", None]
    assert [row.values[0] for row in found[::2]] == ["one", "two"]
    assert peak < 24_000_000


def test_a_row_that_is_too_long_is_cut(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.txt", ["x" * 1_000_000, "x" * 1_000_001])
    fits, long = rows(path)
    assert (fits.problem, len(fits.values[0])) == (None, 1_000_000)
    assert (long.problem, len(long.values[0])) == ("too long", 200)
    assert long.detail == "1,000,001 characters; 1,000,000 at most"


def test_rows_before_the_damage_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    lines = b"".join(json.dumps({"text": f"text {random.Random(i).random()}"}).encode() + b"\n" for i in range(500))
    path.write_bytes(gzip.compress(lines)[:-4000])
    (source,) = open_sources([path], [TEXT])
    found: list[Row] = []
    with pytest.raises(DamagedInputError, match=r"a\.jsonl\.gz cannot be read beyond row \d+ .*resume=True"):
        found.extend(RowReader(source))
    assert 100 < len(found) < 500


def test_files_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    for folder in ["x", "y"]:
        (tmp_path / folder).mkdir()
        write_lines(tmp_path / folder / "a.txt", [folder])
    other = write_lines(tmp_path / "b.txt", ["b"])
    ids = [row.id for row in rows(tmp_path / "x" / "a.txt", other, tmp_path / "y" / "a.txt")]
    assert ids == [f"{tmp_path}/x/a.txt:1", "b.txt:1", f"{tmp_path}/y/a.txt:1"]


def test_of_rows_with_the_same_values_the_first_one_stays(tmp_path: Path) -> None:
    first = write_lines(tmp_path / "a.txt", ["one", "two", "one"])
    second = write_lines(tmp_path / "b.txt", ["two", "three"])
    marked = rows(first, second, distinct=True)
    assert [row.problem for row in marked] == [None, None, "duplicate", "duplicate", None]
    assert [row.problem for row in rows(first, second)] == [None] * 5


def test_seen_is_a_set() -> None:
    numbers = random.Random(7)
    seen, known = Seen(), set()
    for _ in range(30_000):
        value = (str(numbers.randrange(20_000)), "x")
        assert seen.add(value) == (value not in known)
        known.add(value)
    assert seen.add(("a", "b"))
    assert seen.add(("ab", ""))


# Partitions


def test_partitions_end_after_so_many_rows_or_characters(tmp_path: Path) -> None:
    first, second = numbered(tmp_path / "a.txt", 5), write_lines(tmp_path / "b.txt", ["x" * 900_000] * 12)
    sources = open_sources([first, second], [TEXT])
    sizes = [len(partition.rows) for partition in Partitions(sources, 1000)]
    assert sizes == [5 + -(-PARTITION_CHARS // 900_000), 3]
    by_rows = list(Partitions(sources, 4))
    assert [len(partition.rows) for partition in by_rows] == [4, 4, 4, 4, 1]
    assert by_rows == list(Partitions(sources, 4))
    assert sum(partition.read for partition in by_rows) == first.stat().st_size + second.stat().st_size


def test_finished_partitions_are_passed_over_but_their_rows_are_still_seen(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.txt", ["one", "two", "one", "three"])
    sources = open_sources([path], [TEXT])
    first, second = Partitions(sources, 2, distinct=True)
    assert list(Partitions(sources, 2, distinct=True, finished={0: first.digest})) == [
        Partition(1, second.rows, second.digest, first.read + second.read)
    ]
    for finished in [{0: "another"}, {0: first.digest, 2: "gone"}]:
        with pytest.raises(LaconicError, match="made of other rows"):
            list(Partitions(sources, 2, distinct=True, finished=finished))


# Formats


def records(count: int) -> list[dict[str, Any]]:
    return [
        {"n": i, "text": f'a "{i}"\n,\té', "score": i / 7, "tags": ["x", "y, z"][: i % 3], "more": {"k": [1, None]}}
        for i in range(count)
    ]


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".csv", ".tsv", ".parquet"])
def test_parts_put_together_are_the_whole(tmp_path: Path, suffix: str) -> None:
    parts = []
    for i, some in enumerate([records(7)[:3], [], records(7)[3:]]):
        parts.append(tmp_path / f"{i}{suffix}")
        parts[-1].write_bytes(encode(some, FIELDS, suffix))
    whole = tmp_path / f"whole{suffix}"
    with whole.open("wb") as file:
        join(parts, file, suffix)
    if suffix == ".parquet":
        import pyarrow.parquet

        expected = [{**record, "more": json.dumps(record["more"])} for record in records(7)]
        assert pyarrow.parquet.read_table(whole).to_pylist() == expected
    elif suffix == ".jsonl.gz":
        assert gzip.decompress(whole.read_bytes()).decode() == encode(records(7), FIELDS, ".jsonl").decode()
    else:
        assert whole.read_bytes() == encode(records(7), FIELDS, suffix)


def test_nested_values_are_json_in_csv() -> None:
    lines = encode(records(3), FIELDS, ".csv").decode().splitlines()
    assert lines[0] == "n,text,score,tags,more"
    (row,) = csv.DictReader(encode(records(3)[2:], FIELDS, ".csv").decode().splitlines(keepends=True))
    assert json.loads(row["tags"]) == ["x", "y, z"]
    assert json.loads(row["more"]) == {"k": [1, None]}


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_a_table_is_no_corpus_and_the_remedy_is_named(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"items{suffix}"
    path.write_bytes(encode(records(3), FIELDS, suffix))
    other = tmp_path / "items"
    other.write_bytes(encode(records(3), FIELDS, ".parquet"))
    for corpus in (path, other):
        with pytest.raises(LaconicError) as caught:
            list(read_corpus(corpus))
        assert str(corpus) in str(caught.value)
        assert "a corpus is JSON Lines, as laconic harvest writes it to items.jsonl" in str(caught.value)
    with pytest.raises(LaconicError, match="No such file"):
        list(read_corpus(tmp_path / f"no{suffix}"))
