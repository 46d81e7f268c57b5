"""Trees of the Google corpus in our scheme, by records written for the purpose."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import FIGURE_1, FIGURE_1_ENTITIES, given_parses
from source_trees import source_tree

from laconic.corpus import ItemTree, Trees, read_corpus, stanford
from laconic.corpus.source_tree import PARSER, read_source_tree
from laconic.corpus.trees import to_parses
from laconic.parse import scheme
from laconic.tree import Tree, make_forest, make_trees

#: The example of the paper with the labels of the corpus: word/tag/label/head, "=" where no space is before a word.
EXAMPLE = (
    "The/DT/det/1 police/NNS/nsubj/2 said/VBD/ROOT/2 the/DT/det/4 man/NN/nsubjpass/12 who/WP/nsubj/6 "
    "robbed/VBD/rcmod/4 a/DT/det/8 bank/NN/dobj/6 in/IN/prep/6 Arizona/NNP/pobj/9 was/VBD/auxpass/12 "
    "arrested/VBN/ccomp/2 at/IN/prep/12 his/PRP$/poss/15 home/NN/pobj/13 late/JJ/amod/17 Friday/NNP/tmod/12 =././p/2"
)


def read(spec: str, **more: Any) -> tuple[ItemTree, str]:
    source, text = source_tree(spec, **more)
    tree = read_source_tree(source, text)
    assert tree is not None
    return tree, text


def transformed(spec: str, **more: Any) -> Tree:
    tree, text = read(spec, **more)
    (found,) = make_trees(make_forest(to_parses([text], [tree])))
    return found


def nodes(found: Tree) -> list[str]:
    return [node.text for node in found.nodes]


def labels(spec: str) -> dict[str, str]:
    tree, text = read(spec)
    return {text[s:e]: label for s, e, label in zip(tree.start, tree.end, tree.label, strict=True)}


def heads(spec: str) -> dict[str, str]:
    tree, text = read(spec)
    words = [text[start:end] for start, end in zip(tree.start, tree.end, strict=True)]
    return {word: words[head] for word, head in zip(words, tree.head, strict=True)}


def entities(spec: str, **more: Any) -> str:
    tree, _ = read(spec, **more)
    return " ".join(tree.entity)


def test_every_label_and_type_becomes_one_of_the_scheme() -> None:
    assert set(stanford.LABELS.values()) <= set(scheme.LABELS)
    assert {special.ours for special in stanford.SPECIAL} <= set(scheme.LABELS)
    assert {special.label for special in stanford.SPECIAL} <= set(stanford.LABELS)
    assert set(stanford.ENTITIES.values()) <= set(scheme.ENTITIES)
    assert set(stanford.TAGS.values()) <= set(scheme.TAGS)


def test_example_of_the_paper_is_transformed_like_its_spacy_parse() -> None:
    mentions = [{"start": 10, "end": 10, "head": 10, "type": "LOC"}]
    (expected,) = make_trees(make_forest(given_parses(FIGURE_1, FIGURE_1_ENTITIES)))
    assert transformed(EXAMPLE, entity_mention=mentions) == expected
    tree, text = read(EXAMPLE, entity_mention=mentions)
    parses, expected_parses = to_parses([text], [tree]), given_parses(FIGURE_1, FIGURE_1_ENTITIES)
    for name in ("chars", "start", "end", "head", "label", "tag", "entity", "entity_start", "sentence_start"):
        assert getattr(parses, name).tolist() == getattr(expected_parses, name).tolist(), name
    assert tree.parser == PARSER
    assert tree.lemma[:3] == ("the", "police", "say")


def test_labels_that_depend_on_the_word_or_its_head() -> None:
    found = labels(
        "Rain/NN/nsubj/1 fell/VBD/ROOT/1 according/VBG/prep/1 to/IN/pcomp/2 reports/NNS/pobj/3 written/VBN/partmod/4 "
        "by/IN/prep/5 experts/NNS/pobj/6 closing/VBG/partmod/1 roads/NNS/dobj/8 in/IN/rel/9 which/WDT/pobj/10 "
        "moose/NNS/frobnicated/1"
    )
    assert found["to"] == "prep"
    assert found["written"] == "acl"
    assert found["by"] == "agent"
    assert found["closing"] == "advcl"
    assert found["in"] == "prep"
    assert found["moose"] == "dep"


def test_prepositions_of_several_words_are_one_with_their_object() -> None:
    found = transformed(
        "Shops/NNS/nsubj/1 closed/VBD/ROOT/1 because/IN/mwe/3 of/IN/prep/1 rain/NN/pobj/3 according/VBG/prep/1 "
        "to/IN/pcomp/5 owners/NNS/pobj/6"
    )
    assert nodes(found) == ["Shops", "closed", "because of rain", "according to owners"]


def test_possessives_auxiliaries_and_negations_are_collapsed() -> None:
    found = transformed(
        "The/DT/det/1 mayor/NN/poss/3 ='s/POS/ps/1 sister/NN/nsubj/6 did/VBD/aux/6 =n't/RB/neg/6 say/VB/ROOT/6 "
        "that/IN/complm/9 he/PRP/nsubj/9 was/VBD/ccomp/6 ill/JJ/acomp/9"
    )
    assert nodes(found) == ["The mayor's", "sister", "didn't say", "that", "he", "was ill"]


def test_amount_of_money_is_one_node_headed_by_its_number() -> None:
    spec = (
        "Ann/NNP/nsubj/1 paid/VBD/ROOT/1 more/JJR/quantmod/4 than/IN/quantmod/4 $/$/dobj/1 =2/CD/number/6 "
        "million/CD/number/4 for/IN/prep/1 a/DT/det/11 $/$/nn/11 =5/CD/num/9 house/NN/pobj/7"
    )
    found = heads(spec)
    assert (found["million"], found["2"], found["more"]) == ("paid", "million", "million")
    assert labels(spec)["million"] == "dobj"
    assert labels(spec)["5"] == "nummod"
    assert nodes(transformed(spec)) == ["Ann", "paid", "more than $2 million", "$5", "for a house"]
    assert entities(spec) == "O O O O B-MONEY I-MONEY I-MONEY O O B-MONEY I-MONEY O"


def test_conjuncts_hang_on_the_one_before() -> None:
    first = "He/PRP/nsubj/1 came/VBD/ROOT/1 =,/,/p/1 saw/VBD/conj/1 Ann/NNP/dobj/3 as/RB/advmod/6 well/RB/cc/4"
    spec = f"{first} as/IN/mwe/6 Bob/NNP/conj/4 and/CC/cc/1 left/VBD/conj/1"
    found = heads(spec)
    assert (found["saw"], found["and"], found["left"]) == ("came", "saw", "saw")
    assert nodes(transformed(spec)) == ["He", "came", "saw", "Ann", "as well as Bob", "and left"]


def test_words_of_one_node_come_and_go_together_and_are_a_date() -> None:
    spec = "The/DT/det/1 sale/NN/nsubj/2 ends/VBZ/ROOT/2 May_10/NNP_CD/tmod/2 in/IN/prep/2 Oslo/NNP/pobj/4 =././p/2"
    assert nodes(transformed(spec)) == ["The sale", "ends", "May 10", "in Oslo"]
    assert entities(spec) == "O O O B-DATE I-DATE O O O"
    in_full = "It/PRP/nsubj/1 ends/VBZ/ROOT/1 on/IN/prep/1 Sunday_May_10/NNP_NNP_CD/pobj/2"
    assert nodes(transformed(in_full)) == ["It", "ends", "on Sunday May 10"]


def test_ids_may_start_anywhere_and_have_gaps() -> None:
    spec = "Rain/NN/nsubj/1 fell/VBD/ROOT/1 in/IN/prep/1 Oslo/NNP/pobj/2 =././p/1"
    tree, _ = read(spec)
    assert read(spec, ids=[40, 41, 44, 45, 50])[0] == tree


def test_mentions_give_entities() -> None:
    spec = (
        "Maria/NNP/nn/2 Lopez/NNP/nn/2 Vega/NNP/nsubj/3 left/VBD/ROOT/3 Bank/NNP/dobj/3 of/IN/prep/4 Oslo/NNP/pobj/5 "
        "the/DT/det/8 company/NN/nsubj/9 said/VBD/parataxis/3"
    )
    ids = [*range(20, 30)]
    mentions = [
        {"start": 20, "end": 22, "head": 22, "type": "PER", "name": "Maria Lopez Vega"},
        {"start": 26, "end": 26, "head": 26, "type": "LOC"},  # inside a longer one
        {"start": 24, "end": 26, "head": 24, "type": "ORG"},
        {"start": 27, "end": 28, "head": 28, "type": "ORG"},  # a noun, no name
    ]
    expected = "B-PERSON I-PERSON I-PERSON O B-ORG I-ORG I-ORG O O O"
    assert entities(spec, ids=ids, entity_mention=mentions) == expected
    # An end that is one too far: what the name's head does not dominate is not of the name.
    assert entities(spec, ids=ids, entity_mention=[{**mentions[0], "end": 23}, mentions[2]]) == expected
    assert entities(spec, ids=ids, entity_mention=[{**mentions[0], "is_proper_name_entity": False}]) == "O " * 9 + "O"
    assert entities(spec, ids=ids, entity_mention=[{**mentions[0], "type": "SOMETHING"}]) == "O " * 9 + "O"
    found = transformed(spec, ids=ids, entity_mention=mentions)
    assert nodes(found) == ["Maria Lopez Vega", "left", "Bank of Oslo", "the company", "said"]


def test_types_of_nodes_give_entities_where_no_mention_does() -> None:
    source, text = source_tree(
        "Maria/NNP/nn/1 Vega/NNP/nsubj/2 left/VBD/ROOT/2 Oslo/NNP/dobj/2 with/IN/prep/2 him/PRP/pobj/4"
    )
    for node, kind in zip(source["node"][1:], ["", "PER", "", "LOC", "", "PER"], strict=True):
        node["type"] = kind
    tree = read_source_tree(source, text)
    assert tree is not None
    assert " ".join(tree.entity) == "B-PERSON I-PERSON O B-GPE O O"


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("``/``/p/1 Go/VB/ROOT/1 ''/''/p/1 =-LRB-/(/p/1 now/RB/advmod/1 -RRB-/)/p/1", '"Go" (now)'),
        ("``/``/p/1 Go/VB/ROOT/1 ''/''/p/1 it/PRP/nsubj/4 's/VBZ/dep/1 late/JJ/acomp/4", "“Go” it’s late"),
        ("`/``/p/1 Go/VB/ROOT/1 '/''/p/1 --/:/p/1 Ann/NNP/dep/1", "‘Go’ — Ann"),
    ],
)
def test_words_are_found_however_the_text_writes_quotes_and_brackets(spec: str, text: str) -> None:
    source, _ = source_tree(spec)
    tree = read_source_tree(source, text)
    assert tree is not None
    assert "".join(text[start:end] for start, end in zip(tree.start, tree.end, strict=True)) == text.replace(" ", "")
    assert set(tree.tag) <= set(scheme.TAGS)


def broken(change: str) -> dict[str, Any]:
    source, _ = source_tree("Rain/NN/nsubj/1 fell/VBD/ROOT/1 in/IN/prep/1 Oslo/NNP/pobj/2")
    edges, words = source["edge"], [node["word"] for node in source["node"]]
    match change:
        case "cycle":
            edges[1]["parent_id"] = 3
            edges[2]["parent_id"] = 1
        case "unknown parent":
            edges[0]["parent_id"] = 17
        case "unknown child":
            edges[0]["child_id"] = 17
        case "two heads":
            edges.append({"parent_id": 2, "child_id": 0, "label": "dep"})
        case "no edge":
            del edges[0]
        case "word not in the text":
            words[4][0]["form"] = "Bergen"
        case "words in another order":
            words[1][0]["id"], words[4][0]["id"] = 3, 0
            edges[0]["child_id"], edges[3]["child_id"] = 3, 0
        case "same id twice":
            words[1].append(words[4][0])
        case "no edges":
            del source["edge"]
        case "no tag":
            del words[1][0]["tag"]
        case "empty form":
            words[1][0]["form"] = ""
    return source


CHANGES = ["cycle", "unknown parent", "unknown child", "two heads", "no edge", "word not in the text",
           "words in another order", "same id twice", "no edges", "no tag", "empty form"]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_record_with_a_broken_tree_still_gives_sentence_and_gold(tmp_path: Path, change: str) -> None:
    text = "Rain fell in Oslo"
    assert read_source_tree(broken(""), text) is not None
    assert read_source_tree(broken(change), text) is None
    record = {"graph": {"sentence": text}, "compression": {"text": "Rain fell"}, "source_tree": broken(change)}
    (tmp_path / "a.json").write_text(json.dumps(record, indent=2), encoding="utf-8")
    (item,) = read_corpus(tmp_path / "a.json", trees=Trees.CORPUS)
    assert [text[start:end] for start, end in item.kept] == ["Rain", "fell"]
    assert item.tree is None


@pytest.mark.parametrize("source", [None, [], {}, {"node": [], "edge": []}])
def test_record_without_a_tree_has_none(tmp_path: Path, source: Any) -> None:
    assert read_source_tree(source, "Rain fell") is None
