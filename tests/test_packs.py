"""What is kept packed since there may be millions of it: nothing is lost, and it takes little room."""

from __future__ import annotations

import tracemalloc

import pytest

from laconic.document.markdown import read_markdown
from laconic.document.packs import Packs
from laconic.document.prose import Prose
from laconic.document.report import Piece, Report


def test_things_come_out_as_they_went_in_by_number_and_in_any_order() -> None:
    packs = Packs()
    together = [[("a", 1, None), (b"\0", 0.5)], [()], [["many words"] * 2000, [True]], [(), ("b",)]]
    for things in together:
        packs.add(things)
    expected = [thing for things in together for thing in things]
    assert len(packs) == len(expected)
    asked = [i for i, thing in enumerate(expected) if thing]
    for numbers in (asked, asked[::-1]):
        assert [packs[i] for i in numbers] == [expected[i] for i in numbers]


@pytest.mark.parametrize(
    "text",
    [
        "One **two *three* four**, [five](six) and `seven`.",
        "An &amp; entity, an \\* escape, a <b>tag</b>, a footnote[^1] and ![an image](u).",
    ],
)
def test_prose_is_the_same_when_it_was_packed(text: str) -> None:
    (block,) = read_markdown(text)
    assert block.prose is not None
    again = Prose.unpack(block.prose.pack() + b"what follows", markup=True)
    assert again == block.prose
    spans = ((0, len(again.plain)),)
    assert again.render(again.plain, spans) == block.prose.render(again.plain, spans) == text


def test_a_report_counts_what_it_is_given_and_says_it_again() -> None:
    pieces = [
        Piece(0, "One two.", "One two.", True, b""),
        Piece(0, "Three four.", "Three.", True, b""),
        Piece(1, "Five.", None, True),
        Piece(2, "---", None, False),
    ]
    report = Report(iter(pieces))
    assert list(report) == pieces
    assert (report.sentences, report.whole, report.left_out) == (3, 1, 1)
    assert (report.others, report.others_left_out) == (1, 1)
    assert report.of(sentences=False) == (("---", None),)
    assert report == Report(pieces) != Report(pieces[1:])


@pytest.mark.parametrize("unit", ["# a\n", "- a b.\n", "> a b.\n\n", "---\n\n"])
def test_a_block_takes_little_room(unit: str) -> None:
    text = unit * 5000
    tracemalloc.start()
    blocks = read_markdown(text)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(blocks) == 5000
    assert kept < 100 * len(blocks)
    assert peak < 250 * len(blocks)
