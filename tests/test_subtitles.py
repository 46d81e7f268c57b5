"""Subtitles: what is changed, what is not, and what is said of it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from command_line import refused, run

import laconic
from laconic.errors import LaconicError

pytest.importorskip("pysubs2")

from laconic.subtitles import Condensed, check, condense
from laconic.subtitles.cues import Cue, Rules, read_cues
from laconic.subtitles.fillers import find_fillers
from laconic.subtitles.formats import read_subtitles
from laconic.subtitles.lines import set_lines
from laconic.subtitles.passages import read_passages

FILES = sorted((Path(__file__).parent / "data/subtitles").iterdir())
SPEEDS = (20, 17, 12)


def srt(*cues: tuple[float, str], start: float = 1.0) -> str:
    """Cues, each of so many seconds, one after another."""
    blocks, at = [], start
    for number, (seconds, text) in enumerate(cues, 1):
        blocks.append(f"{number}\n{stamp(at)} --> {stamp(at + seconds)}\n{text}\n")
        at += seconds + 0.1
    return "\n".join(blocks)


def stamp(seconds: float) -> str:
    ms = round(1000 * seconds)
    return f"{ms // 3600000:02}:{ms // 60000 % 60:02}:{ms // 1000 % 60:02},{ms % 1000:03}"


def words(text: str) -> list[str]:
    return re.findall(r"[\w'’]+", text.lower())


def is_within(part: list[str], whole: list[str]) -> bool:
    """Whether words are words of another list, in their order."""
    rest = iter(whole)
    return all(word in rest for word in part)


def after(found: Condensed) -> list[str]:
    return [cue.after for cue in found.cues]


# Files


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_is_read_and_written_to_the_byte(path: Path) -> None:
    data = path.read_bytes()
    file = read_subtitles(data)
    assert file.to_bytes() == data
    assert 60 <= len(file.cues) <= 300
    assert all(cue.end > cue.start for cue in file.cues)


def test_the_files_have_what_files_have() -> None:
    """What the others are judged by is worth nothing if it is not in them."""
    data = {path.name: path.read_bytes() for path in FILES}
    assert {path.suffix for path in FILES} == {".srt", ".vtt", ".ass", ".ssa"}
    assert len(FILES) == 12
    encodings = {name: read_subtitles(own).encoding for name, own in data.items()}
    assert encodings["diver.srt"] == "utf-16-le"
    assert encodings["lighthouse.srt"] == "cp1252"
    assert data["kitchen.srt"].startswith(b"\xef\xbb\xbf")
    assert b"\r\n" in data["kitchen.srt"]
    for name, marks in {
        "glacier.vtt": ("STYLE", "NOTE", "<v ", "align:", "scene-"),
        "flood.vtt": ("REGION", "region:"),
        "dialogue.srt": ("<font", "<i>", "♪", "- ", "["),
        "kitchen.srt": ("{\\an8}", "TARIQ:", "("),
        "memory.ass": ("{\\i1}", "{\\pos", "Comment:", "{\\p1}"),
    }.items():
        text = read_subtitles(data[name]).text
        assert all(mark in text for mark in marks), name
    names = [cue.name for cue in read_subtitles(data["kitchen.srt"]).cues]
    assert names[:3] == ["5", "15", "25"]
    assert "0" in names


def shape(file: object, cues: list[Cue]) -> list[object]:
    return [(cue.name, cue.start, cue.end, [tag for _, tag in cue.markup.tags]) for cue in cues]


@pytest.mark.parametrize(
    ("path", "cps"),
    [(path, SPEEDS[i % 3]) for i, path in enumerate(FILES)] + [(FILES[0], 12), (FILES[5], 20)],
    ids=lambda value: value.name if isinstance(value, Path) else str(value),
)
def test_what_must_hold_of_a_file(compressor: laconic.Compressor, path: Path, cps: int) -> None:
    data = path.read_bytes()
    before = read_subtitles(data)
    cues = read_cues(before)
    found = condense(data, cps=cps, compressor=compressor)
    now = read_subtitles(found.data)
    results = read_cues(now)
    rules = Rules(cps)
    assert now.encoding == before.encoding
    assert shape(now, results) == shape(before, cues)
    for cue, result, report in zip(cues, results, found.cues, strict=True):
        assert report.after == result.text
        assert report.over == rules.is_over(result)
        assert not report.over or report.reason
        assert is_within(words(result.text), words(cue.text)), report
        assert bool(words(result.text)) == bool(words(cue.text))
        assert result.chars <= cue.chars + 1  # where a line break becomes a space
        if not rules.is_over(cue) and result.text != cue.text:
            # Changed only since a sentence goes on from, or to, a cue that was over.
            neighbours = cues[cues.index(cue) - 1 : cues.index(cue) + 2]
            assert any(rules.is_over(each) for each in neighbours)
    # All but the text of cues is as it was.
    old = before.text[: before.cues[0].span[0]] + "".join(
        before.text[a.span[1] : b.span[0]] for a, b in zip(before.cues, before.cues[1:], strict=False)
    )
    new = now.text[: now.cues[0].span[0]] + "".join(
        now.text[a.span[1] : b.span[0]] for a, b in zip(now.cues, now.cues[1:], strict=False)
    )
    assert old == new
    unchanged = [report for report in found.cues if not report.changed]
    assert unchanged
    for cue, result, report in zip(cues, results, found.cues, strict=True):
        if not report.changed:
            assert result.markup.source == cue.markup.source
    # Most of what was over is not any more: 12 characters a second are less than many sentences need.
    was_over = sum(rules.is_over(cue) for cue in cues)
    assert len(found.over) < was_over * (0.55 if cps == 12 else 0.45)


def test_a_film_within_the_limits_is_unchanged_to_the_byte(compressor: laconic.Compressor) -> None:
    for path in FILES[:3]:
        data = path.read_bytes()
        assert condense(data, cps=60, line=200, lines=4, compressor=compressor).data == data


# Words


def test_a_word_never_moves_to_another_cue(compressor: laconic.Compressor) -> None:
    found = condense(
        srt(
            (3.3, "I wanted to tell you about the letter that\nmy brother sent us yesterday"),
            (2.4, "from the little island where he has been\nliving since the end of the war. He is well."),
        ),
        compressor=compressor,
    )
    assert not found.over
    assert [cue.changed for cue in found.cues] == [True, True]
    first, second = after(found)
    assert "brother" in first
    assert is_within(words(first), words(found.cues[0].before))
    assert is_within(words(second), words(found.cues[1].before))
    assert second.endswith("He is well.")


def test_a_full_stop_goes_where_the_sentence_ends(compressor: laconic.Compressor) -> None:
    found = condense(
        srt((4, "We waited for the ferry"), (1.2, "on the cold pier by the old harbour. Then it came.")),
        compressor=compressor,
    )
    assert after(found) == ["We waited for the ferry.", "Then it came."]


def test_a_cue_within_the_limits_stays_as_it_is(compressor: laconic.Compressor) -> None:
    text = srt(
        (5, "The old man who lived next door told me"), (1.4, "that the big white house had been sold last week.")
    )
    found = condense(text, compressor=compressor)
    assert after(found)[0] == "The old man who lived next door told me"
    assert found.cues[1].changed


def test_only_what_is_needed_goes(compressor: laconic.Compressor) -> None:
    sentence = "The big white house on the hill was sold last week."
    lengths = []
    for allowed in range(len(sentence), 24, -3):
        found = condense(srt((allowed / 17, sentence)), compressor=compressor)
        assert not found.over
        assert found.cues[0].chars <= allowed
        lengths.append(found.cues[0].chars)
    assert lengths[0] == len(sentence) - 1  # it has two lines, and no space where the first ends
    assert lengths == sorted(lengths, reverse=True)
    assert len(set(lengths)) >= 4


def test_fillers_go_first_and_no_more_than_must(compressor: laconic.Compressor) -> None:
    text = "Well, I think, you know, that the big red house is lovely."
    one = condense(srt((50 / 17, text)), compressor=compressor)
    assert after(one)[0].replace("\n", " ") == "Well, I think that the big red house is lovely."
    both = condense(srt((44 / 17, text)), compressor=compressor)
    assert after(both)[0].replace("\n", " ") == "I think that the big red house is lovely."


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("I was, you know, I was tidy.", "I was tidy."),
        ("It's, you know, late.", "It's late."),
        ("It's late, you know.", "It's late."),
        ("No, honestly, I was bad.", "No, I was bad."),
        ("Um, I went uh home, er.", "I went home."),
        ("It's, it's always stuck.", "It's always stuck."),
        ("the the dog", "the dog"),
        ("But that, you know, that is it.", "But that is it."),
        ("W-- we should go.", "We should go."),
        ("No, no, no!", "No!"),
        ("You know what I mean.", "You know what I mean."),
        ("Do you know, Anna?", "Do you know, Anna?"),
        ("It's late, you know?", "It's late, you know?"),
        ("I think that that is fine.", "I think that that is fine."),
        ("I like it.", "I like it."),
        ("It was 20, 20 at most.", "It was 20, 20 at most."),
    ],
)
def test_fillers(text: str, left: str) -> None:
    while found := next(iter(find_fillers(text)), None):
        rest = text[found.end :]
        text = text[: found.start] + (rest[:1].upper() + rest[1:] if found.capital else rest)
    assert text == left


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("We certainly did not sell the old house to Anna Brandt in 1987.", ["not", "Anna", "Brandt", "1987"]),
        ("If you cannot come on Friday, please call the office at once.", ["If", "cannot"]),
        ("He claims, as far as I remember, that the water is quite safe to drink.", ["claims"]),
    ],
)
def test_what_the_guard_knows_stays(compressor: laconic.Compressor, text: str, kept: list[str]) -> None:
    found = condense(srt((0.9, text)), compressor=compressor)
    assert found.cues[0].changed
    assert found.over
    assert set(kept) <= set(re.findall(r"\w+", after(found)[0]))


def test_what_cannot_be_done_is_said(compressor: laconic.Compressor) -> None:
    found = condense(srt((0.5, "Nobody ever told Margaret Doyle."), (3, "It is late.")), compressor=compressor)
    (over,) = found.over
    assert over.name == "1"
    assert over.least == over.chars > over.allowed == 8
    assert "faithful" in over.reason
    assert found.to_dict()["cues"][0]["least"] == over.least


def test_no_cue_is_emptied_for_another(compressor: laconic.Compressor) -> None:
    """Without its clause the first would fit, but then nothing would be left of the second."""
    found = condense(srt((0.8, "We sang, because"), (4, "the old boat had come home.")), compressor=compressor)
    assert after(found) == ["We sang, because", "the old boat had come home."]
    assert [cue.over for cue in found.cues] == [True, False]


def test_long_sentences_are_within_the_limits(compressor: laconic.Compressor) -> None:
    """Over six cues: there may be a warning, but no cue is over that could be within."""
    parts = (
        "The people who had been living in the valley",
        "since the end of the long and terrible war",
        "slowly began to leave their little houses, because",
        "the new dam above the old village was growing",
        "every day, and because nobody from the capital",
        "had ever really told them what would happen next.",
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", laconic.LaconicWarning)
        found = condense(srt(*((len(part) * 0.8 / 17, part) for part in parts)), compressor=compressor)
    for cue, part in zip(found.cues, parts, strict=True):
        assert is_within(words(cue.after), words(part))
        assert words(cue.after)
    assert sum(cue.over for cue in found.cues) <= 2


def test_what_lines_hold_is_a_limit(compressor: laconic.Compressor) -> None:
    """There is time enough, but two lines of 30 hold less."""
    text = "The old man who lived next door sold his big white house to a doctor last week."
    found = condense(srt((20, text)), line=30, compressor=compressor)
    assert not found.over
    lines_found = found.cues[0].after.split("\n")
    assert len(lines_found) == 2
    assert all(len(line) <= 30 for line in lines_found)
    assert found.cues[0].chars > 40


# What is no speech


def test_speakers_captions_and_notes_stay(compressor: laconic.Compressor) -> None:
    text = srt(
        (2.0, "- JOHN: The old man next door sold the house last week.\n- No."),
        (1.2, "[door slams]\nWell, you know, I had rather hoped that you would stay."),
        (1.2, "♪ The moon is slowly rising up above the quiet hill ♪"),
        (1.0, "THE SECRET OF THE OLD GREEN LIGHTHOUSE"),
    )
    found = condense(text, cps=20, compressor=compressor)
    first, second, third, fourth = after(found)
    assert re.fullmatch(r"- JOHN: \w.*\n- No\.", first)
    assert second.startswith("[door slams]\n")
    assert re.fullmatch(r"♪ The moon is .*♪", third.replace("\n", " "))
    assert fourth == "THE SECRET OF THE OLD GREEN LIGHTHOUSE"
    assert found.cues[3].over
    assert all(cue.changed for cue in found.cues[:3])


def test_tags_stay_around_what_they_marked(compressor: laconic.Compressor) -> None:
    text = srt((1.8, '{\\an8}<i>The big</i> white <font color="red">house</font> was sold\nlast <b>week</b>.'))
    source = condense(text, compressor=compressor).text
    for tag in ("{\\an8}", "<i>", "</i>", "</font>", "<b>", "</b>"):
        assert source.count(tag) == 1
    assert '<font color="red">house</font>' in source
    assert source.index("{\\an8}") < source.index("<i>")


def test_a_sentence_is_one_speakers() -> None:
    cues = read_cues(
        read_subtitles(srt((2, "- I saw him\n- Who?"), (2, "and then he"), (2, "[bang]"), (2, "left the house.")))
    )
    texts = [passage.text for passage in read_passages(cues)]
    assert texts == ["I saw him", "Who?", "and then he", "left the house."]


def test_entities_and_hard_spaces_count_once(compressor: laconic.Compressor) -> None:
    vtt = "WEBVTT\n\n00:01.000 --> 00:03.000\nTea &amp; cake&nbsp;now\n"
    assert check(vtt).cues[0].chars == len("Tea & cake now")
    assert (
        check("[V4+ Styles]\nDialogue: 0,0:00:01.00,0:00:03.00,D,,0,0,0,,Tea{\\i1} and\\hcake\\Nnow").cues[0].chars
        == 15
    )


# Lines


def lines(text: str, line: int = 42, count: int = 2) -> list[str]:
    found = set_lines([(char, -1) for char in text], Rules(17, line, count))
    return "".join(char for char, _ in found).split("\n")


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("It is late.", ["It is late."]),
        ("I would like to see the garden, but it is closed.", ["I would like to see the garden,", "but it is closed."]),
        (
            "Where have you been? We waited for hours, you know.",
            ["Where have you been?", "We waited for hours, you know."],
        ),
        ("a b c d e f g h", ["a b c d", "e f g h"]),
    ],
)
def test_lines_end_where_a_reader_would(text: str, broken: list[str]) -> None:
    assert lines(text, 12 if len(text) < 20 else 42) == broken


def test_no_line_ends_with_a_word_that_leads_on(compressor: laconic.Compressor) -> None:
    text = srt(
        (9, "He had been living in the little house\nnear the sea since the end of the war."),
        (9, "We are going to meet with President\nObama and his wife in New\nYork."),
        (9, "She said that she was looking for a\nbook about the history of the town."),
    )
    found = condense(text, rebreak=True, compressor=compressor)
    assert not found.over
    for cue in found.cues:
        assert words(cue.after) == words(cue.before)
        top = cue.after.split("\n")[0].split()[-1].lower()
        assert top not in {"a", "the", "in", "of", "for", "that", "was", "and", "with", "to", "president", "new"}
    assert condense(text, compressor=compressor).cues[0].changed is False


def test_words_longer_than_a_line_have_lines_of_their_own() -> None:
    assert lines("a incomprehensibilities b", 10) == ["a", "incomprehensibilities", "b"]


# Odd files


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not in a subtitle format"),
        (b"Just a letter to a friend.", "not in a subtitle format"),
        (b"\x00\x01\x02 --> ", "no text"),
        (b"1\n00:00:01,000 --> later\nHello\n", "line 2 has no two times"),
        (b"WEBVTT\n\nNOTE nothing\n", "no cue"),
        (b"[V4+ Styles]\nDialogue: 0,0:00:01.00,Hello", "fields"),
        (b"[V4+ Styles]\nDialogue: 0,soon,0:00:02.00,D,,0,0,0,,Hello", "cannot be read"),
        (b"\xff\xfe\x41", "UTF-16"),
    ],
)
def test_malformed_files_have_a_message(data: bytes, message: str) -> None:
    with pytest.raises(LaconicError, match=message):
        check(data)


def test_cues_without_time_or_over_each_other(compressor: laconic.Compressor) -> None:
    text = (
        "1\n00:00:05,000 --> 00:00:05,000\nThe old man told me that it was late.\n\n"
        "2\n00:00:04,000 --> 00:00:03,000\nGo on.\n\n"
        "3\n00:00:01,000 --> 00:00:09,000\nThis one is longer than the others.\n\n"
        "4\n00:00:02,000 --> 00:00:03,000\n\n"
        "5\n00:00:02,000 --> 00:00:03,500\nThe big white house was sold last week.\n"
    )
    found = condense(text, compressor=compressor)
    assert [cue.reason for cue in found.over] == ["it is displayed for no time"] * 2
    assert found.cues[0].after == found.cues[0].before
    assert found.cues[0].cps is None
    assert found.cues[4].changed
    assert found.text.startswith("1\n00:00:05,000 --> 00:00:05,000\nThe old man told me that it was late.\n")


def test_other_languages_are_left_as_they_are(compressor: laconic.Compressor) -> None:
    text = srt(
        (1, "הוא אמר לי שהבית הישן נמכר בשבוע שעברה"),
        (1, "ولم يعد أحد إلى القرية القديمة بعد ذلك اليوم"),
        (1, "Er hat mir gesagt, dass das alte Haus nicht verkauft wird."),
    )
    found = condense(text, compressor=compressor)
    assert found.text == text
    assert {cue.reason for cue in found.over} == {"it is not English and left as it is"}


def test_line_ends_of_all_kinds() -> None:
    for end in ("\n", "\r\n", "\r"):
        text = srt((2, "One line\nand another"), (2, "The end.")).replace("\n", end)
        assert [cue.text for cue in read_cues(read_subtitles(text))] == ["One line\nand another", "The end."]
        assert read_subtitles(text).line_end == end


def test_an_encoding_without_a_mark(compressor: laconic.Compressor) -> None:
    text = srt((1.5, "Well, you know, the café on the square has been closed since May."))
    found = condense(text.encode("latin-1"), compressor=compressor)
    assert found.cues[0].changed
    assert b"caf\xe9" in found.data


def test_the_package_has_them() -> None:
    code = "import laconic; print(laconic.subtitles.check('WEBVTT\\n\\n00:01.000 --> 00:02.000\\nHi.').cues[0].chars)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout == "3\n"


def test_without_pysubs2_there_is_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pysubs2", None)
    with pytest.raises(LaconicError, match=r"laconic\[subtitles\]"):
        check(srt((1, "Hello.")))


def test_bad_options_are_refused(compressor: laconic.Compressor) -> None:
    with pytest.raises(LaconicError, match="cps is 0"):
        condense(srt((1, "Hello.")), cps=0, compressor=compressor)
    with pytest.raises(LaconicError, match="unknown format 'sub'"):
        condense(srt((1, "Hello.")), format="sub", compressor=compressor)


# The command


def test_the_command(tmp_path: Path) -> None:
    source, target = tmp_path / "a.srt", tmp_path / "b.srt"
    source.write_text(
        srt((2, "Well, you know, the big white house was sold last week."), (0.4, "Nobody told Anna Brandt."))
    )
    done = run("subtitles", str(source), "--cps", "17", "-o", str(target), "--report", "json")
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert report["over"] == 1
    assert [cue["over"] for cue in report["cues"]] == [False, True]
    assert report["cues"][0]["after"] in target.read_text()
    assert report["cues"][0]["cps"] <= 17 < report["cues"][0]["cps_before"]
    measured = run("subtitles", str(source), "--check", "--report", "table")
    assert measured.returncode == 1
    assert "2 cues: 0 changed, 2 over" in measured.stdout
    source.write_text(srt((5, "Good night.")))
    fine = run("subtitles", str(source))
    assert (fine.returncode, fine.stdout) == (0, source.read_text())
    assert "not in a subtitle format" in refused("subtitles", "-", stdin=b"nothing")
    assert "--report" in refused("subtitles", str(source), "--report", "xml")
