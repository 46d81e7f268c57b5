"""From corpora to networks, with tiny ones: examples, batches, training that can be repeated and resumed, shipping."""

from __future__ import annotations

import copy
import gzip
import itertools
import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from conftest import FIGURE_1, FIGURE_1_ENTITIES, given_parses

pytest.importorskip("torch")

import torch
from encoder_weights import bert
from torch import Tensor

from laconic import LaconicError
from laconic.corpus import gold_tokens, read_corpus, read_plain
from laconic.corpus.verdicts import Verdict
from laconic.levels import LEVELS, NESTED, Level
from laconic.model_folders import model_folder
from laconic.network import distil as distil_module
from laconic.network.batches import TARGETS, Batches, change_case
from laconic.network.distil import EXAMPLES, DistilSettings, distil, read, save
from laconic.network.examples import UNKNOWN, Examples, ExamplesBuilder
from laconic.network.loss import hard_losses, soft_losses, teach, total
from laconic.network.measure import measure
from laconic.network.pieces import CLS, LOWER, MIXED, NO_LETTERS, SEP, TITLE, UPPER, Pieces
from laconic.network.prepare import labelled_examples, plain_examples
from laconic.network.shape import OUTPUTS, SAID, Shape
from laconic.network.stages import Sources, train_network
from laconic.network.start import EARLIER, MINILM, MPNET, go_on_from, read_start
from laconic.network.start import _write as write_rounded
from laconic.network.torch_model import Network
from laconic.parse import SpacyParser, scheme
from laconic.train.cache import Shard

TINY = Shape(layers=2, width=32, heads=4, inner=64, edge=16, vocabulary=2000)
CPU = torch.device("cpu")

#: Sentences and what a headline would keep of them.
ITEMS = [
    ("A baker from Lyon was fined on Tuesday, the council said.", "A baker was fined."),
    ("Two ferries collided near Oslo late on Sunday, police said.", "Two ferries collided near Oslo."),
    ("The mayor of Ghent, who is 61, resigned after a long dispute.", "The mayor of Ghent resigned."),
    ("Heavy snow closed three schools in Bath this morning.", "Heavy snow closed three schools."),
    ("A farmer in Kent found a rare coin while he was ploughing.", "A farmer found a rare coin."),
    ("Shares of the airline fell 4% on Friday after it cut its forecast.", "Shares of the airline fell 4%."),
    ("The singer will not tour next year, her agent told reporters.", "The singer will not tour next year."),
    ("Officials said a bridge that links the two towns will reopen in May.", "A bridge will reopen in May."),
    ("A court in Rome freed the banker, who denies the charges.", "A court freed the banker."),
    ("Three climbers were rescued from a cliff by helicopter.", "Three climbers were rescued from a cliff."),
    ("The museum, which opened in 1902, will close for repairs.", "The museum will close for repairs."),
    ("A fire destroyed a warehouse near the port, but nobody was hurt.", "A fire destroyed a warehouse."),
    ("Scientists in Kyoto have built a robot that folds shirts.", "Scientists have built a robot that folds shirts."),
    ("The striker signed a new contract with his club on Monday.", "The striker signed a new contract."),
    ("Voters in Malta go to the polls today to elect a president.", "Voters go to the polls."),
    ("A teacher who taught for 50 years has died, her family said.", "A teacher has died."),
    ("The company plans to hire 300 engineers by the end of the year.", "The company plans to hire 300 engineers."),
    ("Thieves stole paintings worth millions from a villa in Nice.", "Thieves stole paintings."),
    ("The storm cut power to thousands of homes along the coast.", "The storm cut power to thousands of homes."),
    ("A lost dog was found on a train to Leeds after six days.", "A lost dog was found."),
]  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    before, strict = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
    torch.use_deterministic_algorithms(strict)


@pytest.fixture(scope="module")
def pieces() -> Pieces:
    return Pieces(model_folder() / "vocabulary.txt")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "items.jsonl"
    rows = [{"sentence": sentence, "compression": compression} for sentence, compression in ITEMS]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


@pytest.fixture(scope="module")
def shard(corpus: Path) -> Shard:
    items = list(read_corpus(corpus))
    parses = SpacyParser(split=False).parse([item.text for item in items])
    return Shard(parses, gold_tokens(parses, items))


@pytest.fixture(scope="module")
def examples(shard: Shard, pieces: Pieces) -> Examples:
    return labelled_examples([{Level.HEADLINE: [shard]}], pieces, seed=0, unpunctuated=0.0)


@pytest.fixture(scope="module")
def batches(examples: Examples) -> Batches:
    return Batches(examples, CPU)


# Examples.


def same(a: Examples, b: Examples) -> bool:
    pairs = [(getattr(a, field.name), getattr(b, field.name)) for field in fields(Examples)]
    return all(x.dtype == y.dtype and x.tolist() == y.tolist() for x, y in pairs)


def test_examples_are_read_as_they_were_saved(examples: Examples, tmp_path: Path) -> None:
    examples.save(tmp_path / "train.npz")
    assert same(Examples.load(tmp_path / "train.npz"), examples)
    assert [path.name for path in tmp_path.iterdir()] == ["train.npz"]
    assert len(examples) == len(ITEMS)
    assert examples.labelled


