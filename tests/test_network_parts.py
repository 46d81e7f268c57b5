"""The parts of a network: its files, its pieces, and how its outputs are read."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from command_line import run
from numpy.typing import NDArray
from sentences import WRITTEN

import laconic
from laconic import Compressor, LaconicError, _core
from laconic.model_folders import model_folder
from laconic.network import pieces as pieces_module
from laconic.network.pieces import LOWER, MIXED, NO_LETTERS, TITLE, UNKNOWN, UPPER, Pieces, case_of
from laconic.network.runtime import Network, windows
from laconic.network.shape import LOGITS
from laconic.parse.network import NetworkParser

EXAMPLE = "Two brothers who ran a bakery in Lyon were fined on Tuesday, the city council said."


@pytest.fixture(scope="module")
def small() -> Compressor:
    return laconic.load("small")


# Models.


def copy_model(tmp_path: Path, name: str = "small") -> Path:
    folder = tmp_path / "model"
    shutil.copytree(model_folder(name), folder)
    return folder


def edit_header(change: Callable[[dict], object]) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        path = folder / "network.json"
        header = json.loads(path.read_text())
        change(header)
        path.write_text(json.dumps(header))

    return damage


def truncate(name: str, size: int) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        path = folder / name
        path.write_bytes(path.read_bytes()[:size])

    return damage


def write(name: str, content: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_text(content) and None


DAMAGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "no graph": (lambda folder: (folder / "network.onnx").unlink(), "cannot read the network .*: reinstall laconic"),
    "empty graph": (truncate("network.onnx", 0), "network.onnx is damaged: copy it again, or reinstall laconic"),
    "half a graph": (truncate("network.onnx", 1_000_000), "network.onnx is damaged: copy it again"),
    "no header": (lambda folder: (folder / "network.json").unlink(), "there is no"),
    "half a header": (truncate("network.json", 300), "network.json is damaged: copy it again"),
    "a header that is a list": (write("network.json", "[]"), "network.json is damaged"),
    "a header that is null": (write("network.json", "null"), "network.json is damaged"),
    "an empty header": (write("network.json", "{}"), "network.json is damaged"),
    "a header of bytes": (lambda folder: (folder / "network.json").write_bytes(b"\xff\xfe\x00") and None, "is damaged"),
    "another format": (
        edit_header(lambda header: header.update(format=99)),
        "has format 99 and this laconic reads 5: train it again, or use the version of laconic that made it",
    ),
    "another graph": (edit_header(lambda header: header.update(sha256="0" * 64)), "network.onnx is damaged"),
    "no checksum": (edit_header(lambda header: header.pop("sha256")), "is damaged"),
    "no name": (edit_header(lambda header: header.pop("name")), "network.json is damaged"),
    "no settings": (edit_header(lambda header: header.pop("decoding")), "network.json is damaged"),
    "settings that are none": (edit_header(lambda header: header.update(decoding=[1])), "network.json is damaged"),
    "a setting less": (edit_header(lambda header: header["decoding"].pop("word_weight")), "network.json is damaged"),
    "a setting more": (edit_header(lambda header: header["decoding"].update(x=1)), "network.json is damaged"),
    "a setting of words": (edit_header(lambda header: header["decoding"].update(word_weight="a")), "is damaged"),
    "no vocabulary": (lambda folder: (folder / "vocabulary.txt").unlink(), "cannot read .*vocabulary.txt.*reinstall"),
    "half a vocabulary": (truncate("vocabulary.txt", 100_000), "vocabulary.txt is damaged: copy it again"),
    "an empty vocabulary": (truncate("vocabulary.txt", 0), "vocabulary.txt is damaged: copy it again"),
    "a vocabulary of bytes": (
        lambda folder: (folder / "vocabulary.txt").write_bytes(b"\xff\xfe") and None,
        "vocabulary.txt is damaged",
    ),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_network_is_named_with_the_remedy(tmp_path: Path, name: str) -> None:
    folder = copy_model(tmp_path)
    damage, message = DAMAGES[name]
    damage(folder)
    with pytest.raises(LaconicError, match=message):
        laconic.load(folder)


def test_the_command_refuses_a_damaged_network_and_bad_threads_in_one_line(tmp_path: Path) -> None:
    folder = copy_model(tmp_path)
    (folder / "network.onnx").unlink()
    for arguments, message in [
        (["--model", str(folder)], "cannot read the network"),
        (["--threads", "0"], "threads is 0: give a whole number, 1 or more"),
    ]:
        done = run("compress", *arguments, EXAMPLE)
        assert done.returncode == 2
        (line,) = done.stderr.splitlines()
        assert message in line


def test_a_graph_that_is_none_is_refused_whatever_its_checksum(tmp_path: Path) -> None:
    import hashlib

    folder = copy_model(tmp_path)
    graph = (folder / "network.onnx").read_bytes()[:50_000]
    (folder / "network.onnx").write_bytes(graph)
    edit_header(lambda header: header.update(sha256=hashlib.sha256(graph).hexdigest()))(folder)
    with pytest.raises(LaconicError, match=r"network.onnx is damaged: copy it again"):
        laconic.load(folder)


def test_a_network_is_opened_beside_and_refused_when_it_is_waited_for(tmp_path: Path) -> None:
    folder = copy_model(tmp_path)
    (folder / "network.onnx").unlink()
    parser = NetworkParser(folder)
    for use in (parser.wait, lambda: parser.parse(["Rain fell."])):
        with pytest.raises(LaconicError, match=r"cannot read the network .*: reinstall laconic"):
            use()


@pytest.mark.filterwarnings("ignore::laconic.errors.LanguageWarning")
def test_a_copied_network_gives_the_same_results(tmp_path: Path, small: Compressor) -> None:
    assert laconic.load(copy_model(tmp_path)).batch(WRITTEN, k=3) == small.batch(WRITTEN, k=3)


@pytest.mark.parametrize("threads", [0, -1, 1.5, True, "2", None])
def test_threads_that_are_no_number_are_refused(threads: object) -> None:
    with pytest.raises(LaconicError, match=f"threads is {threads!r}: give a whole number, 1 or more"):
        Network(model_folder("small"), threads=threads)  # type: ignore[arg-type]


# Pieces.


@pytest.fixture
def pieces() -> Pieces:
    return Pieces(model_folder("small") / "vocabulary.txt")


def test_words_become_pieces_of_the_vocabulary(pieces: Pieces) -> None:
    vocabulary = (model_folder("small") / "vocabulary.txt").read_text(encoding="utf-8").split("\n")
    found = [
        [vocabulary[piece] for piece in own] for own, _ in pieces.read(["House", "Müller", "unforgivable", "can't"])
    ]
    assert found[0] == ["house"]
    assert found[1] == ["muller"]
    assert "".join(piece.removeprefix("##") for piece in found[2]) == "unforgivable"
    assert len(found[2]) > 1
    assert found[3] == ["can", "'", "t"]


def test_a_word_of_many_pieces_is_cut_after_eight(pieces: Pieces) -> None:
    long = "qzxjkvbwqzxjkvbwqzxjkvbw"
    ((own, _),) = pieces.read([long])
    assert len(own) == pieces_module.MAX_PIECES_OF_WORD == 8
    ((beginning, _),) = pieces.read([long[:8]])
    assert own[: len(beginning) - 1] == beginning[:-1]


@pytest.mark.parametrize("word", ["😀", "\x00", "\u200b", "\ue000", "", "x" * 400])
def test_what_the_vocabulary_does_not_know_is_one_unknown_piece(pieces: Pieces, word: str) -> None:
    assert pieces.read([word])[0][0] == (UNKNOWN,)


def test_words_are_remembered_but_not_all_of_them(pieces: Pieces, monkeypatch: pytest.MonkeyPatch) -> None:
    words = [f"word{i}" for i in range(300)]
    expected = pieces.read(words)
    assert pieces.read(words[:1])[0] is expected[0]
    monkeypatch.setattr(pieces_module, "_REMEMBERED", 100)
    for i in range(0, 300, 10):
        assert pieces.read(words[i : i + 10]) == expected[i : i + 10]
        assert len(pieces._seen) <= 110


@pytest.mark.parametrize(
    ("case", "words"),
    [
        (LOWER, "the straße 2nd don't café"),
        (TITLE, "The A I Ü Élan X-ray"),
        (UPPER, "THE US U.S. B2 IT'S K."),
        (MIXED, "iPhone McDonald O'Brien eBay PhD 中文 3D-Druck"),
        (NO_LETTERS, "42 . $ 😀 -- 1,000 ."),
    ],
)
def test_how_words_are_written(case: int, words: str) -> None:
    assert {word: case_of(word) for word in words.split()} == dict.fromkeys(words.split(), case)


def test_every_case_is_one_that_networks_know() -> None:
    assert {case_of(chr(code)) for code in range(0x3000) if not 0xD800 <= code < 0xE000} <= set(range(1, 6))
    assert case_of("") == NO_LETTERS


def test_windows_cover_all_words_in_order_each_within_the_limit() -> None:
    rng = random.Random(0)
    for _ in range(300):
        words = [((1,) * rng.randint(1, 8), LOWER) for _ in range(rng.randint(0, 120))]
        most = rng.randint(8, 60)
        found = windows(words, most)
        assert [i for a, b in found for i in range(a, b)] == list(range(len(words)))
        assert found[0][0] == 0
        sizes = [sum(len(own) for own, _ in words[a:b]) for a, b in found]
        assert all(size <= most for size in sizes)
        assert all(a < b for a, b in found) or not words
        # No window could have taken the first word of the next.
        for size, (a, _) in zip(sizes, found[1:], strict=False):
            assert size + len(words[a][0]) > most
        if sum(len(own) for own, _ in words) <= most:
            assert found == [(0, len(words))]


# From the outputs of a network to columns.

Filled = dict[str, NDArray]


def read(change: Callable[[Filled], object] = lambda _: None, **others: object) -> Filled:
    """Two sentences, of three words and of one; word 1 of the first has two pieces. Rows 1 and 6 are of no word."""
    tags, entities, labels, length = 4, 5, 6, 8
    given: Filled = {
        "arc": np.full((2, length, length), -5, dtype=np.float32),
        "label": np.zeros((2, length, labels), dtype=np.float32),
        "word": np.zeros((2, length, tags + entities + LOGITS), dtype=np.float32),
    }
    change(given)
    columns: Filled = {
        "head": np.full(7, 99, dtype=np.int32),
        **{name: np.full(7, 99, dtype=np.uint8) for name in ("label", "tag", "entity", "entity_start")},
        "logits": np.full((7, LOGITS), 99, dtype=np.float32),
    }
    words = {
        "ptr": np.array([0, 3, 4], dtype=np.int64),
        "piece": np.array([1, 2, 4, 1], dtype=np.int32),
        "row": np.array([2, 3, 4, 5], dtype=np.int64),
        "token": np.array([0, 1, 2, 0], dtype=np.int32),
    }
    numbers = {"tags": tags, "no_label": 0, "root_label": 1}
    objects = [
        SimpleNamespace(**{name: others.get(name, array) for name, array in own.items()})
        for own in (given, words, columns)
    ]
    _core.read_network(*objects, **{name: others.get(name, number) for name, number in numbers.items()})
    return columns


def test_heads_are_read_at_the_first_pieces_of_words_and_make_a_tree() -> None:
    def change(given: Filled) -> None:
        given["arc"][0, 1, 2] = given["arc"][0, 2, 4] = given["arc"][0, 4, 4] = 3
        given["arc"][0, :, 3] = 9  # no word begins there

    found = read(change)
    assert found["head"].tolist() == [99, 99, 1, 2, 2, 0, 99]

    def circle(given: Filled) -> None:
        given["arc"][0, 1, 2] = given["arc"][0, 2, 1] = given["arc"][0, 4, 1] = 3
        given["arc"][0, 2, 2] = 2

    assert read(circle)["head"].tolist() == [99, 99, 1, 1, 0, 0, 99]


def test_the_label_of_the_root_is_given_to_the_root_alone() -> None:
    def change(given: Filled) -> None:
        given["arc"][0, [1, 2, 4], 2] = 3
        given["label"][..., 0] = 9
        given["label"][..., 1] = 8
        given["label"][0, [1, 2, 4], [3, 4, 5]] = 1

    assert read(change)["label"].tolist() == [99, 99, 3, 1, 5, 1, 99]


def test_every_word_has_a_tag() -> None:
    def change(given: Filled) -> None:
        given["word"][..., 0] = 9
        given["word"][0, [1, 2, 4], [3, 2, 1]] = 1

    assert read(change)["tag"].tolist() == [99, 99, 3, 2, 1, 1, 99]


@pytest.mark.parametrize(
    ("classes", "entities", "starts"),
    [
        ((1, 3, 3), (1, 1, 1), (1, 0, 0)),  # begins, goes on, goes on
        ((1, 1, 2), (1, 1, 2), (1, 1, 1)),
        ((3, 0, 4), (1, 0, 2), (1, 0, 1)),  # what goes on with nothing begins
        ((1, 4, 4), (1, 2, 2), (1, 1, 0)),  # nor does one type go on with another
    ],
)
def test_entities_begin_and_go_on(classes: tuple, entities: tuple, starts: tuple) -> None:
    def change(given: Filled) -> None:
        given["word"][0, [1, 2, 4], [4 + own for own in classes]] = 1
        given["word"][1, 1, 4 + 3] = 1

    found = read(change)
    assert found["entity"].tolist() == [99, 99, *entities, 1, 99]
    assert found["entity_start"].tolist() == [99, 99, *starts, 1, 99]


def test_logits_of_words_stay_as_they_are() -> None:
    said = np.random.default_rng(0).normal(scale=50, size=(3, LOGITS)).astype(np.float32)

    def change(given: Filled) -> None:
        given["word"][0, [1, 2, 4], -LOGITS:] = said

    found = read(change)["logits"]
    assert (found[2:5] == said).all()
    assert (found[5] == 0).all()
    assert (found[[0, 1, 6]] == 99).all()


@pytest.mark.parametrize(
    ("others", "message"),
    [
        ({"piece": np.array([1, 2, 8, 1], dtype=np.int32)}, "words must begin with a piece"),
        ({"piece": np.array([1, 2, -1, 1], dtype=np.int32)}, "words must begin with a piece"),
        ({"row": np.array([2, 3, 4, 7], dtype=np.int64)}, "words must be tokens"),
        ({"ptr": np.array([0, 3, 5], dtype=np.int64)}, "ptr must run"),
        ({"ptr": np.array([0, 4], dtype=np.int64)}, "ptr must run"),
        ({"token": np.array([0, 1], dtype=np.int32)}, "all columns of words must have the same length"),
        ({"tag": np.zeros(3, dtype=np.uint8)}, "all token columns must have the same length"),
        ({"label": np.zeros((2, 7, 6), dtype=np.float32)}, "all outputs must have a row for each piece"),
        ({"arc": np.zeros((2, 8, 7), dtype=np.float32)}, "arc must have a column for each piece"),
        ({"logits": np.zeros((6, LOGITS), dtype=np.float32)}, "all token columns must have the same length"),
        ({"tags": 20}, "word must have the columns of all classes"),
        ({"root_label": 6}, "labels must have columns"),
        ({"no_label": -1}, "labels must have columns"),
    ],
)
def test_outputs_that_do_not_fit_are_refused(others: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(**others)
