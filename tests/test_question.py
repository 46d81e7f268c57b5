"""A question that is asked of documents: what it asks for, which sentences are relevant, and what is kept."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from command_line import refused, run

import laconic
from laconic import LaconicError
from laconic.document.candidates import read_candidates
from laconic.document.document import read_document
from laconic.document.question import Question
from laconic.document.read import read_parts
from laconic.document.relevance import K1, B, Candidate, bm25, relevance
from laconic.document.repeats import find_repeats
from laconic.document.terms import term
from laconic.document.weights import weigh
from laconic.limits import Limits
from laconic.parse import scheme

TEXT = """\
The council met on Monday in the old town hall. Rain had fallen all morning, and few people came to listen.

Anna Smith, who has been the treasurer since 2019, approved the budget of $2 million after a long debate. It pays for a
new bridge. The library gets 40,000 books.

The next meeting is in June. Visitors are welcome, and there will be tea and biscuits for everyone who comes.
"""


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("Who approved the budget?", {"PERSON", "ORG", "NORP", "GPE"}),
        ("When is the next meeting?", {"DATE", "TIME"}),
        ("In what year did she become treasurer?", {"DATE", "TIME"}),
        ("How many books does the library get?", {"CARDINAL", "QUANTITY", "MONEY", "PERCENT", "ORDINAL"}),
        ("What is the price of the bridge?", {"MONEY"}),
        ("Which city is it in?", {"GPE", "LOC", "FAC"}),
        ("What does the budget pay for?", set()),
        ("Why did few people come?", set()),
        ("bridge budget", set()),
    ],
)
def test_what_a_question_asks_for(compressor: laconic.Compressor, query: str, kinds: set[str]) -> None:
    assert {scheme.ENTITIES[kind] for kind in Question.read(compressor, query).kinds} == kinds


def test_terms_are_one_for_a_family_of_words_and_empty_for_small_ones() -> None:
    assert len({term("settled", scheme.TAG_ID["VBD"]), term("settlers", scheme.TAG_ID["NNS"])}) == 1
    assert term("settled", scheme.TAG_ID["VBD"]) != term("setter", scheme.TAG_ID["NN"])
    assert term("the", scheme.TAG_ID["DT"]) == term("—", scheme.TAG_ID[":"]) == term("was", scheme.TAG_ID["VBD"]) == ""


def test_bm25_is_the_formula() -> None:
    sentences = [["a", "b", "a"], ["b", "c"], ["d"] * 7]
    query = frozenset("ab")
    scores, weights = bm25(sentences, query)
    average = sum(map(len, sentences)) / 3
    for sentence, score in zip(sentences, scores, strict=True):
        expected = 0.0
        for word in query:
            among = sum(word in other for other in sentences)
            idf = math.log(1 + (3 - among + 0.5) / (among + 0.5))
            assert weights[word] == pytest.approx(idf)
            times = Counter(sentence)[word]
            expected += idf * times * (K1 + 1) / (times + K1 * (1 - B + B * len(sentence) / average))
        assert score == pytest.approx(expected)


def candidate(text: str, paragraph: int = 0, *, answers: bool = False, headings: str = "") -> Candidate:
    return Candidate(text, text.split(), answers, False, (0, paragraph), frozenset(headings.split()))


def test_relevance_prefers_the_terms_the_kind_the_neighbour_and_the_heading() -> None:
    question = Question("q", frozenset(["bridg", "cost"]), frozenset([1]))

    def ranked(*sentences: Candidate) -> list[int]:
        found = relevance(question, sentences)
        assert found.sum() == pytest.approx(1)
        return np.argsort(-found, kind="stable").tolist()

    assert ranked(candidate("rain fell"), candidate("bridg cost much"), candidate("bridg fell"))[:2] == [1, 2]
    assert ranked(candidate("bridg x", 0), candidate("bridg x", 1, answers=True))[0] == 1
    assert ranked(candidate("tea came", 0), candidate("bridg open", 1), candidate("tea came", 1))[1] == 2
    assert ranked(candidate("tea came", 0), candidate("tea came", 1, headings="bridg"))[0] == 1


def test_the_answer_is_kept_where_its_sentence_has_to_be_shortened(compressor: laconic.Compressor) -> None:
    for query, answer in [
        ("Who approved the budget?", "Anna Smith"),
        ("How many books does the library get?", "40,000"),
        ("When is the next meeting?", "June"),
        ("What does it pay for?", "bridge"),
    ]:
        found = compressor.fit(TEXT, max_chars=90, query=query, format="text")
        assert answer in found.text
        assert found.length <= 90
    assert "Anna Smith" not in compressor.fit(TEXT, max_chars=60, query="When is the next meeting?").text


def test_any_scores_can_say_what_is_relevant(compressor: laconic.Compressor) -> None:
    asked = []

    def by_hand(sentences: list[str], query: str) -> list[float]:
        asked.append((len(sentences), query))
        return [1.0 if "biscuits" in sentence else 0.0 for sentence in sentences]

    found = compressor.fit(TEXT, max_chars=115, query="Who  approved the budget?", relevance=by_hand)
    assert asked == [(7, "Who approved the budget?")]
    assert "biscuits" in found.text
    assert "Smith" not in found.text
    constant = compressor.fit(TEXT, max_chars=115, query="budget", relevance=lambda sentences, _: [3] * len(sentences))
    assert 0.7 * 115 < len(constant.text) <= 115


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"query": "?!"}, "has no words"),
        ({"query": 5}, "the query is 5"),
        ({"relevance": len}, "give a query"),
        ({"query": "budget", "relevance": 5}, "relevance is 5"),
        ({"query": "budget", "relevance": lambda sentences, _: [1.0]}, "1 numbers for 7 sentences"),
        ({"query": "budget", "relevance": lambda sentences, _: [math.nan] * 7}, "not finite"),
        ({"query": "budget", "relevance": lambda sentences, _: "scores"}, "a number for every sentence"),
    ],
)
def test_what_is_no_query_and_no_relevance_is_refused(
    compressor: laconic.Compressor, options: dict[str, object], message: str
) -> None:
    with pytest.raises(LaconicError, match=message):
        compressor.fit(TEXT, max_chars=100, **options)


def test_facts_are_kept_without_a_question(compressor: laconic.Compressor) -> None:
    found = compressor.fit(TEXT, rate=0.35, format="text").text
    assert "$2 million" in found
    assert "biscuits" not in found


def test_addresses_and_tags_are_no_facts(compressor: laconic.Compressor) -> None:
    """Badges take much room, and a reader sees little of them; code is code."""
    badge = "[![Build](https://ci.example.org/an/address/that/is/long.svg?branch=main)](https://ci.example.org/builds)"
    image = '<p align="center"><img src="https://example.org/an/address/that/is/long/too.png" width="400" /></p>'
    code = "```html\n<p align=center><img src=plan.png></p>\n```"
    said = "The pump moves water.\n\nIt is loud."
    found = compressor.fit(f"# Pump\n\n{badge}\n\n{image}\n\n{code}\n\n{said}\n", max_chars=160)
    assert found.text == f"# Pump\n\n{code}\n\n{said}\n"


def test_repeats_are_found_and_differ_in_nothing_firm() -> None:
    sentences = [list("abcde"), list("fghij"), list("abcdef"), list("abcde"), list("ab"), list("ab")]
    none = frozenset[str]
    assert list(find_repeats(sentences, [none] * 6)) == [(0, 2), (0, 3), (2, 3)]
    firm = [none, none, lambda: frozenset(["not"]), none, none, none]
    assert list(find_repeats(sentences, firm)) == [(0, 3)]


@pytest.mark.parametrize("seed", range(5))
def test_repeats_are_those_of_all_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sentences = [[f"t{k}" for k in rng.integers(0, 12, size=rng.integers(3, 9))] for _ in range(60)]
    own = [set(sentence) for sentence in sentences]
    expected = {
        (j, i)
        for i in range(60)
        for j in range(i)
        if min(len(own[i]), len(own[j])) >= 4 and len(own[i] & own[j]) >= 0.8 * len(own[i] | own[j])
    }
    found = set(find_repeats(sentences, [frozenset] * 60))
    assert found == expected


def test_what_is_said_again_counts_once(compressor: laconic.Compressor) -> None:
    said = "The city council approved a budget of $2 million for the new bridge on Monday."
    again = "On Monday the city council approved the budget of $2 million for a new bridge."
    other = "A library with 40,000 books opens near the old railway station in spring."
    denied = "The city council never approved a budget of $2 million for the new bridge on Monday."
    most = len(said) + len(other) + 1
    found = compressor.fit(f"{said} {again} {other}", max_chars=most, format="text")
    assert "library" in found.text
    assert sum("council" in (after or "") for _, after in found.sentences) == 1
    asked = compressor.fit(f"{said} {denied}", max_chars=len(said) + len(denied), format="text", query="bridge")
    assert asked.left_out == 0


def test_the_command_line_takes_a_query(tmp_path: Path) -> None:
    file = tmp_path / "report.md"
    file.write_text(TEXT, encoding="utf-8")
    found = run("fit", str(file), "--query", "Who approved the budget?", "--max-chars", "90")
    assert "Anna Smith" in found.stdout
    assert "has no words" in refused("fit", str(file), "--query", "…", "--max-chars", "90")
    lines = run("fit", str(file), "--query", "Who approved the budget?", "--max-chars", "90", "--jsonl", "-q").stdout
    data = json.loads(lines)
    assert data["source"] == str(file)
    for kept in data["kept"]:
        cut = " ".join(TEXT[start:end] for start, end in kept["spans"])
        assert [*filter(str.isalnum, "".join(cut.split()).lower())] == [
            *filter(str.isalnum, "".join(kept["text"].split()).lower())
        ]


def test_a_sentence_that_begins_with_a_pronoun_has_the_one_before_it(compressor: laconic.Compressor) -> None:
    before, after = "Marie Curie was a physicist and chemist.", "She won two Nobel Prizes in 1903 and 1911."
    others = "The museum is closed on Mondays and Tuesdays. Tickets cost 12 euros at the door of the main hall."
    text = f"{others} {before} {after}"
    found = compressor.fit(text, max_chars=len(before) + len(after) + 1, format="text")
    assert ("She won" in found.text) <= ("Curie" in found.text)
    asked = compressor.fit(text, max_chars=len(before) + len(after) + 1, format="text", query="Who won Nobel Prizes?")
    assert asked.text == f"{before} {after}"


def test_what_has_nothing_to_do_with_the_question_is_left_out(compressor: laconic.Compressor) -> None:
    filler = "\n\n".join(f"The weather in week {i} was fine." for i in range(30))
    text = f"{filler}\n\nAnna Smith approved the budget of $2 million after a long debate in the council.\n"
    found = compressor.fit(text, max_chars=len(text) // 2, query="Who approved the budget?")
    assert found.text.split() == text.rsplit("\n\n", 1)[1].split()
    # Scores from outside are no measure of that: there the room is used.
    scores = [float("Anna" in each) for each in [*filler.split("\n\n"), "Anna"]]
    given = compressor.fit(text, max_chars=len(text) // 2, query="Who?", relevance=lambda sentences, query: scores)
    assert "Anna" in given.text
    assert "weather" in given.text


def test_what_a_document_is_about_counts(compressor: laconic.Compressor) -> None:
    about = ["A ship saw a lighthouse with a light.", "A lighthouse keeper lived with a dog."]
    other = "A village baker lived with a cat."
    for sentences in ([*about, other], [other, *about]):
        found = compressor.fit("\n\n".join(sentences), max_chars=len("\n\n".join(about)))
        assert found.text == "\n\n".join(about)


def test_the_sentence_that_names_whom_a_likely_answer_speaks_of_counts_with_it(compressor: laconic.Compressor) -> None:
    text = (
        "Maria Keller joined the team in March. She had lived in Oslo. In May she approved the new budget of the team."
    )
    document, question = read_document(text, "text"), Question.read(compressor, "When was the new budget approved?")
    (parts,) = read_parts(compressor, [document], Limits(), question=question)
    assert not isinstance(parts, LaconicError)
    (((naming, between, answer),),) = weigh([(parts, document.blocks)], question)
    assert answer > naming >= 0.1 * answer > between


def test_where_there_is_no_room_for_an_answer_something_else_fits(compressor: laconic.Compressor) -> None:
    text = "Anna Smith and Robert Miller approved the budget. It rained."
    query = "Who approved the budget?"
    assert "rained" not in compressor.fit(text, max_chars=55, query=query, format="text").text
    assert compressor.fit(text, max_chars=10, query=query, format="text").text == "It rained."
    assert compressor.fit_all([text, "The dog slept in the garden."], max_chars=10, query=query).text == "It rained."
    with pytest.raises(laconic.LaconicError, match="has 10"):
        compressor.fit(text, max_chars=9, query=query, format="text")


def test_what_a_likely_answer_announces_stays_with_it(compressor: laconic.Compressor) -> None:
    code = "# Pack\n\nTwo students wrote it in 1999.\n\nTests can be run with:\n\n    make check\n\nIt is free."
    assert "make check" in compressor.fit(code, max_chars=60, query="How do I run the tests?").text
    items = "The club has these officers:\n\n- Anna Smith\n- Robert Miller\n\nIt rained on Monday, and nobody came."
    found = compressor.fit(items, max_chars=70, query="Which officers does the club have?").text
    assert "Anna Smith" in found
    assert "Robert Miller" in found


def test_sentences_that_lean_on_the_one_before_count_for_less_without_it(compressor: laconic.Compressor) -> None:
    text = "She left. One of them paid 40 francs. Otherwise it is free. Her shop is small. Two of the lamps are old."
    (found,) = read_candidates(compressor, [text], Limits())
    assert not isinstance(found, LaconicError)
    assert [sentence.alone < 1 for sentence in found] == [True, True, True, False, False]
