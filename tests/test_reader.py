"""The reader: what has become of words in a result, what it is asked, and how its answers put results in order."""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import FIGURE_1, FIGURE_1_ENTITIES, given_parses
from numpy.typing import NDArray

import laconic
from laconic import LaconicError, _core
from laconic._core import WordState
from laconic.decode import Decoded, decode
from laconic.levels import NESTED
from laconic.model_folders import model_folder
from laconic.network.shape import MAX_PIECES
from laconic.parse import Parses
from laconic.plan import make_plan
from laconic.reader import cuts
from laconic.reader.rank import CANDIDATES, rank
from laconic.reader.reader import GRAPH_NAME, HEADER_NAME, Reader
from laconic.score import LevelScores
from laconic.tree import Forest, make_forest

TEXTS = [
    "The singer took to the stage on Sunday to thank the nurses who had looked after her mother for nine weeks.",
    "Our neighbour, who is a retired plumber, provided us with excellent advice and came back the next morning.",
    "If the blue light is on, hold the button for five seconds and wait until the printer has warmed up again.",
    "The old bridge could stand in the way of the new tram line, engineers from the city council said on Friday.",
    "Most visitors will end up with a ticket that they do not need, because the machine explains nothing at all.",
]

#: States in the order of their numbers, as a letter each: a sign, printed, deleted, cut, promoted.
LETTERS = ".pdcr"


@pytest.fixture(scope="module")
def whole() -> laconic.Compressor:
    """Texts are sentences."""
    return laconic.load(split=False)


def nodes_of(decoded: Decoded, row: int) -> list[int]:
    return decoded.node[decoded.node_ptr[row] : decoded.node_ptr[row + 1]].tolist()


def print_nodes(forest: Forest, *nodes: list[int]) -> Decoded:
    """Those of every sentence, as its only result."""
    printer = _core.Printer(forest, False)
    for i, own in enumerate(nodes):
        printer.begin(i)
        assert printer.add(0.0, own, 2**62)
        printer.end()
    return printer.finish()


# What has become of words.


@pytest.mark.parametrize(
    ("kept", "states"),
    [
        # The police said the man who robbed a bank in Arizona was arrested at his home late Friday .
        ("The police said man arrested home", "p p p p p d c d d d d p p p p p d c ."),
        ("The police said man arrested Friday", "p p p p p d c d d d d p p d d c c p ."),
        ("man arrested Friday", "d d d p p d c d d d d p r d d c c p ."),
        ("man who robbed bank", "d d d p r p p p p d c d d d d d d d ."),
        ("The police said", "p p p d d d d d d d d d c d d d d d ."),
        ("police said", "c p p d d d d d d d d d c d d d d d ."),
    ],
)
def test_what_is_cut_and_what_is_promoted(kept: str, states: str) -> None:
    forest = make_forest(given_parses(FIGURE_1, FIGURE_1_ENTITIES))
    (text,) = forest.parses.texts()
    words = [text[forest.parses.start[row] : forest.parses.end[row]] for row in forest.row.tolist()]
    decoded = print_nodes(forest, [words.index(word) for word in kept.split()])
    found = _core.find_cuts(forest, decoded, np.array([0]))
    assert " ".join(LETTERS[state] for state in found.state.tolist()) == states
    assert found.token_ptr.tolist() == [0, len(forest.node_of)]


def expected_states(forest: Forest, decoded: Decoded, row: int) -> list[int]:
    """The same, word by word."""
    i = int(np.searchsorted(decoded.result_ptr, row, side="right")) - 1
    first, node_ptr, parses = int(forest.sentence_first[i]), int(forest.node_ptr[i]), forest.parses
    pieces = range(int(decoded.piece_ptr[row]), int(decoded.piece_ptr[row + 1]))
    shown = {int(decoded.piece_pronoun[piece]) for piece in pieces}
    nodes = set(nodes_of(decoded, row))
    states = []
    for token in range(first, int(forest.sentence_last[i])):
        node = int(forest.node_of[token])
        if node < 0:
            states.append(int(WordState.SIGN))
            continue
        here = token in shown or any(
            decoded.piece_pronoun[piece] < 0
            and parses.start[token] < decoded.piece_end[piece]
            and decoded.piece_start[piece] < parses.end[token]
            for piece in pieces
        )
        above = int(forest.parent[node_ptr + node])
        is_head = int(forest.row[node_ptr + node]) == token
        if here:
            top = is_head and node in nodes and above >= 0 and above not in nodes
            states.append(int(WordState.PROMOTED if top else WordState.PRINTED))
        else:
            off = is_head and node not in nodes and above in nodes
            states.append(int(WordState.CUT if off else WordState.DELETED))
    return states


