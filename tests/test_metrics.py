"""Scores, signatures, intervals and paired tests."""

from __future__ import annotations

import json
import math
import random
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic import LaconicError
from laconic.metrics import Series, compare, exact, f1, is_word, make_table, rate_series, tree_series, word_f1
from laconic.metrics import series as series_module
from laconic.metrics.measures import word_series
from laconic.metrics.overlap import kept_words, words
from laconic.metrics.signature import rate_signature, signature, tree_f1_signature, word_f1_signature
from laconic.parse import SpacyParser

WORDS = st.lists(st.sampled_from(["rain", "fell", "in", "spain", "on", "monday"]), max_size=8)
FRACTIONS = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def macro(values: list[float], name: str = "score") -> Series:
    return Series(name, signature("score", n=len(values)), np.array(values, dtype=np.float64))


def micro(tops: list[float], bottoms: list[float]) -> Series:
    return Series("ratio", signature("ratio", n=len(tops)), np.array(tops), np.array(bottoms))


# Words


def test_words_are_lower_cased_tokens_without_punctuation() -> None:
    assert words('"We\'re done," the U.S. said – £6m in 2013.') == [
        "we", "'re", "done", "the", "u.s.", "said", "6", "m", "in", "2013",
    ]  # fmt: skip
    assert words("") == words(" …  – \n") == []


def test_words_are_cut_as_the_parser_cuts_them() -> None:
    parser = SpacyParser(split=False)
    for text in [
        "The T-shirt cost $5.50 (about £4), Ann's brother couldn't say why.",
        "O'Neill & Sons Inc. of Leeds isn't re-opening its 24/7 shop at 10am.",
        "a" * 900 + " b" + "," * 500,
    ]:
        parses = parser.parse([text])
        cut = [text[start:end] for start, end in zip(parses.start, parses.end, strict=True)]
        assert words(text) == [token.lower() for token in cut if is_word(token)]


def test_words_take_half_a_surrogate_pair_and_a_long_run() -> None:
    assert words("Rain \ud800 fell") == ["rain", "fell"]
    assert "".join(words("x" * 100_000)) == "x" * 100_000


def test_kept_words_are_those_with_half_their_characters_in_a_span() -> None:
    text = "Heavy rain fell."
    assert kept_words(text, [(0, 5), (11, 16)]) == ["heavy", "fell"]
    assert kept_words(text, [(0, 3), (6, 7)]) == ["heavy"]
    long = "x" * 500 + " fell"
    assert kept_words(long, [(501, 505)]) == ["fell"]


def test_f1_of_multisets_and_of_types() -> None:
    assert word_f1(["the", "man", "the"], ["the", "man"]) == pytest.approx(0.8)
    assert word_f1(["the", "man", "the"], ["the", "man"], types=True) == 1.0
    assert word_f1([], []) == 1.0
    assert word_f1([], ["rain"]) == word_f1(["rain"], []) == 0.0
    assert f1(Counter({"a": 2}), Counter({"a": 1, "b": 1})) == 0.5


@given(WORDS, WORDS, st.randoms(use_true_random=False))
def test_f1_is_bounded_symmetric_and_blind_to_order(output: list[str], gold: list[str], rng: random.Random) -> None:
    for types in (False, True):
        score = word_f1(output, gold, types=types)
        assert 0 <= score <= 1
        assert score == word_f1(gold, output, types=types)
        shuffled = rng.sample(output, len(output))
        assert score == word_f1(shuffled, gold, types=types)
        assert (score == 1) == (set(output) == set(gold) if types else Counter(output) == Counter(gold))


@given(WORDS, WORDS)
def test_types_and_multisets_agree_where_no_word_comes_twice(output: list[str], gold: list[str]) -> None:
    once, gold_once = list(dict.fromkeys(output)), list(dict.fromkeys(gold))
    assert word_f1(once, gold_once) == word_f1(output, gold, types=True)


@given(WORDS, WORDS)
def test_exact_implies_f1_of_one_but_not_the_reverse(output: list[str], gold: list[str]) -> None:
    assert exact(output, output)
    if exact(output, gold):
        assert word_f1(output, gold) == 1
    assert not exact(["rain", "fell"], ["fell", "rain"])


# Signatures


