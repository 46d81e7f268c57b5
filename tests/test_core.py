"""The native core on arrays from any source: what it refuses, what it survives, and that its parts agree."""

from __future__ import annotations

import math
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from conftest import FIGURE_1, FIGURE_1_ENTITIES, given_parses
from random_trees import random_heads

import laconic
from laconic import LaconicError, _core
from laconic.decode import Objective, decode
from laconic.model_folders import maxent_folder
from laconic.parse import Parses, lemma_id, scheme
from laconic.realise import realise
from laconic.score import Model, Probabilities
from laconic.score.model import make_table
from laconic.tree import Tree, make_forest, make_trees


@pytest.fixture(scope="module")
def model() -> Model:
    return Model.load(maxent_folder())


def random_parses(rng: random.Random, tokens: int) -> Parses:
    """Any tree over any labels: nothing a parser would make, everything the core must survive."""
    words = [
        rng.choice(["a", "an", "old", "-", "'s", ",", '"', "(", ")", "Ann", "and", "3", "were", "é", "."])
        for _ in range(tokens)
    ]
    starts, text = [], ""
    for word in words:
        starts.append(len(text))
        text += word + rng.choice([" ", "", "  "])
    head = random_heads(rng, tokens)
    if rng.random() < 0.2:
        head = [rng.randrange(tokens) for _ in range(tokens)]  # cycles too
    return Parses(
        chars=np.array([ord(char) for char in text], dtype=np.uint32),
        char_ptr=np.array([0, len(text)], dtype=np.int64),
        token_ptr=np.array([0, tokens], dtype=np.int64),
        start=np.array(starts, dtype=np.int32),
        end=np.array([start + len(word) for start, word in zip(starts, words, strict=True)], dtype=np.int32),
        head=np.array(head, dtype=np.int32),
        label=np.array([rng.randrange(len(scheme.LABELS)) for _ in words], dtype=np.uint8),
        tag=np.array([rng.randrange(len(scheme.TAGS)) for _ in words], dtype=np.uint8),
        lemma=np.array([lemma_id(word) for word in words], dtype=np.uint64),
        entity=np.array([rng.choice([0, 0, 5, 14, 2]) for _ in words], dtype=np.uint8),
        entity_start=np.array([rng.random() < 0.5 for _ in words], dtype=np.uint8),
        sentence_start=np.array([rng.random() < 0.1 for _ in words], dtype=np.uint8),
    )


def random_probabilities(rng: random.Random, tokens: int) -> Probabilities:
    generator = np.random.default_rng(rng.randrange(2**32))
    retain, root_retain, need = generator.random((3, tokens), dtype=np.float32)
    return Probabilities(retain, root_retain, generator.normal(size=tokens).astype(np.float32), need)


@pytest.mark.parametrize(
    ("given", "options"),
    [
        (False, {}),
        (False, {"method": "nss"}),
        (False, {"objective": "joint", "order": "expected-f1"}),
        (True, {}),
        (True, {"objective": "mean"}),
        (True, {"order": "expected-f1"}),
    ],
)
def test_any_parse_gives_connected_subtrees_and_words_of_the_text(model: Model, given: bool, options: dict) -> None:
    rng = random.Random(5)
    for _ in range(300):
        parses = random_parses(rng, rng.randint(1, 25))
        edge_scores = random_probabilities(rng, len(parses.start)) if given else model
        decoded = decode(make_forest(parses), edge_scores, k=20, **options)
        trees = make_trees(make_forest(parses), model)
        for i, tree in enumerate(trees):
            parent = {edge.node: edge.head for edge in tree.edges if edge.head >= 0}
            roots = {edge.node for edge in tree.edges if edge.head < 0}
            seen = set()
            for r in range(decoded.result_ptr[i], decoded.result_ptr[i + 1]):
                nodes = tuple(decoded.node[decoded.node_ptr[r] : decoded.node_ptr[r + 1]].tolist())
                tops = [node for node in nodes if parent.get(node) not in nodes]
                assert len(tops) == 1
                assert tops[0] in roots
                assert nodes not in seen
                seen.add(nodes)
        for result in realise(make_forest(parses), decoded):
            for sentence in result.sentences:
                for compression in sentence.compressions:
                    assert compression.text
                    kept = "".join(result.text[start:end] for start, end in compression.spans)
                    assert "".join(kept.split()).lower() == "".join(compression.text.split()).lower()


def bare_tree(tree: Tree) -> tuple[list[int], list[float], list[float | None]]:
    """What `k_best` takes."""
    count = len(tree.nodes)
    heads, retain, roots = [-1] * count, [0.0] * count, [None] * count
    for edge in tree.edges:
        if edge.head < 0:
            roots[edge.node] = edge.p_ret
        else:
            heads[edge.node], retain[edge.node] = edge.head, edge.p_ret
    return heads, retain, roots