def test_examples_without_labels_say_so(pieces: Pieces, tmp_path: Path) -> None:
    plain = plain_examples(["The dog ran to the old house."], pieces, seed=0, unpunctuated=0)
    assert not plain.labelled
    plain.save(tmp_path / "plain.npz")
    assert same(Examples.load(tmp_path / "plain.npz"), plain)
    empty = ExamplesBuilder().build()
    assert len(empty) == 0
    empty.save(tmp_path / "empty.npz")
    assert same(Examples.load(tmp_path / "empty.npz"), empty)


def test_examples_have_the_pieces_of_all_words(examples: Examples, pieces: Pieces, shard: Shard) -> None:
    texts = shard.parses.texts()
    for i, text in enumerate(texts):
        rows = range(*shard.parses.token_ptr[i : i + 2].tolist())
        words = pieces.read([text[shard.parses.start[row] : shard.parses.end[row]] for row in rows])
        own = slice(*examples.piece_ptr[i : i + 2].tolist())
        assert examples.piece[own].tolist() == [piece for word, _ in words for piece in word]
        assert examples.word_start[own].tolist() == [int(j == 0) for word, _ in words for j in range(len(word))]
        own = slice(*examples.word_ptr[i : i + 2].tolist())
        assert examples.case[own].tolist() == [case for _, case in words]
        assert examples.head[own].tolist() == shard.parses.head[rows].tolist()
        assert examples.keep[own].tolist() == shard.gold[rows].tolist()


# Labels.


def labels(gold: set[int], unpunctuated: float = 0.0) -> Examples:
    parses = given_parses(FIGURE_1, FIGURE_1_ENTITIES)
    kept = np.array([int(i in gold) for i in range(len(parses.start))], dtype=np.uint8)
    own = Pieces(model_folder() / "vocabulary.txt")
    return labelled_examples([{Level.HEADLINE: [Shard(parses, kept)]}], own, seed=0, unpunctuated=unpunctuated)


def test_edges_are_retained_deleted_or_unknown_as_the_golds_subtree_says() -> None:
    # The man who robbed a bank was arrested at his home.
    found = labels({3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 18})
    # The police said | the man who robbed a bank in Arizona | was arrested | at his home | late Friday | .
    # "said" is not kept: its edges say nothing. "Friday" is not kept: nor does the edge to "late".
    assert found.retain.tolist() == [2, 2, 2, 1, 1, 1, 1, 1, 1, 0, 0, 2, 2, 1, 1, 1, 2, 0, 2]
    assert found.root.tolist() == [int(i == 12) for i in range(19)]
    assert found.keep.tolist() == [0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 0, 1]
    assert [scheme.LABELS[label] for label in found.label[:5]] == ["det", "nsubj", "ROOT", "det", "nsubjpass"]
    date, types = scheme.ENTITY_ID["DATE"], len(scheme.ENTITIES) - 1
    assert found.entity[[10, 16, 17]].tolist() == [scheme.ENTITY_ID["GPE"], date, date + types]


def test_the_edges_below_another_root_are_known() -> None:
    # The police said the man was arrested late Friday.
    found = labels({0, 1, 2, 3, 4, 11, 12, 16, 17, 18})
    assert found.retain.tolist() == [1, 1, 2, 1, 1, 2, 0, 2, 2, 2, 2, 1, 1, 0, 0, 0, 1, 1, 2]
    assert found.root.tolist() == [int(i == 2) for i in range(19)]


def test_a_gold_far_from_every_subtree_says_nothing_of_edges() -> None:
    found = labels({1, 10, 14, 16})  # police Arizona his late
    assert set(found.retain.tolist()) == set(found.root.tolist()) == {UNKNOWN}
    assert found.keep.sum() == 4
    assert len(found) == 1


def test_an_editors_levels_say_nothing_of_needs() -> None:
    """What an editor cuts at some level and what an editor would undo are two questions."""
    parses = given_parses(FIGURE_1, FIGURE_1_ENTITIES)
    words = len(parses.start)
    # … the man who robbed a bank in Arizona was arrested at his home late Friday, … who robbed a bank …, The man was
    # arrested Friday.
    golds = {3, 4, *range(5, 18)}, {3, 4, 5, 6, 7, 8, 11, 12, 16, 17}, {3, 4, 11, 12, 17}
    own = {
        level: [Shard(parses, np.array([int(i in kept) for i in range(words)], dtype=np.uint8))]
        for level, kept in zip(NESTED, golds, strict=True)
    }
    found = labelled_examples([own], Pieces(model_folder() / "vocabulary.txt"), seed=0, unpunctuated=0.0)
    assert set(found.need.tolist()) == set(found.alone.tolist()) == {UNKNOWN}
    assert {0, 1} < set(found.retain.tolist())
    other = {level: shards if level is not NESTED[-1] else [] for level, shards in own.items()}
    with pytest.raises(ValueError, match="shorter"):
        labelled_examples([other], Pieces(model_folder() / "vocabulary.txt"), seed=0, unpunctuated=0.0)


def test_verdicts_say_which_edges_are_needed(pieces: Pieces) -> None:
    parses = given_parses(FIGURE_1, FIGURE_1_ENTITIES)
    (text,) = parses.texts()
    shard = Shard(parses, np.zeros(len(parses.start), dtype=np.uint8))
    verdict = Verdict((), {text.index("home"): 0, text.index("man"): 1}, {text.index("robbed"): 1})
    found = labelled_examples([{None: [shard]}], pieces, seed=0, unpunctuated=0.0, verdicts={text: [verdict]})
    words = [text[a:b] for a, b in zip(parses.start.tolist(), parses.end.tolist(), strict=True)]
    known = {word: need for word, need in zip(words, found.need.tolist(), strict=True) if need != UNKNOWN}
    assert known == {"man": 1, "home": 0}
    assert [word for word, alone in zip(words, found.alone.tolist(), strict=True) if alone == 1] == ["robbed"]
    assert set(found.retain.tolist()) == {UNKNOWN}


