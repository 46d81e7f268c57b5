"""Which pronoun stands for whom, on real sentences and on parses that are written down."""

from __future__ import annotations

import json

import pytest
from conftest import given_parses

import laconic
from laconic import LaconicError
from laconic._core import Kind
from laconic.language.coreference import WORDS
from laconic.parse import Parses
from laconic.tree import make_forest, make_trees


def pairs(system: laconic.Compressor, text: str) -> list[tuple[str, str]]:
    (tree,) = system.tree(text)
    return [(pair.word, tree.nodes[pair.antecedent].text) for pair in tree.coreferences]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # relative pronouns, by syntax
        ("The man who robbed a bank was arrested.", [("who", "The man")]),
        ("Singapore, which has a port, is growing.", [("which", "Singapore")]),
        # a personal pronoun looks into the clause above, its subject first
        ("Ford said it would close the plant.", [("it", "Ford")]),
        ("The company told Mary that she had lost the case.", [("she", "Mary")]),
        ("A woman was arrested after she stabbed a man.", [("she", "A woman")]),
        ("John said that he thought he would win.", [("he", "John"), ("he", "John")]),
        ("The officers who were hurt said they were sorry.", [("who", "officers"), ("they", "officers")]),
        # a possessive looks into its own clause too
        ("MetService has doubled its profit.", [("its", "MetService")]),
        # verbs without a subject share that of the verb above
        ("John wants to see him.", []),
        ("Italy edged closer to qualifying for the cup as it defeated Bulgaria.", [("it", "Italy")]),
        # number and gender
        ("The company said he would leave.", []),
        ("Ann said they would leave.", []),
        ("David told Susan that she would win.", [("she", "Susan")]),
        ("The lawsuit says she was fired because of her age.", []),
        ("Kim Jong Un told reporters that he would visit Moscow.", [("he", "Kim Jong Un")]),
        # not across the edge of a quotation
        ('John said: "He is a thief."', []),
        # stands for a clause, or for nobody
        ("The bank said it is time to raise rates.", []),
        ("It was announced that the club would move.", []),
        ("John said we would win.", []),
        ("Ann and Bob said they were happy.", []),
    ],
)
def test_pronoun_and_antecedent(system: laconic.Compressor, text: str, expected: list[tuple[str, str]]) -> None:
    assert pairs(system, text) == expected


def test_a_pronoun_never_stands_for_a_date() -> None:
    parses = given_parses(
        "Monday/NNP/nsubj/1 saw/VBD/ROOT/1 that/IN/mark/4 it/PRP/nsubj/4 rained/VBD/ccomp/1", [("DATE", 0, 1)]
    )
    (tree,) = make_trees(make_forest(parses))
    assert tree.coreferences == ()


def test_every_word_of_the_tables_has_one_kind_that_can_agree() -> None:
    for word, kind in WORDS.items():
        if kind == Kind.QUANTIFIER:
            continue
        assert kind & (Kind.SINGULAR | Kind.PLURAL), word
        assert kind & (Kind.MALE | Kind.FEMALE | Kind.THING), word


SENTENCE = "Aluminum producer Alcoa Inc said it will permanently close its Point Henry smelter."


def test_the_antecedent_is_printed_where_it_would_be_lost(system: laconic.Compressor) -> None:
    plain = system.compress(SENTENCE, level="headline", order="score")[0][0]
    resolved = system.compress(SENTENCE, resolve_pronouns=True, level="headline", order="score")[0][0]
    assert plain.text == "It will close its Point Henry smelter."
    assert resolved.text == "Alcoa Inc will close its Point Henry smelter."
    assert plain.resolved == ()
    (one,) = resolved.resolved
    assert SENTENCE[slice(*one.pronoun)] == "it"
    assert [SENTENCE[slice(*span)] for span in one.antecedent] == ["Alcoa", "Inc"]
    assert resolved.score == plain.score  # the same subtree, printed differently


def test_spans_are_in_the_order_of_the_print(system: laconic.Compressor) -> None:
    (found,) = system.compress(SENTENCE, resolve_pronouns=True, level="headline")[0]
    assert [SENTENCE[slice(*span)] for span in found.spans] == [
        "Alcoa Inc",
        "will",
        "close its Point Henry smelter.",
    ]


def test_a_pronoun_whose_antecedent_is_kept_stays(system: laconic.Compressor) -> None:
    text = "A woman was arrested Wednesday after she allegedly stabbed her boyfriend in the back."
    found = system.compress(text, 20, resolve_pronouns=True, level="headline", guard=False)[0]
    for each in found:
        if "woman was" in each.text:
            assert "woman stabbed" not in each.text
    assert "A woman was arrested after she stabbed her boyfriend." in [each.text for each in found]


