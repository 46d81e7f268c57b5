"""Trees that items bring along: their form, and training and measuring on them."""

from __future__ import annotations

import gzip
import io
import json
import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from source_trees import source_tree
from training import DAYS, NAMES, SETTINGS, THINGS
from typer.testing import CliRunner

import laconic
from laconic import Compressor, LaconicError
from laconic.cli import app
from laconic.corpus import Item, ItemTree, Trees, gold_tokens, read_corpus
from laconic.corpus.parse import parse_items
from laconic.corpus.read import read_records
from laconic.corpus.trees import to_parses, tree_of_doc
from laconic.decode import Method
from laconic.evaluate import evaluate
from laconic.model_folders import MAXENT_NAME
from laconic.parse import Parses, SpacyParser, lemma_id, scheme
from laconic.score import Model
from laconic.train import train
from laconic.train.cache import parse_corpus

TEXT = "Ann Lee sold shops."
TREE = {
    "parser": "by-hand",
    "start": [0, 4, 8, 13, 18],
    "end": [3, 7, 12, 18, 19],
    "head": [1, 2, 2, 2, 2],
    "label": ["compound", "nsubj", "ROOT", "dobj", "punct"],
    "tag": ["NNP", "NNP", "VBD", "NNS", "."],
    "lemma": ["Ann", "Lee", "sell", "shop", "."],
    "entity": ["B-PERSON", "I-PERSON", "O", "O", "O"],
}
SENTENCES = [
    "The mayor of Bergen, Ann Lee, resigned on 4 March after “a long dispute”, her office said.",
    "Two women and a boy weren't hurt.",
    "It rained.",
]


def equal(a: Parses, b: Parses) -> bool:
    return all(np.array_equal(getattr(a, field.name), getattr(b, field.name)) for field in fields(Parses))


def test_tree_survives_the_round_trip_through_json() -> None:
    tree = ItemTree.from_dict(TREE, TEXT)
    assert len(tree) == 5
    assert tree.to_dict() == TREE
    assert ItemTree.from_dict(json.loads(json.dumps(tree.to_dict())), TEXT) == tree