@pytest.mark.parametrize("objective", [Objective.MEAN, Objective.JOINT])
@pytest.mark.parametrize("given", [False, True], ids=["model", "probabilities"])
def test_batch_core_and_bare_algorithm_agree(model: Model, given: bool, objective: Objective) -> None:
    parses = given_parses(FIGURE_1, FIGURE_1_ENTITIES)
    edge_scores = random_probabilities(random.Random(2), len(parses.start)) if given else model
    (tree,) = make_trees(make_forest(parses), edge_scores)
    bare = laconic.k_best(*bare_tree(tree), 50, objective=objective)
    decoded = decode(make_forest(parses), edge_scores, k=50, rho=0.5, objective=objective)
    nodes = [
        tuple(decoded.node[decoded.node_ptr[r] : decoded.node_ptr[r + 1]].tolist()) for r in range(len(decoded.score))
    ]
    assert nodes == [found for _, found in bare]
    assert decoded.score.tolist() == pytest.approx([score for score, _ in bare], abs=1e-9)


def test_given_probabilities_are_those_of_head_words() -> None:
    # Two texts, so that rows of the batch and tokens of a sentence differ.
    parses = Parses.concatenate(
        [given_parses(FIGURE_1, FIGURE_1_ENTITIES), given_parses("It/PRP/nsubj/1 rained/VBD/ROOT/1")] * 2
    )
    count = len(parses.start)
    given = Probabilities(
        np.linspace(0.1, 0.4, count, dtype=np.float32), np.linspace(0.6, 0.9, count, dtype=np.float32)
    )
    trees = make_trees(make_forest(parses), given)
    for (number, first, last), tree in zip(parses.sentences(), trees, strict=True):
        text = parses.texts()[number]
        rows = {text[parses.start[row] : parses.end[row]]: row for row in range(first, last)}
        for edge in tree.edges:
            row = rows[tree.nodes[edge.node].word]
            assert edge.p_ret == (given.root_retain if edge.head < 0 else given.retain)[row]
    decoded = decode(make_forest(parses), given, k=10)
    for i, tree in enumerate(trees):
        scores = decoded.score[decoded.result_ptr[i] : decoded.result_ptr[i + 1]]
        bare = laconic.k_best(*bare_tree(tree), 10, objective="joint")
        assert scores.tolist() == pytest.approx([score for score, _ in bare], abs=1e-9)


def test_settings_of_the_edge_scores_are_the_default(model: Model) -> None:
    parses = given_parses(FIGURE_1, FIGURE_1_ENTITIES)
    given = random_probabilities(random.Random(4), len(parses.start))
    tuned = {"rho": 0.7, "objective": "mean", "order": "score"}
    joint = replace(model, header={**model.header, "objective": "joint", "order": "expected-f1"})
    for edge_scores, options in [
        (given, {"rho": 0.5, "objective": "joint", "order": "score"}),
        (replace(given, **tuned), tuned),
        (model, {"rho": model.rho, "objective": "mean", "order": "score"}),
        (joint, {"rho": model.rho, "objective": "joint", "order": "expected-f1"}),
    ]:
        found, expected = (
            decode(make_forest(parses), edge_scores, k=9),
            decode(make_forest(parses), edge_scores, k=9, **options),
        )
        assert found.score.tolist() == expected.score.tolist()
        assert found.node.tolist() == expected.node.tolist()


@pytest.mark.parametrize(
    ("retain", "root_retain", "message"),
    [
        ([0.5, 0.5], [0.5], r"retain has the shape \(2,\) and root_retain \(1,\): give one number for each token"),
        ([[0.5]], [[0.5]], r"the shape \(1, 1\)"),
        ([0.5, math.nan], [0.5, 0.5], r"retain\[1\] is nan: give a probability between 0 and 1"),
        ([0.5, 0.5], [0.5, math.inf], r"root_retain\[1\] is inf: give a probability"),
        ([-0.5, 0.5], [0.5, 0.5], r"retain\[0\] is -0.5: give a probability"),
    ],
)
def test_what_is_no_probability_is_named(retain: list, root_retain: list, message: str) -> None:
    with pytest.raises(LaconicError, match=message):
        Probabilities(np.array(retain, dtype=np.float32), np.array(root_retain, dtype=np.float32))


