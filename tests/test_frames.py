"""Frames: what words cannot do without, counted on plain text, and pinned by the guard."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from sentences import read_cases
from typer.testing import CliRunner

import laconic
from laconic._core import NodePin
from laconic.cli import app
from laconic.errors import LaconicError
from laconic.frames.count import FrameCounts, Word
from laconic.frames.table import Frame, make_frames, read_frames, shipped_frames, write_frames
from laconic.frames.uses import ANYTHING, DETERMINER, USES, Use, Uses, key_ids, pair_ids, slot_id
from laconic.guard import Policy, make_pins
from laconic.parse import lemma_id
from laconic.parse.masks import Masks
from laconic.parse.program import Mask, Numbers, Tape, giving


def pairs(compressor: laconic.Compressor, text: str) -> set[tuple[str, str]]:
    """The edges that frames keep, or would rather keep, as pairs of head words: what needs, and what it needs."""
    forest, _ = compressor.read([text])
    pins = make_pins(forest, Policy.SENTENCE)
    assert pins is not None
    assert pins.preferred is not None
    by_frame = pins.preferred | (pins.stays_by == pins.names.index("frame"))
    words = [text[a:b] for a, b in zip(forest.parses.start[forest.row], forest.parses.end[forest.row], strict=True)]
    first = np.repeat(forest.node_ptr[:-1], np.diff(forest.node_ptr))
    return {
        (words[first[node] + forest.parent[node]], words[node])
        for node in np.flatnonzero(by_frame & (forest.parent >= 0)).tolist()
    }


@pytest.mark.parametrize("case", read_cases("frames"))
def test_a_word_keeps_what_it_needs_and_no_more(compressor: laconic.Compressor, case: str) -> None:
    sentence, *expected = case.split(" | ")
    found = pairs(compressor, sentence)
    for each in expected:
        word, sign, other = each.split()
        assert ((word, other) in found) == (sign == ">"), each


def test_a_relative_pronoun_that_is_an_object_may_go(compressor: laconic.Compressor) -> None:
    found = pairs(compressor, "The cake that my brother baked was gone by noon.")
    assert ("baked", "that") not in found
    assert ("baked", "brother") in found


def test_a_verb_that_shares_an_object_keeps_who_has_it(compressor: laconic.Compressor) -> None:
    assert ("wash", "dry") in pairs(compressor, "The guests wash and dry the dishes after every meal.")
    assert ("wash", "dry") not in pairs(compressor, "The guests wash the cups and dry the dishes after every meal.")


def test_an_unknown_word_keeps_what_all_words_keep(compressor: laconic.Compressor) -> None:
    assert {("glorped", "baker"), ("glorped", "bread")} <= pairs(
        compressor, "The baker glorped the bread in the cellar."
    )


def test_the_guard_says_why(compressor: laconic.Compressor) -> None:
    forest, _ = compressor.read(["The choir fixed the roof."])
    pins = make_pins(forest, Policy.SENTENCE)
    assert pins is not None
    fixed, roof = (int(forest.node_of[token]) for token in (2, 4))
    assert pins.broken_by(forest, 0, frozenset({fixed, int(forest.node_of[1])})) == "frame"
    assert pins.broken_by(forest, 0, frozenset({fixed, roof, int(forest.node_of[1])})) is None


#: A sentence, and two words of which either is enough.
CHOICES = [
    ("The clerk read the text of the new law to the council.", "text", "law"),
    ("The shop sells old maps and rare books in June.", "maps", "books"),
    ("The museum bought coins, medals and stamps from a dealer.", "coins", "stamps"),
    ("Parents and teachers welcomed the plan on Friday.", "Parents", "teachers"),
]


@pytest.mark.parametrize(("sentence", "one", "other"), CHOICES)
def test_of_two_that_stand_for_one_thing_either_stays(
    compressor: laconic.Compressor, sentence: str, one: str, other: str
) -> None:
    forest, _ = compressor.read([sentence])
    pins = make_pins(forest, Policy.SENTENCE)
    assert pins is not None
    start = forest.parses.start.tolist()
    first, second = (int(forest.node_of[start.index(sentence.index(word))]) for word in (one, other))
    assert pins.flags[first] & NodePin.OR_NEXT
    nodes = frozenset(range(len(forest.row)))
    assert pins.broken_by(forest, 0, nodes - {first}) is None
    assert pins.broken_by(forest, 0, nodes - {second}) is None
    assert pins.broken_by(forest, 0, nodes - {first, second}) == "frame"
    printed = [each.text.casefold() for each in compressor.compress(sentence, k=500)[0]]
    assert all(one.casefold() in text or other.casefold() in text for text in printed)


def test_a_noun_that_says_something_else_has_no_choice(compressor: laconic.Compressor) -> None:
    """Nor has one whose companion would stand without an article."""
    for sentence in ("The police arrested the wife of the mayor.", "The couple bought a small house and garden."):
        forest, _ = compressor.read([sentence])
        pins = make_pins(forest, Policy.SENTENCE)
        assert pins is not None
        assert not (pins.flags & NodePin.OR_NEXT).any()


def test_what_is_understood_is_preferred_and_no_more(compressor: laconic.Compressor) -> None:
    for text, word in (
        ("You can submit the form at any office in the town.", "form"),
        ("The minister asked the officials how the papers had been lost.", "officials"),
        ("The lamp is easy to clean with a wet cloth.", "clean"),
    ):
        forest, _ = compressor.read([text])
        pins = make_pins(forest, Policy.SENTENCE)
        assert pins is not None
        assert pins.preferred is not None
        node = int(forest.node_of[forest.parses.start.tolist().index(text.index(word))])
        assert pins.preferred[node]
        assert not pins.flags[node] & NodePin.STAYS


def test_sure_phrases_are_pinned_and_others_preferred(compressor: laconic.Compressor) -> None:
    for text, place, sure in (
        ("The choir relies on gifts from its members every year.", 4, True),  # a dictionary says so
        ("The hall serves as a library on market days.", 5, True),  # most do, and hardly any serves alone
        ("The dinner was served by two waiters near the window.", 6, False),  # most are, not all
        ("She put the letters on the shelf before she left.", 6, True),  # of several the most usual
        ("The guests had to get off the bus at the border.", 7, True),
    ):
        forest, _ = compressor.read([text])
        pins = make_pins(forest, Policy.SENTENCE)
        assert pins is not None
        assert pins.preferred is not None
        node = int(forest.node_of[place])
        assert bool(pins.preferred[node]) is not sure, text
        assert bool(pins.flags[node] & NodePin.STAYS) is sure, text


def test_uses_and_slots_of_a_sentence(compressor: laconic.Compressor) -> None:
    text = "A cup of tea was put on the table that he made and the one cup broke."
    forest, _ = compressor.read([text])

    def find(tape: Tape) -> tuple[Mask | Numbers, ...]:
        uses = Uses(Masks(tape))
        return uses.use, uses.slot, uses.fronted()

    number, slot, fronted = giving(find).values(forest.parses)
    words = text.replace(".", " .").split()
    use = {word: USES[own] for word, own in zip(words, number.tolist(), strict=True)}
    assert use["put"] is Use.PASSIVE
    assert use["table"] is Use.THE
    assert use["tea"] is Use.SINGULAR
    assert slot.view(np.uint64)[words.index("of")] == lemma_id("of")
    assert slot.view(np.uint64)[words.index("on")] == lemma_id("on")
    assert fronted.sum() == 0


def fake(word: str, use: Use, frames: dict[tuple[str, ...], int], counts: FrameCounts) -> None:
    for name in (word, *(slot for slots in frames for slot in slots)):
        counts.names[lemma_id(name)] = name
    own = counts.frames.setdefault(Word(lemma_id(word), 0, use), Counter())
    for slots, count in frames.items():
        own[tuple(sorted(map(slot_id, slots)))] += count


def test_what_is_seldom_missing_is_needed() -> None:
    counts = FrameCounts()
    fake("rely", Use.NO_OBJECT, {("on", ANYTHING): 95, (): 5}, counts)
    fake("sing", Use.NO_OBJECT, {("on", ANYTHING): 10, (): 90}, counts)
    fake("dwell", Use.NO_OBJECT, {("in", ANYTHING): 40, ("on", ANYTHING): 38, (): 12}, counts)
    fake("glorp", Use.NO_OBJECT, {("on", ANYTHING): 3}, counts)  # too rare to say anything
    fake("cup", Use.SINGULAR, {(DETERMINER,): 20, (): 2}, counts)
    fake("water", Use.SINGULAR, {(DETERMINER,): 5, (): 50}, counts)
    found = {frame.word: frame for frame in make_frames(counts)}
    assert found.keys() == {"rely", "dwell", "cup"}
    assert found["rely"].needs == {"on": 95}
    assert not found["dwell"].needs
    assert set(found["dwell"].needs_one) >= {"in", "on"}
    assert found["cup"].needs == {DETERMINER: 20}


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    frames = [
        Frame("carry out", Use.PASSIVE, 20, {}, {"by": 9, "in": 8}),
        Frame("rely", Use.NO_OBJECT, 10, {"on": 9}, {}),
    ]
    write_frames(frames, tmp_path / "frames.tsv", "of this test,\nin two lines")
    text = (tmp_path / "frames.tsv").read_text()
    assert text.startswith("# of this test,\n# in two lines\nword\tuse\t")
    table = read_frames(text, "frames.tsv")
    key = key_ids(
        np.array([lemma_id("rely")], np.uint64),
        np.zeros(1, np.uint64),
        np.array([USES.index(Use.NO_OBJECT)], np.uint64),
    )
    assert table.needs.tolist() == pair_ids(key, np.array([slot_id("on")], np.uint64)).tolist()
    assert sorted(table.weight.tolist()) == [8, 9]
    with pytest.raises(LaconicError, match="count-frames"):
        read_frames("rely\tsomehow\t10\ton=9", "frames.tsv")
    with pytest.raises(LaconicError, match="damaged"):
        read_frames("rely\tpassive\t10\ton=many", "frames.tsv")


def test_the_shipped_table_is_small_and_sorted() -> None:
    table = shipped_frames()
    assert len(table.needs) > 1000
    assert np.all(np.diff(table.needs.astype(object)) > 0)
    assert np.all(np.diff(table.needs_one.astype(object)) > 0)


def test_count_frames_on_the_command_line(tmp_path: Path) -> None:
    corpus = tmp_path / "plain.jsonl.gz"
    with gzip.open(corpus, "wt") as file:
        for name in ["Ann", "Bob", "Carl", "Dora", "Emil", "Fay"]:
            for thing in ["bread", "milk"]:
                file.write(json.dumps({"text": f"{name} relies on {thing}."}) + "\n")
        file.write(json.dumps({"text": "They rely on luck."}) + "\n")
    out = tmp_path / "frames.tsv"
    done = CliRunner().invoke(app, ["count-frames", str(corpus), "--out", str(out), "--cache", str(tmp_path / "cache")])
    assert done.exit_code == 0, done.output
    text = out.read_text()
    assert "Counted on 13 sentences of plain.jsonl.gz" in text
    assert "rely\twithout object\t13\ton=13" in text
