"""The ILP baseline: exact against exhaustive enumeration, with cuts and with a length."""

from __future__ import annotations

import itertools
import random
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from conftest import FIGURE_1, FIGURE_1_ENTITIES, given_parses
from random_trees import random_heads

import laconic
from laconic import LaconicError, _core
from laconic.corpus import Item, gold_tokens
from laconic.decode.ilp import Program, Solver, programs
from laconic.train.cache import Shard
from laconic.train.structured_perceptron import Perceptron, perceptron_pass
from laconic.tree import make_forest

SENTENCE = "The mayor said on Monday that the old bridge, which was built in 1910, will be closed for two years."


def random_program(rng: random.Random, words: int) -> Program:
    """The program of a random tree, with random weights: the transformation and the rows are the real ones."""
    heads = random_heads(rng, words)
    spec = " ".join(
        f"w{'x' * rng.randrange(6)}{i}/{rng.choice(['NN', 'VBD', 'JJ', 'RB', 'VBZ'])}/"
        f"{'ROOT' if heads[i] == i else rng.choice(['dobj', 'nsubj', 'ccomp', 'advmod', 'relcl', 'conj'])}/{heads[i]}"
        for i in range(words)
    )
    parses = given_parses(spec)
    (program,) = programs(make_forest(parses), None)
    return replace(program, weight=np.array([rng.gauss(0, 1) for _ in program.head]))


def enumerate_all(program: Program, max_chars: int | None = None) -> list[tuple[float, tuple[int, ...]]]:
    """Every set of edges that makes a subtree under one root edge, best first, by trying all sets."""
    found = []
    count = len(program.head)
    for chosen in itertools.product([0, 1], repeat=count):
        edges = [(int(program.head[e]), int(program.node[e])) for e in range(count) if chosen[e]]
        nodes = [node for _, node in edges]
        if sum(head < 0 for head, _ in edges) != 1 or len(set(nodes)) != len(nodes):
            continue
        if any(head >= 0 and head not in nodes for head, _ in edges):
            continue
        if max_chars is not None and program.fixed + np.dot(program.length, chosen) > max_chars:
            continue
        found.append((float(np.dot(program.weight, chosen)), tuple(sorted(nodes))))
    return sorted(found, reverse=True)


@pytest.mark.parametrize("seed", range(40))
def test_all_solutions_come_in_the_order_of_enumeration(seed: int) -> None:
    program = random_program(random.Random(seed), words=2 + seed % 6)
    expected = enumerate_all(program)
    found = list(Solver().solutions(program))
    assert [score for score, _ in found] == pytest.approx([score for score, _ in expected])
    assert [tuple(sorted(program.node[chosen].tolist())) for _, chosen in found] == [nodes for _, nodes in expected]


@pytest.mark.parametrize("seed", range(30))
def test_length_limit_gives_what_enumeration_finds_under_it(seed: int) -> None:
    program = random_program(random.Random(seed), words=3 + seed % 5)
    for max_chars in (1, 4, 9, 17, 30):
        expected = enumerate_all(program, max_chars)
        found = list(itertools.islice(Solver().solutions(program, max_chars), 4))
        assert [score for score, _ in found] == pytest.approx([score for score, _ in expected[:4]])


@pytest.mark.parametrize("seed", range(30))
def test_relaxed_program_of_training_has_the_same_best(seed: int) -> None:
    program = random_program(random.Random(seed), words=2 + seed % 9)
    chosen = Solver().best(program, program.weight)
    assert float(program.weight[chosen].sum()) == pytest.approx(enumerate_all(program)[0][0])


def test_program_of_the_paper_s_example() -> None:
    (program,) = programs(make_forest(given_parses(FIGURE_1, FIGURE_1_ENTITIES)), None)
    assert (program.head < 0).sum() == 3  # said, robbed, arrested
    assert program.upper.tolist().count(1) == 3  # one root edge; robbed and arrested have two edges that lead to them
    assert program.fixed == 0  # the final stop, less the space before the first word