@pytest.mark.parametrize("rows", [0, 1, 3])
def test_probabilities_of_other_parses_are_refused(rows: int) -> None:
    parses = given_parses("It/PRP/nsubj/1 rained/VBD/ROOT/1")
    message = f"there are probabilities for {rows} tokens, and the parses have 2: give one for each token"
    with pytest.raises(ValueError, match=message):
        decode(make_forest(parses), random_probabilities(random.Random(0), rows))
    with pytest.raises(ValueError, match=message):
        make_trees(make_forest(parses), random_probabilities(random.Random(0), rows))


@pytest.mark.parametrize("column", range(5))
def test_the_core_refuses_columns_of_other_lengths(column: int) -> None:
    parses = given_parses("It/PRP/nsubj/1 rained/VBD/ROOT/1")
    for wrong in (0, 1, 3):
        columns = [np.full(wrong if i == column else 2, 0.5, dtype=np.float32) for i in range(5)]
        edge_scores = _core.Probabilities(*columns)
        with pytest.raises(ValueError, match=f"there are probabilities for {wrong} tokens, and the parses have 2"):
            edge_scores.retain(make_forest(parses))


@pytest.mark.parametrize("method", ["nss", "ilp"])
def test_methods_that_need_a_model_say_so(method: str) -> None:
    parses = given_parses("It/PRP/nsubj/1 rained/VBD/ROOT/1")
    message = f"the method {method} needs the maximum entropy scorer: use scorer='maxent'"
    with pytest.raises(LaconicError, match=message):
        decode(make_forest(parses), random_probabilities(random.Random(0), 2), method=method)


def test_options_that_do_not_go_together_are_refused(model: Model) -> None:
    parses = given_parses("It/PRP/nsubj/1 rained/VBD/ROOT/1")
    with pytest.raises(LaconicError, match="the objective joint does not go with the method nss: use"):
        decode(make_forest(parses), model, method="nss", objective="joint")
    with pytest.raises(LaconicError, match="objective does not go with the method ilp: leave it out"):
        decode(make_forest(parses), model, method="ilp", objective="mean")
    with pytest.raises(LaconicError, match="order does not go with the method ilp: leave it out"):
        decode(make_forest(parses), model, method="ilp", order="score")


def test_higher_rho_never_deletes_more(model: Model) -> None:
    parses = given_parses(FIGURE_1, FIGURE_1_ENTITIES)
    sizes = [len(decode(make_forest(parses), model, k=1, rho=rho).node) for rho in (0.0, 0.2, 0.5, 0.8, 1.0)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_rho_maps_p_del_piecewise_linearly(model: Model) -> None:
    # The best result flips for an edge exactly when rho crosses its p_del.
    parses = given_parses(FIGURE_1, FIGURE_1_ENTITIES)
    (tree,) = make_trees(make_forest(parses), model)
    root = max((edge for edge in tree.edges if edge.head < 0), key=lambda edge: edge.p_ret).node
    checked = 0
    for edge in tree.edges:
        if edge.head == root:
            p_del = 1 - edge.p_ret
            if 0.01 < p_del < 0.99:
                assert edge.node not in decode(make_forest(parses), model, k=1, rho=p_del - 0.005).node.tolist()
                assert edge.node in decode(make_forest(parses), model, k=1, rho=p_del + 0.005).node.tolist()
                checked += 1
    assert checked


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"head": np.array([9, 0], dtype=np.int32)}, "heads must be tokens"),
        ({"head": np.array([0], dtype=np.int32)}, "same length"),
        ({"start": np.array([3, 0], dtype=np.int32)}, "in order"),
        ({"end": np.array([1, 99], dtype=np.int32)}, "inside their text"),
        ({"token_ptr": np.array([0, 1], dtype=np.int64)}, "token_ptr must run"),
        ({"char_ptr": np.array([0, 1], dtype=np.int64)}, "char_ptr must run"),
    ],
)
def test_arrays_that_do_not_fit_together_are_refused(change: dict, message: str, model: Model) -> None:
    parses = replace(given_parses("It/PRP/nsubj/1 rained/VBD/ROOT/1"), **change)
    with pytest.raises(ValueError, match=message):
        decode(make_forest(parses), model)


def test_weight_table_keeps_every_feature_and_invents_none() -> None:
    rng = np.random.default_rng(0)
    ids = np.unique(rng.integers(0, 2**32, 50_000, dtype=np.uint64).astype(np.uint32))
    weights = rng.normal(size=(len(ids), 1))
    slots, scale = make_table(ids, weights)
    table = slots.reshape(-1, 2)
    found = Counter(table[table[:, 0] != 0, 1].view(np.int16).tolist())
    expected = Counter(np.rint(weights / scale).astype(int).ravel().tolist())
    assert not found - expected
    # Ids that differ only in bits that a small table drops share a slot.
    assert (expected - found).total() <= len(ids) * 0.001


