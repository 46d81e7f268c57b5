"""Which pronoun stands for whom, on real sentences and on parses that are written down."""

from __future__ import annotations

import json

import pytest
from conftest import given_parses

import laconic
from laconic import LaconicError
from laconic.tree import make_trees
from laconic.tree.coreference import WORDS, Kind


def pairs(compressor: laconic.Compressor, text: str) -> list[tuple[str, str]]:
    (tree,) = compressor.tree(text)
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
        ("The officers who were hurt said they were sorry.", [("who", "The officers"), ("they", "The officers")]),
        # a possessive looks into its own clause too
        ("MetService has doubled its profit.", [("its", "MetService")]),
        # verbs without a subject share that of the verb above
        ("John wants to see him.", []),
        ("Italy edged closer to qualifying for the cup as it defeated Bulgaria.", [("it", "Italy")]),
        # number and gender
        ("The company said he would leave.", []),
        ("Ann said they would leave.", []),
        ("David told Susan that she would win.", [("she", "Susan")]),
        # stands for a clause, or for nobody
        ("It was announced that the club would move.", []),
        ("John said we would win.", []),
        ("Ann and Bob said they were happy.", []),
    ],
)
def test_pronoun_and_antecedent(compressor: laconic.Compressor, text: str, expected: list[tuple[str, str]]) -> None:
    assert pairs(compressor, text) == expected


def test_a_pronoun_never_stands_for_a_date() -> None:
    parses = given_parses(
        "Monday/NNP/nsubj/1 saw/VBD/ROOT/1 that/IN/mark/4 it/PRP/nsubj/4 rained/VBD/ccomp/1", [("DATE", 0, 1)]
    )
    (tree,) = make_trees(parses)
    assert tree.coreferences == ()


def test_every_word_of_the_tables_has_one_kind_that_can_agree() -> None:
    for word, kind in WORDS.items():
        assert kind & (Kind.SINGULAR | Kind.PLURAL), word
        assert kind & (Kind.MALE | Kind.FEMALE | Kind.THING), word


SENTENCE = "Aluminum producer Alcoa Inc said it will permanently close its Point Henry smelter."


def test_the_antecedent_is_printed_where_it_would_be_lost(compressor: laconic.Compressor) -> None:
    plain = compressor.compress(SENTENCE)[0][0]
    resolved = compressor.compress(SENTENCE, resolve_pronouns=True)[0][0]
    assert plain.text == "It will close its Point Henry smelter."
    assert resolved.text == "Alcoa Inc will close its Point Henry smelter."
    assert plain.resolved == ()
    (one,) = resolved.resolved
    assert SENTENCE[slice(*one.pronoun)] == "it"
    assert [SENTENCE[slice(*span)] for span in one.antecedent] == ["Alcoa", "Inc"]
    assert resolved.score == plain.score  # the same subtree, printed differently


def test_spans_are_in_the_order_of_the_print(compressor: laconic.Compressor) -> None:
    (found,) = compressor.compress(SENTENCE, resolve_pronouns=True)[0]
    assert [SENTENCE[slice(*span)] for span in found.spans] == [
        "Alcoa Inc",
        "will",
        "close its Point Henry smelter.",
    ]


def test_a_pronoun_whose_antecedent_is_kept_stays(compressor: laconic.Compressor) -> None:
    text = "A woman was arrested Wednesday after she allegedly stabbed her boyfriend in the back."
    found = compressor.compress(text, 20, resolve_pronouns=True)[0]
    for each in found:
        if "woman was" in each.text:
            assert "woman stabbed" not in each.text
    assert "A woman was arrested after she stabbed her boyfriend." in [each.text for each in found]


def test_a_possessive_is_never_replaced(compressor: laconic.Compressor) -> None:
    text = "John said that his old car had broken down near the lake."
    for each in compressor.compress(text, 30, resolve_pronouns=True)[0]:
        assert "John old" not in each.text
        assert "John car" not in each.text


def test_an_antecedent_is_printed_once_and_then_its_pronoun(compressor: laconic.Compressor) -> None:
    found = compressor.compress("John said that he thought he would win.", 20, resolve_pronouns=True)[0]
    assert "John thought he would win." in [each.text for each in found]
    assert all(each.text.count("John") <= 1 for each in found)


def test_an_antecedent_comes_without_what_leads_into_it(compressor: laconic.Compressor) -> None:
    text = "Police arrested a friend of the singer, who lives in Bergen, on Friday."
    texts = [each.text for each in compressor.compress(text, 50, resolve_pronouns=True)[0]]
    assert not any(each.startswith("Of ") or " of the singer lives" in each for each in texts)


def test_resolved_pronouns_are_in_the_data(compressor: laconic.Compressor) -> None:
    (result,) = compressor.batch([SENTENCE], resolve_pronouns=True)
    data = json.loads(json.dumps(result.to_dict()))["sentences"][0]["compressions"][0]
    assert data["resolved"] == [{"pronoun": [33, 35], "antecedent": [[18, 23], [24, 27]]}]
    (plain,) = compressor.batch([SENTENCE])
    assert "resolved" not in plain.to_dict()["sentences"][0]["compressions"][0]


@pytest.mark.parametrize("method", ["topdown", "nss", "ilp"])
def test_every_method_resolves(compressor: laconic.Compressor, method: str) -> None:
    found = compressor.compress(SENTENCE, 10, method=method, resolve_pronouns=True)[0]
    assert any(each.resolved for each in found)


def test_resolving_does_not_go_with_a_length(compressor: laconic.Compressor) -> None:
    with pytest.raises(LaconicError, match="does not go with max_chars"):
        compressor.compress(SENTENCE, method="ilp", max_chars=50, resolve_pronouns=True)
