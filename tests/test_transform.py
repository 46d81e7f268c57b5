"""The transformation of trees (paper §2.1), on parses that are written down."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from conftest import FIGURE_1, FIGURE_1_ENTITIES, given_parses
from sentences import read_cases

from laconic._core import GoldSubtrees
from laconic.decode import decode
from laconic.realise import realise
from laconic.score import Probabilities
from laconic.tree import Tree, make_forest, make_trees


def tree(spec: str, entities: list = (), lemmas: dict[str, str] | None = None) -> Tree:  # type: ignore[assignment]
    (found,) = make_trees(make_forest(given_parses(spec, entities, lemmas)))
    return found


def nodes(found: Tree) -> list[str]:
    return [node.text for node in found.nodes]


def edges(found: Tree) -> set[tuple[str, str, str]]:
    """Edges of the tree as (head, label, node)."""
    return {(found.nodes[e.head].text, e.label, found.nodes[e.node].text) for e in found.edges if e.head >= 0}


def roots(found: Tree) -> list[str]:
    return [found.nodes[e.node].text for e in found.edges if e.head < 0]


def check(
    spec: str, possible: Sequence[str] = (), impossible: Sequence[str] = (), lemmas: dict[str, str] | None = None
) -> None:
    """Each of the possible compressions, and none of the others, is what a subtree prints."""
    forest = make_forest(given_parses(spec, (), lemmas))
    words = [word.rsplit("/", 3)[0].removeprefix("=") for word in spec.split()]
    for compression in (*possible, *impossible):
        keep = np.zeros(len(words), dtype=np.uint8)
        at = 0
        for word in compression.split():
            at = words.index(word, at) + 1
            keep[at - 1] = 1
        assert (GoldSubtrees(forest, keep).f1[0] >= 1) == (compression in possible), compression


def test_figure_1_of_the_paper() -> None:
    found = tree(FIGURE_1, FIGURE_1_ENTITIES)
    assert nodes(found) == [
        "The", "police", "said", "the man", "who", "robbed", "a bank", "in Arizona", "was arrested", "at his home",
        "late", "Friday",
    ]  # fmt: skip
    assert roots(found) == ["said", "robbed", "was arrested"]
    assert edges(found) == {
        ("said", "nsubj", "police"),
        ("police", "det", "The"),  # unlike in the paper: a plural noun may do without
        ("said", "ccomp", "was arrested"),
        ("was arrested", "nsubjpass", "the man"),
        ("was arrested", "at", "at his home"),
        ("was arrested", "npadvmod", "Friday"),
        ("Friday", "amod", "late"),
        ("the man", "relcl", "robbed"),
        ("robbed", "nsubj", "who"),
        ("robbed", "dobj", "a bank"),
        ("robbed", "in", "in Arizona"),
    }
    assert [(c.word, found.nodes[c.pronoun].text, found.nodes[c.antecedent].text) for c in found.coreferences] == [
        ("who", "who", "the man"),
        ("his", "at his home", "the man"),
    ]


@pytest.mark.parametrize("case", read_cases("subtrees"))
def test_what_subtrees_print(case: str) -> None:
    spec, *compressions = case.split(" | ")
    check(spec, *([each[2:] for each in compressions if each.startswith(sign)] for sign in ("> ", "/ ")))


def test_negation_particle_and_auxiliaries_collapse_into_the_verb() -> None:
    found = tree("He/PRP/nsubj/3 did/VBD/aux/3 not/RB/neg/3 shut/VB/ROOT/3 down/RP/prt/3 it/PRP/dobj/3")
    assert nodes(found) == ["He", "did not shut down", "it"]


def test_possessive_marker_stays_with_its_noun_and_possessive_pronoun_with_its_head() -> None:
    found = tree(
        "Kazakhstan/NNP/poss/2 ='s/POS/case/0 president/NN/nsubj/3 sold/VBD/ROOT/3 his/PRP$/poss/5 car/NN/dobj/3"
    )
    assert nodes(found) == ["Kazakhstan's", "president", "sold", "his car"]
    assert ("president", "poss", "Kazakhstan's") in edges(found)


def test_subordinate_clause_takes_its_mark() -> None:
    found = tree("He/PRP/nsubj/1 left/VBD/ROOT/1 because/IN/mark/4 it/PRP/nsubj/4 rained/VBD/advcl/1")
    assert nodes(found) == ["He", "left", "it", "because rained"]
    assert roots(found) == ["left", "because rained"]


def test_noun_conjuncts_hang_on_the_head_of_the_first_with_its_label() -> None:
    found = tree(
        "Soldiers/NNS/nsubj/3 and/CC/cc/0 nurses/NNS/conj/0 ate/VBD/ROOT/3 bread/NN/dobj/3 and/CC/cc/4 jam/NN/conj/4"
    )
    assert edges(found) == {
        ("ate", "nsubj", "Soldiers"),
        ("ate", "nsubj", "and nurses"),
        ("ate", "dobj", "bread"),
        ("ate", "dobj", "and jam"),
    }


def test_conjuncts_of_a_prepositions_object_do_not_lose_the_preposition() -> None:
    spec = "He/PRP/nsubj/1 lives/VBZ/ROOT/1 in/IN/prep/1 Paris/NNP/pobj/2 and/CC/cc/3 London/NNP/conj/3"
    assert edges(tree(spec)) == {("lives", "nsubj", "He"), ("lives", "in", "in Paris"), ("lives", "pobj", "and London")}
    check(
        spec,
        ["He lives in Paris", "He lives in London", "He lives"],
        ["He lives London", "He lives in and London", "He lives in"],
    )


def test_reduced_clause_loses_pronoun_and_copula_together() -> None:
    spec = (
        "The/DT/det/1 bridge/NN/nsubj/6 that/WDT/nsubjpass/4 was/VBD/auxpass/4 closed/VBN/relcl/1 today/NN/npadvmod/4 "
        "reopened/VBD/ROOT/6"
    )
    lemmas = {"was": "be", "are": "be"}
    check(
        spec,
        ["The bridge closed today reopened", "The bridge that was closed reopened"],
        ["The bridge that closed reopened"],
        lemmas,
    )
    modal = spec.replace("was/VBD/auxpass/4", "may/MD/aux/5 be/VB/auxpass/5").replace("nsubjpass/4", "nsubjpass/5")
    modal = modal.replace("npadvmod/4", "npadvmod/5").replace("/6", "/7")
    check(modal, impossible=["The bridge closed today reopened"], lemmas=lemmas)
    spec = "Stop/VB/ROOT/0 when/WRB/advmod/4 you/PRP/nsubjpass/4 are/VBP/auxpass/4 asked/VBN/advcl/0"
    check(spec, ["Stop when asked", "Stop", "Stop when you are asked"], ["Stop asked"], lemmas)


def test_verb_conjuncts_stay_on_the_first_verb_and_take_its_subject_along_as_roots() -> None:
    spec = "He/PRP/nsubj/1 came/VBD/ROOT/1 and/CC/cc/1 left/VBD/conj/1"
    found = tree(spec)
    assert ("came", "conj", "and left") in edges(found)
    assert roots(found) == ["came", "and left"]
    check(spec, ["He left", "He came", "He came and left"], ["left"])
    spec = "He/PRP/nsubj/3 may/MD/aux/3 not/RB/neg/3 stop/VB/ROOT/3 and/CC/cc/3 ask/VB/conj/3"
    check(spec, ["He may not ask"], ["He ask"])
    spec = "Men/NNS/nsubj/5 who/WP/nsubj/2 came/VBD/relcl/0 and/CC/cc/2 left/VBD/conj/2 laughed/VBD/ROOT/5"
    assert "and left" not in roots(tree(spec))
    found = tree("He/PRP/nsubj/1 came/VBD/ROOT/1 and/CC/cc/1 she/PRP/nsubj/4 left/VBD/conj/1")
    assert roots(found) == ["came", "and left"]


def test_singular_subjects_of_a_plural_verb_stay_together() -> None:
    found = tree("Ann/NNP/nsubjpass/4 and/CC/cc/0 Bob/NNP/conj/0 were/VBD/auxpass/4 arrested/VBN/ROOT/4")
    assert nodes(found) == ["Ann and Bob", "were arrested"]


def test_chain_of_prepositions_is_one_label() -> None:
    found = tree("He/PRP/nsubj/1 ran/VBD/ROOT/1 out/IN/prep/1 of/IN/prep/2 town/NN/pobj/3")
    assert edges(found) == {("ran", "nsubj", "He"), ("ran", "out", "out of town")}


def test_hyphenated_word_is_one_node() -> None:
    found = tree(
        "The/DT/det/6 39/CD/nummod/3 =-/HYPH/punct/3 =year/NN/npadvmod/5 =-/HYPH/punct/5 =old/JJ/amod/6 man/NN/nsubj/7 "
        "slept/VBD/ROOT/7"
    )
    assert nodes(found) == ["39-year-old", "The man", "slept"]


def test_multi_word_name_and_amount_are_one_node_each() -> None:
    spec = (
        "New/NNP/compound/1 York/NNP/nsubj/2 paid/VBD/ROOT/2 more/JJR/amod/5 than/IN/quantmod/5 800/CD/nummod/6 "
        "dollars/NNS/dobj/2"
    )
    found = tree(spec, [("GPE", 0, 2), ("CARDINAL", 3, 6)])
    assert nodes(found) == ["New York", "paid", "more than 800", "dollars"]


def test_title_belongs_to_the_name_and_what_precedes_to_the_title() -> None:
    spec = "Mexican/JJ/amod/1 actor/NN/nsubj/4 Diego/NNP/compound/3 Luna/NNP/appos/1 laughed/VBD/ROOT/4"
    found = tree(spec, [("PERSON", 2, 4)])
    assert edges(found) == {
        ("laughed", "nsubj", "Diego Luna"),
        ("Diego Luna", "compound", "actor"),
        ("actor", "amod", "Mexican"),
    }


def test_word_after_an_article_stays_when_the_next_would_clash() -> None:
    found = tree("She/PRP/nsubj/1 saw/VBD/ROOT/1 an/DT/det/4 old/JJ/amod/4 man/NN/dobj/1")
    assert nodes(found) == ["She", "saw", "an old man"]
    found = tree("She/PRP/nsubj/1 saw/VBD/ROOT/1 a/DT/det/4 tall/JJ/amod/4 man/NN/dobj/1")
    assert nodes(found) == ["She", "saw", "tall", "a man"]
    found = tree("A/DT/det/4 9/CD/nummod/4 =-/HYPH/punct/3 =old/JJ/amod/4 man/NN/nsubj/5 slept/VBD/ROOT/5")
    assert "A man" in nodes(found)


def test_copula_and_predicate_are_one_node() -> None:
    found = tree("It/PRP/nsubj/2 should/MD/aux/2 be/VB/ROOT/2 ready/JJ/acomp/2 today/NN/npadvmod/2")
    assert nodes(found) == ["It", "should be ready", "today"]


def test_contracted_verb_stays_with_its_pronoun() -> None:
    found = tree("He/PRP/nsubj/1 ='s/VBZ/ROOT/1 ready/JJ/acomp/1", lemmas={"'s": "be"})
    assert nodes(found) == ["He's ready"]


def test_headline_without_a_verb_has_its_head_as_root() -> None:
    found = tree("Rain/NN/ROOT/0 in/IN/prep/0 Spain/NNP/pobj/1")
    assert roots(found) == ["Rain"]
    assert edges(found) == {("Rain", "in", "in Spain")}


def test_punctuation_alone_has_no_node() -> None:
    assert nodes(tree("././punct/0 =././punct/0")) == []


@pytest.mark.parametrize("heads", [[1, 2, 0], [1, 0, 1]])
def test_cycle_in_a_parse_is_cut(heads: list[int]) -> None:
    parses = given_parses("a/NN/dep/0 b/NN/dep/0 c/NN/dep/0")
    parses.head[:] = heads
    (found,) = make_trees(make_forest(parses))
    assert len(found.nodes) == 3
    assert roots(found)


def test_contracted_verb_stays_with_whatever_it_is_written_to() -> None:
    found = tree("Here/RB/advmod/1 ='s/VBZ/ROOT/1 it/PRP/nsubj/1")
    assert nodes(found) == ["Here's", "it"]


def test_stranded_preposition_stays_with_its_verb() -> None:
    found = tree("The/DT/det/1 town/NN/nsubj/5 he/PRP/nsubj/3 lives/VBZ/relcl/1 in/IN/prep/3 grew/VBD/ROOT/5")
    assert "lives in" in nodes(found)


def test_article_looks_past_quotation_marks_and_into_nested_modifiers() -> None:
    found = tree("A/DT/det/3 '/``/punct/3 =barbaric/JJ/amod/3 attack/NN/nsubj/4 failed/VBD/ROOT/4")
    assert "A barbaric attack" in nodes(found)
    found = tree("A/DT/det/4 new/JJ/amod/4 air/NN/compound/3 defence/NN/compound/4 zone/NN/nsubj/5 failed/VBD/ROOT/5")
    assert "A new zone" in nodes(found)


def test_copula_with_a_curly_apostrophe_keeps_its_predicate() -> None:
    found = tree("They/PRP/nsubj/1 =’re/VBP/ROOT/1 here/RB/advmod/1")
    assert nodes(found) == ["They’re here"]


def test_quotation_mark_at_the_edge_of_a_name_is_not_part_of_it() -> None:
    spec = "He/PRP/nsubj/1 joined/VBD/ROOT/1 Running/NNP/compound/3 Man/NNP/dobj/1 =''/''/punct/3"
    assert nodes(tree(spec, [("WORK_OF_ART", 2, 5)])) == ["He", "joined", "Running Man"]


def test_words_that_collapse_over_a_distance_leave_no_cycle() -> None:
    forest = make_forest(
        given_parses("He/PRP/nsubj/1 left/VBD/ROOT/1 and/CC/cc/1 ran/VBD/advcl/4 went/VBD/ccomp/2 =././punct/1")
    )
    (found,) = make_trees(forest)
    parent = {edge.node: edge.head for edge in found.edges if edge.head >= 0}
    for start in parent:
        path = [start]
        while path[-1] in parent:
            path.append(parent[path[-1]])
            assert len(path) <= len(found.nodes)
    even = np.full(len(forest.parses.start), 0.5, dtype=np.float32)
    (result,) = realise(forest, decode(forest, Probabilities(even, even), k=200))
    spans = [each.spans for each in result[0]]
    assert len(spans) == len(set(spans)) > 1