def test_loss_is_the_same_for_any_number_of_threads() -> None:
    rng = np.random.default_rng(1)
    ptr = np.arange(0, 5001, 5, dtype=np.int64)
    columns = rng.integers(0, 50, 5000).astype(np.int32)
    label = rng.integers(0, 2, 1000).astype(np.uint8)
    weights = rng.normal(size=50)
    results = []
    for threads in (1, 2, 7):
        gradient = np.zeros(50)
        results.append((_core.logistic_loss(ptr, columns, label, weights, gradient, threads), gradient))
    sums = weights[columns].reshape(-1, 5).sum(axis=1)
    expected = np.mean(np.logaddexp(0, np.where(label == 1, -sums, sums)))
    for loss, gradient in results:
        assert loss == results[0][0]
        assert loss == pytest.approx(expected)
        assert (gradient == results[0][1]).all()


ROWS = (
    np.array([0, 2, 3], dtype=np.int64),
    np.array([0, 1, 1], dtype=np.int32),
    np.array([1, 0], dtype=np.uint8),
)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda ptr, columns, label: _core.logistic_loss(ptr, columns, label, np.zeros(1), np.zeros(1), 1), "features"),
        (lambda ptr, columns, label: _core.logistic_loss(ptr, columns, label, np.zeros(2), np.zeros(3), 1), "gradient"),
        (lambda ptr, columns, label: _core.logistic_loss(ptr[:2], columns, label, np.zeros(2), np.zeros(2), 1), "ptr"),
        (lambda ptr, columns, label: _perceptron(ptr, columns, label, order=[2]), "no such row"),
        (lambda ptr, columns, label: _perceptron(ptr, columns, label, classes=1), "labels must be classes"),
        (lambda ptr, columns, label: _perceptron(ptr, columns, label, classes=0), "there must be a class"),
        (lambda ptr, columns, label: _perceptron(ptr, columns + 1, label), "features"),
        (lambda ptr, columns, label: _core.FeatureIndex().number(np.zeros(2, dtype=np.uint32), ptr), "ptr must run"),
        (lambda ptr, columns, label: _core.fill_table(np.zeros(1, np.uint32), np.zeros(1, np.int16), 1, 40), "homes"),
        (lambda ptr, columns, label: _k_best([-1, 0], 3), "same length"),
        (lambda ptr, columns, label: _k_best([-1, 5], 2), "parents must be nodes"),
        (lambda ptr, columns, label: _k_best([1, 0], 2), "circle"),
        (lambda ptr, columns, label: _k_best([0, -1], 2), "circle"),
    ],
)
def test_sizes_and_bounds_are_checked_and_all_errors_are_ours(call: Callable[..., object], message: str) -> None:
    with pytest.raises(LaconicError, match=message):
        call(*ROWS)


def _perceptron(
    ptr: np.ndarray, columns: np.ndarray, label: np.ndarray, order: Sequence[int] = (0,), classes: int = 2
) -> int:
    order = np.array(order, dtype=np.int64)
    return _core.perceptron_pass(ptr, columns, label, order, classes, 0, np.zeros(4), np.zeros(4))


def _k_best(parent: list[int], size: int) -> list:
    return _core.k_best(np.array(parent, dtype=np.int32), np.full(size, 0.5), np.full(size, 0.5), 1, True)


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")
def test_an_exception_in_a_worker_thread_ends_the_call_and_not_the_process() -> None:
    """Each thread of the loss has a gradient of its own; here there is no memory for any."""
    script = """
import resource
import numpy as np
from laconic import LaconicError, _core
weights = np.zeros(1 << 26)
gradient = np.zeros(1 << 26)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (256 << 20), resource.RLIM_INFINITY))
rows = np.zeros(9, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros(8, dtype=np.uint8)
for threads in (1, 4):
    try:
        _core.logistic_loss(*rows, weights, gradient, threads)
    except LaconicError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("there is not enough memory for this") == 2


def test_numbers_of_128_bits_compare_as_they_should() -> None:
    """Two items of which one is worth a little more for its length, by a difference far beyond 64 bits."""
    big = 2**58
    one = np.arange(3, dtype=np.int64)
    none = np.zeros(2, dtype=np.int64)
    for values, taken in [((big, big + 1), [-1, 0]), ((big + 1, big), [0, -1])]:
        options, *_ = _core.choose(
            one, one, np.array([big - 1, big - 1]), np.array(values), none, np.zeros(2, dtype=np.uint8), big
        )
        assert options.tolist() == taken
