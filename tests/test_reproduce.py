"""The paper's tables and figures on a corpus written for the purpose."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from sentences import ITEMS

import laconic
from laconic import LaconicError, _core
from laconic.corpus import gold_tokens, read_corpus
from laconic.evaluate import Gold
from laconic.model_folders import maxent_folder
from laconic.reproduce import reproduce
from laconic.reproduce.classifiers import confusion, curve, edge_classifier, size_classifier
from laconic.reproduce.page import Row, make_tables
from laconic.train import Settings
from laconic.tree import make_forest

module = sys.modules["laconic.reproduce.reproduce"]


@pytest.fixture(scope="module")
def dev(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "dev.jsonl"
    lines = [json.dumps({"sentence": sentence, "compression": compression}) for sentence, compression in ITEMS]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def report(dev: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report")
    return reproduce(dev, out=out, model=maxent_folder(), parser="spacy", cache=out / "cache").parent


def test_page_is_self_contained_and_has_every_part(report: Path) -> None:
    page = (report / "index.html").read_text(encoding="utf-8")
    sources = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert len(sources) == 5
    assert all(source.startswith("data:image/svg+xml;base64,") for source in sources)
    assert "http" not in re.sub(r"data:[^\"]*", "", page)
    headings = re.findall(r"<h2>(.*?)</h2>", page)
    assert len(headings) == 9
    for signature in ["tree_f1|", "word_f1|words:multiset", "rate|unit:chars|avg:micro", "best_of_5_word_f1|"]:
        assert signature in page
    assert "Top-down + NSS − ILP" in page
    data = json.loads((report / "report.json").read_text(encoding="utf-8"))
    assert data["examples"]["rows"]
    for row in data["examples"]["rows"]:
        assert row["sentence"] in page
        assert len({row[method]["text"] for method in ("ilp", "topdown", "nss")}) > 1
    assert "{{" not in page


def test_figures_are_svg_with_labelled_axes(report: Path) -> None:
    files = sorted(path.name for path in report.glob("*.svg"))
    assert files == ["edge-classifier.svg", "length.svg", "time-best.svg", "time-top-five.svg", "top-five.svg"]
    for name in files:
        text = (report / name).read_text(encoding="utf-8")
        ElementTree.fromstring(text)
    # Matplotlib writes every text as a comment beside its outlines.
    times = (report / "time-best.svg").read_text(encoding="utf-8")
    for label in ["sentence length (tokens)", "time (µs)", "ILP", "Top-down + NSS"]:
        assert f"<!-- {label} -->" in times


def test_json_has_the_same_content(report: Path) -> None:
    data = json.loads((report / "report.json").read_text(encoding="utf-8"))
    page = (report / "index.html").read_text(encoding="utf-8")
    scores = {each["name"]: each for each in data["systems"]["ilp"]["scores"]}
    assert f"{scores['tree F1']['value']:.3f}" in page
    assert scores["tree F1"]["low"] <= scores["tree F1"]["value"] <= scores["tree F1"]["high"]
    assert len(data["systems"]["nss"]["by_rank"]) == 5
    assert len(data["times"]["methods"]["ilp"]["best"]["us"]) == len(ITEMS)
    assert 0 < data["times"]["methods"]["ilp"]["five"]["solver_share"] < 1
    assert data["environment"]["solver"].startswith("HiGHS")
    verdicts = {row["verdict"] for rows in data["beside_the_paper"].values() for row in rows}
    assert verdicts <= {"", "ahead", "behind", "not told apart", "too few to tell"}


def test_page_says_where_we_are_behind(report: Path) -> None:
    data = json.loads((report / "report.json").read_text(encoding="utf-8"))
    page = (report / "index.html").read_text(encoding="utf-8")
    box = page[page.index('class="box"') : page.index("</div>", page.index('class="box"'))]
    behind = [row["what"] for rows in data["beside_the_paper"].values() for row in rows if row["verdict"] == "behind"]
    assert all(what in box for what in behind)
    worse = json.loads(json.dumps(data))
    worse["classifiers"]["sizes"]["accuracy"] = {"value": 0.5, "low": 0.48, "high": 0.52, "count": 3000}
    worse["systems"]["topdown"]["scores"][0].update(value=0.6, low=0.58, high=0.62)
    worse["times"]["methods"]["topdown"]["best"]["mean"] = 1e5
    rows = {row.what: row.verdict for table in make_tables(worse).values() for row in table}
    assert rows["accuracy of the subset sizes"] == "behind"
    assert rows["Top-down: tree F1"] == "behind"
    assert rows["Top-down: the best result"] == "behind"
    assert rows["ILP / Top-down: the best result"] == "behind"


def test_verdicts_follow_the_direction_and_the_interval() -> None:
    assert Row("F1", 0.7, 0.8, better=1).verdict == "ahead"
    assert Row("time", 700, 800, "us", better=-1).verdict == "behind"
    assert Row("F1", 0.7, 0.71, low=0.69, high=0.73, better=1).verdict == "not told apart"
    assert Row("share", 0.4, 0.37).verdict == ""
    assert Row("recall", 0.4, 0.0, low=0.0, high=0.0, better=1, count=3).verdict == "too few to tell"
    assert Row("recall", 0.4, None, better=1, count=0).verdict == ""


def test_interrupted_run_goes_on_without_repeating_finished_parts(
    dev: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    decode, time_methods = module.decode, module.time_methods

    def counted(*rest: Any, **options: Any) -> Any:
        calls.append(options["method"])
        return decode(*rest, **options)

    def killed(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "decode", counted)
    monkeypatch.setattr(module, "time_methods", killed)
    with pytest.raises(KeyboardInterrupt):
        reproduce(dev, out=tmp_path, model=maxent_folder(), parser="spacy", cache=tmp_path / "cache")
    assert sorted(calls) == ["ilp", "nss", "topdown"]
    assert not (tmp_path / "index.html").exists()
    monkeypatch.setattr(module, "time_methods", time_methods)
    log: list[str] = []
    page = reproduce(dev, out=tmp_path, model=maxent_folder(), parser="spacy", cache=tmp_path / "cache", log=log.append)
    assert len(calls) == 3
    assert page.exists()
    assert sum("already done" in line for line in log) == 4  # classifiers and three methods
    # A part that was damaged is made again.
    (damaged,) = (tmp_path / "parts").glob("*/outputs-nss.json")
    damaged.write_text(damaged.read_text()[:100])
    reproduce(dev, out=tmp_path, model=maxent_folder(), parser="spacy", cache=tmp_path / "cache")
    assert calls[3:] == ["nss"]


def test_other_data_are_measured_anew(dev: Path, report: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text("\n".join(dev.read_text().splitlines()[:3]))
    log: list[str] = []
    reproduce(other, out=report, model=maxent_folder(), parser="spacy", cache=tmp_path, log=log.append)
    assert not any("already done" in line for line in log)


def test_model_is_trained_once_when_corpora_are_given(dev: Path, tmp_path: Path) -> None:
    settings = Settings(least=1, nss_least=1, min_weight=0.0, nss_min_weight=0.0, ilp_min_weight=0.0, min_f1=0.5)
    for _ in range(2):
        log: list[str] = []
        reproduce(
            dev,
            out=tmp_path,
            corpora=[dev],
            model=maxent_folder(),
            parser="spacy",
            cache=tmp_path / "cache",
            settings=settings,
            log=log.append,
        )
    assert not any("fitting" in line for line in log)
    data = json.loads((tmp_path / "report.json").read_text())
    assert data["corpus"]["sentences"] == len(ITEMS)
    assert data["environment"]["model"].startswith("trained for this page, SHA-256 ")


def test_model_of_another_run_in_the_same_folder_is_not_taken_for_this_one(dev: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text("\n".join(dev.read_text().splitlines()[:4]))
    settings = Settings(least=1, nss_least=1, min_weight=0.0, nss_min_weight=0.0, ilp_min_weight=0.0, min_f1=0.5)
    counts = []
    for corpus in (dev, other, dev):
        options = {
            "out": tmp_path,
            "model": maxent_folder(),
            "parser": "spacy",
            "cache": tmp_path / "cache",
            "settings": settings,
        }
        reproduce(dev, corpora=[corpus], **options)
        counts.append(json.loads((tmp_path / "report.json").read_text())["corpus"]["sentences"])
    assert counts == [len(ITEMS), 4, len(ITEMS)]


def test_other_solver_options_are_timed_anew(dev: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for options in (module.OPTIONS, {**module.OPTIONS, "presolve": "off"}):
        monkeypatch.setattr(module, "OPTIONS", options)
        log: list[str] = []
        reproduce(dev, out=tmp_path, model=maxent_folder(), parser="spacy", cache=tmp_path, log=log.append)
        assert not any("already done" in line for line in log)


def test_corpus_whose_compressions_are_no_subtrees_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(
        json.dumps({"sentence": "The cat sat on the mat near a tall old red door.", "compression": "the a"})
    )
    with pytest.raises(LaconicError, match="no compression of the 1 items is near a subtree"):
        reproduce(path, out=tmp_path / "out", model=maxent_folder(), parser="spacy", cache=tmp_path)


def test_missing_plotting_library_is_refused_before_any_work(
    dev: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(LaconicError, match=r'pip install "laconic\[reproduce\]"'):
        reproduce(dev, out=tmp_path / "out", model=maxent_folder(), parser="spacy", cache=tmp_path)
    assert not (tmp_path / "out").exists()


def test_curve_of_a_worked_example() -> None:
    found = curve(np.array([0.9, 0.8, 0.6, 0.3, 0.1]), np.array([True, True, False, True, False]))
    at = found["thresholds"].index(0.5)
    assert found["precision"][at] == pytest.approx(2 / 3)
    assert found["recall"][at] == pytest.approx(2 / 3)
    assert found["f1"][at] == pytest.approx(2 / 3)
    assert found["best_f1"] == pytest.approx(6 / 7)  # from .11 to .3: three of four, all three found
    assert 0.1 < found["best_threshold"] <= 0.3
    assert found["accuracy"] == pytest.approx(0.6)


def test_confusion_of_a_worked_example() -> None:
    found = confusion([np.array([0, 0, 1]), np.array([1, 4])], [np.array([0, 1, 1]), np.array([1, 2])])
    assert found["accuracy"]["value"] == pytest.approx(0.6)
    # The two sentences have 2 of 3 and 1 of 2 right: no resample can have more or less.
    assert [found["accuracy"]["low"], found["accuracy"]["high"]] == pytest.approx([1 / 2, 2 / 3])
    assert [each["value"] for each in found["precision"]] == [1, pytest.approx(2 / 3), 0, None, None]
    assert [each["value"] for each in found["recall"]] == [0.5, 1, None, None, 0]
    assert [each["count"] for each in found["recall"]] == [2, 2, 0, 0, 1]
    assert found["shares"] == pytest.approx([0.4, 0.4, 0, 0, 0.2])


def test_classifiers_are_measured_on_what_training_would_see(dev: Path, paper_compressor: laconic.Compressor) -> None:
    items = list(read_corpus(dev))
    parses = paper_compressor.parser.parse([item.text for item in items])
    keep = gold_tokens(parses, items)
    gold = Gold.make(make_forest(parses), keep, parser="test")
    forest = make_forest(parses)
    _, _, edge_labels = _core.examples(forest, keep, False, 0.8)
    _, _, size_labels = _core.examples(forest, keep, True, 0.8)
    edges = edge_classifier(gold, paper_compressor.model, min_f1=0.8)
    sizes = size_classifier(gold, paper_compressor.model, min_f1=0.8)
    assert edges["edges"] == len(edge_labels)
    assert edges["deleted"] == pytest.approx(edge_labels.mean())
    assert sizes["nodes"] == len(size_labels)
    assert sizes["shares"] == pytest.approx((np.bincount(size_labels, minlength=5) / len(size_labels)).tolist())
    assert edges["accuracy"] > 0.6
    assert sizes["accuracy"]["value"] > 0.5
