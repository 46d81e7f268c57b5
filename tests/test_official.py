"""The Google corpus in the form it was released in, by records written for the purpose."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from laconic import LaconicError
from laconic.corpus import Item, official, read_corpus

ROOT = {"form": "ROOT", "head_word_index": 0, "word": [{"id": -1, "form": "ROOT", "stem": "ROOT", "tag": "ROOT"}]}


def tree(sentence: str, nodes: Sequence[tuple[int, str]], first: int = 0, **more: Any) -> dict[str, Any]:
    """A tree from its nodes: the index of the head word, and the words with their places, as in "fell/3 rain/2"."""
    made: list[dict[str, Any]] = [ROOT]
    for head, words in nodes:
        pairs = [word.rsplit("/", 1) for word in words.split()]
        made.append(
            {
                "form": " ".join(form for form, _ in pairs),
                "head_word_index": head,
                "word": [
                    {"id": first + int(place), "form": form, "stem": form.lower(), "tag": "NN"} for form, place in pairs
                ],
            }
        )
    return {"id": "0", "sentence": sentence, "node": made, "edge": [], **more}


def edges(*ids: int) -> list[dict[str, int]]:
    """Edges to the nodes with these ids, all from the first of them, which hangs from the root."""
    return [{"parent_id": ids[0] if i else -1, "child_id": child} for i, child in enumerate(ids)]


def words(count: int, sentence: str) -> list[tuple[int, str]]:
    return [(0, f"{form}/{place}") for place, form in enumerate(sentence.split()[:count])]


#: A name is one node of the transformed tree; ids start at 40, as in the middle of an article.
ENTITY = {
    "graph": tree(
        "Maria Lopez Vega opened a bakery on Monday.",
        [(0, "opened/3"), (2, "Maria/0 Lopez/1 Vega/2"), (1, "a/4 bakery/5"), (1, "on/6 Monday/7")],
        first=40,
        entity_mention=[{"start": 40, "end": 42, "head": 42, "type": "PER", "mid": "/m/01"}],
    ),
    "compression": {"text": "Maria Lopez Vega opened a bakery.", "edge": edges(43, 42, 45)},
    "headline": "Maria Lopez Vega opens bakery",
    "compression_ratio": 0.76,
    "doc_id": "http://example.org/1",
    "source_tree": tree(
        "Maria Lopez Vega opened a bakery on Monday.", words(8, "Maria Lopez Vega opened a bakery on Monday"), first=40
    ),
    "compression_untransformed": {
        "text": "Maria Lopez Vega opened a bakery.",
        "edge": edges(43, 40, 41, 42, 44, 45),
    },
}

#: The print has "Tollund Foods" where the tree has "it".
ANTECEDENT = {
    "graph": tree(
        "Tollund Foods said it will close two plants.",
        [(0, "said/2"), (1, "Tollund/0 Foods/1"), (0, "it/3"), (1, "will/4 close/5"), (0, "two/6"), (0, "plants/7")],
    ),
    "compression": {"text": "Tollund Foods will close two plants.", "edge": edges(5, 3, 6, 7)},
    "headline": "Tollund Foods to close two plants",
    "compression_ratio": 0.8,
    "doc_id": "http://example.org/2",
    "source_tree": tree(
        "Tollund Foods said it will close two plants.", words(8, "Tollund Foods said it will close two plants")
    ),
    "compression_untransformed": {"text": "it will close two plants.", "edge": edges(5, 3, 4, 6, 7)},
}

#: No original tree; "the storm" comes twice, and only the transformed tree says which is meant.
NO_SOURCE_TREE = {
    "graph": tree(
        "After the storm the storm drains overflowed.",
        [(2, "After/0 the/1 storm/2"), (2, "the/3 storm/4 drains/5"), (0, "overflowed/6")],
    ),
    "compression": {"text": "The storm drains overflowed.", "edge": edges(6, 5)},
    "headline": "Drains overflow",
    "compression_ratio": 0.6,
    "doc_id": "http://example.org/3",
}

RECORDS = [ENTITY, ANTECEDENT, NO_SOURCE_TREE]


def written(records: Sequence[Any]) -> str:
    return "".join(json.dumps(record, indent=2, ensure_ascii=False) + "\n\n" for record in records)


def kept(item: Item) -> list[str]:
    return [item.text[start:end] for start, end in item.kept]


@pytest.mark.parametrize("name", ["eval.json", "eval.json.gz", "some name"])
def test_records_become_items_whatever_the_file_is_called(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    data = written(RECORDS).encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    entity, antecedent, third = read_corpus(path)
    assert entity.text == "Maria Lopez Vega opened a bakery on Monday."
    assert entity.compression == "Maria Lopez Vega opened a bakery."
    assert " ".join(kept(entity)) == "Maria Lopez Vega opened a bakery"
    assert antecedent.compression == "Tollund Foods will close two plants."
    assert kept(antecedent) == ["it", "will", "close", "two", "plants"]
    assert kept(third) == ["the", "storm", "drains", "overflowed"]
    assert third.kept[0] == (16, 19)


def test_records_and_lines_of_the_same_items_are_read_alike(tmp_path: Path) -> None:
    sentence = "Ann Lee sold the shop, her sister said on Friday."
    tokens = ["Ann", "Lee", "sold", "the", "shop", ",", "her", "sister", "said", "on", "Friday", "."]
    keep = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1]
    line = {"sentence": sentence, "compression": "Ann Lee sold the shop.", "tokens": tokens, "keep": keep}
    nodes = [(0, f"{form}/{place}") for place, form in enumerate(tokens)]
    record = {
        "graph": {"sentence": sentence},
        "compression": {"text": "Ann Lee sold the shop."},
        "source_tree": tree(sentence, nodes, first=7),
        "compression_untransformed": {"text": "", "edge": edges(9, 7, 8, 10, 11, 18)},
    }
    (tmp_path / "a.jsonl").write_text(json.dumps(line), encoding="utf-8")
    (tmp_path / "b.json").write_text(written([record]), encoding="utf-8")
    assert list(read_corpus(tmp_path / "a.jsonl")) == list(read_corpus(tmp_path / "b.json"))


def test_words_of_one_node_of_the_original_tree_come_together(tmp_path: Path) -> None:
    record = {
        "graph": {"sentence": "The sale ends June 3 in all shops."},
        "compression": {"text": "The sale ends June 3."},
        "source_tree": tree("", [*words(3, "The sale ends"), (0, "June/3 3/4"), *[(0, "in/5"), (0, "shops/7")]]),
        "compression_untransformed": {"edge": edges(2, 0, 1, 3)},
    }
    (tmp_path / "a.json").write_text(written([record]), encoding="utf-8")
    (item,) = read_corpus(tmp_path / "a.json")
    assert kept(item) == ["The", "sale", "ends", "June", "3"]


def test_without_trees_the_print_alone_is_aligned(tmp_path: Path) -> None:
    record = {"graph": {"sentence": "Rain fell on Monday."}, "compression": {"text": "Rain fell."}}
    (tmp_path / "a.json").write_text(written([record]), encoding="utf-8")
    (item,) = read_corpus(tmp_path / "a.json")
    assert kept(item) == ["Rain", "fell"]


def test_without_a_sentence_the_words_are_joined_in_the_order_of_their_ids(tmp_path: Path) -> None:
    graph = tree("", [(0, "fell/1"), (0, "snow/0"), (0, "Monday/3"), (0, "on/2"), (0, "./4")])
    del graph["sentence"]
    record = {"graph": graph, "compression": {"text": "Snow fell.", "edge": edges(1, 0)}}
    (tmp_path / "a.json").write_text(written([record]), encoding="utf-8")
    (item,) = read_corpus(tmp_path / "a.json")
    assert item.text == "Snow fell on Monday."
    assert [word.lower() for word in kept(item)] == ["snow", "fell"]


def test_blank_lines_byte_order_marks_and_carriage_returns_do_no_harm(tmp_path: Path) -> None:
    text = "\n\n" + written(RECORDS).replace("\n\n", "\n") + "\n\n"
    (tmp_path / "a.json").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert len(list(read_corpus(tmp_path / "a.json"))) == 3


def test_records_over_the_longest_sentence_and_without_anything_kept_are_left_out(tmp_path: Path) -> None:
    long = {"graph": {"sentence": "word " * 201}, "compression": {"text": "word"}}
    nothing = {"graph": {"sentence": "Rain fell."}, "compression": {"text": ""}}
    (tmp_path / "a.json").write_text(written([long, nothing, ENTITY]), encoding="utf-8")
    (item,) = read_corpus(tmp_path / "a.json")
    assert item.text.startswith("Maria")


def test_first_items_can_be_read_from_a_file_whose_tail_is_broken(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(written(RECORDS[:2]) + "{\n  broken", encoding="utf-8")
    items = read_corpus(tmp_path / "a.json")
    assert next(items).text.startswith("Maria")
    assert next(items).text.startswith("Tollund")
    line = written(RECORDS[:2]).count("\n") + 1
    with pytest.raises(LaconicError, match=rf"a\.json:{line}: not a record of the corpus \(it is broken off: the file"):
        next(items)


def test_truncated_gzip_gives_what_is_whole_and_then_the_remedy(tmp_path: Path) -> None:
    data = gzip.compress(written(RECORDS * 50).encode())
    (tmp_path / "a.json.gz").write_bytes(data[: len(data) - len(data) // 3])
    items = read_corpus(tmp_path / "a.json.gz")
    assert next(items).text.startswith("Maria")
    with pytest.raises(LaconicError, match="check that the file is there and whole"):
        list(items)


def changed(**values: Any) -> dict[str, Any]:
    record = {**ENTITY, **values}
    return {key: value for key, value in record.items() if value is not None}


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ('{\n "graph": oops\n}\n', 1, "Expecting value"),
        ('{\n "graph": {\n\n' + written([ENTITY]), 1, "it is broken off: the next one begins in line 4"),
        (written([ENTITY]) + "oops\n", -1, "it begins with 'oops'"),
        (written([ENTITY]) + written([changed(compression=None)]), -1, "it has no 'compression'"),
        (written([changed(compression={})]), 1, "it has no 'text'"),
        (written([changed(compression={"text": 5})]), 1, "not a string"),
        (written([changed(compression=[])]), 1, "list indices"),
        (written([{"graph": {}, "compression": {"text": "Rain fell."}}]), 1, "it has no 'graph.sentence'"),
        (written([changed(source_tree={"node": [{"word": [{}]}]})]), 1, "it has no 'id'"),
        (written([changed(source_tree={"node": [{"word": [], "head_word_index": 3}]})]), 1, "out of range"),
        (written([changed(graph=None, source_tree={"node": 3})]), 1, "not iterable"),
        ("{\n" + '"x": [' + "[" * 100_000 + "\n}\n", 1, "recursion"),
    ],
)
def test_broken_records_are_named_with_the_line_where_they_start(
    tmp_path: Path, text: str, line: int, reason: str
) -> None:
    (tmp_path / "a.json").write_text(text, encoding="utf-8")
    with pytest.raises(LaconicError) as caught:
        list(read_corpus(tmp_path / "a.json"))
    line = line if line > 0 else written([ENTITY]).count("\n") + 1
    assert str(caught.value).startswith(f"{tmp_path / 'a.json'}:{line}: not a record of the corpus (")
    assert reason in str(caught.value)
    assert "get a whole copy of the file" in str(caught.value)


@pytest.mark.parametrize("filler", ["x" * 5000, "x\n" * 2500])
def test_a_record_that_does_not_end_is_refused_before_it_fills_the_memory(
    tmp_path: Path, filler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(official, "MAX_CHARS", 1000)
    (tmp_path / "a.json").write_text("{\n" + filler, encoding="utf-8")
    with pytest.raises(LaconicError, match=r"a\.json:1: .*\(it has more than"):
        list(read_corpus(tmp_path / "a.json"))
