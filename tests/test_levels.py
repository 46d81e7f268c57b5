"""Levels and budgets: nested results, places between levels, the room used, what fits left alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import laconic
from laconic.decode import decode
from laconic.guard import Policy
from laconic.levels import LEVELS, NESTED, Level
from laconic.limits import Limits
from laconic.plan import make_plan
from laconic.score import LevelScores
from laconic.score.level_scores import RATES, Decoding, place_of
from laconic.tree import Forest

TEXTS = [
    "Hello everyone, just to let you know that the lift in the east wing, which has been out of order since the "
    "weekend, will be repaired tomorrow between 8 and 10 a.m. if the spare part arrives in time.",
    "The museum, which opened in 1921 and has been closed for repairs since last spring, will welcome its first "
    "visitors again on Saturday, the director told reporters at a small ceremony.",
    "To restore the default settings, hold the power button for ten seconds and wait until the green light is off.",
    "Well, I honestly thought that the second half of the film was a little bit too long, but my sister loved it.",
    "In most cases the cache is cleared automatically whenever the server restarts or the configuration changes.",
    "The committee agreed to publish the minutes of its last three meetings on the website before the end of May.",
]


def random_scores(forest: Forest, seed: int) -> LevelScores:
    rng = np.random.default_rng(seed)
    words, levels = len(forest.parses.start), len(LEVELS)
    retain, root, keep = rng.normal(scale=2.0, size=(3, words, levels)).astype(np.float32)
    need, alone = rng.normal(scale=2.0, size=(2, words)).astype(np.float32)
    return LevelScores(retain, need, root, alone, keep)


def kept(forest: Forest, decoded: laconic.decode.Decoded, i: int) -> set[int]:
    row = int(decoded.result_ptr[i])
    return set(decoded.node[decoded.node_ptr[row] : decoded.node_ptr[row + 1]].tolist())


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("policy", [Policy.NONE, Policy.SENTENCE])
def test_each_level_is_within_the_one_before(compressor: laconic.Compressor, seed: int, policy: Policy) -> None:
    """Whatever the network says: with random scores nothing but the plan makes it so."""
    forest, _ = compressor.read(TEXTS)
    scores = random_scores(forest, seed)
    plans = [make_plan(forest, scores, level=level, policy=policy) for level in NESTED]
    found = [decode(forest, plan.edge_scores, k=3, **plan.how) for plan in plans]
    for i in range(len(forest)):
        light, medium, short = (kept(forest, decoded, i) for decoded in found)
        assert short <= medium <= light
        for decoded, longer in ((found[1], light), (found[2], medium)):
            for row in range(int(decoded.result_ptr[i]), int(decoded.result_ptr[i + 1])):
                assert set(decoded.node[decoded.node_ptr[row] : decoded.node_ptr[row + 1]].tolist()) <= longer


@pytest.mark.parametrize("seed", range(5))
def test_what_is_needed_stays_with_its_head_at_every_level(compressor: laconic.Compressor, seed: int) -> None:
    forest, _ = compressor.read(TEXTS)
    scores = random_scores(forest, seed)
    inner = np.flatnonzero(forest.parent >= 0)
    first = np.repeat(forest.node_ptr[:-1], np.diff(forest.node_ptr))
    needed = np.random.default_rng(seed).choice(inner, len(inner) // 4, replace=False)

    def cut(need: np.ndarray) -> int:
        """How many of these are cut off what they hang on, at all levels together."""
        own = replace(scores, need=need)
        count = 0
        for level in NESTED:
            plan = make_plan(forest, own, level=level, policy=Policy.NONE)
            decoded = decode(forest, plan.edge_scores, **plan.how)
            whole = {node + int(forest.node_ptr[i]) for i in range(len(forest)) for node in kept(forest, decoded, i)}
            above = (forest.parent[needed] + first[needed]).tolist()
            count += sum(head in whole and node not in whole for node, head in zip(needed.tolist(), above, strict=True))
        return count

    nothing = np.full_like(scores.need, -50.0)
    much = nothing.copy()
    much[forest.row[needed]] = 50.0
    assert cut(nothing) > 3
    assert cut(much) == 0
    assert scores.headline().need is None  # editors of headlines cut what they like


def test_levels_are_nested_in_print(compressor: laconic.Compressor) -> None:
    for text in TEXTS:
        words = [compressor.compress(text, level=level)[0][0] for level in NESTED]
        spans = [{c for start, end in each.spans for c in range(start, end) if text[c].isalnum()} for each in words]
        assert spans[2] <= spans[1] <= spans[0]
        assert words[2].rate <= words[1].rate <= words[0].rate <= 1


def test_medium_is_what_is_meant_by_nothing(compressor: laconic.Compressor) -> None:
    for text in TEXTS:
        assert compressor.compress(text) == compressor.compress(text, level="medium")


@pytest.mark.parametrize("level", LEVELS)
def test_a_place_on_the_line_is_that_level(compressor: laconic.Compressor, level: Level) -> None:
    forest, scores = compressor.read(TEXTS)
    assert isinstance(scores, LevelScores)
    own = scores.at(forest, level)
    if level is Level.HEADLINE:
        assert (own.retain == scores.headline().retain).all()
        return
    place = 1.0 + NESTED.index(level)
    assert (own.retain == scores.between(forest, np.full(len(forest), place)).retain).all()
    for move in (-0.5, 0.5):
        half = scores.between(forest, np.full(len(forest), place + move)).retain
        beyond = not 1 <= place + move <= len(NESTED)  # the line ends there
        assert (own.retain == half).all() == beyond


def test_a_budget_is_a_place_by_its_share() -> None:
    assert place_of(np.array(RATES)).tolist() == [1, 2, 3]
    assert place_of(np.array([0.2, 0.01, 1.0, 2.0])).tolist() == [3, 3, 1, 1]
    assert 1 < place_of(np.array([0.7]))[0] < 2


@pytest.mark.parametrize("rate", [0.9, 0.75, 0.6, 0.5])
def test_the_room_is_used_and_never_exceeded(compressor: laconic.Compressor, rate: float) -> None:
    used = []
    for text in TEXTS:
        best = compressor.compress(text, rate=rate, nearest=True)[0][0]
        assert len(best.text) <= int(rate * len(text) + 1e-9) or best.excess > 0
        used.append(min(1.0, len(best.text) / (rate * len(text))))
    assert np.mean(used) > 0.8


def test_what_fits_is_printed_as_it_is(compressor: laconic.Compressor) -> None:
    text = "And then,  of course, we left (too early): sorry…"
    (sentence,) = compressor.compress(text, k=5, max_chars=len(text))
    (only,) = sentence
    assert only.text == text
    assert only.spans == ((0, len(text)),)
    assert only.rate == 1
    assert compressor.compress(text, max_words=100)[0][0].text == text
    assert compressor.explain(text, max_chars=200)[0][0].deletions == ()


def test_what_must_go_goes_though_all_would_fit(compressor: laconic.Compressor) -> None:
    text = "The old museum opens on Saturday morning."
    assert "old" not in compressor.compress(text, max_chars=200, drop=["old"])[0][0].text


def test_of_a_level_and_a_budget_the_shorter_wins(compressor: laconic.Compressor) -> None:
    for text in TEXTS:
        short = compressor.compress(text, level="short")[0][0]
        assert compressor.compress(text, level="short", max_chars=len(text))[0][0].text == short.text
        within = compressor.compress(text, level="light", rate=0.6, nearest=True)[0][0]
        assert within.excess > 0 or len(within.text) <= 0.6 * len(text)


def test_without_the_guard_more_may_go(compressor: laconic.Compressor) -> None:
    text = "If you did not order this parcel, please call us at once, and do not open it."
    free = compressor.compress(text, max_chars=20, nearest=True, guard=False)[0][0]
    held = compressor.compress(text, max_chars=20, nearest=True)[0][0]
    assert len(free.text) < len(held.text)
    with pytest.raises(laconic.MisfitError) as misfit:
        compressor.compress(text, max_chars=20)
    assert misfit.value.shortest == len(held.text)


def test_what_does_not_go_together_is_refused(compressor: laconic.Compressor) -> None:
    for options, said in [
        ({"level": "tiny"}, "unknown level 'tiny': use one of light, medium, short, headline"),
        ({"rho": 0.4}, "rho belongs to the level headline"),
        ({"rho": 0.4, "level": "short"}, "rho belongs to the level headline"),
        ({"method": "nss", "level": "light"}, "the method nss writes headlines only"),
    ]:
        with pytest.raises(laconic.LaconicError, match=said):
            compressor.compress(TEXTS[0], **options)


def test_the_papers_model_writes_headlines(compressor: laconic.Compressor) -> None:
    paper = laconic.load(scorer="maxent")
    assert paper.compress(TEXTS[1]) == paper.compress(TEXTS[1], level="headline")
    with pytest.raises(laconic.LaconicError, match="writes headlines only"):
        paper.compress(TEXTS[1], level="light")


def test_settings_survive_a_header() -> None:
    settings = Decoding(thresholds=(0.1, 0.2, 0.3), edge_weight=1.5)
    assert Decoding.from_dict(settings.to_dict()) == settings
    wrong = [{"more": 1}, {"thresholds": "x"}, {"thresholds": [0.5]}, {"word_weight": "a"}, {"rho": None}, {"order": 1}]
    for bad in ({}, *({**settings.to_dict(), **each} for each in wrong)):
        with pytest.raises((KeyError, TypeError)):
            Decoding.from_dict(bad)


def test_limits_know_their_shares(compressor: laconic.Compressor) -> None:
    forest, _ = compressor.read(["One two three four.", "One two."])
    assert Limits.of(max_words=2).bind(forest).shares().tolist() == [0.5, 1.0]
    bound = Limits.of(max_words=9, drop=["three"]).bind(forest)
    assert bound.unasked(bound.shares() >= 1).tolist() == [False, True]
