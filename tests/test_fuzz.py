"""A few hundred fuzzed inputs; `make fuzz` runs as many as are asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fuzz.judge import check_contracted, check_document, check_length, check_result, check_words
from fuzz.rounds import load, run_round

#: Inputs that fuzzing found: a part of a word was printed, words were printed together, or too few.
FOUND = [json.loads(line) for line in (Path(__file__).parent / "data" / "whole_words.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("number", range(24))
def test_nothing_is_wrong_with_a_round(number: int) -> None:
    done = run_round(2026, number, systems=("small",))
    assert done.inputs > 0
    assert done.problems == []


@pytest.mark.parametrize("found", FOUND, ids=lambda found: found["text"][:20])
def test_only_whole_words_are_printed(found: dict[str, Any]) -> None:
    compressor, text, asked = load(found["system"]), found["text"], found["options"]
    if "format" in asked:
        assert not list(check_document(compressor.fit(text, **asked), text, asked, compressor.parser))
        return
    (result,) = compressor.batch([text], errors="return", **asked)
    if not isinstance(result, Exception):
        assert not list(check_result(result, {"k": 1, **asked}, compressor.parser))


def test_the_judge_sees_what_is_wrong() -> None:
    source = "He's sick, and let's go to the state-of-the-art lab."
    for printed in ("He's sick.", "He sick.", "Let's go.", "he's sick, let's go to the state-of-the-art lab"):
        assert not list(check_words(printed, source)), printed
    for printed, problem in [
        ("Let go.", "part"),
        ("Go to the art lab.", "part"),
        ("Go, and he's sick.", "word"),
        ("She's sick.", "part"),
    ]:
        assert [found for found, _ in check_words(printed, source)] == [problem], printed
    assert [found for found, _ in check_length("He's sick.", source, {"max_chars": 9})] == ["budget"]
    assert [found for found, _ in check_length("He's sick.", source, {"min_words": 3})] == ["budget"]
    assert not list(check_length("He's sick.", source, {"max_chars": 10, "min_words": 2}))


@pytest.mark.parametrize(
    ("printed", "wrong"),
    [("He's home-sick", False), ("He wants to sleep", False), ("He sick", True), ("He", True), ("sick", False)],
)
def test_the_judge_sees_who_lost_a_verb_that_is_contracted(printed: str, wrong: bool) -> None:
    source = "He's home-sick and wants to sleep."
    at, spans = 0, []
    for word in printed.split():
        at = source.index(word, at)
        spans.append((at, at + len(word)))
    assert [found for found, _ in check_contracted(spans, source)] == ["contraction"] * wrong


def test_inputs_depend_on_the_seed_alone() -> None:
    first, again = (run_round(7, 1, systems=("small",)) for _ in range(2))
    assert (first.inputs, first.refused) == (again.inputs, again.refused)
