"""The forest: the trees of a batch, built once and read by all."""

from __future__ import annotations

import gc
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from conftest import FIGURE_1, FIGURE_1_ENTITIES, given_parses

import laconic
from laconic import _core
from laconic._core import Entity, Forest, Kind, NodePin, Pin, Problem, Role, Tag, Unit
from laconic.decode import decode
from laconic.language import coreference, grammar
from laconic.limits import Limits
from laconic.parse import Parses, scheme
from laconic.realise import realise
from laconic.score import Probabilities
from laconic.tree import make_forest, make_trees
from laconic.tree.rules import Tables

TWO = ["Rain/NN/nsubj/1 fell/VBD/ROOT/1 =././punct/1", FIGURE_1]


@pytest.fixture(scope="module")
def forest() -> Forest:
    return make_forest(Parses.concatenate([given_parses(TWO[0]), given_parses(TWO[1], FIGURE_1_ENTITIES)]))


def test_arrays_have_names_and_say_what_trees_show(forest: Forest) -> None:
    trees = make_trees(forest)
    assert len(forest) == len(trees) == 2
    assert forest.sentence_text.tolist() == [0, 1]
    assert forest.sentence_first.tolist() == [0, 3]
    assert forest.sentence_last.tolist() == [3, len(forest.parses.start)]
    for i, tree in enumerate(trees):
        first, last = forest.node_ptr[i : i + 2].tolist()
        assert last - first == len(tree.nodes)
        text = forest.parses.texts()[i]
        rows = forest.row[first:last]
        words = [text[a:b] for a, b in zip(forest.parses.start[rows], forest.parses.end[rows], strict=True)]
        assert words == [node.word for node in tree.nodes]
        assert (rows - forest.sentence_first[i]).tolist() == forest.word[first:last].tolist()
        heads = {edge.node: edge.head for edge in tree.edges if edge.head >= 0}
        assert forest.parent[first:last].tolist() == [heads.get(n, -1) for n in range(len(tree.nodes))]
        roots = {edge.node for edge in tree.edges if edge.head < 0}
        assert np.flatnonzero(forest.root_edge[first:last]).tolist() == sorted(roots)
        for edge in tree.edges:
            if edge.head >= 0 and forest.preposition[first + edge.node] < 0:
                assert scheme.LABELS[forest.label[first + edge.node]] == edge.label
        pairs = slice(*forest.coreference_ptr[i : i + 2].tolist())
        found = zip(forest.pronoun[pairs].tolist(), forest.antecedent[pairs].tolist(), strict=True)
        assert list(found) == [(pair.pronoun, pair.antecedent) for pair in tree.coreferences]
    assert len(forest.pronoun_word) == 2  # who, his


def test_every_token_is_in_its_node_or_in_none(forest: Forest) -> None:
    punctuation = forest.parses.label == scheme.LABEL_ID["punct"]
    assert (forest.node_of[punctuation] == -1).all()
    assert (forest.node_of[~punctuation] >= 0).all()


def test_arrays_are_views_that_nobody_can_change() -> None:
    """They look into the forest, without a copy, and keep it alive."""
    parent = make_forest(given_parses(FIGURE_1)).parent
    before = parent.tolist()
    gc.collect()
    assert parent.tolist() == before
    with pytest.raises(ValueError, match="read-only"):
        parent[0] = 3


def test_what_is_no_parse_is_refused_by_the_name_of_its_column() -> None:
    parses = given_parses(TWO[0])
    with pytest.raises(ValueError, match="label must be a contiguous array"):
        make_forest(replace(parses, label=np.array(["nsubj"] * 3)))
    with pytest.raises(ValueError, match="head must be a contiguous array"):
        make_forest(replace(parses, head=parses.head.astype(np.int64)))
    with pytest.raises(ValueError, match="heads must be tokens of the same text"):
        make_forest(replace(parses, head=parses.head + 3))
    with pytest.raises(AttributeError, match="chars"):
        make_forest("no parse")  # type: ignore[arg-type]


def test_nothing_is_built_twice(compressor: laconic.Compressor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Explanations within limits and documents decode many times, on one forest for each batch."""
    made: list[Any] = []

    def counted(*arguments: Any) -> Forest:
        made.append(arguments)
        return make_forest(*arguments)

    monkeypatch.setattr("laconic.compressor.make_forest", counted)
    compressor.explain("The police said two men were arrested on Friday.", 3, max_chars=40, keep=["men"])
    assert len(made) == 1
    compressor.fit("The police said two men were arrested on Friday. Rain fell in Spain.", max_chars=40)
    assert len(made) == 2


def test_enumerations_are_the_cores() -> None:
    """Tables name members of enumerations that only the core writes down; what is not in them is nothing special."""
    assert {type(role) for role in grammar.ROLES.values()} == {Role}
    assert {type(tag) for tag in grammar.TAGS.values()} == {Tag}
    assert {type(entity) for entity in grammar.ENTITIES.values()} == {Entity}
    assert {type(kind) for kind in coreference.WORDS.values()} == {Kind}
    assert [Role.NODE, Tag(0), Entity.SEPARATE, Kind(0), Pin.NONE, Unit.ANY, Problem.NONE, NodePin(0)] == [0] * 8
    assert Tables().roles.tolist()[scheme.LABEL_ID["prep"]] == Role.PREPOSITION


def test_the_k_best_are_k_different_strings() -> None:
    """Either "slowly" may go: two subtrees, one string."""
    forest = make_forest(given_parses("fell/VBD/ROOT/0 slowly/RB/advmod/0 slowly/RB/advmod/0"))
    edge_scores = Probabilities(np.full(3, 0.6, dtype=np.float32), np.full(3, 0.6, dtype=np.float32))
    for order, limits in (("score", None), ("expected-f1", None), ("score", Limits.of(max_chars=30))):
        bound = None if limits is None else limits.bind(forest)
        found = decode(forest, edge_scores, k=4, order=order, objective="joint", limits=bound)
        texts = [each.text for each in realise(forest, found)[0][0]]
        assert sorted(texts) == ["fell", "fell slowly", "fell slowly slowly"]


@pytest.mark.parametrize("method", ["topdown", "ilp"])
def test_a_word_said_over_and_over_ends_the_search(method: str, maxent_compressor: laconic.Compressor) -> None:
    """Of its exponentially many subtrees few read differently."""
    found = maxent_compressor.compress(
        f"The {'big ' * (30 if method == 'topdown' else 8)}dog barked.", k=30, method=method
    )
    texts = [each.text for each in found[0]]
    assert 4 < len(texts) == len(set(texts))


def test_capitals_beyond_ascii_are_no_difference(compressor: laconic.Compressor) -> None:
    texts = [each.text for each in compressor.compress("Ärzte warn, Ärzte warn, ärzte warn the public.", k=50)[0]]
    assert len(texts) == len(set(texts))


def test_the_core_says_what_it_was_given() -> None:
    with pytest.raises(TypeError, match="incompatible function arguments"):
        _core.Forest(given_parses(TWO[0]), Tables())  # type: ignore[arg-type]