def test_results_are_real_compressions_in_order_of_their_sums(maxent_compressor: laconic.Compressor) -> None:
    ((found),) = maxent_compressor.compress(SENTENCE, k=6, method="ilp")
    assert len({c.text for c in found}) == 6
    assert [c.rank for c in found] == [1, 2, 3, 4, 5, 6]
    scores = [c.score for c in found]
    assert scores == sorted(scores, reverse=True)
    for c in found:
        kept = "".join(SENTENCE[start:end] for start, end in c.spans)
        assert kept.lower().replace(" ", "") == c.text.lower().replace(" ", "")


@pytest.mark.parametrize("max_chars", [25, 33, 40, 60, 90])
def test_max_chars_holds_for_the_print_and_loses_no_better_one(
    maxent_compressor: laconic.Compressor, max_chars: int
) -> None:
    ((everything),) = maxent_compressor.compress(SENTENCE, k=2000, method="ilp")
    fitting = [c for c in everything if len(c.text) <= max_chars]
    ((found),) = maxent_compressor.compress(SENTENCE, k=3, method="ilp", max_chars=max_chars)
    assert all(len(c.text) <= max_chars for c in found)
    assert [c.score for c in found] == pytest.approx([c.score for c in fitting[:3]])


@pytest.mark.parametrize(
    "sentence",
    [
        'He said "the bridge (built in 1910) is closed", and left.',
        "Profits rose to £6m.",
        "The mayor (a lawyer), who is 60, resigned...",
        "Because it rained, the match, which was sold out, was not played.",
        "Ann, Bob and Carla didn't come, but Dario did!",
        "“Prices won't fall”, the 39-year-old said; others disagreed.",
    ],
)
def test_length_shuts_out_nothing_that_fits(maxent_compressor: laconic.Compressor, sentence: str) -> None:
    ((everything),) = maxent_compressor.compress(sentence, k=3000, method="ilp")
    for max_chars in {len(c.text) for c in everything}:
        fitting = [c.score for c in everything if len(c.text) <= max_chars]
        ((found),) = maxent_compressor.compress(sentence, k=2, method="ilp", max_chars=max_chars)
        assert all(len(c.text) <= max_chars for c in found)
        assert [c.score for c in found] == pytest.approx(fitting[:2])


def test_perceptron_moves_weights_by_the_symmetric_difference_and_averages_them() -> None:
    """By hand: every sentence's features, its best subtree by enumeration, and the plain mean of all weights so far."""
    sentences = ["The mayor resigned on Friday, police said.", "Rain fell on Monday in Oslo.", "Two banks were robbed."]
    golds = ["The mayor resigned", "Rain fell", "Two banks were robbed"]
    parses = laconic.parse.SpacyParser(split=False).parse(sentences)
    items = [Item(text, ((0, len(gold)),)) for text, gold in zip(sentences, golds, strict=True)]
    shard = Shard(parses, gold_tokens(parses, items))
    forest = make_forest(parses)
    ptr, ids = _core.edge_features(forest)
    index = _core.FeatureIndex()
    index.count(ids)
    index.prune(1)
    ptr, columns = index.number(ids, ptr)
    state = Perceptron.start(len(index))
    wrong = sum(perceptron_pass(state, [shard], index, min_f1=0.5, seed=seed) for seed in range(3))
    found = _core.GoldSubtrees(forest, shard.gold)
    root, node_ptr, kept = found.root, forest.node_ptr, found.kept
    all_programs = list(programs(forest, None))
    first_edge = np.concatenate([[0], np.cumsum([len(program.head) for program in all_programs])])
    weights, history, mistakes = np.zeros(len(index)), [], 0
    for seed in range(3):
        for i in np.random.default_rng(seed).permutation(3).tolist():
            program = all_programs[i]
            rows = [columns[ptr[e] : ptr[e + 1]] for e in range(first_edge[i], first_edge[i + 1])]
            scored = replace(program, weight=np.array([weights[row].sum() for row in rows]))
            in_gold = kept[node_ptr[i] : node_ptr[i + 1]]
            gold = {e for e, (head, node) in enumerate(zip(program.head, program.node, strict=True))
                    if (node == root[i] if head < 0 else in_gold[head] and in_gold[node])}  # fmt: skip
            chosen = set(np.flatnonzero(Solver().best(program, scored.weight)).tolist())
            assert scored.weight[list(chosen)].sum() == pytest.approx(enumerate_all(scored)[0][0])
            mistakes += chosen != gold
            for e in gold - chosen:
                np.add.at(weights, rows[e], 1)
            for e in chosen - gold:
                np.add.at(weights, rows[e], -1)
            history.append(weights.copy())
    assert mistakes == wrong > 0
    assert state.steps == len(history) == 9
    assert state.weights == pytest.approx(weights)
    # The weights before a step count for it, so the first mean has none of the last change.
    assert state.averaged() == pytest.approx(np.mean([np.zeros(len(index)), *history[:-1]], axis=0), abs=1e-9)


