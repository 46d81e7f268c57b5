"""From sentences with compressions and verdicts to a reader, with a tiny one."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import laconic
from laconic import LaconicError
from laconic.levels import NESTED
from laconic.model_folders import model_folder
from laconic.parse.network import NetworkParser
from laconic.reader.cuts import CUT, EDITORS, FAULTY, FINE, OURS, PROMOTED, UNKNOWN, VERDICTS, CutSentences
from laconic.reader.make_cuts import make_cuts

#: Sentences with what an editor keeps at each level.
EDITED = [
    ("A baker from Lyon was fined on Tuesday.", "A baker from Lyon was fined.",
     "A baker was fined.", "A baker was fined."),
    ("Two ferries collided near Oslo late on Sunday.", "Two ferries collided near Oslo on Sunday.",
     "Two ferries collided near Oslo.", "Two ferries collided."),
    ("Heavy snow closed three schools in Bath this morning.", "Heavy snow closed three schools this morning.",
     "Heavy snow closed three schools.", "Snow closed schools."),
]  # fmt: skip
SAID = "The mayor said on Monday that the old bridge will reopen."
PLAIN = [
    "A farmer in Kent found a rare coin while he was ploughing a field near the coast.",
    "The company plans to hire 300 engineers by the end of the year, its new director told reporters.",
]


def verdict(text: str, gone: list[str], **said: object) -> dict[str, object]:
    """A record in which words that begin with what is given are fine or at fault."""
    places: dict[str, object] = {name: [text.index(word) for word in words] for name, words in said.items()}
    spans = [[text.index(part), text.index(part) + len(part)] for part in gone]
    return {"text": text, "deleted": spans, "fine": [], "faulty": [], **places}


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("sources")
    records: dict[str, list[dict[str, object]]] = {
        "levels": [dict(zip(("text", *NESTED), each, strict=True)) for each in EDITED],
        "verdicts": [
            verdict(SAID, ["on Monday", "old"], fine=["Monday"], faulty=["old"]),
            {**verdict(SAID, ["The mayor said on Monday that "]), "root": SAID.index("reopen"), "root_faulty": 1},
        ],
        "plain": [{"text": text} for text in PLAIN],
    }
    paths = {name: folder / f"{name}.jsonl" for name in records}
    for name, own in records.items():
        paths[name].write_text("".join(json.dumps(record) + "\n" for record in own))
    return paths


@pytest.fixture(scope="module")
def parser() -> NetworkParser:
    return NetworkParser(model_folder(), split=False)


@pytest.fixture(scope="module")
def made(parser: NetworkParser, sources: dict[str, Path]) -> CutSentences:
    return make_cuts(parser, levels=[sources["levels"]], verdicts=sources["verdicts"], plain=sources["plain"])


def words_of(cuts: CutSentences, i: int) -> list[str]:
    """The words of a sentence, lower-cased, without the marks of their pieces."""
    vocabulary = (model_folder() / "vocabulary.txt").read_text(encoding="utf-8").split("\n")
    words: list[str] = []
    for at in range(int(cuts.piece_ptr[i]), int(cuts.piece_ptr[i + 1])):
        piece = vocabulary[cuts.piece[at]].removeprefix("##")
        if cuts.word_start[at]:
            words.append("")
        words[-1] += piece
    return words


def versions(cuts: CutSentences) -> Iterator[tuple[int, int, NDArray[np.uint8], NDArray[np.uint8]]]:
    """Of every version: its sentence, where it comes from, its states and its labels."""
    at = 0
    for i, (first, last) in enumerate(itertools.pairwise(cuts.version_ptr.tolist())):
        count = int(cuts.word_ptr[i + 1] - cuts.word_ptr[i])
        for number in range(first, last):
            yield i, int(cuts.source[number]), cuts.state[at : at + count], cuts.label[at : at + count]
            at += count
    assert at == len(cuts.state) == len(cuts.label)


def asked_of(cuts: CutSentences, i: int, state: NDArray[np.uint8], label: NDArray[np.uint8]) -> dict[str, int]:
    """Labels of what was cut or promoted, by word; of nothing else anything is known."""
    asked = (state == CUT) | (state == PROMOTED)
    assert (label[~asked] == UNKNOWN).all()
    return {word: int(known) for word, known, of in zip(words_of(cuts, i), label, asked, strict=True) if of}


def test_what_editors_cut_is_fine_and_one_cut_more_is_not(made: CutSentences) -> None:
    found: dict[int, list[dict[str, int]]] = {}
    for i, source, state, label in versions(made):
        if source == EDITORS:
            found.setdefault(i, []).append(asked_of(made, i, state, label))
    assert list(found) == [0, 1, 2]
    assert found[0][:2] == [{"tuesday": FINE}, {"lyon": FINE, "tuesday": FINE}]
    assert found[2][0] == {"bath": FINE}
    assert found[2][1] == {"bath": FINE, "morning": FINE}
    for own in found.values():
        faulty = [[word for word, known in labels.items() if known == FAULTY] for labels in own]
        assert [len(words) for words in faulty] == [0] * (len(own) - 1) + [1]  # the last, of the shortest
        shortest, more = own[-2:]
        assert set(more) - {faulty[-1][0]} <= set(shortest)


def test_verdicts_are_on_what_was_printed(made: CutSentences) -> None:
    found = [(i, asked_of(made, i, state, label)) for i, source, state, label in versions(made) if source == VERDICTS]
    assert [words_of(made, i)[:3] for i, _ in found] == [["the", "mayor", "said"]] * 2
    assert [labels for _, labels in found] == [
        {"monday": FINE, "old": FAULTY},
        {"reopen": FAULTY, "that": UNKNOWN},  # of which nobody spoke
    ]


def test_our_own_versions_have_no_verdicts(made: CutSentences) -> None:
    found = [(i, asked_of(made, i, state, label)) for i, source, state, label in versions(made) if source == OURS]
    assert {i for i, _ in found} == {4, 5}
    assert len(found) > 4
    assert all(labels and set(labels.values()) == {UNKNOWN} for _, labels in found)


def test_the_same_seed_gives_the_same_versions_and_they_are_read_as_they_were_saved(
    parser: NetworkParser, sources: dict[str, Path], made: CutSentences, tmp_path: Path
) -> None:
    given = {"levels": [sources["levels"]], "verdicts": sources["verdicts"], "plain": sources["plain"]}
    made.save(tmp_path / "cuts.npz")
    for again in (make_cuts(parser, **given), CutSentences.load(tmp_path / "cuts.npz")):
        for name in CutSentences.__dataclass_fields__:
            np.testing.assert_array_equal(getattr(again, name), getattr(made, name))
    other = make_cuts(parser, **given, seed=7)
    assert len(other.state) != len(made.state) or (other.state != made.state).any()


# With torch.


@pytest.fixture(scope="module")
def one_thread() -> Iterator[None]:
    torch = pytest.importorskip("torch")
    before, strict = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
    torch.use_deterministic_algorithms(strict)


@pytest.mark.usefixtures("one_thread")
def test_batches_have_every_version_as_it_is(made: CutSentences) -> None:
    import torch

    from laconic.network.pieces import CLS, SEP
    from laconic.reader.fit import VersionBatches

    batches = VersionBatches(made, torch.device("cpu"))
    batch = batches.batch(torch.arange(len(made.source)))
    for row, (i, source, state, label) in enumerate(versions(made)):
        pieces = slice(int(made.piece_ptr[i]), int(made.piece_ptr[i + 1]))
        starts = np.flatnonzero(made.word_start[pieces])
        words, length = len(state), pieces.stop - pieces.start
        word_of_piece = np.cumsum(made.word_start[pieces]) - 1
        assert batches.source[row] == source
        assert batch["states"][row, :words].tolist() == state.tolist()
        assert batch["label"][row, :words].tolist() == label.tolist()
        assert (batch["label"][row, words:] == UNKNOWN).all()
        assert batch["words"][row].sum() == words
        assert batch["first"][row, :words].tolist() == (starts + 1).tolist()
        assert batch["pieces"][row, : length + 2].tolist() == [CLS, *made.piece[pieces].tolist(), SEP]
        assert batch["mask"][row].sum() == length + 2
        own = batch["inside"][row]
        assert torch.nonzero(own).squeeze(1).tolist() == list(range(1, length + 1))
        assert batch["word_of_piece"][row][own].tolist() == word_of_piece.tolist()
        cases = made.case[made.word_ptr[i] : made.word_ptr[i + 1]][word_of_piece]
        assert batch["cases"][row][own].tolist() == cases.tolist()
    plan = batches.plan(np.arange(len(made.source)), 60, seed=1)
    assert sorted(number for part in plan for number in part.tolist()) == list(range(len(made.source)))


@pytest.mark.usefixtures("one_thread")
def test_the_area_under_the_curve_is_the_share_of_pairs_in_the_right_order(made: CutSentences) -> None:
    import torch

    from laconic.reader.fit import VersionBatches, measure

    known = np.flatnonzero(made.source == EDITORS)
    shown = VersionBatches(made, torch.device("cpu"))
    shown.held_out[known.tolist()] = True
    generator = torch.Generator().manual_seed(0)
    said: dict[float, int] = {}

    def judge(batch: dict[str, torch.Tensor]) -> torch.Tensor:
        out = torch.rand(batch["label"].shape, generator=generator)
        mask = batch["label"] != UNKNOWN
        said.update(zip(out[mask].tolist(), batch["label"][mask].tolist(), strict=True))
        return out

    area = measure(judge, shown)
    pairs = [a > b for (a, x), (b, y) in itertools.product(said.items(), repeat=2) if (x, y) == (FAULTY, FINE)]
    assert area == pytest.approx(np.mean(pairs))
    assert len(pairs) > 10


@pytest.mark.usefixtures("one_thread")
def test_the_exported_graph_says_what_the_reader_says(made: CutSentences) -> None:
    import torch

    pytest.importorskip("onnx")
    import onnxruntime

    from laconic.network.export import find_limits
    from laconic.network.shape import Shape
    from laconic.reader.fit import ReaderModel, VersionBatches, rounded
    from laconic.reader.ship import build_reader_graph

    torch.manual_seed(0)
    shape, width, rounding = Shape(layers=2, width=32, heads=4, inner=48), 24, (0.03, 120)
    model = ReaderModel(width, shape).eval()
    batch = VersionBatches(made, torch.device("cpu")).batch(torch.arange(len(made.source)))
    words = batch["words"]
    steps = torch.randint(0, 256, (*words.shape, width), dtype=torch.uint8)
    vectors = (steps.float() - rounding[1]) * rounding[0]
    torch.testing.assert_close(rounded(vectors + 0.01 * rounding[0], rounding), vectors)  # to the nearest step
    given = vectors, batch["states"], words
    with torch.no_grad():
        expected = model(*given)[words].numpy()
    weights = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    graph = build_reader_graph(weights, shape, find_limits(model, [given]), rounding)
    session = onnxruntime.InferenceSession(graph.SerializeToString(), providers=["CPUExecutionProvider"])
    inputs = {"vectors": steps, "states": batch["states"].int(), "mask": words.int()}
    (found,) = session.run(["fault"], {name: value.numpy() for name, value in inputs.items()})
    assert np.abs(found[..., 0][words.numpy()] - expected).max() < 0.1 * expected.std()


@pytest.fixture
def network(tmp_path: Path) -> Path:
    """A copy of the default network, without its reader."""
    folder = tmp_path / "default"
    shutil.copytree(model_folder(), folder, ignore=shutil.ignore_patterns("reader.*", "READER.md"))
    return folder


@pytest.mark.usefixtures("one_thread")
def test_a_reader_is_trained_for_a_network_and_shipped_with_it(
    network: Path, sources: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All stages, but for what large networks know when they begin."""
    for name in ("onnx", "safetensors"):
        pytest.importorskip(name)
    from encoder_weights import bert

    from laconic.network.shape import Shape
    from laconic.network.start import MPNET
    from laconic.network.start import _write as write_rounded
    from laconic.reader import fit
    from laconic.reader.stages import ReaderSources, train_reader

    def find_start(folder: Path, log: object) -> None:
        weights = bert(16, 24, 1, 30522, mpnet=True)
        write_rounded(folder / MPNET, {name: value.numpy() for name, value in weights.items()})

    monkeypatch.setattr("laconic.network.start.find_start", find_start)
    monkeypatch.setattr(fit, "TEACHER", Shape(layers=1, width=16, heads=4, inner=24))
    monkeypatch.setattr(fit, "HELD_OUT", 1)
    given = ReaderSources([sources["levels"]], sources["verdicts"], sources["plain"])
    settings = fit.ReaderSettings(judges=1, judge_epochs=1, judge_pieces=200, epochs=1, pieces=200)
    lines: list[str] = []

    def train(settings: fit.ReaderSettings) -> list[str]:
        lines.clear()
        train_reader(given, out=network, cache=tmp_path / "cache", settings=settings, log=lines.append)
        return [line.split(":")[0] for line in lines]

    assert train(settings)[-2:] == ["judge 0", "reader"]
    files = {name: (network / name).read_bytes() for name in ("reader.onnx", "reader.json", "READER.md")}
    facts = json.loads(files["reader.json"])["training"]
    assert facts["versions"]["verdicts"] == 2
    assert facts["settings"]["judges"] == 1
    assert "/levels.jsonl: what they cut is fine; one more cut is not |" in files["READER.md"].decode()
    assert laconic.load(network).compress(SAID, order="reader")
    # What is finished is not done again, and gives the same.
    assert not {"judge 0", "reader"} & set(train(settings))
    assert {name: (network / name).read_bytes() for name in files} == files
    with pytest.raises(LaconicError, match="trained with other settings"):
        train(replace(settings, epochs=2))


def test_files_that_are_not_there_are_named(network: Path, sources: dict[str, Path], tmp_path: Path) -> None:
    from laconic.reader.stages import ReaderSources, train_reader

    given = ReaderSources([sources["levels"], tmp_path / "more.jsonl"], sources["verdicts"], sources["plain"])
    with pytest.raises(LaconicError, match=r"cannot read .*more.jsonl: there is no such file"):
        train_reader(given, out=network, cache=tmp_path / "cache")