def test_signature_names_everything_that_changes_the_number() -> None:
    plain = word_f1_signature(n=1000)
    assert re.fullmatch(
        r"word_f1\|words:multiset\|case:lower\|punct:no\|tokens:laconic-en\|gold:kept\|avg:macro\|n:1000\|v:[\w.+]+",
        plain,
    )
    variants = {
        plain,
        word_f1_signature(n=1000, types=True),
        word_f1_signature(n=1000, k=5),
        word_f1_signature(n=1000, gold="text"),
        word_f1_signature(n=1000, tokens="other"),
        word_f1_signature(n=999),
        rate_signature(n=1000),
        rate_signature(n=1000, micro=True),
        tree_f1_signature(n=1000, trees="a"),
        tree_f1_signature(n=1000, trees="a", rank=2),
        tree_f1_signature(n=1000, trees="b"),
    }
    assert len(variants) == 11
    assert word_f1_signature(n=1000, k=5).startswith("best_of_5_word_f1|")
    assert "|k:5|" in word_f1_signature(n=1000, k=5)


def test_a_value_that_would_break_a_signature_is_refused() -> None:
    with pytest.raises(LaconicError, match="cannot stand in a signature"):
        word_f1_signature(n=1, tokens="my parser|v2")


# Scores and intervals


def test_macro_is_the_mean_and_micro_the_ratio_of_sums() -> None:
    assert macro([0.0, 0.5, 1.0]).value == 0.5
    assert micro([1, 3], [2, 12]).value == pytest.approx(4 / 14)
    rates = rate_series([10, 30], [20, 120])
    assert [series.value for series in rates] == pytest.approx([0.375, 40 / 140])


@pytest.mark.parametrize(
    ("tops", "bottoms"),
    [([], None), ([np.nan], None), ([1.0, 2.0], [1.0]), ([1.0], [0.0]), ([1.0, 1.0], [3.0, -1.0]), ([[1.0]], None)],
)
def test_what_has_no_score_is_refused(tops: list[float], bottoms: list[float] | None) -> None:
    with pytest.raises(LaconicError, match="no score for this"):
        Series("x", "x", np.array(tops), None if bottoms is None else np.array(bottoms))


@given(FRACTIONS)
def test_interval_lies_within_the_values_and_is_the_same_every_time(values: list[float]) -> None:
    interval = macro(values).interval(samples=50)
    assert min(values) - 1e-12 <= interval.low <= interval.high <= max(values) + 1e-12
    assert interval == macro(values).interval(samples=50)


def test_interval_is_that_of_a_bootstrap_written_out() -> None:
    rng = random.Random(1)
    tops = [rng.random() for _ in range(60)]
    bottoms = [1 + rng.random() for _ in range(60)]
    scores = []
    for _ in range(4000):
        rows = [rng.randrange(60) for _ in range(60)]
        scores.append(sum(tops[i] for i in rows) / sum(bottoms[i] for i in rows))
    scores.sort()
    interval = micro(tops, bottoms).interval(samples=4000)
    assert interval.low == pytest.approx(scores[100], abs=0.004)
    assert interval.high == pytest.approx(scores[-101], abs=0.004)


def test_interval_covers_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(7)
    covered = 0
    for _ in range(200):
        interval = macro(rng.normal(0.7, 0.2, size=80).tolist()).interval(samples=200)
        covered += interval.low <= 0.7 <= interval.high
    assert 178 <= covered <= 198  # 190 expected


def test_interval_of_normal_data_is_as_wide_as_theory_has_it() -> None:
    values = np.random.default_rng(3).normal(0.5, 0.1, size=2000)
    interval = macro(values.tolist()).interval(samples=2000)
    half = 1.96 * values.std() / 2000**0.5
    assert interval.low == pytest.approx(values.mean() - half, abs=0.0006)
    assert interval.high == pytest.approx(values.mean() + half, abs=0.0006)
    wider = macro(values.tolist()).interval(samples=2000, level=0.99)
    assert wider.low < interval.low < interval.high < wider.high


def test_what_is_drawn_at_once_is_bounded_and_does_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    a, b = macro(rng.random(301).tolist()), macro(rng.random(301).tolist())
    c = micro(rng.random(301).tolist(), (1 + rng.random(301)).tolist())
    d = micro(rng.random(301).tolist(), (1 + rng.random(301)).tolist())
    whole = [a.interval(), c.interval(), compare(a, b, samples=500).p, compare(c, d, samples=500).p]
    for drawn in (1, 1000, 4096):
        monkeypatch.setattr(series_module, "_DRAWN", drawn)
        assert [a.interval(), c.interval(), compare(a, b, samples=500).p, compare(c, d, samples=500).p] == whole