@pytest.mark.parametrize("resolve", [False, True])
def test_states_are_those_of_results_of_every_kind(compressor: laconic.Compressor, resolve: bool) -> None:
    texts = [*TEXTS, "A baker was fined by the council, and he said that he would pay at 8 a.m. every day until May."]
    forest, scores = compressor.read(texts)
    plan = make_plan(forest, scores, level=NESTED[1])
    decoded = decode(forest, plan.edge_scores, k=60, order="score", resolve_pronouns=resolve)
    rows = np.random.default_rng(0).permutation(len(decoded.score))
    found = _core.find_cuts(forest, decoded, rows)
    states = [found.state[a:b].tolist() for a, b in itertools.pairwise(found.token_ptr.tolist())]
    assert states == [expected_states(forest, decoded, row) for row in rows.tolist()]
    assert {state for own in states for state in own} == set(range(cuts.STATES))


def test_cuts_of_other_results_are_refused(compressor: laconic.Compressor) -> None:
    forest, scores = compressor.read(TEXTS)
    plan = make_plan(forest, scores, level=NESTED[1])
    decoded = decode(forest, plan.edge_scores, **plan.how)
    for row in (-1, len(decoded.score)):
        with pytest.raises(LaconicError, match="no such row"):
            _core.find_cuts(forest, decoded, np.array([row]))
    other, _ = compressor.read(TEXTS[:2])
    with pytest.raises(LaconicError, match="of the forest"):
        _core.find_cuts(other, decoded, np.array([0]))


def test_those_who_train_know_the_same_states() -> None:
    assert (cuts.CUT, cuts.PROMOTED) == (WordState.CUT, WordState.PROMOTED)
    assert len(WordState.__members__) == cuts.STATES == len(LETTERS)


# What the reader is asked.


class Asked:
    """In the place of a session: says of a word what its vector and its state are."""

    def run(self, names: list[str], inputs: dict[str, NDArray]) -> list[NDArray]:
        assert names == ["fault"]
        assert inputs["vectors"].dtype == np.uint8
        assert (inputs["states"][inputs["mask"] == 0] == 0).all()
        return [(inputs["vectors"][..., :1] + inputs["states"][..., None]).astype(np.float32)]


@pytest.fixture
def asked() -> Reader:
    reader = Reader.__new__(Reader)
    reader._session = Asked()  # type: ignore[assignment]
    return reader


def test_what_counts_is_said_of_words_that_are_cut_or_promoted(compressor: laconic.Compressor, asked: Reader) -> None:
    forest, scores = compressor.read(TEXTS)
    plan = make_plan(forest, scores, level=NESTED[0])
    decoded = decode(forest, plan.edge_scores, k=40, order="score")
    vectors = np.random.default_rng(0).integers(0, 9, (len(forest.node_of), 3), dtype=np.uint8)
    rows = np.arange(len(decoded.score))[::3]
    expected = []
    for row in rows.tolist():
        first = forest.sentence_first[np.searchsorted(decoded.result_ptr, row, side="right") - 1]
        states = enumerate(expected_states(forest, decoded, row))
        logits = [vectors[first + at, 0] + state for at, state in states if state in (cuts.CUT, cuts.PROMOTED)]
        expected.append(-sum(float(np.log1p(np.exp(np.float64(logit)))) for logit in logits))
    assert asked.read(vectors, forest, decoded, rows).tolist() == pytest.approx(expected)
    assert min(expected) < max(expected) <= 0


@pytest.mark.parametrize("lengths", [[MAX_PIECES + 1], [MAX_PIECES + 1, MAX_PIECES], [5, MAX_PIECES + 40]])
def test_what_is_too_long_is_not_read_whatever_is_beside_it(asked: Reader, lengths: list[int]) -> None:
    specs = ["go/VB/ROOT/0 " + " ".join(f"word{i}/NN/dobj/0" for i in range(1, length)) for length in lengths]
    forest = make_forest(Parses.concatenate([given_parses(spec) for spec in specs]))
    decoded = print_nodes(forest, *([0] for _ in lengths))
    found = asked.read(np.zeros((sum(lengths), 1), np.uint8), forest, decoded, np.arange(len(lengths)))
    assert (found == 0).tolist() == [length > MAX_PIECES for length in lengths]


