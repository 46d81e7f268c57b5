"""Evaluation of all methods on corpora written for the purpose."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sentences import ITEMS

import laconic
from laconic import LaconicError
from laconic.corpus import gold_tokens, read_corpus
from laconic.decode import Method, decode
from laconic.evaluate import Gold, compare_with_gold, evaluate
from laconic.metrics.overlap import words
from laconic.score import Model
from laconic.tree import make_forest


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "dev.jsonl"
    lines = [json.dumps({"sentence": sentence, "compression": compression}) for sentence, compression in ITEMS]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module", params=["network", "paper"])
def compressor(request: pytest.FixtureRequest) -> laconic.Compressor:
    """The default and the paper's system, with every text as one sentence."""
    if request.param == "network":
        return laconic.load(split=False)
    return laconic.load(parser="spacy", scorer="maxent", split=False)


def test_all_methods_and_their_top_five_in_one_run(corpus: Path, compressor: laconic.Compressor) -> None:
    steps: list[int] = []
    totals: list[int] = []
    found = evaluate(
        corpus,
        compressor,
        methods=["topdown", "nss", "ilp", "topdown"],
        start=totals.append,
        advance=steps.append,
    )
    assert list(found.outputs) == [Method.TOPDOWN, Method.NSS, Method.ILP]
    assert sum(steps) == totals[0] == 4 * len(ITEMS)  # parsing and three methods
    for outputs in found.outputs.values():
        names = [series.name for series in outputs.series()]
        assert names == [
            "tree F1", "word F1", "exact", "rate", "rate, micro", "word F1, best of 5", "tree F1, best of 5"
        ]  # fmt: skip
        by_rank = outputs.tree_series_by_rank()
        assert len(by_rank) == 5
        assert by_rank[0].value == outputs.scores().tree_f1
        assert "rank:2" in by_rank[1].signature
        assert f"|trees:{compressor.parser.description}+" in by_rank[0].signature
        assert all(0 <= series.value <= 1 for series in outputs.series())


def test_scores_are_those_of_the_printed_texts(corpus: Path, compressor: laconic.Compressor) -> None:
    """What `laconic score` would say of the same outputs, and what the definition says of the trees."""
    found = evaluate(corpus, compressor, methods=["topdown"], k=2)
    outputs = found.outputs[Method.TOPDOWN]
    for i, (sentence, _) in enumerate(ITEMS):
        assert [c.text for c in compressor.compress(sentence, k=2, level="headline")[0]] == outputs.texts[i]
        assert outputs.words[i] == [words(text) for text in outputs.texts[i]]
        assert outputs.sentences[i] == sentence
    same = [own[0] == words(gold) for own, (_, gold) in zip(outputs.words, ITEMS, strict=True)]
    assert outputs.scores().exact == pytest.approx(sum(same) / len(same))
    lengths = [len(own[0]) / len(sentence) for own, (sentence, _) in zip(outputs.texts, ITEMS, strict=True)]
    assert outputs.scores().rate == pytest.approx(sum(lengths) / len(lengths))


def test_gold_subtree_itself_has_tree_f1_of_one(compressor: laconic.Compressor, corpus: Path) -> None:
    items = list(read_corpus(corpus))
    parses = compressor.parser.parse([item.text for item in items])
    gold = Gold.make(make_forest(parses), gold_tokens(parses, items), parser="test")
    scores = compressor.score(parses)
    decoded = decode(make_forest(parses), scores if isinstance(scores, Model) else scores.headline(), k=3000)
    outputs = compare_with_gold(gold, decoded, 3000)
    connected = [i for i, f1 in enumerate(gold.subtrees.f1) if f1 > 1 - 1e-9]
    assert len(connected) >= 4
    for i in connected:
        assert max(outputs.tree_f1[i]) == 1.0
        best = outputs.words[i][outputs.tree_f1[i].index(1.0)]
        assert best == outputs.gold_words[i]


def test_official_form_of_the_corpus_gives_the_same_scores(
    corpus: Path, tmp_path: Path, compressor: laconic.Compressor
) -> None:
    records = [
        {"graph": {"sentence": sentence, "node": [], "edge": []}, "compression": {"text": compression, "edge": []}}
        for sentence, compression in ITEMS
    ]
    official = tmp_path / "official.json"
    official.write_text("\n\n".join(json.dumps(record, indent=2) for record in records), encoding="utf-8")
    scores = [evaluate(path, compressor).outputs[Method.TOPDOWN].scores() for path in (corpus, official)]
    assert scores[0] == scores[1]