def test_two_hundred_thousand_sentences_take_little_memory() -> None:
    import tracemalloc

    rng = np.random.default_rng(5)
    a, b = macro(rng.random(200_000).tolist()), macro(rng.random(200_000).tolist())
    tracemalloc.start()
    a.interval(samples=20)
    compare(a, b, samples=20, resamples=20)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 64 << 20


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"samples": 0}, "0 samples"),
        ({"samples": 10**9}, "1000000000 samples"),
        ({"seed": -1}, "the seed is -1"),
        ({"level": 1.0}, "level is 1.0"),
        ({"level": float("nan")}, "level is nan"),
    ],
)
def test_bad_settings_of_an_interval_are_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(LaconicError, match=message):
        macro([1.0, 0.0]).interval(**options)  # type: ignore[arg-type]


# Paired tests


@given(FRACTIONS)
def test_a_system_does_not_differ_from_itself(values: list[float]) -> None:
    same = compare(macro(values), macro(values), samples=50)
    assert (same.p, same.difference, same.low, same.high) == (1, 0, 0, 0)


def test_clear_differences_have_a_small_p_and_noise_a_large_one() -> None:
    rng = np.random.default_rng(11)
    base = rng.random(300)
    better = compare(macro((base + 0.05).tolist()), macro(base.tolist()))
    assert better.p == pytest.approx(1 / 10_001)
    assert better.difference == pytest.approx(0.05)
    assert better.low == pytest.approx(0.05)
    noise = compare(macro((base + rng.normal(0, 0.05, 300)).tolist()), macro(base.tolist()))
    assert noise.p > 0.05
    assert noise.low < noise.difference < noise.high


def test_p_is_that_of_all_swaps_counted() -> None:
    a, b = [0.9, 0.4, 0.7, 0.8, 0.6, 0.5], [0.5, 0.5, 0.6, 0.2, 0.6, 0.1]
    gaps = [x - y for x, y in zip(a, b, strict=True)]
    as_large = [
        abs(sum(-gap if mask >> i & 1 else gap for i, gap in enumerate(gaps))) >= abs(sum(gaps)) - 1e-9
        for mask in range(64)
    ]
    assert compare(macro(a), macro(b), samples=20_000).p == pytest.approx(sum(as_large) / 64, abs=0.01)


def test_p_of_ratios_is_that_of_all_swaps_counted() -> None:
    a, b = micro([9, 4, 7, 8, 6], [10, 9, 12, 14, 8]), micro([5, 5, 6, 2, 6], [11, 9, 10, 15, 8])
    assert a.denominator is not None
    assert b.denominator is not None
    observed = abs(a.value - b.value)
    as_large = 0
    for mask in range(32):
        swap = np.array([bool(mask >> i & 1) for i in range(5)])
        one = np.where(swap, b.numerator, a.numerator).sum() / np.where(swap, b.denominator, a.denominator).sum()
        other = np.where(swap, a.numerator, b.numerator).sum() / np.where(swap, a.denominator, b.denominator).sum()
        as_large += abs(one - other) >= observed - 1e-12
    assert compare(a, b, samples=20_000).p == pytest.approx(as_large / 32, abs=0.01)


def test_p_of_many_sentences_is_that_of_the_normal_distribution() -> None:
    gaps = np.random.default_rng(2).normal(0, 0.1, size=20_000)
    gaps += 1.5 * 0.1 / len(gaps) ** 0.5 - gaps.mean()
    z = gaps.sum() / (gaps**2).sum() ** 0.5
    found = compare(macro(gaps.tolist()), macro([0.0] * len(gaps)), resamples=10)
    assert found.p == pytest.approx(math.erfc(z / 2**0.5), abs=0.015)


@settings(max_examples=30)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=20))
def test_comparison_is_antisymmetric(pairs: list[tuple[float, float]]) -> None:
    a, b = macro([x for x, _ in pairs]), macro([y for _, y in pairs])
    there, back = compare(a, b, samples=100, resamples=100), compare(b, a, samples=100, resamples=100)
    assert there.p == back.p
    assert there.difference == pytest.approx(-back.difference)
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))


def test_scores_that_cannot_be_compared_are_refused() -> None:
    with pytest.raises(LaconicError, match="scores of 2 and 1 sentences"):
        compare(macro([1, 0]), macro([1]))
    one, other = rate_series([1], [2])
    with pytest.raises(LaconicError, match="score both with the same settings"):
        compare(one, other)