def test_nothing_fits_is_said_with_the_sentence(maxent_compressor: laconic.Compressor) -> None:
    with pytest.raises(LaconicError, match=r"no compression of 'The mayor said .*…' fits into 3 characters: give more"):
        maxent_compressor.compress(SENTENCE, method="ilp", max_chars=3)


def test_punctuation_alone_is_returned_as_it_is(maxent_compressor: laconic.Compressor) -> None:
    assert maxent_compressor.compress("!!!", method="ilp")[0][0].text == "!!!"
    assert list(maxent_compressor.compress("", method="ilp")) == []


def test_max_chars_may_be_larger_than_anything(maxent_compressor: laconic.Compressor) -> None:
    found = maxent_compressor.compress(SENTENCE, method="ilp", max_chars=10**20)
    assert found == maxent_compressor.compress(SENTENCE, method="ilp")


@pytest.mark.parametrize("max_chars", [0, -1, True, 2.5])
def test_max_chars_must_be_a_number_of_characters(maxent_compressor: laconic.Compressor, max_chars: int) -> None:
    with pytest.raises(LaconicError, match="give a whole number of characters"):
        maxent_compressor.compress(SENTENCE, method="ilp", max_chars=max_chars)


@pytest.mark.parametrize(
    ("method", "options"),
    [("nss", {"max_chars": 40}), ("ilp", {"max_words": 4}), ("ilp", {"max_chars": 40, "keep": ["man"]}),
     ("ilp", {"rate": 0.4}), ("nss", {"keep_all": ["numbers"]}), ("ilp", {"protect": ("[", "]")})],
)  # fmt: skip
def test_limits_are_refused_where_they_would_be_ignored(
    maxent_compressor: laconic.Compressor, method: str, options: dict[str, Any]
) -> None:
    with pytest.raises(LaconicError, match=f"the method {method}"):
        maxent_compressor.compress(SENTENCE, method=method, **options)


def test_missing_solver_is_named_with_the_remedy(
    maxent_compressor: laconic.Compressor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(LaconicError, match=r'needs the solver HiGHS: pip install "laconic\[ilp\]"'):
        maxent_compressor.compress(SENTENCE, method="ilp")


def test_unknown_solver_option_is_refused() -> None:
    with pytest.raises(LaconicError, match="HiGHS does not know the option no_such"):
        Solver({"no_such": 1})


def test_time_inside_the_solver_is_part_of_decoding(maxent_compressor: laconic.Compressor) -> None:
    decoded = laconic.decode.decode(
        make_forest(maxent_compressor.parser.parse([SENTENCE])), maxent_compressor.model, k=3, method="ilp"
    )
    _, _, decoding, _ = decoded.nanoseconds.tolist()
    assert 0 < decoded.solver_nanoseconds[0] < decoding
