"""Denials: a compression never says the opposite of its sentence."""

from __future__ import annotations

import numpy as np
import pytest

import laconic
from laconic.parse import Parses
from laconic.score.denials import keep_denials

#: A sentence, and words that must not be printed without other words of it.
PAIRS = [
    ("Police do not believe the fire was started deliberately.", "fire was started", "not believe"),
    ("Experts doubt the vaccine will be ready by May.", "vaccine will be ready", "doubt"),
    ("The minister denied that he had taken money from the firm.", "he had taken", "denied"),
    ("It is not clear whether the bank will close.", "bank will close", "not clear"),
    ("The club has not said if he will play on Sunday.", "he will play", "not said"),
    ("Nobody had noticed that the certificate expired.", "had noticed", "Nobody"),
    ("No card data were exposed, the company said on Monday.", "were exposed", "No card"),
    ("He found nothing in the house, police said.", "He found", "nothing"),
    ("What I do not accept is that the old clock is thrown away.", "old clock is thrown", "not accept"),
    ("It is not true that the company paid bribes.", "company paid", "not true"),
    ("The inquiry found no evidence that the fire was set deliberately.", "fire was set", "no evidence"),
    ("Hardly anyone wanted to give the lamp back.", "anyone wanted", "Hardly"),
    ("Neither the company nor the union was willing to comment.", "company was willing", "Neither"),
]


@pytest.mark.parametrize(("sentence", "said", "with_it"), PAIRS)
@pytest.mark.parametrize("options", [{}, {"max_chars": 40, "nearest": True}, {"order": "score"}])
def test_what_is_denied_is_not_said(
    compressor: laconic.Compressor, sentence: str, said: str, with_it: str, options: dict
) -> None:
    best = compressor.compress(sentence, **options)[0][0].text
    assert said.casefold() not in best.casefold() or with_it.casefold() in best.casefold()


def test_a_clause_that_nobody_denies_may_stand_alone(compressor: laconic.Compressor) -> None:
    assert compressor.compress("The police said the bank was robbed late on Friday.")[0][0].text.startswith("The bank")


def test_only_what_denies_is_touched(compressor: laconic.Compressor) -> None:
    parses: Parses
    parses, _ = compressor.read(["The police said the man was arrested. Nobody saw him."])
    ones = np.full(len(parses.start), 0.5, dtype=np.float32)
    retain, root_retain = keep_denials(parses, ones, ones)
    words = [parses.texts()[0][start:end] for start, end in zip(parses.start, parses.end, strict=True)]
    assert [words[i] for i in np.flatnonzero(retain != 0.5)] == ["Nobody"]
    assert (root_retain == 0.5).all()
