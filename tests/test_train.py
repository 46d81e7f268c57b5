"""Training end to end on corpora written for the purpose, in both forms."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from training import DAYS, NAMES, SETTINGS, THINGS

import laconic
from laconic import Compressor, LaconicError
from laconic.corpus import Item, gold_tokens, read_corpus
from laconic.corpus.align import align_compression, align_tokens, prints_antecedent
from laconic.corpus.restore import restore
from laconic.decode import Method
from laconic.evaluate import evaluate
from laconic.model_folders import MAXENT_NAME
from laconic.parse import SpacyParser
from laconic.score import Model
from laconic.train import Settings, cache, train
from laconic.train.cache import parse_corpus
from laconic.train.nss import tune_temperature
from laconic.train.structured_perceptron import Perceptron

training = sys.modules["laconic.train.train"]  # the name in the package is the function's


def written_items() -> list[dict[str, str]]:
    """Sentences whose compressions always drop the day and who said so."""
    items = []
    for i, name in enumerate(NAMES):
        for j, thing in enumerate(THINGS):
            day = DAYS[(i + j) % len(DAYS)]
            items.append(
                {
                    "sentence": f"{name} opened {thing} on {day}, the mayor said.",
                    "compression": f"{name} opened {thing}.",
                }
            )
    return items


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpora")
    items = written_items()
    with gzip.open(folder / "train.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(item) + "\n" for item in items[:20])
    (folder / "dev.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items[20:]), encoding="utf-8")
    tokens = ["the", "<unk>", "mayor", "opened", "##", "schools", "on", "monday", "."]
    lossy = {
        "tokens": tokens,
        "tag": ["DT", "JJ", "NN", "VBD", "CD", "NNS", "IN", "NNP", "."],
        "dep": ["det", "amod", "nsubj", "ROOT", "num", "dobj", "prep", "pobj", "p"],
        "keep": [1, 0, 1, 1, 1, 1, 0, 0, 1],
        "suspect": 0,
        "last_forced": 0,
    }
    lines = [lossy, {**lossy, "suspect": 1}, {**lossy, "tokens": [*tokens[:-1], "today"], "last_forced": 1}]
    (folder / "lossy.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return folder


def train_on(corpora: Path, out: str, **options: Any) -> Model:
    return train(
        [corpora / "train.jsonl.gz", corpora / "lossy.jsonl"],
        dev=corpora / "dev.jsonl",
        out=corpora / out,
        cache=corpora / "cache",
        parser="spacy",
        settings=SETTINGS,
        **options,
    )


@pytest.fixture(scope="module")
def trained(corpora: Path) -> Model:
    return train_on(corpora, "model")


def test_trained_model_has_learned_what_the_corpus_drops(trained: Model, corpora: Path) -> None:
    found = evaluate(corpora / "dev.jsonl", Compressor(SpacyParser(split=False), trained), methods=list(Method))
    for outputs in found.outputs.values():
        assert outputs.scores().tree_f1 > 0.95
        assert outputs.scores().word_f1 > 0.95
    compressor = laconic.load(corpora / "model")
    for method in Method:
        compressions = compressor.compress("Zoe opened a bakery on Tuesday, the mayor said.", method=method)
        assert compressions[0][0].text == "Zoe opened a bakery."


def test_model_folder_has_a_card_with_command_data_and_scores(trained: Model, corpora: Path) -> None:
    card = (corpora / "model" / "CARD.md").read_text(encoding="utf-8")
    assert "laconic train train.jsonl.gz lossy.jsonl --dev dev.jsonl --parser spacy --out MODEL_DIR" in card
    assert f"| edges | {trained.header['training']['edges']:,}" in card
    assert f"{trained.header['scores']['topdown']['tree_f1']:.4f}" in card


@pytest.mark.usefixtures("trained")
def test_two_trainings_give_the_same_bytes(corpora: Path) -> None:
    """The model with all of its header, and the card: no time, no memory, no machine is in them."""
    train_on(corpora, "again")
    for name in (MAXENT_NAME, "CARD.md"):
        assert (corpora / "again" / name).read_bytes() == (corpora / "model" / name).read_bytes()


def test_a_card_says_what_its_corpus_is(trained: Model, corpora: Path) -> None:
    card = (corpora / "model" / "CARD.md").read_text(encoding="utf-8")
    assert "English. Trained on train.jsonl.gz, lossy.jsonl." in card
    assert "news" not in card.lower()
    train_on(corpora, "described", about="Minutes of village councils.")
    assert "English. Minutes of village councils.\n" in (corpora / "described" / "CARD.md").read_text(encoding="utf-8")
    assert trained.header["training"]["about"] == ""


def test_interrupted_training_goes_on_without_repeating_what_is_done(
    trained: Model, corpora: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed in the second pass of the ILP, then started again: the same model, and nothing is fitted twice."""

    def run(out: str) -> Model:
        return train_on(corpora, out, log=log.append)

    log: list[str] = []
    passes: list[int] = []
    one_pass = training.perceptron_pass

    def interrupted(state: Perceptron, *rest: Any, **options: Any) -> int:
        if state.steps:
            raise KeyboardInterrupt
        return one_pass(state, *rest, **options)

    def counted(state: Perceptron, *rest: Any, **options: Any) -> int:
        passes.append(state.steps)
        return one_pass(state, *rest, **options)

    monkeypatch.setattr(training, "perceptron_pass", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run("interrupted")
    assert not (corpora / "interrupted" / MAXENT_NAME).exists()
    monkeypatch.setattr(training, "perceptron_pass", counted)
    monkeypatch.setattr(training, "train_maxent", None)
    monkeypatch.setattr(training, "train_perceptron", None)
    again = run("interrupted")
    assert len(passes) == SETTINGS.ilp_passes - 1
    assert any(line.startswith("maxent: already done") for line in log)
    assert again.header["arrays"] == trained.header["arrays"]
    written = [(corpora / name / MAXENT_NAME).read_bytes() for name in ("model", "interrupted")]
    offset = min(entry["offset"] for entry in again.header["arrays"].values())
    assert written[0][offset:] == written[1][offset:]
    assert not list((corpora / "cache").glob("training-*"))  # nothing is left behind


def test_parsed_corpus_is_reused_and_a_missing_shard_is_made_again(
    corpora: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "SHARD_ITEMS", 8)
    folder = corpora / "small-shards"
    parsed = parse_corpus(corpora / "train.jsonl.gz", cache=folder, workers=1)
    assert len(parsed.shard_paths) == 3
    times = [path.stat().st_mtime_ns for path in parsed.shard_paths]
    # A killed run leaves some shards and no manifest.
    parsed.shard_paths[1].unlink()
    (parsed.shard_paths[0].parent / "manifest.json").unlink()
    again = parse_corpus(corpora / "train.jsonl.gz", cache=folder, workers=1)
    assert again.shard_paths == parsed.shard_paths
    assert [path.stat().st_mtime_ns for path in again.shard_paths][::2] == times[::2]
    assert sum(len(shard.parses) for shard in again) == 20


def test_workers_that_parse_leave_nothing_behind(corpora: Path) -> None:
    """The core says so at the end of a process whose objects outlive the interpreter."""
    paths = f"Path({str(corpora / 'train.jsonl.gz')!r}), cache=Path({str(corpora / 'silent')!r})"
    script = f"from pathlib import Path; from laconic.train.cache import parse_corpus; parse_corpus({paths}, workers=1)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_reader_leaves_out_suspect_items_and_forced_last_words(corpora: Path) -> None:
    items = list(read_corpus(corpora / "lossy.jsonl"))
    assert len(items) == 2
    assert items[1].text[items[1].kept[-1][0] :].startswith("schools")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"sentence": "Half a li', r"bad\.jsonl:2: not an item"),
        ("[1, 2]", r"bad\.jsonl:2: not an item"),
        ('{"tokens": ["a"], "keep": [1, 0], "tag": ["DT"]}', "1 tokens but 2 keep flags"),
        ('{"tokens": ["a"], "keep": [1]}', "KeyError"),
    ],
)
def test_malformed_line_is_named_with_file_and_line(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(json.dumps(written_items()[0]) + "\n" + line + "\n", encoding="utf-8")
    with pytest.raises(LaconicError, match=message):
        list(read_corpus(path))


def test_missing_and_truncated_corpora_are_named(tmp_path: Path, corpora: Path) -> None:
    with pytest.raises(LaconicError, match="cannot read the corpus"):
        list(read_corpus(tmp_path / "none.jsonl"))
    broken = tmp_path / "broken.jsonl.gz"
    broken.write_bytes((corpora / "train.jsonl.gz").read_bytes()[:-20])
    with pytest.raises(LaconicError, match="cannot read the corpus"):
        list(read_corpus(broken))


def test_corrupt_and_wrongly_encoded_corpora_are_named(tmp_path: Path, corpora: Path) -> None:
    data = bytearray((corpora / "train.jsonl.gz").read_bytes())
    data[len(data) // 2] ^= 0xFF
    (tmp_path / "corrupt.jsonl.gz").write_bytes(data)
    (tmp_path / "latin.jsonl").write_bytes(b'{"sentence": "\xe9", "compression": "\xe9"}')
    for name in ["corrupt.jsonl.gz", "latin.jsonl"]:
        with pytest.raises(LaconicError, match=name):
            list(read_corpus(tmp_path / name))


@pytest.mark.parametrize("setting", [{"least": 0}, {"l2": float("nan")}, {"l2": -1.0}, {"iterations": 0}, {"seed": -1}])
def test_impossible_settings_are_refused(setting: dict) -> None:
    with pytest.raises(LaconicError, match=next(iter(setting))):
        Settings(**setting)


def test_damaged_cache_is_named_with_the_remedy(corpora: Path, tmp_path: Path) -> None:
    parsed = parse_corpus(corpora / "lossy.jsonl", cache=tmp_path, workers=1)
    path = parsed.shard_paths[0]
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(LaconicError, match="delete the folder"):
        list(parsed)


def test_empty_dev_is_refused(tmp_path: Path, corpora: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(LaconicError, match="no usable item"):
        train([corpora / "train.jsonl.gz"], dev=tmp_path / "empty.jsonl", out=tmp_path / "m", cache=tmp_path / "c")


def words(text: str, spans: list[tuple[int, int]] | None) -> list[str]:
    assert spans is not None
    return [text[start:end] for start, end in spans]


def test_alignment_follows_the_hints_where_a_word_occurs_twice() -> None:
    text = "The bank said the bank in Rome closed."
    hints = align_tokens(text, text[:-1].split(), [0, 0, 0, 1, 1, 0, 0, 1])
    spans = align_compression(text, "The bank closed.", hints)
    assert words(text, spans) == ["the", "bank", "closed"]
    assert spans is not None
    assert spans[0][0] == text.index("the bank")


def test_alignment_prefers_fewer_gaps_and_refuses_what_is_no_subsequence() -> None:
    text = "He said he saw he won"
    assert words(text, align_compression(text, "He won", [])) == ["he", "won"]
    assert align_compression(text, "He lost", []) is None
    assert align_compression(text, "", []) is None


def test_printed_antecedent_is_no_reason_to_distrust_keep() -> None:
    assert prints_antecedent(["it", "will", "cut", "jobs", "."], "Ford will cut jobs.")
    assert not prints_antecedent(["its", "election", "since"], "Its council election.")
    assert not prints_antecedent(["he", "will", "resign"], "He will resign on Friday.")  # the flags lost words


def test_results_of_compress_are_a_corpus(tmp_path: Path) -> None:
    texts = ["Two ATMs were stolen Friday, police in Leeds said.", "Rain fell. It was cold, and nobody left.", ""]
    results = laconic.load("small").batch(texts, k=2)
    path = tmp_path / "silver.jsonl"
    path.write_text("".join(json.dumps(result.to_dict()) + "\n" for result in results))
    (item,) = read_corpus(path)  # a text of two sentences, or of none, is no item
    best = results[0].sentences[0].compressions[0]
    assert (item.text, item.kept, item.compression) == (texts[0], best.spans, best.text)


@pytest.mark.parametrize("spans", [[[0, 900]], [[5, 5]], [[-3, 2]], [3], "x"])
def test_results_with_spans_outside_their_sentence_are_refused(spans: object, tmp_path: Path) -> None:
    sentence = {"text": "A b.", "start": 0, "end": 4, "compressions": [{"text": "A.", "spans": spans}]}
    path = tmp_path / "silver.jsonl"
    path.write_text(json.dumps({"text": "A b.", "sentences": [sentence]}))
    with pytest.raises(LaconicError, match=r"silver.jsonl:1: not an item"):
        list(read_corpus(path))


def test_item_with_shifted_keep_uses_the_printed_compression(tmp_path: Path) -> None:
    record = {
        "sentence": "The council on May 10 cancels its vote today.",
        "compression": "The council cancels its vote.",
        "tokens": ["The", "council", "on", "May", "cancels", "its", "vote", "today", "."],
        "keep": [1, 1, 0, 0, 0, 1, 1, 1, 1],
    }
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(record), encoding="utf-8")
    (item,) = read_corpus(path)
    assert words(item.text, list(item.kept)) == ["The", "council", "cancels", "its", "vote"]


def test_restored_text_reads_like_a_sentence() -> None:
    tokens = ["beyonce", "bought", "``", "a", "new", "plane", "''", "for", "$", "##", "in", "the", "u.s.", ",", "she",
              "did", "n't", "say", "."]  # fmt: skip
    tags = ["NNP", "VBD", "``", "DT", "JJ", "NN", "''", "IN", "$", "CD", "IN", "DT", "NNP", ",", "PRP", "VBD", "RB",
            "VB", "."]  # fmt: skip
    text, spans, unknown = restore(tokens, tags, [""] * len(tokens))
    assert text == "Beyonce bought ``a new plane'' for $12 in the U.S., she didn't say."
    assert [text[start:end] for start, end in spans][4:6] == ["new", "plane"]
    assert unknown == []


def test_gold_is_aligned_by_characters_with_any_tokenisation() -> None:
    text = "A 39-year-old man didn't win."
    item = Item(text, ((0, 1), (14, 17), (18, 24), (25, 28)))
    parses = SpacyParser(split=False).parse([text])
    gold = gold_tokens(parses, [item])
    kept = [text[s:e] for s, e, g in zip(parses.start, parses.end, gold, strict=True) if g]
    assert kept == ["A", "man", "did", "n't", "win"]


def test_temperature_is_the_one_that_the_scores_were_made_with() -> None:
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(20_000, 5))
    label = (logits + rng.gumbel(size=logits.shape)).argmax(axis=1).astype(np.uint8)
    assert tune_temperature(logits * 7, label) == pytest.approx(7, rel=0.05)