def test_a_possessive_is_never_replaced(system: laconic.Compressor) -> None:
    text = "John said that his old car had broken down near the lake."
    for each in system.compress(text, 30, resolve_pronouns=True)[0]:
        assert "John old" not in each.text
        assert "John car" not in each.text


def test_an_antecedent_is_printed_once_and_then_its_pronoun(system: laconic.Compressor) -> None:
    found = system.compress("John said that he thought he would win.", 20, resolve_pronouns=True)[0]
    assert "John thought he would win." in [each.text for each in found]
    assert all(each.text.count("John") <= 1 for each in found)


def test_an_antecedent_comes_without_what_leads_into_it(system: laconic.Compressor) -> None:
    text = "Police arrested a friend of the singer, who lives in Bergen, on Friday."
    texts = [each.text for each in system.compress(text, 50, resolve_pronouns=True)[0]]
    assert not any(each.startswith("Of ") or " of the singer lives" in each for each in texts)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        # names and pairs stay whole
        ("The Bank of England said it would keep rates on hold.", "The Bank of England would keep rates on hold."),
        ("Johnson & Johnson said it would sell two plants.", "Johnson & Johnson would sell two plants."),
        # what belongs to a noun comes along, what leads into it does not
        ("The mayor's office said it had received two letters.", "The mayor's office had received two letters."),
        # written together with the pronoun
        ("John said on Monday he's leaving the club.", "John's leaving the club."),
        # the capital of the front goes when the word moves
        ("The man said that on Friday he left the club.", "On Friday the man left the club."),
        # one stop is enough
        ("Acme Inc. said on Monday police sued it.", "Police sued Acme Inc."),
    ],
)
def test_antecedents_are_printed_as_a_person_would(system: laconic.Compressor, text: str, printed: str) -> None:
    texts = [each.text for each in system.compress(text, 60, resolve_pronouns=True, level="headline")[0]]
    assert printed in texts, texts[:8]


def test_a_name_with_an_apostrophe_is_printed_whole(paper_compressor: laconic.Compressor) -> None:
    """On spaCy's tree: the network takes the "'s" of this name for a possessive."""
    found = paper_compressor.compress("McDonald's said it will close two shops.", 60, resolve_pronouns=True)[0]
    assert "McDonald's will close two shops." in [each.text for each in found]


@pytest.mark.parametrize(
    "text",
    [
        "No company said it would leave the country.",
        "The man whose dog was hurt said it was a gentle animal.",
        "The mayor of Leeds, who was elected in May, said nothing.",
    ],
)
def test_what_says_nothing_on_its_own_is_not_printed(system: laconic.Compressor, text: str) -> None:
    found = system.compress(text, 60, resolve_pronouns=True)[0]
    assert not any(each.resolved for each in found), [each.text for each in found if each.resolved]


def test_a_chain_of_hundreds_of_clauses_is_resolved() -> None:
    """3,200 words, of which every possessive finds the subject above: minutes, if each looked at all words again."""
    (tree,) = make_trees(make_forest(given_deep(800)))
    assert len(tree.coreferences) == 0  # "his" is not of the rocks
    (tree,) = make_trees(make_forest(given_deep(800, "their/PRP$")))
    assert len(tree.coreferences) == 800
    assert all(pair.antecedent < pair.pronoun for pair in tree.coreferences)


def given_deep(depth: int, possessive: str = "his/PRP$") -> Parses:
    """said → said → …, each with a subject that a possessive stands before."""
    rows = ["The/DT/det/1", "rocks/NNS/nsubj/2", "said/VBD/ROOT/2"]
    for i in range(depth):
        at = 3 + 4 * i
        rows += [
            f"that/IN/mark/{at + 3}",
            f"{possessive}/poss/{at + 2}",
            f"rocks/NNS/nsubj/{at + 3}",
            f"said/VBD/ccomp/{at - 1}",
        ]
    return given_parses(" ".join(rows))


def test_resolved_pronouns_are_in_the_data(system: laconic.Compressor) -> None:
    (result,) = system.batch([SENTENCE], resolve_pronouns=True, level="headline")
    data = json.loads(json.dumps(result.to_dict()))["sentences"][0]["compressions"][0]
    assert data["resolved"] == [{"pronoun": [33, 35], "antecedent": [[18, 23], [24, 27]]}]
    (plain,) = system.batch([SENTENCE])
    assert "resolved" not in plain.to_dict()["sentences"][0]["compressions"][0]


@pytest.mark.parametrize("method", ["topdown", "nss", "ilp"])
def test_every_method_resolves(system: laconic.Compressor, method: str) -> None:
    found = system.compress(SENTENCE, 10, method=method, resolve_pronouns=True)[0]
    assert any(each.resolved for each in found)


def test_resolving_does_not_go_with_a_length(system: laconic.Compressor) -> None:
    with pytest.raises(LaconicError, match="does not go with max_chars"):
        system.compress(SENTENCE, method="ilp", max_chars=50, resolve_pronouns=True)
