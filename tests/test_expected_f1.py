"""The order by expected F1 against a plain count over all pairs of candidates."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from conftest import FIGURE_1, FIGURE_1_ENTITIES, given_parses

import laconic
from laconic import LaconicError
from laconic.decode import Decoded, Objective, decode
from laconic.parse import Parses
from laconic.score import Probabilities
from laconic.tree import make_forest

#: "because" is printed only below another clause: words are counted as they are printed. No conjunctions: these are
#: printed by what else is kept, and count always. No "that": with and without it the clause alone reads the same, and
#: both are candidates.
BECAUSE = (
    "Officials/NNS/nsubj/1 said/VBD/ROOT/1 schools/NNS/nsubj/3 closed/VBD/ccomp/1 early/RB/advmod/3 because/IN/mark/8 "
    "heavy/JJ/amod/7 snow/NN/nsubj/8 fell/VBD/advcl/3 on/IN/prep/8 the/DT/det/11 hills/NNS/pobj/9 =././punct/1"
)
ONE = 2**30

Words = list[frozenset[int]]


def random_probabilities(parses: Parses, seed: int, **settings: object) -> Probabilities:
    rng = np.random.default_rng(seed)
    retain, root_retain = rng.random((2, len(parses.start)), dtype=np.float32)
    return Probabilities(retain, root_retain, **settings)


def printed_words(decoded: Decoded) -> Words:
    """The words of every result, by where they start."""
    return [
        frozenset(decoded.piece_start[a:b][decoded.piece_word[a:b] == 1].tolist())
        for a, b in zip(decoded.piece_ptr, decoded.piece_ptr[1:], strict=False)
    ]


def node_sets(decoded: Decoded) -> list[tuple[int, ...]]:
    return [tuple(decoded.node[a:b].tolist()) for a, b in zip(decoded.node_ptr, decoded.node_ptr[1:], strict=False)]


def with_evidence(decoded: Decoded, parses: Parses, evidence: np.ndarray) -> list[float]:
    """The scores of candidates of the one text, and the log-odds of the words that each prints."""
    row = {int(start): i for i, start in enumerate(parses.start)}
    words = printed_words(decoded)
    return [
        score + sum(float(evidence[row[start]]) for start in own)
        for score, own in zip(decoded.score.tolist(), words, strict=True)
    ]


def f1(a: frozenset[int], b: frozenset[int]) -> float:
    return 2 * len(a & b) / max(len(a) + len(b), 1)


def softmax(scores: list[float], temperature: float) -> list[float]:
    weights = [math.exp((score - max(scores)) / temperature) for score in scores]
    return [weight / sum(weights) for weight in weights]


def expected_order(scores: list[float], words: Words, temperature: float, candidates: int) -> list[int]:
    """Greedy, in whole numbers as in the core: what adds most to the expected F1 of the best in the list is next.

    The first has a score within log 2 of the best.
    """
    count = min(candidates, len(scores))
    p = [round(weight * ONE) for weight in softmax(scores[:count], temperature)]
    least = max(scores[:count], default=0) - math.log(2)
    similar = [[int(f1(words[a], words[b]) * ONE) for b in range(count)] for a in range(count)]

    def reached(listed: list[int]) -> int:
        return sum(p[i] * max(similar[c][i] for c in listed) for i in range(count))

    order: list[int] = []
    while len(order) < count:
        free = [c for c in range(count) if c not in order and (order or scores[c] >= least)]
        order.append(max(free, key=lambda c: reached([*order, c])))
    return order + list(range(count, len(scores)))


@pytest.mark.parametrize("temperature", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("candidates", [1, 2, 12, 64])
def test_equals_plain_counting_at_every_rank(candidates: int, temperature: float) -> None:
    for seed, parses in enumerate([given_parses(FIGURE_1, FIGURE_1_ENTITIES), given_parses(BECAUSE)] * 5):
        given = random_probabilities(parses, seed, temperature=temperature, candidates=candidates)
        by_score = decode(make_forest(parses), given, k=80)
        order = expected_order(by_score.score.tolist(), printed_words(by_score), temperature, candidates)
        found = decode(make_forest(parses), given, k=80, order="expected-f1")
        assert node_sets(found) == [node_sets(by_score)[i] for i in order]
        assert found.score.tolist() == by_score.score[order].tolist()


@pytest.mark.parametrize("temperature", [0.7, 3.0])
@pytest.mark.parametrize("candidates", [1, 2, 12, 64])
def test_evidence_of_words_counts_besides_the_score(candidates: int, temperature: float) -> None:
    other = 0
    for seed, parses in enumerate([given_parses(FIGURE_1, FIGURE_1_ENTITIES), given_parses(BECAUSE)] * 5):
        evidence = np.random.default_rng(seed).normal(size=len(parses.start)).astype(np.float32)
        plain = random_probabilities(parses, seed, temperature=temperature, candidates=candidates)
        given = replace(plain, evidence=evidence)
        by_score = decode(make_forest(parses), given, k=80)
        # The order by score does not know of it.
        assert node_sets(by_score) == node_sets(decode(make_forest(parses), plain, k=80))
        scores = with_evidence(by_score, parses, evidence)
        order = expected_order(scores, printed_words(by_score), temperature, candidates)
        found = decode(make_forest(parses), given, k=80, order="expected-f1")
        assert node_sets(found) == [node_sets(by_score)[i] for i in order]
        # It changes the order, and not the scores.
        assert found.score.tolist() == by_score.score[order].tolist()
        other += node_sets(found) != node_sets(decode(make_forest(parses), plain, k=80, order="expected-f1"))
    assert other >= 5 or candidates < 12


def test_evidence_of_zero_is_none() -> None:
    parses = given_parses(FIGURE_1, FIGURE_1_ENTITIES)
    plain = random_probabilities(parses, 2, order="expected-f1")
    zero = replace(plain, evidence=np.zeros(len(parses.start), dtype=np.float32))
    assert node_sets(decode(make_forest(parses), zero, k=40)) == node_sets(decode(make_forest(parses), plain, k=40))


def test_the_weight_of_words_multiplies_their_evidence() -> None:
    parses = given_parses(FIGURE_1, FIGURE_1_ENTITIES)
    evidence = np.random.default_rng(3).normal(size=len(parses.start)).astype(np.float32)
    half = replace(random_probabilities(parses, 3, order="expected-f1"), evidence=evidence, word_weight=0.5)
    same = replace(half, evidence=evidence / 2, word_weight=1.0)
    assert node_sets(decode(make_forest(parses), half, k=20)) == node_sets(decode(make_forest(parses), same, k=20))


def test_the_threshold_moves_evidence_as_it_moves_edges() -> None:
    evidence = np.array([-8, -2, -0.5, 0, 0.5, 2, 8], dtype=np.float32)
    half = np.full(7, 0.5, dtype=np.float32)
    given = Probabilities(half, half, evidence, rho=0.6)
    assert given.at(0.6).evidence is evidence
    found = np.array([given.at(rho).evidence for rho in (0, 0.3, 0.6, 0.8, 1)])
    assert (np.diff(found, axis=0) >= -1e-5).all()  # a higher threshold keeps more
    assert (np.diff(found, axis=1) > 0).all()  # the order of words stays
    assert (found[0] <= 0).all()
    assert (found[-1] >= 0).all()
    assert [given.at(rho).rho for rho in (0, 1)] == [0, 1]


def test_strong_evidence_for_a_word_keeps_it_and_against_it_drops_it() -> None:
    parses = given_parses(FIGURE_1, FIGURE_1_ENTITIES)
    for word in (10, 15, 17):  # Arizona, home, Friday
        for sign in (1, -1):
            evidence = np.zeros(len(parses.start), dtype=np.float32)
            evidence[word] = sign * 50
            given = replace(random_probabilities(parses, 4), evidence=evidence)
            by_score = decode(make_forest(parses), given, k=given.candidates)
            assert 0 < sum(int(parses.start[word]) in own for own in printed_words(by_score)) < given.candidates
            (first,) = printed_words(decode(make_forest(parses), given, order="expected-f1"))
            assert (int(parses.start[word]) in first) == (sign > 0)


def test_evidence_is_that_of_the_texts_own_words() -> None:
    # Two texts, so that rows of the batch and tokens of a sentence differ.
    texts = [given_parses(BECAUSE), given_parses(FIGURE_1, FIGURE_1_ENTITIES)]
    both = Parses.concatenate(texts)
    evidence = np.random.default_rng(8).normal(size=len(both.start)).astype(np.float32)
    given = replace(random_probabilities(both, 8, order="expected-f1"), evidence=evidence)
    together = decode(make_forest(both), given, k=10)
    for i, text in enumerate(texts):
        rows = slice(*both.token_ptr[i : i + 2].tolist())
        alone = Probabilities(given.retain[rows], given.root_retain[rows], evidence[rows], order="expected-f1")
        results = slice(*together.result_ptr[i : i + 2].tolist())
        assert node_sets(decode(make_forest(text), alone, k=10)) == node_sets(together)[results]


@pytest.mark.parametrize("size", [1e30, 3e38])
def test_any_finite_evidence_is_survived(size: float) -> None:
    parses = given_parses(FIGURE_1, FIGURE_1_ENTITIES)
    rng = np.random.default_rng(0)
    evidence = (size * rng.choice([-1, 1], len(parses.start))).astype(np.float32)
    given = replace(random_probabilities(parses, 1), evidence=evidence)
    found = node_sets(decode(make_forest(parses), given, k=64, order="expected-f1"))
    assert sorted(found) == sorted(node_sets(decode(make_forest(parses), given, k=64)))


@pytest.mark.parametrize(
    ("evidence", "message"),
    [
        ([0.0], r"evidence has the shape \(1,\) and retain \(2,\): give one number for each token in both"),
        ([0.0] * 3, r"evidence has the shape \(3,\) and retain \(2,\)"),
        ([], r"evidence has the shape \(0,\)"),
        ([[0.0, 0.0]], r"evidence has the shape \(1, 2\)"),
        ([0.0, math.nan], "evidence has numbers that are not finite: give log-odds, 0 where nothing is known"),
        ([-math.inf, 0.0], "evidence has numbers that are not finite"),
        ([0.0, math.inf], "evidence has numbers that are not finite"),
    ],
)
def test_what_is_no_evidence_is_named(evidence: list, message: str) -> None:
    half = np.full(2, 0.5, dtype=np.float32)
    with pytest.raises(LaconicError, match=message):
        Probabilities(half, half, np.array(evidence, dtype=np.float32))


def test_first_has_the_highest_expected_f1_and_often_not_the_highest_score() -> None:
    parses = given_parses(FIGURE_1, FIGURE_1_ENTITIES)
    other = 0
    for seed in range(30):
        given = random_probabilities(parses, seed)
        by_score = decode(make_forest(parses), given, k=given.candidates)
        words, p = printed_words(by_score), softmax(by_score.score.tolist(), 1.0)
        expected = [sum(p[i] * f1(own, words[i]) for i in range(len(words))) for own in words]
        (first,) = printed_words(decode(make_forest(parses), given, order="expected-f1"))
        likely = [value for value, weight in zip(expected, p, strict=True) if weight >= max(p) / 2]
        assert expected[words.index(first)] == pytest.approx(max(likely), abs=1e-7)
        other += first != words[0]
    assert other >= 5


@pytest.mark.parametrize("settings", [{"method": "nss"}, {"objective": "mean"}])
def test_an_expectation_over_what_is_no_probability_is_refused(
    maxent_compressor: laconic.Compressor, settings: dict
) -> None:
    parses = maxent_compressor.parser.parse(["Two ATMs were stolen."])
    with pytest.raises(LaconicError, match=r"expected-f1 needs log-probabilities.*use the method topdown"):
        decode(make_forest(parses), maxent_compressor.model, order="expected-f1", **settings)


def test_ranks_do_not_depend_on_how_many_are_asked_for() -> None:
    parses = given_parses(BECAUSE)
    given = random_probabilities(parses, 3, order="expected-f1", candidates=16)
    everything = node_sets(decode(make_forest(parses), given, k=40))
    for k in (1, 2, 5, 15, 16, 17, 30):
        assert node_sets(decode(make_forest(parses), given, k=k)) == everything[:k]
    assert everything[16:] == node_sets(decode(make_forest(parses), given, k=40, order="score"))[16:]


def test_a_low_temperature_is_the_order_of_scores() -> None:
    parses = given_parses(FIGURE_1, FIGURE_1_ENTITIES)
    given = random_probabilities(parses, 1, temperature=1e-6)
    by_score = node_sets(decode(make_forest(parses), given, k=20))
    assert node_sets(decode(make_forest(parses), given, k=20, order="expected-f1")) == by_score


def test_sentences_of_more_than_64_words() -> None:
    count = 150
    spec = "Rain/NN/nsubj/1 fell/VBD/ROOT/1 " + " ".join(f"often{i}/RB/advmod/1" for i in range(count))
    parses = given_parses(spec)
    given = random_probabilities(parses, 5)
    by_score = decode(make_forest(parses), given, k=given.candidates)
    assert max(len(words) for words in printed_words(by_score)) > 64
    order = expected_order(by_score.score.tolist(), printed_words(by_score), 1.0, given.candidates)
    found = node_sets(decode(make_forest(parses), given, k=given.candidates, order="expected-f1"))
    assert found == [node_sets(by_score)[i] for i in order]


def test_real_sentences_with_the_model(maxent_compressor: laconic.Compressor) -> None:
    texts = [
        "The police said the man who robbed a bank in Arizona was arrested at his home late Friday.",
        "Two ATMs were stolen Friday, police in Leeds said.",
        "Ford will close its plant in Genk next year because demand for cars fell, the company's chief executive said.",
    ]
    parses = maxent_compressor.parser.parse(texts)
    tuned = {"order": "expected-f1", "order_temperature": 0.5, "order_candidates": 20}
    model = replace(maxent_compressor.model, header={**maxent_compressor.model.header, **tuned})
    by_score = decode(make_forest(parses), model, k=30, objective=Objective.JOINT, order="score")
    found = decode(make_forest(parses), model, k=30, objective=Objective.JOINT)
    assert node_sets(found) == node_sets(
        decode(make_forest(parses), model, k=30, order="expected-f1")
    )  # which implies joint
    words, nodes = printed_words(by_score), node_sets(by_score)
    assert found.result_ptr.tolist() == by_score.result_ptr.tolist()
    for a, b in zip(by_score.result_ptr, by_score.result_ptr[1:], strict=False):
        order = expected_order(by_score.score[a:b].tolist(), words[a:b], 0.5, 20)
        assert node_sets(found)[a:b] == [nodes[a:b][i] for i in order]


def test_a_sentence_without_words_is_survived() -> None:
    parses = given_parses("?/./ROOT/0 !/./punct/0")
    given = random_probabilities(parses, 0)
    assert node_sets(decode(make_forest(parses), given, k=3, order="expected-f1")) == node_sets(
        decode(make_forest(parses), given, k=3)
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"order": "f1"}, "unknown order 'f1': use one of score, expected-f1"),
        ({"temperature": 0.0}, "temperature is 0.0: give a positive number"),
        ({"temperature": math.nan}, "temperature is nan: give a positive number"),
        ({"candidates": 0}, "candidates is 0: give a whole number, 1 to 1000"),
        ({"candidates": 2.5}, "candidates is 2.5: give a whole number"),
    ],
)
def test_bad_settings_are_named(settings: dict, message: str) -> None:
    parses = given_parses(BECAUSE)
    with pytest.raises(LaconicError, match=message):
        decode(make_forest(parses), random_probabilities(parses, 0, **{"order": "expected-f1", **settings}))