def test_labels_of_a_corpus_parsed_by_spacy(examples: Examples, shard: Shard) -> None:
    i = 3
    rows = slice(*shard.parses.token_ptr[i : i + 2].tolist())
    text = shard.parses.texts()[i]
    words = [text[a:b] for a, b in zip(shard.parses.start[rows], shard.parses.end[rows], strict=True)]
    known = dict(zip(words, examples.retain[rows].tolist(), strict=True))
    # Heavy snow closed three schools. (in Bath this morning)
    assert (known["snow"], known["schools"], known["Bath"], known["morning"]) == (1, 1, 0, 0)
    assert known["closed"] == known["."] == UNKNOWN
    assert words[examples.root[rows].tolist().index(1)] == "closed"


def test_examples_know_their_level_and_trees_alone_say_nothing_of_words(shard: Shard, pieces: Pieces) -> None:
    levels = (*NESTED, Level.HEADLINE, None)
    found = labelled_examples([{level: [shard]} for level in levels], pieces, seed=0, unpunctuated=0.0)
    count = len(ITEMS)
    assert len(found) == 5 * count
    assert found.level.tolist() == [LEVELS.index(level or Level.HEADLINE) for level in levels for _ in range(count)]
    words = int(found.word_ptr[count])
    for name in ("keep", "retain", "root"):
        column = getattr(found, name).reshape(5, words)
        assert (column[:4] == column[0]).all()
        assert (column[0] != UNKNOWN).any()
        assert (column[4] == UNKNOWN).all()
    assert (found.head.reshape(5, words) == found.head[:words]).all()


@pytest.mark.parametrize("unpunctuated", [0.0, 1.0])
def test_heads_are_trees_with_and_without_punctuation(shard: Shard, pieces: Pieces, unpunctuated: float) -> None:
    found = labelled_examples([{Level.HEADLINE: [shard]}], pieces, seed=0, unpunctuated=unpunctuated)
    assert len(found) == len(ITEMS)
    punctuation = found.label == scheme.LABEL_ID["punct"]
    assert punctuation.any() == (unpunctuated == 0)
    for a, b in itertools.pairwise(found.word_ptr.tolist()):
        head = found.head[a:b].astype(int)
        assert (head < b - a).all()
        assert (head == np.arange(b - a)).sum() == 1
        at = np.arange(b - a)
        for _ in range(b - a):
            at = head[at]
        assert len(set(at.tolist())) == 1


def test_dropping_punctuation_keeps_what_is_known_of_the_words() -> None:
    kept = {3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 18}
    plain, bare = labels(kept), labels(kept, unpunctuated=1.0)
    assert len(bare.head) == len(plain.head) - 1
    for name in ("head", "label", "tag", "entity", "keep", "retain", "need", "root", "case"):
        assert getattr(bare, name).tolist() == getattr(plain, name)[:-1].tolist()


def test_heads_that_come_after_dropped_punctuation_are_counted_anew(pieces: Pieces) -> None:
    spec = (
        'He/PRP/nsubj/3 ,/,/punct/3 too/RB/advmod/3 said/VBD/ROOT/3 ,/,/punct/3 "/``/punct/6 run/VB/ccomp/3 ././punct/3'
    )
    parses = given_parses(spec)
    shard = Shard(parses, np.ones(8, dtype=np.uint8))
    found = labelled_examples([{Level.HEADLINE: [shard]}], pieces, seed=0, unpunctuated=1.0)
    assert found.head.tolist() == [2, 2, 2, 2]


def test_sentences_too_short_or_several_in_a_text_are_left_out(pieces: Pieces) -> None:
    short = given_parses("It/PRP/nsubj/1 rained/VBD/ROOT/1 ././punct/1")
    shard = Shard(short, np.ones(3, dtype=np.uint8))
    assert len(labelled_examples([{Level.SHORT: [shard]}], pieces, seed=0, unpunctuated=0)) == 0
    double = given_parses("Snow/NN/nsubj/1 fell/VBD/ROOT/1 in/IN/prep/1 Rome/NNP/pobj/2 ././punct/1 " * 1)
    start = double.sentence_start.copy()
    start[3] = 1
    several = replace(double, sentence_start=start)
    shard = Shard(several, np.ones(5, dtype=np.uint8))
    assert len(labelled_examples([{Level.SHORT: [shard]}], pieces, seed=0, unpunctuated=0)) == 0


def test_plain_sentences_are_cut_apart_and_taken_once(pieces: Pieces, tmp_path: Path) -> None:
    lead = "Snow fell in Rome today. A dog ran through the park!"
    leads = [lead, "Too short."]
    rows = [{"lead": lead, "other": 1}, {"text": lead, "lead": "Not this."}, {"text": leads[1]}]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "a.jsonl").write_text(lines)
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    for name in ("a.jsonl", "a.jsonl.gz"):
        assert [(item.text, item.kept) for item in read_plain(tmp_path / name)] == [(text, ()) for text in leads]
    found = plain_examples(leads, pieces, seed=0, unpunctuated=0)
    assert np.diff(found.word_ptr).tolist() == [6, 7]
    bare = plain_examples(leads, pieces, seed=0, unpunctuated=1.0)
    assert np.diff(bare.word_ptr).tolist() == [5, 6]


