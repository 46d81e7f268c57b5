"""A budget for a text of several sentences: exactly kept to, by the best choice of one version of each."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest
from command_line import run
from hypothesis import given, settings
from hypothesis import strategies as st

import laconic
from laconic import LaconicError, MisfitError
from laconic.document.choose import Offers, choose
from laconic.texts.choose import choose_versions

REMINDER = (
    "Please remember that the dentist appointment, which was moved last week, is now on Tuesday at 3 pm. If you cannot "
    "come, please call the office before Monday so that we can give the time to somebody else."
)
REPORT = (
    "The old bridge near the station will be closed from Monday until the end of May, the council said. Buses will use "
    "the road along the river, which is narrow.  Drivers should allow at least ten minutes more."
)
LONELY = "The police said the man who robbed a bank in Arizona was arrested at his home late Friday."


def is_subsequence(text: str, of: str) -> bool:
    words = iter("".join(char if char.isalnum() else " " for char in of).lower().split())
    return all(word in words for word in "".join(char if char.isalnum() else " " for char in text).lower().split())


options = st.lists(st.tuples(st.integers(0, 12), st.integers(-30, 30)), min_size=1, max_size=5)


@given(st.lists(options, min_size=1, max_size=4), st.integers(0, 30), st.integers(0, 40), st.integers(1, 12))
@settings(max_examples=300, deadline=None)
def test_the_k_best_choices_are_those_of_the_enumeration(
    items: list[list[tuple[int, int]]], least: int, most: int, k: int
) -> None:
    lengths = [[length for length, _ in own] for own in items]
    scores = [[score / 4 for _, score in own] for own in items]
    every = itertools.product(*(range(len(own)) for own in items))

    def total(choice: tuple[int, ...], table: list[list]) -> float:
        return sum(own[o] for own, o in zip(table, choice, strict=True))

    fitting = [choice for choice in every if least <= total(choice, lengths) <= most]
    expected = sorted((total(choice, scores) for choice in fitting), reverse=True)[:k]
    found = choose_versions(lengths, scores, least, most, k)
    assert [total(choice, scores) for choice in found] == expected
    assert len(set(found)) == len(found)
    assert set(found) <= set(fitting)
    # One choice is found in another way than several, and is the first of them.
    assert choose_versions(lengths, scores, least, most, 1) == found[:1]


def test_of_choices_that_are_as_good_the_first_sentences_are_longer() -> None:
    lengths, scores = [[3, 6], [3, 6]], [[1.0, 2.0], [1.0, 2.0]]
    assert choose_versions(lengths, scores, 0, 9) == [(1, 0)]
    assert choose_versions(lengths, scores, 0, 9, 2) == [(1, 0), (0, 1)]


def test_a_choice_of_a_long_text_is_that_of_a_document() -> None:
    rng = np.random.default_rng(1)
    lengths = rng.integers(1, 200, (3000, 12)).tolist()
    scores = rng.random((3000, 12)).tolist()
    (found,) = choose_versions(lengths, scores, 0, 150_000)
    offers = Offers(
        np.arange(3001),
        np.arange(0, 36_001, 12),
        np.array(lengths).ravel(),
        np.round(np.array(scores).ravel() * 1e6).astype(np.int64),
        np.zeros(3000, dtype=np.int64),
        np.ones(3000, dtype=np.uint8),
    )
    best = choose(offers, 150_000)
    assert sum(own[o] for own, o in zip(scores, found, strict=True)) == pytest.approx(best.value / 1e6, abs=0.01)
    with pytest.raises(LaconicError, match="too long for 5 compressions within one budget: ask for one compression"):
        choose_versions(lengths, scores, 0, 150_000, 5)


@pytest.mark.parametrize("text", [REMINDER, REPORT])
def test_no_text_is_longer_than_its_budget_and_every_sentence_keeps_something(
    compressor: laconic.Compressor, text: str
) -> None:
    shortest = len(compressor.compress(text, max_chars=1, nearest=True).compressions[0].text)
    for most in range(shortest, len(text) + 10, 7):
        result = compressor.compress(text, 3, max_chars=most)
        assert [c.rank for c in result.compressions] == list(range(1, len(result.compressions) + 1))
        assert sorted((c.score for c in result.compressions), reverse=True) == [c.score for c in result.compressions]
        assert len({c.text for c in result.compressions}) == len(result.compressions)
        for each in result.compressions:
            assert len(each.text) <= most
            assert each.rate == len(each.text) / len(text)
            assert is_subsequence(each.text, text)
            assert each.excess == 0
            for sentence in result:
                assert any(start < sentence.end and sentence.start < end for start, end in each.spans)
        assert str(result) == result.compressions[0].text
    with pytest.raises(MisfitError, match=f"each of its {len(result)} sentences, has {shortest}; .* fit") as raised:
        compressor.compress(text, max_chars=shortest - 1)
    assert raised.value.shortest == shortest


def test_more_room_is_never_a_worse_text_and_is_used(compressor: laconic.Compressor) -> None:
    rates = [0.6, 0.7, 0.8, 0.9]
    found = [compressor.compress(REPORT, rate=rate).compressions[0].rate for rate in rates]
    assert all(rate - 0.15 <= each <= rate for each, rate in zip(found, rates, strict=True))


def test_what_is_within_its_budget_is_left_as_it_is(compressor: laconic.Compressor) -> None:
    text = f" {REPORT}\n"
    result = compressor.compress(text, 4, max_chars=len(REPORT))
    (only,) = result.compressions
    assert (only.text, only.rate, only.spans) == (REPORT, 1.0, ((1, 1 + len(REPORT)),))
    assert compressor.compress(text, max_chars=len(REPORT) - 1).compressions[0].text != REPORT


def test_no_choice_of_versions_is_better(compressor: laconic.Compressor) -> None:
    """Against all pairs of many versions of two sentences, with the scores that the text's share gives."""
    most = 110
    result = compressor.compress(REMINDER, 400, max_chars=most)
    versions = [[(len(c.text), c.score) for c in sentence] for sentence in result]
    pairs = itertools.product(*versions)
    best = max(a[1] + b[1] for a, b in pairs if a[0] + 1 + b[0] <= most)
    assert result.compressions[0].score == pytest.approx(best)
    assert compressor.compress(REMINDER, max_chars=most).compressions[0].score == pytest.approx(best)


