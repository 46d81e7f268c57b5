"""The reader: what it is shown, what it is asked, and how its answers put results in order."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import laconic
from laconic import LaconicError, _core
from laconic.decode import decode
from laconic.levels import NESTED
from laconic.model_folders import model_folder
from laconic.network.pieces import Pieces
from laconic.plan import make_plan
from laconic.reader.make_prints import make_prints
from laconic.reader.prints import SEVERAL, Prints
from laconic.reader.rank import CANDIDATES, rank
from laconic.reader.reader import FOLDER_NAME, GRAPH_NAME, HEADER_NAME, Reader, shipped_reader
from laconic.tree import Forest, make_forest

TEXTS = [
    "The singer took to the stage on Sunday to thank the nurses who had looked after her mother for nine weeks.",
    "Our neighbour, who is a retired plumber, provided us with excellent advice and came back the next morning.",
    "If the blue light is on, hold the button for five seconds and wait until the printer has warmed up again.",
    "The old bridge could stand in the way of the new tram line, engineers from the city council said on Friday.",
    "Most visitors will end up with a ticket that they do not need, because the machine explains nothing at all.",
]


def printed_tokens(forest: Forest, i: int, nodes: list[int]) -> list[int]:
    """Rows of the tokens of sentence `i` that are printed when these nodes are kept."""
    printer = _core.Printer(forest, False)
    printer.begin(i)
    printer.add(0.0, nodes, 2**62)
    printer.end()
    starts = printer.finish().piece_start.tolist()
    rows = range(int(forest.sentence_first[i]), int(forest.sentence_last[i]))
    by_start = {int(forest.parses.start[row]): row for row in rows}
    return [by_start[start] for start in starts]


def is_word(forest: Forest, row: int) -> bool:
    return int(forest.node_of[row]) >= 0


def test_gaps_are_where_words_have_gone(compressor: laconic.Compressor) -> None:
    forest, scores = compressor.read(TEXTS)
    plan = make_plan(forest, scores, level=NESTED[1])
    decoded = decode(forest, plan.edge_scores, k=20, order="score", **plan.how)
    rows = np.arange(len(decoded.score))
    gaps = _core.find_gaps(forest, decoded, rows)
    for row in rows.tolist():
        i = int(np.searchsorted(decoded.result_ptr, row, side="right")) - 1
        nodes = decoded.node[decoded.node_ptr[row] : decoded.node_ptr[row + 1]].tolist()
        tokens = printed_tokens(forest, i, nodes)
        own = slice(int(gaps.token_ptr[row]), int(gaps.token_ptr[row + 1]))
        assert gaps.token[own].tolist() == tokens
        words = [token for token in tokens if is_word(forest, token)]
        before = dict(zip(words, [int(forest.sentence_first[i]) - 1, *words], strict=False))
        for token, missing in zip(tokens, gaps.missing[own].tolist(), strict=True):
            lost = token in before and any(is_word(forest, between) for between in range(before[token] + 1, token))
            assert bool(missing) == lost
        after = range(words[-1] + 1, int(forest.sentence_last[i]))
        assert bool(gaps.ends[row]) == any(is_word(forest, token) for token in after)


def test_gaps_of_other_results_are_refused(compressor: laconic.Compressor) -> None:
    forest, scores = compressor.read(TEXTS)
    plan = make_plan(forest, scores, level=NESTED[1])
    decoded = decode(forest, plan.edge_scores, **plan.how)
    with pytest.raises(LaconicError, match="no such row"):
        _core.find_gaps(forest, decoded, np.array([len(decoded.score)]))
    other, _ = compressor.read(TEXTS[:2])
    with pytest.raises(LaconicError, match="of the forest"):
        _core.find_gaps(other, decoded, np.array([0]))


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
        expected = [decoded.node[decoded.node_ptr[row] : decoded.node_ptr[row + 1]].tolist() for row in best]
        rows = range(int(found.result_ptr[i]), int(found.result_ptr[i + 1]))
        assert [found.node[found.node_ptr[row] : found.node_ptr[row + 1]].tolist() for row in rows] == expected
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


def test_a_print_in_which_something_is_missing_is_less_likely() -> None:
    """Of one sentence, cut in two ways: "took to the stage", "took"."""
    compressor = laconic.load(split=False)
    forest, scores = compressor.read(TEXTS)
    plan = make_plan(forest, scores, level=NESTED[0])
    decoded = decode(forest, plan.edge_scores, k=2000, order="score", pins=None)
    rows = np.arange(int(decoded.result_ptr[1]))
    read = shipped_reader().read(forest, decoded, rows)
    words = forest.parses.texts()[0]
    by_print: dict[str, float] = {}
    for row in rows.tolist():
        own = slice(int(decoded.piece_ptr[row]), int(decoded.piece_ptr[row + 1]))
        spans = zip(decoded.piece_start[own].tolist(), decoded.piece_end[own].tolist(), strict=True)
        by_print[" ".join(words[a:b] for a, b in spans)] = float(read[row])
    assert max(by_print.values()) <= 0
    assert by_print["The singer took to the stage on Sunday ."] > by_print["The singer took on Sunday ."] + 1


def test_the_reader_has_its_say_within_budgets_and_at_levels() -> None:
    compressor = laconic.load(split=False)

    def printed(**options: str) -> str:
        return compressor.compress(TEXTS[0], max_chars=34, **options)[0][0].text

    assert printed(order="score") == "The singer took to thank nurses."
    assert printed(order="reader") == printed() == "The singer took to the stage."


def test_what_is_read_does_not_depend_on_the_batch() -> None:
    compressor = laconic.load(split=False)
    together = [result[0][0].text for result in compressor.batch(TEXTS * 3, rate=0.5, nearest=True)]
    assert together == [compressor.compress(text, rate=0.5, nearest=True)[0][0].text for text in TEXTS] * 3


def test_the_first_is_the_same_however_many_are_asked_for() -> None:
    compressor = laconic.load(split=False)
    first = [result[0][0].text for result in compressor.batch(TEXTS)]
    for k in (2, 8, 30):
        assert [result[0][0].text for result in compressor.batch(TEXTS, k)] == first


def test_the_order_reader_needs_a_network() -> None:
    with pytest.raises(LaconicError, match="reader"):
        laconic.load(scorer="maxent").compress(TEXTS[0], order="reader")
    with pytest.raises(LaconicError, match="reader"):
        laconic.load().compress(TEXTS[0], order="reader", level="headline")


def test_a_damaged_reader_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "reader"
    shutil.copytree(model_folder().parent / FOLDER_NAME, folder)
    Reader(folder)
    header = json.loads((folder / HEADER_NAME).read_text())
    (folder / HEADER_NAME).write_text(json.dumps({**header, "format": 99}))
    with pytest.raises(LaconicError, match="reinstall"):
        Reader(folder)
    (folder / HEADER_NAME).write_text(json.dumps(header)[:50])
    with pytest.raises(LaconicError, match="reinstall"):
        Reader(folder)
    (folder / HEADER_NAME).write_text(json.dumps(header))
    with (folder / GRAPH_NAME).open("r+b") as file:
        file.seek(1000)
        file.write(b"damage")
    with pytest.raises(LaconicError, match="damaged"):
        Reader(folder)


def test_prints_for_training_have_what_is_left_when_edges_are_cut(compressor: laconic.Compressor) -> None:
    pieces = Pieces(model_folder() / "vocabulary.txt")
    prints = make_prints(TEXTS, compressor.parser, pieces, seed=3)
    assert len(prints) == len(TEXTS)
    forest = make_forest(compressor.parser.parse(TEXTS))
    words = np.diff(prints.word_ptr)
    sentence = np.repeat(np.arange(len(prints)), np.diff(prints.print_ptr))
    at = np.concatenate([[0], np.cumsum(words[sentence])])
    bits = np.unpackbits(prints.printed, count=int(at[-1])).astype(bool)
    for number, (i, node) in enumerate(zip(sentence.tolist(), prints.print_node.tolist(), strict=True)):
        found = set((np.flatnonzero(bits[at[number] : at[number + 1]]) + forest.sentence_first[i]).tolist())
        if node == SEVERAL:
            continue
        parent = forest.parent[forest.node_ptr[i] : forest.node_ptr[i + 1]].tolist()

        def below(other: int, top: int = node, parent: list[int] = parent) -> bool:
            while other >= 0:
                if other == top:
                    return True
                other = parent[other]
            return False

        kept = [other for other in range(len(parent)) if not below(other)]
        assert found == set(printed_tokens(forest, i, kept))
    singles = [(i, node) for i, node in zip(sentence.tolist(), prints.print_node.tolist(), strict=True) if node >= 0]
    assert len(singles) == len(set(singles)) == len(forest.parent) - len(forest)


def test_prints_are_written_and_read(tmp_path: Path, compressor: laconic.Compressor) -> None:
    prints = make_prints(TEXTS[:2], compressor.parser, Pieces(model_folder() / "vocabulary.txt"))
    prints.save(tmp_path / "prints.npz")
    again = Prints.load(tmp_path / "prints.npz")
    for name in Prints.__dataclass_fields__:
        np.testing.assert_array_equal(getattr(again, name), getattr(prints, name))


def test_training_needs_no_core() -> None:
    """It can be done on a machine where laconic is not built."""
    modules = "laconic.reader.prints, laconic.network.examples, laconic.network.pieces, laconic.network.start"
    code = f"import sys; sys.modules['laconic._core'] = None; import {modules}"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_batches_for_training_show_what_is_printed_and_ask_where_words_have_gone(
    compressor: laconic.Compressor,
) -> None:
    torch = pytest.importorskip("torch")
    from laconic.network.pieces import CLS, SEP
    from laconic.reader.fit import PrintBatches

    pieces = Pieces(model_folder() / "vocabulary.txt")
    prints = make_prints(TEXTS, compressor.parser, pieces)
    batches = PrintBatches(prints, torch.device("cpu"))
    found, real, labels = batches.batch(torch.arange(len(prints.print_node)))
    at, number = 0, 0
    for i in range(len(prints)):
        first, last = int(prints.word_ptr[i]), int(prints.word_ptr[i + 1])
        starts = np.flatnonzero(prints.word_start[prints.piece_ptr[i] : prints.piece_ptr[i + 1]]).tolist()
        ends = [*starts[1:], int(prints.piece_ptr[i + 1] - prints.piece_ptr[i])]
        for _ in range(int(prints.print_ptr[i]), int(prints.print_ptr[i + 1])):
            shown = np.unpackbits(prints.printed)[at : at + last - first]
            expected, asked, lost = [CLS], [-1], False
            for word in range(last - first):
                own = prints.piece[prints.piece_ptr[i] + starts[word] : prints.piece_ptr[i] + ends[word]].tolist()
                real_word = prints.node[first + word] >= 0
                if shown[word]:
                    expected += own
                    asked += [int(lost) if real_word else -1] + [-1] * (len(own) - 1)
                    lost = lost and not real_word
                else:
                    lost = lost or bool(real_word)
            expected.append(SEP)
            asked.append(int(lost))
            length = int(real[number].sum())
            assert found[number, :length].tolist() == expected
            assert labels[number, :length].tolist() == asked
            at, number = at + last - first, number + 1