def test_example_of_the_documentation_is_a_tree() -> None:
    document = (Path(__file__).parent.parent / "docs" / "training.md").read_text(encoding="utf-8")
    shown = re.search(r'^    ({"sentence": .*?}})$', document, re.M | re.S)
    assert shown is not None
    item = json.loads(shown[1])
    assert len(ItemTree.from_dict(item["tree"], item["sentence"])) == 5


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"parser": "two words"}, r"its parser is 'two words'"),
        ({"parser": 7}, r"its parser is 7"),
        ({"head": None}, "its head is no list"),
        ({"head": [1, 2, 2]}, "it has 5 tokens by start, but 3 by head"),
        ({"head": [1, 2, 2, 2, 5]}, "head of token 4 is 5, and there are 5 tokens"),
        ({"head": [1, 2, 2, 2, -1]}, "head of token 4 is -1"),
        ({"head": [1, 3, 2, 1, 2]}, "token 1 is below itself"),
        ({"head": [1, 2, 2, 2, True]}, "head of token 4 is True"),
        ({"label": ["compound", "nsubj", "ROOT", "dobj", None]}, "label of token 4 is None"),
        ({"end": [3, 7, 12, 18, 20]}, "token 4 is from 18 to 20: behind 18, within 19 characters"),
        ({"start": [0, 2, 8, 13, 18]}, "token 1 is from 2 to 7"),
        ({"end": [0, 7, 12, 18, 19]}, "token 0 is from 0 to 0"),
        ({"entity": ["PERSON", "O", "O", "O", "O"]}, "entity of token 0 is 'PERSON'"),
        ({name: [] for name in TREE if name != "parser"}, "it has no token"),
    ],
)
def test_what_is_no_tree_of_the_sentence_is_refused_with_the_reason(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(LaconicError, match=reason) as caught:
        ItemTree.from_dict({**TREE, **change}, TEXT)
    assert "docs/training.md" in str(caught.value)


def test_missing_lists_and_other_things_are_refused() -> None:
    with pytest.raises(LaconicError, match="it has no lemma"):
        ItemTree.from_dict({name: value for name, value in TREE.items() if name != "lemma"}, TEXT)
    with pytest.raises(LaconicError, match="it is no object"):
        ItemTree.from_dict(["no"], TEXT)  # type: ignore[arg-type]


def test_what_the_scheme_does_not_know_has_a_place_in_it() -> None:
    odd = {**TREE, "label": ["nmod:of"] * 5, "tag": ["NOUN"] * 5, "entity": ["B-PERSON", "I-ORG", "B-ALIEN", "O", "O"]}
    parses = to_parses([TEXT], [ItemTree.from_dict({**odd, "lemma": ["", "b", "c", "d", "e"]}, TEXT)])
    assert {scheme.LABELS[i] for i in parses.label} == {"dep"}
    assert {scheme.TAGS[i] for i in parses.tag} == {"XX"}
    assert [scheme.ENTITIES[i] for i in parses.entity] == ["PERSON", "ORG", "", "", ""]
    assert parses.entity_start.tolist()[:2] == [1, 1]
    assert parses.lemma.tolist()[:2] == [0, lemma_id("b")]
    assert parses.sentence_start.tolist() == [1, 0, 0, 0, 0]


def test_trees_of_parsed_documents_give_the_parses_that_they_came_from() -> None:
    parser = SpacyParser(split=False)
    texts = [*SENTENCES, "Half a pair: \ud83d."]
    trees = [tree_of_doc(doc, parser=parser.description) for doc in parser.docs(texts)]
    for tree, text in zip(trees, texts, strict=True):
        tree.check(text)
    assert equal(to_parses(texts, trees), parser.parse(texts))
    half = replace(trees[-1], lemma=("\ud83d",) * len(trees[-1]))
    assert set(to_parses(texts[-1:], [half]).lemma.tolist()) == {lemma_id("\ufffd")}


@pytest.mark.parametrize("own", [(0, 0, 0), (1, 0, 1), (0, 1, 0), (1, 1, 1)])
def test_items_with_and_without_trees_stay_in_order(own: tuple[int, ...]) -> None:
    parser = SpacyParser(split=False)
    docs = parser.docs(SENTENCES)
    items = [
        Item(text, ((0, 3),), tree=tree_of_doc(doc, parser="test") if flag else None)
        for text, doc, flag in zip(SENTENCES, docs, own, strict=True)
    ]
    assert equal(parse_items(items, parser), parser.parse(SENTENCES))


def write_lines(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_trees_of_lines_are_read_where_they_are_asked_for(tmp_path: Path) -> None:
    line = {"sentence": TEXT, "headline": "Lee sells", "compression": "Lee sold shops.", "tree": TREE}
    path = write_lines(tmp_path / "a.jsonl", [line, {**line, "tree": None}, {**line, "tree": {**TREE, "head": "no"}}])
    assert [item.tree for item in read_corpus(path)] == [None] * 3
    items = read_corpus(path, trees="corpus")
    first = next(items)
    assert first.tree == ItemTree.from_dict(TREE, TEXT)
    parses = to_parses([first.text], [first.tree])
    assert gold_tokens(parses, [first]).tolist() == [0, 1, 1, 1, 0]
    assert next(items).tree is None
    with pytest.raises(LaconicError, match=r"a\.jsonl:3: no tree of its sentence \(its head is no list\)"):
        next(items)
    with pytest.raises(LaconicError, match="unknown trees 'mine': use one of parser, corpus"):
        next(read_corpus(path, trees="mine"))


def official_records() -> list[dict[str, Any]]:
    """The sentences of `test_train`, as the corpus was released: compressions drop the day and who said so."""
    records = []
    for i, name in enumerate(NAMES):
        for j, thing in enumerate(THINGS):
            article, noun = thing.split()
            day = DAYS[(i + j) % len(DAYS)]
            source, text = source_tree(
                f"{name}/NNP/nsubj/1 opened/VBD/ccomp/9 {article}/DT/det/3 {noun}/NN/dobj/1 on/IN/prep/1 "
                f"{day}/NNP/pobj/4 =,/,/p/9 the/DT/det/8 mayor/NN/nsubj/9 said/VBD/ROOT/9 =././p/9",
                ids=[*range(50, 61)],
                entity_mention=[{"start": 50, "end": 50, "head": 50, "type": "PER"}],
            )
            kept = [
                {"parent_id": parent, "child_id": child} for parent, child in [(-1, 51), (51, 50), (51, 53), (53, 52)]
            ]
            records.append(
                {
                    "graph": {"id": "0", "sentence": text, "node": [], "edge": []},
                    "compression": {"text": f"{name} opened {thing}.", "edge": kept},
                    "headline": f"{name} opens {thing}",
                    "compression_ratio": 0.5,
                    "doc_id": "http://example.org/",
                    "source_tree": source,
                    "compression_untransformed": {"text": f"{name} opened {thing}.", "edge": kept},
                }
            )
    return records


def written(records: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(record, indent=2) + "\n\n" for record in records).encode()


@pytest.fixture(scope="module")
def official(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("official")
    records = official_records()
    (folder / "sent-comp.train01.json.gz").write_bytes(gzip.compress(written(records[:20])))
    (folder / "comp-data.eval.json.gz").write_bytes(gzip.compress(written(records[20:])))
    return folder


@pytest.fixture(scope="module")
def trained(official: Path) -> Model:
    return train(
        [official / "sent-comp.train01.json.gz"],
        dev=official / "comp-data.eval.json.gz",
        out=official / "model",
        cache=official / "cache",
        trees=Trees.CORPUS,
        parser="spacy",
        settings=SETTINGS,
    )


def test_one_record_at_a_time_is_read() -> None:
    data = written(official_records())
    file = io.BytesIO(data)
    records = read_records(file, Path("a.json"), trees=Trees.CORPUS)
    item = next(records)
    assert item is not None
    assert item.tree is not None
    assert file.tell() < len(data) / 3


def test_model_is_trained_and_measured_on_the_trees_of_the_official_files(trained: Model, official: Path) -> None:
    parser = SpacyParser(split=False)
    assert trained.header["training"]["trees"] == {"corpus/google-2013": 20}
    assert trained.header["training"]["dev_trees"] == "corpus/google-2013"
    assert trained.header["training"]["parser"] == parser.description
    card = (official / "model" / "CARD.md").read_text(encoding="utf-8")
    assert "trees of `corpus/google-2013`: deletion of an edge" in card
    assert (
        "train sent-comp.train01.json.gz --dev comp-data.eval.json.gz --parser spacy --trees corpus --out MODEL_DIR"
        in card
    )
    found = evaluate(
        official / "comp-data.eval.json.gz", Compressor(parser, trained), trees="corpus", methods=list(Method)
    )
    for outputs in found.outputs.values():
        assert outputs.scores().tree_f1 > 0.95
        assert "|trees:corpus/google-2013+" in outputs.series()[0].signature
        assert "|tokens:corpus/google-2013|" in outputs.series()[1].signature
    compressor = laconic.load(official / "model")
    assert compressor.compress("Zoe opened a bakery on Tuesday, the mayor said.")[0][0].text == "Zoe opened a bakery."


def test_cache_keeps_the_two_kinds_of_trees_apart_and_uses_each_again(official: Path, tmp_path: Path) -> None:
    path = official / "sent-comp.train01.json.gz"
    parsed = parse_corpus(path, cache=tmp_path, workers=1)
    own = parse_corpus(path, cache=tmp_path, trees=Trees.CORPUS, workers=1)
    assert parsed.shard_paths != own.shard_paths
    assert (parsed.sources, own.sources) == ({}, {"corpus/google-2013": 20})
    (shard,) = own
    expected = [item.tree for item in read_corpus(path, trees=Trees.CORPUS)]
    assert equal(shard.parses, to_parses(shard.parses.texts(), [tree for tree in expected if tree]))
    times = [file.stat().st_mtime_ns for file in own.shard_paths]
    again = parse_corpus(path, cache=tmp_path, trees=Trees.CORPUS, workers=1)
    assert again == own
    assert [file.stat().st_mtime_ns for file in again.shard_paths] == times


def test_items_without_trees_are_parsed_and_counted(official: Path, tmp_path: Path) -> None:
    """Lines with trees of the parser itself, but for some: the same model as without the trees, and a log of it."""
    parser = SpacyParser(split=False)
    for name, records in [("train", official_records()[:20]), ("dev", official_records()[20:])]:
        lines = [
            {"sentence": record["graph"]["sentence"], "compression": record["compression"]["text"]}
            for record in records
        ]
        for line, doc in zip(lines[3:], parser.docs(line["sentence"] for line in lines[3:]), strict=True):
            line["tree"] = tree_of_doc(doc, parser=parser.description).to_dict()
        write_lines(tmp_path / f"{name}.jsonl", lines)
    log: list[str] = []
    models = [
        train(
            [tmp_path / "train.jsonl"],
            dev=tmp_path / "dev.jsonl",
            out=tmp_path / trees,
            cache=tmp_path / "cache",
            trees=trees,
            parser="spacy",
            settings=SETTINGS,
            log=log.append,
        )
        for trees in ("parser", "corpus")
    ]
    assert f"train.jsonl: 17 of 20 items have trees, the others are parsed with {parser.description}" in log
    weights = []
    for model, trees in zip(models, ("parser", "corpus"), strict=True):
        offset = min(entry["offset"] for entry in model.header["arrays"].values())
        weights.append((tmp_path / trees / MAXENT_NAME).read_bytes()[offset:])
    assert weights[0] == weights[1]
    assert models[0].header["training"]["trees"] == {parser.description: 20}
    assert models[1].header["training"]["trees"] == {parser.description: 3, f"corpus/{parser.description}": 17}
    assert f"corpus/{parser.description},{parser.description}" in (tmp_path / "corpus" / "CARD.md").read_text()
    done = CliRunner().invoke(
        app, ["evaluate", str(tmp_path / "dev.jsonl"), "--model", str(tmp_path / "corpus"), "--trees", "corpus"]
    )
    assert f"|trees:corpus/{parser.description},{parser.description}+" in done.output
    assert f"trees: 7 of 10 items have trees, the others are parsed with {parser.description}" in done.output


def test_corpora_without_any_tree_are_refused_with_the_remedy(tmp_path: Path, compressor: laconic.Compressor) -> None:
    path = write_lines(tmp_path / "a.jsonl", [{"sentence": TEXT, "compression": "Lee sold shops."}])
    with pytest.raises(LaconicError, match=r"no item of .*a\.jsonl has a tree: .*leave trees='corpus' out"):
        train([path], dev=path, out=tmp_path / "m", cache=tmp_path / "c", trees="corpus")
    with pytest.raises(LaconicError, match=r"no item of .*a\.jsonl has a tree"):
        evaluate(path, compressor, trees=Trees.CORPUS)
    with pytest.raises(LaconicError, match="unknown trees 'no'"):
        train([path], dev=path, out=tmp_path / "m", cache=tmp_path / "c", trees="no")
    assert not (tmp_path / "c").exists()
