"""Tags of HTML in a text that is compressed: pairs stay around what is kept."""

from __future__ import annotations

import re

import pytest

import laconic
from laconic.parse.tags import find_tags
from laconic.parse.words import WordTokeniser

TAG = re.compile(r"</?[a-z]+[^<>]*>")
TEXTS = [
    "The <i>storm which had come from the north</i> destroyed many houses in the city on Monday.",
    'The <a href="https://example.org/a" class="b c">report</a>, which nobody read, was <b>very important</b> to us.',
    "<i>Rain fell hard on Monday.</i> Then the <b>wind</b>, which was cold, blew from the <em>far <b>north</b></em>.",
    "He said (in <cite>The Times</cite>) that the <b>old (red) house</b> near the station was sold last week.",
    "<b>Warning:</b> the pump, which is old, must not run dry, so check H<sub>2</sub>O levels every day.",
]


def are_paired(text: str) -> bool:
    opened: list[str] = []
    for tag in TAG.findall(text):
        name = re.sub(r"[</>]|\s.*", "", tag)
        if not tag.startswith("</"):
            opened.append(name)
        elif not opened or opened.pop() != name:
            return False
    return not opened and not re.search(r"[<>]", TAG.sub("", text))


@pytest.mark.parametrize("text", TEXTS)
def test_tags_stay_in_pairs(compressor: laconic.Compressor, text: str) -> None:
    asked: list[dict[str, object]] = [{"level": level} for level in ("light", "medium", "short", "headline")]
    asked += [{"rate": rate / 10, "nearest": True} for rate in range(2, 10)]
    for options in asked:
        for compression in compressor.compress(text, 5, **options).compressions:
            assert are_paired(compression.text), compression.text
            assert not re.search(r"<(\w+)[^<>]*>\s*</\1>", compression.text), compression.text


def test_sentences_end_inside_of_tags(compressor: laconic.Compressor) -> None:
    found = compressor.compress(TEXTS[2])
    assert [sentence.text for sentence in found] == [TEXTS[2][:32], TEXTS[2][33:]]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("a <b>c</b> d", 2),
        ("a <b>c <i>d</i></b>", 4),
        ("H<sub>2</sub>O", 0),
        ("a <b>c", 0),
        ("a <b>c</i> d", 0),
        ("if a<b and c>d", 0),
        ("a <div>c</div>", 0),
    ],
)
def test_only_pairs_around_words_are_tags(text: str, count: int) -> None:
    assert len(find_tags(text)) == count


def test_a_tag_is_a_word() -> None:
    text = 'See <a href="x y">it</a>, or m<sup>2</sup>.'
    starts, ends = WordTokeniser().spans(text)
    words = [text[a:b] for a, b in zip(starts, ends, strict=True)]
    assert words == ["See", '<a href="x y">', "it", "</a>", ",", "or", "m<sup>2</sup>", "."]