def test_the_budget_of_each_sentence_is_another_one(compressor: laconic.Compressor) -> None:
    each = compressor.compress(REMINDER, 2, max_chars=60, each_sentence=True)
    assert all(len(c.text) <= 60 for sentence in each for c in sentence)
    assert each.of_text == ()
    assert len(each.compressions[0].text) > 60
    assert each.compressions[0].text == " ".join(sentence[0].text for sentence in each)


@pytest.mark.parametrize(
    "limits",
    [{"max_chars": 60}, {"rate": 0.5}, {"max_words": 8}, {"min_chars": 30}, {"level": "short"}, {"max_chars": 200}],
)
def test_a_text_of_one_sentence_is_what_it_is_with_each_sentence(compressor: laconic.Compressor, limits: dict) -> None:
    one, same = (compressor.compress(LONELY, 3, explain=True, each_sentence=each, **limits) for each in (False, True))
    assert one == same
    assert one.compressions == one[0].compressions
    assert "compressions" not in one.to_dict()


def test_texts_have_the_same_result_in_any_company(compressor: laconic.Compressor) -> None:
    texts = [LONELY, REMINDER, "", "Rain fell.", REMINDER.replace("remember", "note"), "   ", "Wait ... what?", LONELY]
    together = compressor.batch(texts, 2, max_chars=90, protect=("[[", "]]"), explain=True)
    assert together == [compressor.compress(text, 2, max_chars=90, explain=True) for text in texts]