def test_sentences_that_nothing_fits_for_score_zero(corpus: Path, compressor: laconic.Compressor) -> None:
    found = evaluate(corpus, compressor, methods=["ilp"], max_chars=8)
    outputs = found.outputs[Method.ILP]
    assert all(len(own[0]) <= 8 for own in outputs.texts)
    empty = [i for i, own in enumerate(outputs.texts) if not own[0]]
    assert empty
    assert all(outputs.tree_f1[i] == [0.0] for i in empty)


def test_a_baseline_is_the_same_method_with_another_model(corpus: Path, compressor: laconic.Compressor) -> None:
    found = evaluate(corpus, compressor, methods=["nss"], baseline=compressor)
    assert list(found.outputs) == ["baseline", "nss"]
    assert found.outputs["baseline"].scores() == found.outputs["nss"].scores()
    with pytest.raises(LaconicError, match="compared by one method, and 2 were given"):
        evaluate(corpus, compressor, methods=["topdown", "nss"], baseline=compressor)


def test_a_baseline_may_be_another_scorer_on_the_same_trees(corpus: Path) -> None:
    network = laconic.load(split=False)
    maxent = laconic.Compressor(network.parser, network.model)
    found = evaluate(corpus, network, baseline=maxent, k=3)
    assert list(found.outputs) == ["baseline", "topdown"]
    assert found.outputs["topdown"].texts == evaluate(corpus, network, k=3).outputs["topdown"].texts
    assert found.outputs["baseline"].texts == evaluate(corpus, maxent, k=3).outputs["topdown"].texts
    assert found.outputs["baseline"].texts != found.outputs["topdown"].texts
    assert found.outputs["baseline"].trees == found.outputs["topdown"].trees


def test_the_order_is_the_scorers_own_unless_it_is_given(corpus: Path) -> None:
    network = laconic.load(split=False)
    own, expected, by_score = (
        evaluate(corpus, network, order=order, k=8).outputs["topdown"].texts for order in (None, "expected-f1", "score")
    )
    assert own == expected != by_score
    ilp = evaluate(corpus, network, methods=["topdown", "ilp"], order="score", k=8).outputs
    assert ilp["topdown"].texts == by_score
    assert ilp["ilp"].texts == evaluate(corpus, network, methods=["ilp"], k=8).outputs["ilp"].texts


def test_rating_items_have_the_gold_and_every_result(corpus: Path, compressor: laconic.Compressor) -> None:
    found = evaluate(corpus, compressor, methods=["topdown", "ilp"], k=2)
    (item,) = found.rating_items(1)
    assert item["sentence"] == ITEMS[0][0]
    systems = [(each["system"], each["k"]) for each in item["compressions"]]
    assert systems == [("extractive", 1), ("topdown", 1), ("topdown", 2), ("ilp", 1), ("ilp", 2)]
    assert item["compressions"][0]["text"] == ITEMS[0][1]
    assert len(list(found.rating_items())) == len(ITEMS)


def test_corpus_without_a_usable_item_is_refused(tmp_path: Path, compressor: laconic.Compressor) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text("\n\n")
    with pytest.raises(LaconicError, match=r"empty\.jsonl has no usable item"):
        evaluate(path, compressor)


def test_item_that_is_no_single_sentence_is_named_before_it_shifts_the_others(
    tmp_path: Path, compressor: laconic.Compressor
) -> None:
    path = tmp_path / "long.jsonl"
    items = [{"sentence": "A " + "x" * 21_000 + " fell.", "compression": "A fell."}]
    items += [{"sentence": sentence, "compression": compression} for sentence, compression in ITEMS]
    path.write_text("\n".join(json.dumps(item) for item in items), encoding="utf-8")
    with pytest.raises(LaconicError, match=r"long\.jsonl: item 1 is too long to be parsed as one sentence"):
        evaluate(path, compressor)


def test_item_with_hundreds_of_words_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    items = [{"sentence": "word " * 300, "compression": "word"}, {"sentence": ITEMS[0][0], "compression": ITEMS[0][1]}]
    path.write_text("\n".join(json.dumps(item) for item in items), encoding="utf-8")
    assert [item.text for item in read_corpus(path)] == [ITEMS[0][0]]