@pytest.mark.parametrize("line", ["{", "[]", "3", '{"sentence": "A man ran."}', '{"lead": 3}', '{"text": null}', ""])
def test_a_line_without_a_text_is_named(line: str, tmp_path: Path) -> None:
    path = tmp_path / "leads.jsonl"
    path.write_text(f'{{"lead": "A man ran."}}\n{line}\n')
    leads = read_plain(path)
    assert next(leads).text == "A man ran."
    message = r"leads.jsonl:2: no JSON object with a text in the field text or lead: give JSON"
    with pytest.raises(LaconicError, match=message):
        next(leads)


# Batches.


def test_batches_cut_out_exactly_the_sentences_that_went_in(examples: Examples, batches: Batches) -> None:
    rng = random.Random(0)
    for numbers in (rng.sample(range(len(examples)), 7), [3], list(range(len(examples)))):
        batch = batches.batch(torch.tensor(numbers))
        for row, number in enumerate(numbers):
            own = slice(*examples.piece_ptr[number : number + 2].tolist())
            words = slice(*examples.word_ptr[number : number + 2].tolist())
            ids, size = examples.piece[own].tolist(), own.stop - own.start + 2
            assert batch["pieces"][row, :size].tolist() == [CLS, *ids, SEP]
            assert not batch["pieces"][row, size:].any()
            assert batch["mask"][row].tolist() == [i < size for i in range(batch["mask"].shape[1])]
            case_of_piece = examples.case[words][np.cumsum(examples.word_start[own]) - 1].tolist()
            assert batch["cases"][row, :size].tolist() == [0, *case_of_piece, 0]
            assert not batch["cases"][row, size:].any()
            assert batch["level"][row] == examples.level[number]
            count = words.stop - words.start
            assert batch["words"][row].tolist() == [i < count for i in range(batch["words"].shape[1])]
            assert batch["first"][row, :count].tolist() == (np.flatnonzero(examples.word_start[own]) + 1).tolist()
            for name in TARGETS:
                assert batch[name][row, :count].tolist() == getattr(examples, name)[words].tolist()
                assert not batch[name][row, count:].any()


@pytest.mark.parametrize("pieces_in_batch", [10, 60, 10_000])
def test_a_plan_has_every_sentence_once_and_is_the_same_for_the_same_seed(
    batches: Batches, examples: Examples, pieces_in_batch: int
) -> None:
    plan = [numbers.tolist() for numbers in batches.plan(pieces_in_batch, seed=3)]
    assert sorted(itertools.chain(*plan)) == list(range(len(examples)))
    assert plan == [numbers.tolist() for numbers in batches.plan(pieces_in_batch, seed=3)]
    if pieces_in_batch < 10_000:
        assert plan != [numbers.tolist() for numbers in batches.plan(pieces_in_batch, seed=4)]
        longest = int(batches.length.max()) + 2
        assert all(sum(batches.length[own] + 2) <= pieces_in_batch + longest for own in plan)
    assert sum(len(batch["pieces"]) for batch in batches) == len(examples)


def test_changed_case_changes_whole_sentences_and_letters_alone() -> None:
    cases = torch.tensor([[0, LOWER, TITLE, UPPER, MIXED, NO_LETTERS, 0]]).repeat(4000, 1)
    changed = change_case(cases, torch.Generator().manual_seed(0))
    assert (changed[:, [0, 5, 6]] == cases[:, [0, 5, 6]]).all()
    kinds = {tuple(row) for row in changed[:, 1:5].tolist()}
    assert kinds == {(2, 3, 4, 5), (LOWER,) * 4, (TITLE,) * 4, (UPPER,) * 4}
    assert 0.09 < (changed != cases).any(1).float().mean() < 0.15


# Networks.


@pytest.fixture(scope="module")
def folded(examples: Examples) -> Batches:
    """With fewer pieces, several of which share a number: quicker."""
    return Batches(replace(examples, piece=(200 + examples.piece % 1800).astype(np.uint16)), CPU)


def train(folded: Batches, steps: int, seed: int = 0, shape: Shape = TINY) -> tuple[Network, list[float]]:
    device = distil_module.start(seed)
    network = Network(shape, dropout=0.0)
    trainer = distil_module._Trainer(network, 5e-3, steps, seed, heads=5e-3)
    lost = []

    def loss(out: dict, batch: dict) -> object:
        lost.append(value := total(hard_losses(out, batch)))
        return value

    assert device.type in ("cpu", "cuda")
    everything = torch.arange(len(folded.length))
    for _ in range(steps):
        trainer.step(folded.batch(everything), loss)
    return network, [float(value.detach()) for value in lost]


@pytest.fixture(scope="module")
def trained(folded: Batches) -> tuple[Network, list[float]]:
    return train(folded, 80)


def test_a_tiny_network_learns_its_sentences_by_heart(trained: tuple[Network, list[float]], folded: Batches) -> None:
    network, lost = trained
    assert lost[-1] < 0.15 * lost[0]
    found = measure(network, [folded, folded])
    assert found["head"] > 0.95
    assert found["tag"] > 0.95
    assert found["headline retain"] > 0.95
    assert found["headline root"] > 0.9
    assert found["headline f1"] > 0.95
    assert found["general head"] == found["head"]
    assert not any(name.startswith(tuple(NESTED)) for name in found)  # of these it has seen nothing