# Measures and tables


def test_best_of_k_takes_the_best_result_of_each_sentence() -> None:
    golds = [["rain", "fell"], ["snow"]]
    results = [[["rain"], ["rain", "fell"]], [["snow"]]]
    first, same, best = word_series(results, golds, k=2)
    assert first.value == pytest.approx((2 / 3 + 1) / 2)
    assert same.value == 0.5
    assert best.value == 1.0
    assert best.name == "word F1, best of 2"
    tree, best_tree = tree_series([[0.5, 0.75], [1.0]], trees="a", k=2)
    assert (tree.value, best_tree.value) == (0.75, 0.875)
    (second,) = tree_series([[0.75]], trees="a", rank=2)
    assert "|rank:2|" in second.signature


def systems() -> list[tuple[str, list[Series]]]:
    golds = [["rain", "fell"], ["snow", "fell"], ["it", "rained"]] * 10
    bad = [[["hail"]], [["snow"]], [["it"]]] * 10
    good = [[["rain", "fell"]], [["snow"]], [["it", "rained"], ["it"]]] * 10
    return [("a_b & 50%", word_series(bad, golds)), ("[good] {x}--\\y", word_series(good, golds, k=2))]


def test_text_table_has_values_intervals_tests_and_signatures_once() -> None:
    text = make_table(systems(), samples=100).as_text()
    assert re.search(r"word F1 +0\.4444  \[0\.3\d+, 0\.5\d+\]", text)
    assert re.search(r"word F1 +\+0\.4444  \[\+0\.\d+, \+0\.\d+\]  p = 0\.0010 \*", text)
    assert len(re.findall(r"^word F1: word_f1\|.*\|bs:100\|seed:12345$", text, re.M)) == 1
    assert "1000 trials" in text
    assert text.count("best of 2") == 2  # a value and a signature, nothing to compare it with


def test_json_table_is_unrounded_and_complete() -> None:
    table = json.loads(make_table(systems(), samples=100, notes=["a note"]).render("json"))
    score = table["systems"][0]["scores"][0]
    assert score["value"] == systems()[0][1][0].value
    assert score["low"] <= score["value"] <= score["high"]
    assert score["sentences"] == 30
    assert [(c["system"], c["against"], c["name"]) for c in table["comparisons"]] == [
        ("[good] {x}--\\y", "a_b & 50%", "word F1"),
        ("[good] {x}--\\y", "a_b & 50%", "exact"),
    ]
    assert "|ar:1000|bs:100|seed:12345" in table["comparisons"][0]["signature"]
    assert table["notes"] == ["a note"]


def test_latex_table_is_escaped_and_has_as_many_cells_in_every_row() -> None:
    lines = make_table(systems(), samples=100, notes=["a\nnote"]).as_latex().splitlines()
    body = lines[lines.index(r"\toprule") : lines.index(r"\bottomrule")]
    rows = [line for line in body if line.endswith(r"\\")]
    assert len(rows) == 3
    assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {3}
    assert rows[1].startswith(r"{a\_b \& 50\%} & ")
    assert rows[2].startswith(r"{[good] \{x\}-{}-\textbackslash{}y} & 0.8889$^{*}$ {\scriptsize [")
    assert rows[1].endswith(r"& -- \\")
    assert all(line.startswith("%") for line in lines[lines.index(r"\end{tabular}") + 1 :])
    assert lines[1] == r"\begin{tabular}{lccc}"
    for row in rows:  # every brace is closed
        assert len(re.findall(r"(?<!\\)\{", row)) == len(re.findall(r"(?<!\\)\}", row))


def test_scores_of_one_name_with_two_signatures_are_listed_apart_and_not_compared() -> None:
    (_, scores), _ = systems()
    other = Series("word F1", word_f1_signature(n=30, tokens="other"), scores[0].numerator)
    table = make_table([("one", scores[:1]), ("two", [other])], samples=20)
    assert not table.systems[1].comparisons
    assert re.search(r"^word F1 \(two\): word_f1\|.*tokens:other", table.as_text(), re.M)


def test_tables_of_nothing_and_unknown_formats_are_refused() -> None:
    with pytest.raises(LaconicError, match="nothing to tabulate"):
        make_table([])
    with pytest.raises(LaconicError, match="unknown format 'html': use one of text, json, latex"):
        make_table(systems(), samples=10).render("html")