def read_all(compressor: laconic.Compressor, k: int) -> tuple[Forest, Decoded, LevelScores]:
    forest, scores = compressor.read(TEXTS, vectors=True)
    assert isinstance(scores, LevelScores)
    plan = make_plan(forest, scores, level=NESTED[0])
    return forest, decode(forest, plan.edge_scores, k=k, order="score", pins=None), scores


def test_what_is_read_does_not_depend_on_what_is_read_with_it(whole: laconic.Compressor) -> None:
    forest, decoded, scores = read_all(whole, 30)
    rows = np.arange(len(decoded.score))
    together = scores.seen.read(forest, decoded, rows)
    assert together.tolist() == [scores.seen.read(forest, decoded, rows[i : i + 1])[0] for i in rows]
    assert len(set(together.tolist())) > len(rows) / 2


def test_a_result_from_which_something_is_missing_is_less_likely(whole: laconic.Compressor) -> None:
    """Of one sentence, cut in two ways: "took to the stage", "took"."""
    forest, decoded, scores = read_all(whole, 2000)
    rows = np.arange(int(decoded.result_ptr[1]))
    read = scores.seen.read(forest, decoded, rows)
    by_print: dict[str, float] = {}
    for row in rows.tolist():
        own = slice(int(decoded.piece_ptr[row]), int(decoded.piece_ptr[row + 1]))
        spans = zip(decoded.piece_start[own].tolist(), decoded.piece_end[own].tolist(), strict=True)
        by_print[" ".join(TEXTS[0][a:b] for a, b in spans)] = float(read[row])
    assert by_print[TEXTS[0].replace(".", " .")] == 0 == max(by_print.values())
    assert by_print["The singer took to the stage on Sunday ."] > by_print["The singer took on Sunday ."] + 1
    # Either may go, but not both.
    for left in ("to the stage .", "to the stage to thank nurses ."):
        assert by_print[f"The singer took {left}"] > by_print["The singer took ."] + 1


# What its answers do.


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("k", [1, 3, 50])
def test_results_are_ranked_by_score_and_by_what_is_missing(compressor: laconic.Compressor, seed: int, k: int) -> None:
    forest, scores = compressor.read(TEXTS)
    plan = make_plan(forest, scores, level=NESTED[2])
    decoded = decode(forest, plan.edge_scores, k=12, order="score", **plan.how)
    lost = -np.random.default_rng(seed).exponential(10.0, len(decoded.score))
    asked: list[int] = []

    def missed(rows: np.ndarray) -> np.ndarray:
        asked.extend(rows.tolist())
        return lost[rows]

    found = rank(decoded, missed, k)
    assert len(asked) == len(set(asked)) <= len(decoded.score)
    for i in range(len(forest)):
        own = range(int(decoded.result_ptr[i]), int(decoded.result_ptr[i + 1]))
        parts = (own[:CANDIDATES], own[CANDIDATES:])
        best = [row for part in parts for row in sorted(part, key=lambda row: -(decoded.score[row] + lost[row]))][:k]
        rows = range(int(found.result_ptr[i]), int(found.result_ptr[i + 1]))
        assert [nodes_of(found, row) for row in rows] == [nodes_of(decoded, row) for row in best]
        assert found.score[rows].tolist() == [decoded.score[row] + lost[row] for row in best]


def test_only_what_could_be_the_best_is_read(compressor: laconic.Compressor) -> None:
    forest, scores = compressor.read(TEXTS)
    plan = make_plan(forest, scores, level=NESTED[1])
    decoded = decode(forest, plan.edge_scores, k=8, order="score", **plan.how)
    asked: list[int] = []

    def nothing(rows: np.ndarray) -> np.ndarray:
        asked.extend(rows.tolist())
        return np.zeros(len(rows))

    rank(decoded, nothing, 1)
    assert set(asked) <= set(decoded.result_ptr[:-1].tolist())