def test_the_same_seed_gives_the_same_weights_and_another_gives_others(folded: Batches) -> None:
    first, again, other = (train(folded, 4, seed)[0].state_dict() for seed in (0, 0, 1))
    assert all((first[name] == again[name]).all() for name in first)
    assert not all((first[name] == other[name]).all() for name in first)


def test_padding_and_other_sentences_change_nothing(trained: tuple[Network, list[float]], folded: Batches) -> None:
    network = trained[0].eval()
    with torch.no_grad():
        together = network(folded.batch(torch.arange(len(folded.length))))
        for i in (0, 7, 19):
            alone = network(folded.batch(torch.tensor([i])))
            count = alone["tag"].shape[1]
            for name in ("label", "tag", "entity", *SAID):
                torch.testing.assert_close(together[name][i, :count], alone[name][0], atol=1e-4, rtol=1e-4)
            torch.testing.assert_close(together["arc"][i, :count, :count], alone["arc"][0], atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("bits", [False, True], ids=["full", "8 bit"])
def test_the_exported_graph_says_what_the_network_says(
    trained: tuple[Network, list[float]], folded: Batches, bits: bool
) -> None:
    pytest.importorskip("onnx")
    import onnxruntime

    from laconic.network.export import build_graph, find_limits

    network = trained[0].eval()
    batch = folded.batch(torch.arange(len(folded.length)))
    limits = find_limits(network, [batch]) if bits else None
    weights = {name: value.detach().numpy() for name, value in network.state_dict().items()}
    session = onnxruntime.InferenceSession(
        build_graph(weights, TINY, limits).SerializeToString(), providers=["CPUExecutionProvider"]
    )
    not_a_word = np.full(batch["pieces"].shape, -1e4, dtype=np.float32)
    sentence, place = np.nonzero(batch["words"].numpy())
    at = batch["first"].numpy()[sentence, place]
    not_a_word[sentence, at] = 0
    inputs = {name: batch[name].numpy().astype(np.int32) for name in ("pieces", "cases", "mask")}
    arc, label, word = session.run(["arc", "label", "word"], {**inputs, "not_a_word": not_a_word})
    with torch.no_grad():
        out = {name: value.numpy()[sentence, place] for name, value in network(batch).items()}
    tags, entities, levels = OUTPUTS["tag"], OUTPUTS["entity"], len(LEVELS)
    found = {
        "label": label[sentence, at],
        "tag": word[sentence, at, :tags],
        "entity": word[sentence, at, tags : tags + entities],
        "retain": word[sentence, at, -3 * levels - 2 : -2 * levels - 2],
        "need": word[sentence, at, -2 * levels - 2 : -2 * levels - 1],
        "root": word[sentence, at, -2 * levels - 1 : -levels - 1],
        "alone": word[sentence, at, -levels - 1 : -levels],
        "keep": word[sentence, at, -levels:],
    }
    assert all(out[name].shape == (len(at), levels) for name in ("retain", "root", "keep"))
    # The head that was found, as a piece, is the first piece of the head that the network finds, as a word.
    heads = batch["first"].numpy()[sentence, out["arc"].argmax(-1)]
    if bits:
        assert (arc[sentence, at].argmax(-1) == heads).mean() > 0.97
        for name in ("label", "tag", "entity"):
            assert (found[name].argmax(-1) == out[name].argmax(-1)).mean() > 0.97
        for name in ("retain", "root", "keep"):
            for level in range(levels):
                assert np.corrcoef(found[name][:, level], out[name][:, level])[0, 1] > 0.99
        return
    assert (arc[sentence, at].argmax(-1) == heads).all()
    for name, values in found.items():
        np.testing.assert_allclose(values, out[name], atol=1e-3, rtol=1e-3)


def test_limits_are_ranges_of_every_product(trained: tuple[Network, list[float]], folded: Batches) -> None:
    pytest.importorskip("onnx")
    from laconic.network.export import find_limits

    network = trained[0]
    limits = find_limits(network, folded)
    assert set(limits) == {name for name, own in network.named_modules() if isinstance(own, torch.nn.Linear)}
    assert all(low < high for low, high in limits.values())
    assert limits["label"][0] == 0
    assert limits == find_limits(network, folded)


def test_teachers_speak_with_the_mean_of_their_probabilities(folded: Batches) -> None:
    torch.manual_seed(0)
    first, second = (Network(TINY).eval() for _ in range(2))
    batch = folded.batch(torch.tensor([0, 1, 2]))
    words = batch["words"]
    both, one, two = (teach(own, batch) for own in ([first, second], [first], [second]))
    for name in ("arc", "tag", "retain", "keep"):
        torch.testing.assert_close(both[name], (one[name] + two[name]) / 2)
    assert (both["head"] == batch["head"]).all()
    torch.testing.assert_close(both["arc"][words].sum(-1), torch.ones(int(words.sum())))
    plain = {name: value for name, value in batch.items() if name not in TARGETS}
    assert (teach([first], plain)["head"] == one["arc"].argmax(-1))[words].all()
    # A network that says the same as its teacher loses least.
    out = first(batch, batch["head"])
    assert total(soft_losses(out, one, batch)) < total(soft_losses(second(batch, batch["head"]), one, batch))


def test_what_is_unknown_costs_nothing(folded: Batches) -> None:
    torch.manual_seed(0)
    batch = folded.batch(torch.tensor([0, 1]))
    out = Network(TINY).eval()(batch, batch["head"])
    unknown = {
        **batch,
        "retain": torch.full_like(batch["retain"], UNKNOWN),
        "root": torch.full_like(batch["root"], UNKNOWN),
        "need": torch.full_like(batch["need"], UNKNOWN),
    }
    losses = hard_losses(out, unknown)
    assert losses["retain"] == losses["root"] == losses["need"] == 0
    assert hard_losses(out, batch)["retain"] > 0
    # Nor does anything in the padding.
    changed = {name: torch.where(batch["words"], batch[name], 1) for name in TARGETS}
    for name, value in hard_losses(out, {**batch, **changed}).items():
        assert value == hard_losses(out, batch)[name]


def test_a_sentence_teaches_its_own_level_alone(folded: Batches) -> None:
    batch = folded.batch(torch.tensor([0, 1, 2]))
    torch.manual_seed(0)
    out = {name: value.detach() for name, value in Network(TINY).eval()(batch, batch["head"]).items()}
    for level in range(len(LEVELS)):
        own = {**batch, "level": torch.full_like(batch["level"], level)}
        before = hard_losses(out, own)
        for other in range(len(LEVELS)):
            changed = dict(out)
            for name in ("retain", "root", "keep"):
                changed[name] = out[name].clone()
                changed[name][..., other] += 1
            after = hard_losses(changed, own)
            for name in ("retain", "root", "keep"):
                assert (before[name] == after[name]) == (other != level)


def test_weights_are_read_as_they_were_saved_but_for_half_precision(
    trained: tuple[Network, list[float]], tmp_path: Path
) -> None:
    save(trained[0], tmp_path / "a.weights.npz")
    again = read(tmp_path / "a.weights.npz", TINY).state_dict()
    for name, value in trained[0].state_dict().items():
        torch.testing.assert_close(again[name], value.half().float())


def test_starting_weights_are_rounded_by_half_a_step_at_most(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = np.array([[1e-3], [1.0], [40.0]], dtype=np.float32)
    weights = {
        "matrix": (rng.normal(size=(3, 500)) * rows).astype(np.float32),
        "zero": np.zeros((2, 4), dtype=np.float32),
        "bias": rng.normal(size=7).astype(np.float32),
        "position_ids": np.arange(5),
    }
    write_rounded(tmp_path / MINILM, weights)
    assert [path.name for path in tmp_path.iterdir()] == [MINILM]
    found = read_start(tmp_path / MINILM)
    assert set(found) == set(weights)
    step = np.abs(weights["matrix"]).max(axis=1, keepdims=True) / 127  # by row
    off = np.abs(found["matrix"] - weights["matrix"])
    assert (off <= step * 0.5001).all()
    assert (off.max(axis=1) > step[:, 0] * 0.4).all()  # 8 bits, and no more
    assert found["matrix"].dtype == np.float32
    assert not found["zero"].any()
    for name in ("bias", "position_ids"):
        assert found[name].tolist() == weights[name].tolist()
    # What is rounded stays as it is.
    write_rounded(tmp_path / MPNET, found)
    np.testing.assert_allclose(read_start(tmp_path / MPNET)["matrix"], found["matrix"], rtol=1e-5)


@pytest.mark.parametrize("bits", [False, True], ids=["full", "8 bit"])
def test_a_graph_is_read_back_as_the_weights_that_it_was_built_from(
    trained: tuple[Network, list[float]], folded: Batches, tmp_path: Path, bits: bool
) -> None:
    pytest.importorskip("onnx")
    from laconic.network.export import build_graph, find_limits, read_graph, write_graph

    network = trained[0].eval()
    weights = {name: value.detach().numpy() for name, value in network.state_dict().items()}
    limits = find_limits(network, folded) if bits else None
    write_graph(build_graph(weights, TINY, limits), tmp_path / "network.onnx")
    found = read_graph(tmp_path / "network.onnx", TINY)
    assert {name: value.shape for name, value in found.items()} == {name: each.shape for name, each in weights.items()}
    used = 256  # a graph has no more places
    for name, value in weights.items():
        own, given = (each[:used] if name == "encoder.places.weight" else each for each in (found[name], value))
        if not bits:
            np.testing.assert_allclose(own, given, atol=1e-6, rtol=1e-5)
        else:
            # Half a step: products have weights of -63 to 63, so that their sums fit into 16 bits.
            assert np.abs(own - given).max() <= np.abs(given).max() / 63 / 2 + 1e-6, name
    again = Network(TINY)
    again.load_state_dict({name: torch.tensor(value) for name, value in found.items()})


def test_earlier_networks_are_gone_on_from(
    trained: tuple[Network, list[float]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("onnx")
    from laconic.network.export import build_graph, write_graph

    weights = {name: value.detach().numpy() for name, value in trained[0].state_dict().items()}
    networks, folder = tmp_path / "earlier", tmp_path / "folder"
    for made in (networks / "default", folder):
        made.mkdir(parents=True)
    write_graph(build_graph(weights, TINY, None), networks / "default" / "network.onnx")
    (networks / "default" / "network.json").write_text(json.dumps({"shape": TINY.to_dict()}))
    monkeypatch.setattr(distil_module, "SHAPES", {"default": TINY})
    assert distil_module._load_earlier(folder, "default") == []
    go_on_from(folder, {"default": networks / "default"})
    assert [path.name for path in folder.iterdir()] == [f"default{EARLIER}"]
    (found,) = distil_module._load_earlier(folder, "default")
    for name, value in found.state_dict().items():
        if name != "encoder.places.weight":
            assert np.abs(value.numpy() - weights[name]).max() <= np.abs(weights[name]).max() / 127 + 1e-6, name


def test_weights_are_mixed_with_earlier_ones(trained: tuple[Network, list[float]]) -> None:
    after, before = copy.deepcopy(trained[0]), Network(TINY)
    distil_module.mix_in(after, before, 0.25)
    for name, value in trained[0].state_dict().items():
        expected = 0.75 * value + 0.25 * before.state_dict()[name]
        assert torch.allclose(after.state_dict()[name], expected, atol=1e-6), name


# All of it.


@pytest.fixture
def prepared(
    tmp_path: Path, examples: Examples, shard: Shard, pieces: Pieces, monkeypatch: pytest.MonkeyPatch
) -> tuple[Path, DistilSettings]:
    """A folder with everything that training needs, for networks of a size that can be trained in a second."""
    shape = Shape(layers=1, width=16, heads=4, inner=24, edge=8)
    shapes = {"default": shape, "small": replace(shape, width=8, inner=16)}
    monkeypatch.setattr(distil_module, "SHAPES", shapes)
    monkeypatch.setattr("laconic.network.ship.SHAPES", shapes)
    monkeypatch.setattr("laconic.network.ship.MAX_RATE", 1.0)  # what has learned so little keeps what it likes
    monkeypatch.setattr(distil_module, "TEACHER", replace(shape, layers=2, norm_epsilon=1e-5))
    folder = tmp_path / "network"
    folder.mkdir()
    for name in ("train", "dev", "polish", "treebank", "verdicts", "strict", "verdicts-dev"):
        examples.save(folder / f"{name}.npz")
    levels = labelled_examples([{level: [shard] for level in NESTED}], pieces, seed=0, unpunctuated=0.0)
    for name in ("levels", "levels-dev"):
        levels.save(folder / f"{name}.npz")
    plain = plain_examples([f"{sentence} Again!" for sentence, _ in ITEMS[:8]], pieces, seed=0, unpunctuated=0)
    plain.save(folder / "plain.npz")
    for name, mpnet in ((MPNET, True), (MINILM, False)):
        weights = bert(16, 24, 2, 30522, mpnet=mpnet)
        write_rounded(folder / name, {key: value.numpy() for key, value in weights.items()})
    (folder / "vocabulary.txt").write_bytes((model_folder() / "vocabulary.txt").read_bytes())
    return folder, DistilSettings(teachers=2, teacher_epochs=1, teacher_pieces=120, level_epochs=1, level_pieces=200,
                               epochs=1, treebank_epochs=1, student_level_epochs=1, pieces=200, polish_epochs=1,
                               headline_epochs=1, polish_pieces=120, polish_runs=2)  # fmt: skip


@pytest.mark.parametrize("name", [*(f"{name}.npz" for name in EXAMPLES), MPNET, MINILM])
def test_training_needs_every_file_and_names_what_is_missing(prepared: tuple[Path, DistilSettings], name: str) -> None:
    folder, settings = prepared
    (folder / name).unlink()
    with pytest.raises(LaconicError, match=name):
        distil(folder, settings, lambda _: None)
    assert not list(folder.glob("*.weights.npz"))


def test_training_goes_on_where_it_stopped_and_ends_the_same(
    prepared: tuple[Path, DistilSettings], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, settings = prepared
    lines: list[str] = []

    def stop(line: str) -> None:
        lines.append(line)
        if line.startswith("teacher 1"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        distil(folder, settings, stop)
    assert sorted(path.name for path in folder.glob("*.weights.npz")) == ["teacher-0.weights.npz"]
    lines.clear()
    distil(folder, settings, lines.append)
    assert not any(line.startswith("teacher 0") for line in lines)
    assert {line.split(":")[0] for line in lines} == {
        "teacher 1", "teacher 1, levels", "default", "small", "default, polished", "small, polished",
    }  # fmt: skip
    names = [f"{name}.weights.npz" for name in
             ("teacher-0", "teacher-1", "default-taught", "small-taught", "default-polished-0", "default-polished-1",
              "default", "small")]  # fmt: skip
    made = {name: (folder / name).read_bytes() for name in names}
    assert not list(folder.glob("*.part"))
    assert DistilSettings(**json.loads((folder / "fit.json").read_text())) == settings
    # Everything is there: nothing is done.
    lines.clear()
    distil(folder, settings, lines.append)
    assert not lines
    # What is lost is made again, and the same.
    for lost in (
        ["small.weights.npz"],
        ["default-taught.weights.npz", "default-polished-1.weights.npz", "default.weights.npz"],
    ):
        for name in lost:
            (folder / name).unlink()
        distil(folder, settings, lines.append)
        assert {name: (folder / name).read_bytes() for name in names} == made


def test_what_was_trained_is_shipped_and_loaded(
    prepared: tuple[Path, DistilSettings], corpus: Path, tmp_path: Path
) -> None:
    pytest.importorskip("onnx")
    import laconic
    from laconic.network.ship import ship

    folder, settings = prepared
    distil(folder, settings, lambda _: None)
    levels = tmp_path / "levels.jsonl"
    rows = [{"text": sentence, **dict.fromkeys(NESTED, compression)} for sentence, compression in ITEMS]
    levels.write_text("\n".join(map(json.dumps, rows)))
    sources = Sources([corpus], corpus, [levels], levels, corpus, corpus, polish=[corpus])
    facts = {
        "command": "laconic train-network …", "about": "", "corpora": ["items.jsonl"], "levels": ["a/levels.jsonl"],
        "verdicts": [], "strict": [],
        "sentences": {name: len(Examples.load(folder / f"{name}.npz")) for name in EXAMPLES}, "parser": "p",
        "plain": "leads.jsonl", "treebank": "a/treebank.jsonl", "polish_corpora": ["items.jsonl"], "start": "chance",
        "settings": {"teachers": 2}, "dev": "items.jsonl", "levels_dev": "a/levels.jsonl",
    }  # fmt: skip
    out = tmp_path / "out" / "small"
    header = ship("small", folder, sources=sources, out=out, facts=facts)
    assert sorted(path.name for path in out.iterdir()) == [
        "NETWORK.md",
        "network.json",
        "network.onnx",
        "vocabulary.txt",
    ]
    compressor = laconic.load(out)
    assert header["name"] == "laconic-small-6"
    assert compressor.scorer.description.startswith("laconic-small-6")
    assert compressor.scorer.description != laconic.load("small").scorer.description
    assert set(header["level_scores"]) == {"full", "8bit"}
    assert all(set(own) == set(NESTED) for own in header["level_scores"].values())
    for result in compressor.stream([sentence for sentence, _ in ITEMS], k=3):
        assert len(result.sentences[0].compressions) >= 1


def test_networks_are_trained_on_files_of_ones_own_without_any_to_polish_on(
    prepared: tuple[Path, DistilSettings], corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("onnx")
    pytest.importorskip("safetensors")
    import laconic

    start, settings = prepared

    def find_start(folder: Path, log: object, *, teachers: bool) -> None:
        assert teachers
        for name in (MPNET, MINILM, "vocabulary.txt"):
            (folder / name).write_bytes((start / name).read_bytes())

    monkeypatch.setattr("laconic.network.start.find_start", find_start)
    monkeypatch.setattr("laconic.network.stages.SHAPES", distil_module.SHAPES)
    levels, plain = tmp_path / "levels.jsonl", tmp_path / "plain.jsonl"
    rows = [{"text": sentence, **dict.fromkeys(NESTED, compression)} for sentence, compression in ITEMS]
    levels.write_text("\n".join(map(json.dumps, rows)))
    plain.write_text("\n".join(json.dumps({"text": sentence}) for sentence, _ in ITEMS))
    lines: list[str] = []
    train_network(
        Sources([corpus], corpus, [levels], levels, plain, plain),
        out=tmp_path / "out",
        cache=tmp_path / "cache",
        parser="spacy",
        settings=settings,
        log=lines.append,
    )
    assert any(line.startswith("small, polished") for line in lines)
    card = (tmp_path / "out" / "small" / "NETWORK.md").read_text(encoding="utf-8")
    assert "--polish" not in card
    assert f"sentences of {corpus.name}, on the levels and the verdicts" in card
    assert laconic.load(tmp_path / "out" / "small").compress(ITEMS[0][0])


def test_the_area_under_the_curve_of_what_is_needed_is_measured_on_verdicts(pieces: Pieces) -> None:
    """A network that knows every answer has an area of 1, and one that has them the wrong way round of 0."""
    parses = given_parses(FIGURE_1, FIGURE_1_ENTITIES)
    (text,) = parses.texts()
    cut = {text.index("home"): 0, text.index("man"): 1, text.index("Friday"): 0}
    shard = Shard(parses, np.zeros(len(parses.start), dtype=np.uint8))
    found = labelled_examples(
        [{None: [shard]}], pieces, seed=0, unpunctuated=0.0, verdicts={text: [Verdict((), cut, {})]}
    )
    verdicts = Batches(found, torch.device("cpu"))

    class Knows(Network):
        sign = 1.0

        def forward(self, batch: Mapping[str, Tensor], heads: Tensor | None = None) -> dict[str, Tensor]:
            out = super().forward(batch, heads)
            return {**out, "need": self.sign * (batch["need"] == 1)[..., None].float()}

    network = Knows(Shape(layers=1, width=16, heads=4, inner=24, edge=8))
    assert measure(network, [verdicts])["need area"] == 1
    network.sign = -1.0
    assert measure(network, [verdicts])["need area"] == 0
    assert "alone area" not in measure(network, [verdicts])  # nothing is known of it


def test_networks_that_are_polished_with_different_seeds_are_averaged(prepared: tuple[Path, DistilSettings]) -> None:
    folder, settings = prepared
    distil(folder, settings, lambda _: None)
    shape = distil_module.SHAPES["small"]
    one, other, mean = (
        read(folder / f"{name}.weights.npz", shape).state_dict()
        for name in ("small-polished-0", "small-polished-1", "small")
    )
    assert any(not torch.equal(one[name], other[name]) for name in one)
    for name, weights in mean.items():
        assert torch.allclose(weights, (one[name] + other[name]) / 2, atol=2e-3)