def test_words_tokens_rates_and_minima_are_of_the_text(compressor: laconic.Compressor) -> None:
    def pairs(text: str) -> int:
        return (len(text) + 1) // 2

    for limits, low, high, count in (
        ({"max_words": 18}, 1, 18, lambda text: len(text.split())),
        ({"max_words": 20, "min_words": 19}, 19, 20, lambda text: len(text.split())),
        ({"max_tokens": 55, "tokenizer": pairs}, 1, 55, pairs),
        ({"rate": 0.5}, 1, len(REMINDER) // 2, len),
        ({"min_chars": 150}, 150, len(REMINDER), len),
        ({"min_chars": 100, "max_chars": 103}, 100, 103, len),
        ({"min_rate": 0.9}, 0.9 * len(REMINDER), len(REMINDER), len),
        ({"level": "short", "max_chars": 190}, 1, 150, len),
    ):
        for each in compressor.compress(REMINDER, 3, **limits).compressions:
            assert low <= count(each.text) <= high, limits


def test_what_must_stay_or_go_does(compressor: laconic.Compressor) -> None:
    result = compressor.compress(REMINDER, 3, max_chars=130, keep=["somebody else"], drop=["Tuesday"])
    for each in result.compressions:
        assert "somebody else" in each.text
        assert "Tuesday" not in each.text
        assert len(each.text) <= 130
    within = compressor.compress(REMINDER, max_chars=1000, drop=["Tuesday"])
    assert "Tuesday" not in str(within)
    assert within[1][0].text == within[1].text
    with pytest.raises(LaconicError, match="contradict each other"):
        compressor.compress(REMINDER, max_chars=130, keep=["last week"], drop=["moved"])


def test_the_nearest_text_says_how_far_it_is_off(compressor: laconic.Compressor) -> None:
    over = compressor.compress(REMINDER, max_chars=20, nearest=True).compressions[0]
    assert over.excess == len(over.text) - 20
    under = compressor.compress("Rain fell. Wind blew.", min_chars=50, nearest=True).compressions[0]
    assert (under.text, under.excess) == ("Rain fell. Wind blew.", 21 - 50)
    assert compressor.compress(REMINDER, max_chars=150, nearest=True).compressions[0].excess == 0


def test_the_methods_of_the_paper_ask_for_each_sentence(maxent_compressor: laconic.Compressor) -> None:
    with pytest.raises(
        LaconicError, match=r"the method ilp applies budgets to single sentences, .*: add each_sentence=True"
    ):
        maxent_compressor.compress(REMINDER, method="ilp", max_chars=90)
    assert len(maxent_compressor.compress(REMINDER, method="ilp", max_chars=90, each_sentence=True)) == 2
    assert len(str(maxent_compressor.compress(REMINDER, max_chars=90))) <= 90


def test_the_command_line_prints_texts_within_their_budget() -> None:
    done = run("compress", "--max-chars", "120", REMINDER)
    assert len(done.stdout.strip()) <= 120
    lines = run("compress", "--max-chars", "120", "-k", "3", REMINDER).stdout.splitlines()
    assert [line.split()[0] for line in lines[:-1]] == ["1", "2", "3"]
    assert lines[-1] == ""
    assert lines[0].endswith(done.stdout.strip())
    found = json.loads(run("compress", "--max-chars", "120", "--format", "jsonl", REMINDER).stdout)
    assert found["compressions"][0]["text"] == done.stdout.strip()
    assert len(run("compress", "--max-chars", "120", "--each-sentence", REMINDER).stdout.strip()) > 120
    explained = run("compress", "--max-chars", "90", "--explain", REMINDER).stdout.splitlines()
    assert len(explained[0]) <= 90
    assert "[-Please remember-]" in explained[1]
    refused = run("compress", "--max-chars", "20", REMINDER)
    assert refused.returncode == 1
    assert "laconic fit" in refused.stderr


NOTE = "Zoë’s café near the ocean 🌊 will be closed from Monday until the end of May, its owner said. Bring 🧥 coats."


@pytest.mark.parametrize("unit", ["bytes", "utf16"])
@pytest.mark.parametrize("text", [NOTE, NOTE.split(" Bring", maxsplit=1)[0], REMINDER])
def test_bytes_and_units_of_utf_16_are_counted_as_channels_do(
    compressor: laconic.Compressor, text: str, unit: str
) -> None:
    def count(printed: str) -> int:
        return len(printed.encode("utf-8")) if unit == "bytes" else len(printed.encode("utf-16-le")) // 2

    whole = count(text)
    assert str(compressor.compress(text, **{f"max_{unit}": whole})) == text
    with pytest.raises(MisfitError) as raised:
        compressor.compress(text, **{f"max_{unit}": 4})
    for most in range(raised.value.shortest, whole, 9):
        found = compressor.compress(text, 3, **{f"max_{unit}": most})
        assert all(count(each.text) <= most for each in found.compressions)
    if text is REMINDER:  # a byte is a character
        same = (compressor.compress(text, 3, **{name: 120}) for name in ("max_chars", f"max_{unit}"))
        assert next(same) == next(same)
    fitted = compressor.fit(f"{text} {REPORT}", format="text", **{f"max_{unit}": whole})
    assert count(fitted.text) == fitted.length <= whole


def test_bytes_are_named_in_messages_and_on_the_command_line() -> None:
    assert "at most 4 bytes" in run("compress", "--max-bytes", "4", NOTE).stderr
    assert "at most 4 UTF-16 units" in run("compress", "--max-utf16", "4", NOTE).stderr
    assert len(run("compress", "--max-bytes", "90", NOTE).stdout.strip().encode()) <= 90


@pytest.mark.parametrize("text", [LONELY, REMINDER])
def test_two_limits_hold_at_once(compressor: laconic.Compressor, text: str) -> None:
    for chars, words in ((60, 40), (200, 12), (70, 14), (100, 17), (90, 16)):
        both = compressor.compress(text, 2, max_chars=chars, max_words=words)
        for each in both.compressions:
            assert len(each.text) <= chars
            assert len(each.text.split()) <= words
        # What the tighter of the two leaves, and the other allows, is what both leave.
        tighter = {"max_chars": chars} if chars / len(text) < words / len(text.split()) else {"max_words": words}
        alone = str(compressor.compress(text, **tighter))
        if len(alone) <= chars and len(alone.split()) <= words:
            assert str(both) == alone
    with pytest.raises(MisfitError, match="has at most 200 characters and 2 words: allow more"):
        compressor.compress(text, max_chars=200, max_words=2)
    near = compressor.compress(text, max_chars=200, max_words=2, nearest=True).compressions[0]
    assert near.excess == len(near.text.split()) - 2
    with pytest.raises(LaconicError, match="min_chars goes with a maximum in its own unit"):
        compressor.compress(text, max_words=5, min_chars=20)
    fitted = compressor.fit(f"{text} {REPORT}", format="text", max_chars=150, max_words=20)
    assert len(fitted.text) == fitted.length <= 150
    assert len(fitted.text.split()) <= 20