@pytest.mark.parametrize(
    ("options", "message"),
    [({"k": 10**20}, "at most 100000"), ({"k": 0}, "1 or more"), ({"rho": 2.0}, "rho is 2.0"),
     ({"order": "f1"}, "unknown order 'f1'"),
     ({"max_chars": 5, "methods": ["nss"]}, "leave out the method nss"),
     ({"methods": ["ilp", "no"]}, "unknown method 'no'")],
)  # fmt: skip
def test_bad_options_are_refused_before_anything_is_parsed(options: dict, message: str) -> None:
    with pytest.raises(LaconicError, match=message):
        evaluate(Path("not read"), None, **options)  # type: ignore[arg-type]


LEVELS = [
    {
        "id": "1",
        "genre": "mail",
        "text": "Hi Ann, the weekly planning meeting has been moved to Thursday because Bob is away.",
        "light": "The weekly planning meeting has been moved to Thursday because Bob is away.",
        "medium": "The meeting has been moved to Thursday because Bob is away.",
        "short": "The meeting has been moved to Thursday.",
    },
    {
        "id": "2",
        "genre": "news",
        "text": "Two men were arrested late on Friday, police in Leeds said.",
        "light": "Two men were arrested late on Friday, police said.",
        "medium": "Two men were arrested on Friday.",
        "short": "Two men were arrested.",
    },
]


@pytest.fixture
def levels(tmp_path: Path) -> Path:
    path = tmp_path / "levels.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in LEVELS), encoding="utf-8")
    return path


@pytest.mark.parametrize("level", ["light", "medium", "short"])
def test_a_corpus_of_three_levels_is_measured_within_the_length_of_one(levels: Path, level: str) -> None:
    found = evaluate(levels, laconic.load(split=False), level=level)
    outputs = found.outputs["topdown"]
    golds = [item[level] for item in LEVELS]
    assert [item.compression for item in found.items] == golds
    assert outputs.allowed == [len(gold) for gold in golds]
    assert all(len(own[0]) <= len(gold) for own, gold in zip(outputs.texts, golds, strict=True))
    used = [len(own[0]) / len(gold) for own, gold in zip(outputs.texts, golds, strict=True)]
    (room,) = [series for series in outputs.series() if series.name == "room used"]
    assert room.value == pytest.approx(sum(used) / 2)
    rows = found.by_genre("topdown")
    assert [(row.genre, row.sentences, row.misfits) for row in rows] == [("mail", 1, 0), ("news", 1, 0)]
    assert sum(row.word_f1 for row in rows) / 2 == pytest.approx(outputs.scores().word_f1)
    assert [row.room for row in rows] == pytest.approx(used)


def test_a_sentence_that_nothing_fits_for_uses_no_room(levels: Path) -> None:
    found = evaluate(levels, laconic.load(split=False), level="short", max_chars=3)
    assert found.outputs["topdown"].room().value == 0
    assert [row.misfits for row in found.by_genre("topdown")] == [1, 1]


def test_the_shortest_that_the_guard_allows_is_scored_if_it_is_asked_for(levels: Path) -> None:
    compressor = laconic.load(split=False)
    found = evaluate(levels, compressor, level="short", max_chars=3, nearest=True)
    outputs = found.outputs["topdown"]
    shortest = [compressor.compress(item["text"], max_chars=3, nearest=True)[0][0].text for item in LEVELS]
    assert [own[0] for own in outputs.texts] == shortest
    assert outputs.room().value == 1
    assert outputs.scores().word_f1 > 0
    assert [row.misfits for row in found.by_genre("topdown")] == [1, 1]
    with pytest.raises(LaconicError, match="nearest goes with a maximum"):
        evaluate(levels, compressor, level="short", max_chars="any", nearest=True)


def test_the_level_is_asked_for_and_only_where_there_are_levels(levels: Path, tmp_path: Path) -> None:
    compressor = laconic.load(split=False)
    with pytest.raises(LaconicError, match=r"levels.jsonl:1: .*three compressions: say which, level is one of light, "):
        evaluate(levels, compressor)
    with pytest.raises(LaconicError, match="no item has the level 'tiny': use one of light, medium, short"):
        evaluate(levels, compressor, level="tiny")
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps({"sentence": "Rain fell on Monday.", "compression": "Rain fell."}) + "\n")
    with pytest.raises(LaconicError, match="the item has no light, medium, short: leave the level out"):
        evaluate(other, compressor, level="light")
