"""The suite of sentences that must not lose what decides their truth: that it is whole, and that it can fail.

How often laconic breaks it, kind by kind, is measured by bench/faithful.py.
"""

from __future__ import annotations

from collections import Counter

import pytest
from faithful import LENGTHS, SUITES, Item, compress_at, load_suite

from laconic import Compression, Compressor

ITEM = Item(
    "example",
    "condition",
    "notification",
    "If you did not make this purchase, call us immediately.",
    [{"if": "call", "then": ["If", "not make", "purchase"]}],
)


#: How many of the sentences may be broken at any length: those of `frame` are not a matter of truth. The goal is none.
MOST_BROKEN = {"known": 0.0, "fresh": 0.02, "later": 0.1}


@pytest.mark.parametrize("suite", SUITES)
def test_few_sentences_are_broken_at_any_length(compressor: Compressor, suite: str) -> None:
    items = [item for item in load_suite(suite) if item.kind != "frame"]
    printed = [compress_at(compressor, items, rate) for rate in LENGTHS]
    broken = [
        item.id
        for item, *compressions in zip(items, *printed, strict=True)
        if any(item.broken_by(each) for each in compressions)
    ]
    assert len(broken) <= MOST_BROKEN[suite] * len(items), broken


def test_the_suites_are_whole() -> None:
    items = [item for suite in SUITES for item in load_suite(suite)]
    assert len(items) == len({item.id for item in items}) == len({item.text for item in items}) >= 400
    assert len({item.genre for item in items}) >= 8
    assert min(Counter(item.kind for item in items).values()) >= 20
    for item in items:
        assert item.rules, item.id
        for rule in item.rules:
            assert rule["then"], item.id
            for phrase in (rule["if"], *rule["then"]):
                assert len(item.places(phrase)) == 1, (item.id, phrase)


@pytest.mark.parametrize(
    ("printed", "broken"),
    [
        ("If you did not make this purchase, call us immediately.", False),
        ("If you did not make this purchase, call.", False),
        ("If you did make this purchase, call us.", True),
        ("Call us immediately.", True),
        ("Us immediately.", False),
    ],
)
def test_a_rule_is_broken_where_its_words_are_printed_alone(printed: str, broken: bool) -> None:
    spans, at = [], 0
    for word in printed.rstrip(".").replace(",", "").split():
        at = ITEM.text.lower().index(word.lower(), at)
        spans.append((at, at + len(word)))
        at += len(word)
    assert bool(ITEM.broken_by(Compression(printed, 0.0, 1, 1.0, tuple(spans)))) == broken
