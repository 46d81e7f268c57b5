"""The objective words, and nodes that are gone, against every subtree that there is."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, replace

import numpy as np
import pytest
from conftest import given_parses
from enumeration import log, subtrees
from random_trees import random_heads

from laconic._core import NodePin
from laconic.decode import Decoded, decode
from laconic.guard import Pins
from laconic.guard.pins import NO_RULE
from laconic.limits import Limits
from laconic.realise import realise
from laconic.score import Probabilities
from laconic.tree import Forest, make_forest

LABELS = ["nsubj", "dobj", "advmod", "amod", "ccomp", "conj", "relcl", "npadvmod", "advcl"]
TAGS = ["NN", "NNP", "VBD", "JJ", "RB"]
GONE = NodePin.NOT_BELOW | NodePin.NOT_ROOT


@dataclass
class Case:
    forest: Forest
    edge_scores: Probabilities
    pins: Pins | None

    def decode(self, k: int, **options: object) -> Decoded:
        return decode(self.forest, self.edge_scores, pins=self.pins, k=k, **options)

    def allowed(self) -> set[frozenset[int]]:
        """All subtrees that break no pin."""
        parent = self.forest.parent.tolist()
        found = subtrees(parent, self.forest.root_edge.tolist())
        return {nodes for nodes in found if self.pins is None or self._obeys(parent, nodes)}

    def _obeys(self, parent: list[int], nodes: frozenset[int]) -> bool:
        for node, flags in enumerate(self.pins.flags.tolist()):
            below = parent[node] in nodes
            if flags & NodePin.STAYS and below and node not in nodes:
                return False
            if flags & NodePin.OR_NEXT and below and node not in nodes:
                beside = next((i for i in range(node + 1, len(parent)) if parent[i] == parent[node]), None)
                if beside not in nodes:
                    return False
            if node in nodes and flags & (NodePin.NOT_BELOW if below else NodePin.NOT_ROOT):
                return False
        return True

    def score(self, nodes: frozenset[int], *, words: bool) -> float:
        """What is kept and what is cut, edge by edge; the evidence of the words, and what cuts cost besides."""
        forest, given = self.forest, self.edge_scores
        total = 0.0
        flags = [0] * len(forest.parent) if self.pins is None else self.pins.flags.tolist()
        for node, head in enumerate(forest.parent.tolist()):
            row = forest.row[node]
            if head in nodes:
                p = 1.0 if flags[node] & NodePin.STAYS else float(given.retain[row])
                total += log(p if node in nodes else 1 - p)
            if forest.root_edge[node] and not flags[node] & NodePin.NOT_ROOT:
                p = float(given.root_retain[row])
                total += log(p if node in nodes and head not in nodes else 1 - p)
        if words:
            kept = np.isin(forest.node_of, list(nodes)) & (forest.node_of >= 0)
            total += float(given.evidence[kept].astype(np.float64).sum())
            total -= sum(float(given.need[forest.row[node]]) for node in self.cut(nodes))
            total -= sum(float(given.alone[forest.row[node]]) for node in self.taken_out(nodes))
        return total

    def cut(self, nodes: frozenset[int]) -> set[int]:
        """Nodes that are gone, though what they hang on is kept."""
        return {node for node, head in enumerate(self.forest.parent.tolist()) if head in nodes and node not in nodes}

    def taken_out(self, nodes: frozenset[int]) -> set[int]:
        """The root, if there is something above it in the tree."""
        return {node for node in nodes if (head := int(self.forest.parent[node])) >= 0 and head not in nodes}


def random_case(rng: random.Random, *, pinned: bool, choices: bool = True, size: float = 2.0) -> Case:
    """A tree of a few different words, so that no two of its subtrees read the same.

    Without limits or words only the first of a choice is asked for: such cases have no `choices`.
    """
    count = rng.randint(2, 9)
    head = random_heads(rng, count)
    spec = " ".join(
        f"word{'abcdefghi'[i]}/{rng.choice(TAGS)}/{'ROOT' if head[i] == i else rng.choice(LABELS)}/{head[i]}"
        for i in range(count)
    )
    forest = make_forest(given_parses(spec))
    draw = np.random.default_rng(rng.randrange(2**32))
    retain, root = draw.random((2, count), dtype=np.float32)
    evidence = draw.normal(scale=size, size=count).astype(np.float32)
    need, alone = draw.exponential(scale=size, size=(2, count)).astype(np.float32)
    edge_scores = Probabilities(retain, root, evidence, need, alone, objective="words")
    nodes = len(forest.parent)
    if not pinned:
        return Case(forest, edge_scores, None)
    kinds = [0, 0, 0, 0, GONE, NodePin.STAYS, NodePin.NOT_ROOT, NodePin.NOT_BELOW]
    kinds += [NodePin.OR_NEXT] * 2 * choices
    flags = np.array([rng.choice(kinds) for _ in range(nodes)], dtype=np.uint8)
    roots = np.flatnonzero((forest.parent < 0) & (forest.root_edge > 0))
    flags[roots[0]] &= np.uint8(NodePin.STAYS)  # so that something is left
    none = np.full(nodes, NO_RULE, dtype=np.uint8)
    return Case(forest, edge_scores, Pins(flags, none, none))


def node_sets(decoded: Decoded) -> list[frozenset[int]]:
    return [frozenset(decoded.node[a:b].tolist()) for a, b in itertools.pairwise(decoded.node_ptr.tolist())]


def check(case: Case, found: Decoded, expected: set[frozenset[int]], *, words: bool) -> None:
    """All of them, each with its score, best first."""
    results = node_sets(found)
    assert len(results) == len(set(results))
    assert set(results) == expected
    scores = [case.score(nodes, words=words) for nodes in results]
    assert found.score.tolist() == pytest.approx(scores, abs=1e-6)
    assert all(a >= b for a, b in itertools.pairwise(found.score.tolist()))


@pytest.mark.parametrize("pinned", [False, True])
def test_words_is_as_enumerated_best_and_k_best(pinned: bool) -> None:
    rng = random.Random(17)
    other = some = 0
    for _ in range(300):
        case = random_case(rng, pinned=pinned)
        allowed = case.allowed()
        if not allowed:  # two nodes that both stay and are gone
            continue
        some += 1
        check(case, case.decode(10_000), allowed, words=True)
        ranked = sorted((case.score(nodes, words=True) for nodes in allowed), reverse=True)
        for k in (1, 3):
            assert case.decode(k).score.tolist() == pytest.approx(ranked[:k], abs=1e-6)
        other += node_sets(case.decode(1)) != node_sets(case.decode(1, objective="joint"))
    assert some > 100
    assert other > some / 4  # the words have a say


@pytest.mark.parametrize(
    ("asked", "pinned"),
    [
        *itertools.product([{"max_chars": 17}, {"max_words": 3}, {"min_words": 2}], [False, True]),
        ({"max_words": 4, "drop": ["worda"]}, False),  # a constraint may break a pin
    ],
)
def test_words_within_limits_is_as_enumerated(asked: dict, pinned: bool) -> None:
    """Of all that is found without limits, what fits, in the same order."""
    rng = random.Random(19)
    some = fewer = 0
    for _ in range(150):
        case = random_case(rng, pinned=pinned)
        if not case.allowed():
            continue
        everything = case.decode(10_000)
        assert set(node_sets(everything)) == case.allowed()
        (result,) = realise(case.forest, everything)
        fitting = [
            nodes
            for nodes, each in zip(node_sets(everything), result.sentences[0].compressions, strict=True)
            if fits(each.text, asked)
        ]
        if not fitting:
            continue
        found = case.decode(10_000, limits=Limits.of(**asked).bind(case.forest))
        some += 1
        fewer += len(fitting) < len(everything.score)
        check(case, found, set(fitting), words=True)
        best = case.decode(1, limits=Limits.of(**asked).bind(case.forest))
        assert best.score.tolist() == pytest.approx([max(case.score(n, words=True) for n in fitting)], abs=1e-6)
    assert some > 40
    assert fewer > 20


def fits(text: str, asked: dict) -> bool:
    words = text.casefold().split()
    return (
        len(text) <= asked.get("max_chars", 10**6)
        and asked.get("min_words", 0) <= len(words) <= asked.get("max_words", 10**6)
        and not set(asked.get("drop", ())) & set(words)
    )


@pytest.mark.parametrize("limits", [None, {"min_words": 1}], ids=["k best", "knapsack"])
def test_gone_nodes_are_in_no_result(limits: dict | None) -> None:
    """By the search without limits and by the knapsack, which both have the objective joint."""
    rng = random.Random(23)
    some = 0
    for _ in range(300):
        case = random_case(rng, pinned=True, choices=limits is not None)
        allowed = case.allowed()
        gone = {node for node, flags in enumerate(case.pins.flags.tolist()) if flags == GONE}
        assert not any(gone & nodes for nodes in allowed)
        bound = None if limits is None else Limits.of(**limits).bind(case.forest)
        found = case.decode(10_000, objective="joint", limits=bound)
        if allowed:  # with limits, what nothing is left of is a matter of the error that says why
            some += bool(gone)
            check(case, found, allowed, words=False)
        elif limits is None:
            assert len(found.score) == 0
    assert some > 60


def test_the_mean_obeys_gone_nodes() -> None:
    rng = random.Random(29)
    for _ in range(200):
        case = random_case(rng, pinned=True, choices=False)
        found = node_sets(case.decode(10_000, objective="mean"))
        assert len(found) == len(set(found))
        assert set(found) == case.allowed()


@pytest.mark.parametrize("asked", [None, {"max_words": 1}], ids=["no limits", "limits"])
def test_a_needed_edge_is_cut_only_where_nothing_else_is_left(asked: dict | None) -> None:
    """With a high need, all results without the cut come before all with it; and it is no prohibition."""
    rng = random.Random(43)
    first = last = alone = 0
    for _ in range(200):
        case = random_case(rng, pinned=False)
        below = [node for node, head in enumerate(case.forest.parent.tolist()) if head >= 0]
        if not below:
            continue
        node = rng.choice(below)
        free = case.edge_scores.need * 0
        needed = free.copy()
        needed[case.forest.row[node]] = 1000.0
        limits = None if asked is None else Limits.of(**asked).bind(case.forest)
        found = [
            node_sets(replace(case, edge_scores=replace(case.edge_scores, need=need)).decode(10_000, limits=limits))
            for need in (free, needed)
        ]
        if not found[0]:
            continue
        assert set(found[0]) == set(found[1])
        assert asked is not None or set(found[1]) == case.allowed()
        cuts = [[node in case.cut(nodes) for nodes in results] for results in found]
        assert cuts[1] == sorted(cuts[0])  # False before True
        first += cuts[0][0]
        last += any(cuts[1])
        alone += all(cuts[1])
    assert first > 30  # who does not need it would cut it first
    assert last > 100
    assert (alone > 0) == (asked is not None)


def test_needs_are_a_matter_of_words_alone() -> None:
    rng = random.Random(47)
    for _ in range(20):
        case = random_case(rng, pinned=False)
        bare = replace(case, edge_scores=replace(case.edge_scores, need=None, alone=None))
        found, expected = (own.decode(50, objective="joint").score.tolist() for own in (case, bare))
        assert found == expected


def test_evidence_of_nothing_is_the_objective_joint() -> None:
    rng = random.Random(31)
    for _ in range(50):
        case = random_case(rng, pinned=False, size=0.0)
        found, joint = case.decode(50), case.decode(50, objective="joint")
        assert found.score.tolist() == pytest.approx(joint.score.tolist(), abs=1e-9)
        bare = replace(case, edge_scores=replace(case.edge_scores, evidence=None, need=None, alone=None))
        assert bare.decode(50).score.tolist() == pytest.approx(joint.score.tolist(), abs=1e-9)


@pytest.mark.parametrize("asked", [None, {"max_words": 3}])
def test_where_everything_is_gone_there_is_no_result(asked: dict | None) -> None:
    case = random_case(random.Random(37), pinned=True)
    everything = replace(case, pins=replace(case.pins, flags=np.full_like(case.pins.flags, GONE)))
    limits = None if asked is None else Limits.of(**asked).bind(case.forest)
    for objective in ("words", "joint"):
        assert len(everything.decode(5, objective=objective, limits=limits).score) == 0
