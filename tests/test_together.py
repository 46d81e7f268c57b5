"""Texts of which different things are asked, read in one pass."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

import laconic
from laconic.errors import LaconicError
from laconic.together import Question, compress_together

TEXTS = (
    "The police said the man who robbed a bank in Arizona was arrested at his home late Friday.",
    "Rain fell on Monday, and the match, which many had waited for, was called off.",
    "If the pump makes a noise, turn it off. Do not start it again before noon, when we are back.",
    "Der Zug nach Berlin fährt heute wegen einer Störung leider erst um zehn Uhr ab.",
    "",
)
QUESTIONS = (
    Question(TEXTS),
    Question(TEXTS[:2], 3, {"explain": True}),
    Question(TEXTS[1:3], 1, {"max_chars": 50, "nearest": True}),
    Question([TEXTS[0], "Keep [[this very]] word, please."], 2, {"protect": ["[[", "]]"]}),
    Question(TEXTS[:1], 1, {"max_chars": 5}),
    Question(TEXTS[2:], 1, {"level": "headline", "resolve_pronouns": True}),
    Question(TEXTS[1:2], 3, {"explain": True}),
    Question(["Unbalanced [[ marker."], 2, {"protect": ["[[", "]]"]}),
)


def described(found: object) -> object:
    return str(found) if isinstance(found, LaconicError) else found


def test_the_results_are_those_of_each_question_alone(compressor: laconic.Compressor) -> None:
    for question, found in zip(QUESTIONS, compress_together(compressor, QUESTIONS), strict=True):
        with pytest.warns(laconic.LanguageWarning) if TEXTS[3] in question.texts else nullcontext():
            alone = compressor.batch(question.texts, question.k, errors="return", **question.options)
        assert not isinstance(found, LaconicError)
        assert list(map(described, found)) == list(map(described, alone))


def test_all_texts_are_read_once(compressor: laconic.Compressor, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    own = compressor.read

    def count(texts: list[str], *arguments: object, **options: object) -> object:
        read.append(len(texts))
        return own(texts, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(compressor, "read", count)
    compress_together(compressor, QUESTIONS)
    assert read == [sum(len(question.texts) for question in QUESTIONS)]


def test_bad_options_are_the_error_of_their_question_alone(compressor: laconic.Compressor) -> None:
    good, bad, worse = compress_together(
        compressor, [Question(TEXTS[:1]), Question(TEXTS[:1], 0), Question(TEXTS[:1], 1, {"rho": 0.5})]
    )
    assert not isinstance(good, LaconicError)
    assert "k is 0" in str(bad)
    assert "rho belongs to the level headline" in str(worse)
    assert compress_together(compressor, []) == []
