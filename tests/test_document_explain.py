"""Why words of a document are gone."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

import laconic
from laconic.document.explain import explain_fitted
from laconic.explanation import By

NOTES = (
    "# Notes\r\n\r\nThe board met on Monday, as it does every month, in the old town hall. **It decided, after a long "
    "discussion, to close the harbour in May.** Two members, who had asked for more time, voted against it.\r\n\r\n"
    "- Rain fell in the *north* on Friday, which nobody had expected at all.\r\n\r\n---\r\n\r\n"
    "## Rest\r\n\r\n| town | boats |\r\n| --- | --- |\r\n| Leeds | 14 |\r\n| Hull | 3,200 |\r\n\r\nNothing else.\r\n"
)


def gone_places(text: str, spans: tuple[tuple[int, int], ...]) -> set[int]:
    kept = {place for start, end in spans for place in range(start, end)}
    numbers = {place for match in re.finditer(r"^\d+(?=\.)", text, re.MULTILINE) for place in range(*match.span())}
    return {place for place, char in enumerate(text) if char.isalnum() and place not in kept | numbers}


@pytest.mark.parametrize("rate", [0.3, 0.5, 0.7, 0.9])
@pytest.mark.parametrize("source", [NOTES, "weekly-report.md", "faq.md"])
def test_every_word_that_is_gone_has_a_reason_and_no_other(
    compressor: laconic.Compressor, source: str, rate: float
) -> None:
    path = Path(__file__).parent / "data" / "markdown" / source
    text = path.read_text(encoding="utf-8") if source.endswith(".md") else source
    fitted = compressor.fit(text, rate=rate, threads=1)
    deletions = explain_fitted(compressor, fitted)
    for before, after in pairwise(deletions):
        assert before.end <= after.start
    told = {place for each in deletions for place in range(each.start, each.end) if text[place].isalnum()}
    assert told == gone_places(text, fitted.spans)
    for each in deletions:
        assert each.text == text[each.start : each.end]


def test_who_decided(compressor: laconic.Compressor) -> None:
    text = (
        "The police said the man who robbed a bank in Arizona was arrested at his home late Friday. "
        "This is not good, they said."
    )
    for drop, by in (([], By.MODEL), (["late"], By.CONSTRAINT)):
        found = explain_fitted(compressor, compressor.fit(text, rate=0.6, threads=1, drop=drop), drop=drop)
        said, late, sentence = found
        assert (said.text, said.by, said.label) == ("The police said", By.MODEL, "root")
        assert (late.text, late.by) == ("late", by)
        assert late.p_del > 0.9
        assert (sentence.text, sentence.by, sentence.label) == ("This is not good, they said.", By.BUDGET, "sentence")
        assert late.constraint == (f"drop {drop[0]!r}" if drop else None)


def test_nothing_is_gone_of_what_fits(compressor: laconic.Compressor) -> None:
    assert explain_fitted(compressor, compressor.fit(NOTES, max_chars=5000)) == ()