def test_the_reader_has_its_say_within_budgets_and_at_levels(whole: laconic.Compressor) -> None:
    def both(text: str, **options: object) -> tuple[str, str]:
        by_score, by_reader, own = (
            whole.compress(text, **options, **order)[0][0].text
            for order in ({"order": "score"}, {"order": "reader"}, {})
        )
        assert own == by_reader
        return by_score, by_reader

    levels = [both(text, level=level) for text in TEXTS for level in NESTED]
    assert any(by_score != by_reader for by_score, by_reader in levels)
    budgets = [both(text, rate=rate, nearest=True) for text in TEXTS for rate in (0.3, 0.35, 0.4, 0.5, 0.6, 0.7)]
    assert any(by_score != by_reader for by_score, by_reader in budgets)


def test_results_do_not_depend_on_the_batch(whole: laconic.Compressor) -> None:
    together = [result[0][0].text for result in whole.batch(TEXTS * 3, rate=0.5, nearest=True)]
    assert together == [whole.compress(text, rate=0.5, nearest=True)[0][0].text for text in TEXTS] * 3


def test_the_first_is_the_same_however_many_are_asked_for(whole: laconic.Compressor) -> None:
    first = [result[0][0].text for result in whole.batch(TEXTS)]
    for k in (2, 8, 30):
        assert [result[0][0].text for result in whole.batch(TEXTS, k)] == first


# Where there is none.


@pytest.mark.parametrize(("model", "options"), [("small", {}), ("default", {"level": "headline"})])
def test_the_order_reader_needs_a_reader_and_a_level(model: str, options: dict) -> None:
    said = "goes with the levels of a network that has a reader, as default has: leave it out, or use that model"
    with pytest.raises(LaconicError, match=said):
        laconic.load(model).compress(TEXTS[0], order="reader", **options)


def test_the_order_reader_needs_a_network() -> None:
    with pytest.raises(LaconicError, match="the order reader goes with networks: leave it out"):
        laconic.load(scorer="maxent").compress(TEXTS[0], order="reader")


def test_a_network_without_a_reader_has_the_order_of_scores() -> None:
    small = laconic.load("small")
    assert small.compress(TEXTS[0]) == small.compress(TEXTS[0], order="score")
    _, scores = small.read(TEXTS, vectors=True)
    assert scores.seen is None


def change(name: str, value: object) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        header = json.loads((folder / HEADER_NAME).read_text())
        (folder / HEADER_NAME).write_text(json.dumps({**header, name: value}))

    return damage


def spoil(folder: Path) -> None:
    with (folder / GRAPH_NAME).open("r+b") as file:
        file.seek(1000)
        file.write(b"damage")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (change("format", 99), "reader.json is not one that this laconic reads: reinstall laconic"),
        (change("network_sha256", "0" * 64), "reader.json learned with another network: train it again, or delete it"),
        (change("sha256", "0" * 64), "reader.onnx is damaged: copy it again"),
        (spoil, "reader.onnx is damaged: copy it again"),
        (lambda folder: (folder / GRAPH_NAME).unlink(), "cannot read the network .*reader.onnx .*: reinstall laconic"),
        (lambda folder: (folder / HEADER_NAME).write_text("{"), "cannot read the reader .*: reinstall laconic"),
        (lambda folder: (folder / HEADER_NAME).write_text("[]"), "cannot read the reader .*: reinstall laconic"),
        (lambda folder: (folder / HEADER_NAME).write_text("{}"), "cannot read the reader .*: reinstall laconic"),
    ],
)
def test_a_damaged_reader_is_named_with_the_remedy(tmp_path: Path, damage: Callable, said: str) -> None:
    folder = tmp_path / "model"
    shutil.copytree(model_folder(), folder)
    compressor = laconic.load(folder)
    damage(folder)
    with pytest.raises(LaconicError, match=said):
        compressor.compress(TEXTS[0])


def test_a_copied_reader_gives_the_same_results_and_a_deleted_one_those_without(
    tmp_path: Path, whole: laconic.Compressor
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(model_folder(), folder)
    assert laconic.load(folder, split=False).batch(TEXTS, level="short") == whole.batch(TEXTS, level="short")
    (folder / HEADER_NAME).unlink()
    without = laconic.load(folder, split=False)
    assert without.batch(TEXTS, level="short") == whole.batch(TEXTS, level="short", order="score")


def test_training_needs_no_core() -> None:
    """It can be done on a machine where laconic is not built."""
    modules = "laconic.reader.cuts, laconic.network.examples, laconic.network.pieces, laconic.network.start"
    code = f"import sys; sys.modules['laconic._core'] = None; import {modules}"
    subprocess.run([sys.executable, "-c", code], check=True)
