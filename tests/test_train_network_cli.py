"""`laconic train-network`: which files are trained on."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from laconic.cli import app, train_network
from laconic.network.stages import Sources

FILES = "--dev dev --levels a/levels --levels-dev a/levels-dev --treebank a/trees --plain plain --out out".split()


def sources_of(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Sources:
    asked: list[Sources] = []
    monkeypatch.setattr(train_network, "train_network", lambda sources, **_: asked.append(sources))
    done = CliRunner().invoke(app, ["train-network", *arguments])
    assert done.exit_code == 0, done.output
    return asked[0]


def test_without_a_corpus_to_polish_on_all_corpora_are(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = sources_of(monkeypatch, "mine.jsonl", "more.jsonl", *FILES)
    assert sources.polished == sources.corpora == [Path("mine.jsonl"), Path("more.jsonl")]
    assert sources.files.count(Path("mine.jsonl")) == 2
    assert "--polish" not in sources.command
    assert sources.command.endswith("--plain plain")


def test_levels_and_verdicts_may_be_in_several_files(monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts = ["--verdicts", "b/many", "--verdicts", "b/strict", "--verdicts-dev", "b/some"]
    sources = sources_of(monkeypatch, "mine.jsonl", "--levels", "b/more", *verdicts, *FILES)
    assert sources.levels == [Path("b/more"), Path("a/levels")]
    assert sources.verdicts == [Path("b/many"), Path("b/strict")]
    assert not sources.strict
    assert {Path("b/more"), Path("a/levels"), *sources.verdicts, Path("b/some")} <= set(sources.files)
    flags = "--levels b/more --levels a/levels --levels-dev a/levels-dev"
    assert f"{flags} --verdicts b/many --verdicts b/strict --verdicts-dev b/some --treebank" in sources.command


def test_networks_are_polished_on_the_strict_verdicts_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts = ["--verdicts", "b/many", "--verdicts", "b/strict", "--polish-verdicts", "b/strict"]
    sources = sources_of(monkeypatch, "mine.jsonl", *verdicts, *FILES)
    assert sources.strict == [Path("b/strict")]
    assert "--verdicts b/many --verdicts b/strict --polish-verdicts b/strict --treebank" in sources.command


def test_those_that_are_named_are_polished_on_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = sources_of(monkeypatch, "lower.jsonl", "cased.jsonl", "--polish", "cased.jsonl", *FILES)
    assert sources.polished == [Path("cased.jsonl")]
    assert sources.command.endswith("--plain plain --polish cased.jsonl")
