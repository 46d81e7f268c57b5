"""The match of a headline with a tree, on trees that are written down or random; and the words that match."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import replace

import pytest
from random_trees import random_parents

import laconic
from laconic import LaconicError
from laconic.harvest import Reason, Settings
from laconic.harvest.headline import read_headline
from laconic.harvest.headline_words import Lemmas, is_content, normalise
from laconic.harvest.match import SentenceTree, match
from laconic.harvest.reasons import UnfitError
from laconic.parse import scheme


@pytest.fixture(scope="module")
def lemmas(paper_compressor: laconic.Compressor) -> Lemmas:
    return Lemmas(paper_compressor.parser.nlp)


def given_tree(words: str, parent: list[int]) -> SentenceTree:
    """A tree in which every word is a node, all verbs that need no subject, and under root edges."""
    forms = words.split()
    nodes = list(range(len(forms)))
    verbs, labels, edges = ([number] * len(forms) for number in (
        scheme.TAG_ID["VBD"], scheme.LABEL_ID["expl"], scheme.LABEL_ID["dep"]))  # fmt: skip
    return SentenceTree(forms, verbs, labels, nodes, parent, [1] * len(forms), nodes, edges, [])


def reason_of(headline: str, tree: SentenceTree, lemmas: Lemmas, settings: Settings) -> Reason:
    with pytest.raises(UnfitError) as caught:
        match(read_headline(f"The {headline}", headline.split(), lemmas), tree, lemmas, settings)
    return caught.value.reason


def test_words_that_no_subtree_connects(lemmas: Lemmas) -> None:
    assert reason_of("mice ran", given_tree("mice ran", [-1, -1]), lemmas, Settings()) == Reason.DISCONNECTED


def test_words_that_can_be_covered_in_too_many_ways(lemmas: Lemmas) -> None:
    words = "mice ran fast home cats slept long dogs barked loud birds sang well".split()
    twice = given_tree(" ".join(words + words), [-1, *[0] * (2 * len(words) - 1)])
    assert reason_of(" ".join(words), twice, lemmas, Settings(in_order=False)) == Reason.AMBIGUOUS


@pytest.mark.parametrize("seed", range(10))
def test_the_match_is_the_smallest_of_all_subtrees(lemmas: Lemmas, seed: int) -> None:
    rng = random.Random(seed)
    accepted = 0
    for _ in range(150):
        n = rng.randint(2, 7)
        tree = random_sentence(rng, n)
        words = rng.choices("mouse dog cat".split(), k=rng.randint(1, 3))
        for in_order in (False, True):
            try:
                found = set(
                    match(
                        read_headline("The " + " ".join(words), words, lemmas),
                        tree,
                        lemmas,
                        Settings(in_order=in_order),
                    )
                )
            except UnfitError as error:
                if not in_order and error.reason in (Reason.DISCONNECTED, Reason.MISSING):
                    assert search(tree, words) is None
                continue
            accepted += 1
            assert in_order or len(found) == search(tree, words)
            assert len(found) >= search(tree, words)
            assert covers(tree, words, found)
            assert not in_order or reads(tree, words, found)
    assert accepted > 20


def random_sentence(rng: random.Random, n: int) -> SentenceTree:
    """Words of three kinds, each a node, some of them pronouns for an earlier one."""
    parent = random_parents(rng, n)
    forms = rng.choices("mouse dog cat it".split(), k=n)
    pairs = [(node, rng.choice(nouns)) for node in range(n) if forms[node] == "it"
             and (nouns := [other for other in range(node) if forms[other] != "it"])]  # fmt: skip
    tree = given_tree(" ".join(forms), parent)
    return replace(tree, root_edge=[int(parent[i] < 0 or rng.random() < 0.5) for i in range(n)], coreferences=pairs)


def says(tree: SentenceTree, node: int) -> str:
    """The word that a node is, or stands for."""
    return tree.forms[dict(tree.coreferences).get(node, node)]


def covers(tree: SentenceTree, words: list[str], nodes: set[int]) -> bool:
    said = Counter(says(tree, node) for node in nodes)
    return all(said[word] >= need for word, need in Counter(words).items())


def reads(tree: SentenceTree, words: list[str], nodes: set[int]) -> bool:
    said = iter(says(tree, node) for node in sorted(nodes))
    return all(word in said for word in words)


def search(tree: SentenceTree, words: list[str]) -> int | None:
    """The size of the smallest subtree that covers the words, by looking at all."""
    for size in range(1, len(tree.forms) + 1):
        for nodes in itertools.combinations(range(len(tree.forms)), size):
            tops = [node for node in nodes if tree.parent[node] not in nodes]
            if len(tops) == 1 and tree.root_edge[tops[0]] and covers(tree, words, set(nodes)):
                return size
    return None


def test_lemmas_are_of_any_class(lemmas: Lemmas) -> None:
    for left, right in [
        ("says", "said"),
        ("feet", "foot"),
        ("U.S.", "US"),
        ("rebrands", "rebranded"),
        ("guts", "gutted"),
        ("3", "Three"),
    ]:
        assert lemmas.of(left) & lemmas.of(right), (left, right)
    for left, right in [("US", "us"), ("library", "liberty"), ("bus", "but")]:
        assert not lemmas.of(left) & lemmas.of(right), (left, right)


def test_content_words_are_those_that_are_not_closed() -> None:
    words = "The US will not say how IT hits us too hard".split()
    assert [word for word in words if is_content(normalise(word))] == ["US", "say", "IT", "hits", "hard"]


def test_a_parser_without_lemmas_is_refused() -> None:
    import spacy

    with pytest.raises(LaconicError, match="has no lemmatiser"):
        Lemmas(spacy.blank("en"))
