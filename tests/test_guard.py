"""The guard: what a probability must not decide, as pins that every decoder obeys and explanations name."""

from __future__ import annotations

import itertools
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from conftest import FIGURE_1, given_parses
from enumeration import subtrees
from sentences import read_cases

import laconic
from laconic import _core
from laconic._core import NodePin
from laconic.decode import decode
from laconic.explanation.render import as_plain
from laconic.guard import Pins, Policy, make_pins, policies, rules
from laconic.guard.pins import NO_RULE
from laconic.language.word_lists import NEGATIONS, Denies, negations
from laconic.levels import Level
from laconic.plan import policy_for
from laconic.score import Probabilities
from laconic.tree import Forest, make_forest

#: A sentence, and words that must not be printed without other words of it.
DENIALS = [case.split(" | ") for case in read_cases("denials")]
#: The same for what else changes the truth, with the rule that keeps it.
TRUTHS = [case.split(" | ") for case in read_cases("truths")]


@pytest.mark.parametrize(("rule", "sentence", "said", "with_it"), TRUTHS)
def test_what_changes_the_truth_stays(
    compressor: laconic.Compressor, rule: str, sentence: str, said: str, with_it: str
) -> None:
    """By none of all compressions that there are."""
    found = compressor.compress(sentence, k=500)[0]
    wrong = [
        each.text for each in found if _words(said) in _words(each.text) and _words(with_it) not in _words(each.text)
    ]
    assert wrong == []
    assert rule in {by for _, *rules in pinned(compressor, sentence, Policy.SENTENCE).values() for by in rules}


def _words(text: str) -> str:
    return text.replace(",", "").casefold()


@pytest.mark.parametrize(("sentence", "may", "alone"), [case.split(" | ") for case in read_cases("clauses")])
def test_which_clauses_may_stand_alone(compressor: laconic.Compressor, sentence: str, may: str, alone: str) -> None:
    found = [each.text for each in compressor.compress(sentence, k=500)[0]]
    assert any(text.startswith((alone, "The " + alone)) for text in found) == (may == "may")


def test_a_batch_without_words_has_no_pins(compressor: laconic.Compressor) -> None:
    assert compressor.batch([]) == []
    assert [str(each) for each in compressor.batch(["Rain fell.", "Yes."])]


@pytest.mark.parametrize(("sentence", "said", "with_it"), DENIALS)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"max_chars": 40, "nearest": True},
        {"level": "short"},
        {"level": "headline", "order": "score"},
        {"level": "headline", "rho": 0.1},
    ],
)
def test_what_is_denied_is_not_said(
    compressor: laconic.Compressor, sentence: str, said: str, with_it: str, options: dict
) -> None:
    """Not only by the best result: by none of all that there are."""
    for found in compressor.compress(sentence, k=200, **options)[0]:
        text = found.text.casefold()
        assert said.casefold() not in text or re.search(rf"\b{re.escape(with_it.casefold())}\b", text)


def test_a_clause_that_nobody_denies_may_stand_alone(compressor: laconic.Compressor) -> None:
    found = compressor.compress("The police said the bank was robbed late on Friday.", level="short")
    assert found[0][0].text == "The bank was robbed."


def pinned(compressor: laconic.Compressor, text: str, policy: Policy) -> dict[str, tuple[int, str, str]]:
    forest, _ = compressor.read([text])
    pins = make_pins(forest, policy)
    assert pins is not None
    starts, ends = forest.parses.start, forest.parses.end
    words = [text[starts[row] : ends[row]] for row in forest.row.tolist()]
    names = {**dict(enumerate(pins.names)), NO_RULE: ""}
    return {
        word: (flags, names[stays], names[not_root])
        for word, flags, stays, not_root in zip(
            words, pins.flags.tolist(), pins.stays_by.tolist(), pins.not_root_by.tolist(), strict=True
        )
        if flags
    }


@pytest.fixture
def ban_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The rule of docs/development.md, as a module beside the others."""
    text = (Path(__file__).parents[1] / "docs" / "development.md").read_text(encoding="utf-8")
    (rule,) = (code for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "RULE: Final" in code)
    (tmp_path / "bans.py").write_text(rule, encoding="utf-8")
    caches = (policies.find_rules, policies._program)
    with monkeypatch.context() as patch:
        patch.setattr(rules, "__path__", [*rules.__path__, str(tmp_path)])
        for cache in caches:
            cache.cache_clear()
        yield
    sys.modules.pop(f"{rules.__name__}.bans")
    for cache in caches:
        cache.cache_clear()


def test_a_module_among_the_rules_is_a_rule(compressor: laconic.Compressor, ban_rule: None) -> None:
    sentence = "Four states extended the moratorium on new mines until June."
    found = pinned(compressor, sentence, Policy.SENTENCE)
    assert "ban" in {by for _, *names in found.values() for by in names}
    texts = [each.text for each in compressor.compress(sentence, k=500)[0]]
    assert not [text for text in texts if "moratorium" in text and "mines" not in text]
    assert "ban" not in {by for _, *names in pinned(compressor, sentence, Policy.HEADLINE).values() for by in names}


def test_a_plain_sentence_has_few_pins(compressor: laconic.Compressor) -> None:
    found = pinned(compressor, "The police said the man was arrested. Nobody saw him.", Policy.SENTENCE)
    assert {word: (flags, by) for word, (flags, by, _) in found.items() if by != "frame"} == {
        "Nobody": (NodePin.STAYS, "denial"),
    }


def test_what_is_doubted_goes_with_the_doubt(compressor: laconic.Compressor) -> None:
    together = NodePin.STAYS | NodePin.NOT_ROOT
    found = pinned(compressor, "Experts doubt the vaccine will work.", Policy.SENTENCE)
    assert found["work"] == (together, "doubt", "doubt")
    assert found["Experts"][:2] == (NodePin.STAYS, "doubt")
    found = pinned(compressor, "Police do not believe the fire was started by children.", Policy.SENTENCE)
    assert found["started"] == (together, "denial", "denial")


def test_documents_keep_clauses_whole_and_say_why(compressor: laconic.Compressor) -> None:
    text = "The server restarts if the disk is nearly full, which happens on Mondays."
    found = pinned(compressor, text, Policy.DOCUMENT)
    assert found["server"][:2] == (NodePin.STAYS, "argument")
    assert "condition" in {by for _, by, _ in found.values()}
    assert found["happens"][0] & NodePin.NOT_ROOT
    assert found["happens"][2] == "dependent clause"


def test_who_uses_which_policy(compressor: laconic.Compressor, maxent_compressor: laconic.Compressor) -> None:
    _, scores = compressor.read(["Rain fell."])
    assert policy_for(scores, None) is policy_for(scores, Level.LIGHT) is Policy.SENTENCE
    assert policy_for(scores, Level.HEADLINE) is Policy.HEADLINE
    assert policy_for(scores, None, guarded=False) is Policy.NONE
    assert policy_for(maxent_compressor.model, Level.HEADLINE) is Policy.NONE
    forest, _ = compressor.read([DENIALS[0][0]])
    assert make_pins(forest, Policy.NONE) is None


def random_pins(generator: random.Random, forest: Forest) -> Pins:
    kinds = [0, 0, NodePin.STAYS, NodePin.NOT_ROOT, NodePin.STAYS | NodePin.NOT_ROOT]
    flags = np.array([generator.choice(kinds) for _ in range(len(forest.parent))], dtype=np.uint8)
    flags[forest.parent < 0] &= np.uint8(NodePin.STAYS)  # a tree has its own root in any case
    none = np.full(len(flags), NO_RULE, dtype=np.uint8)
    return Pins(
        flags, np.where(flags & NodePin.STAYS, np.uint8(0), none), np.where(flags & NodePin.NOT_ROOT, np.uint8(0), none)
    )


@pytest.mark.parametrize(
    ("limits", "objective"),
    [(None, "mean"), (None, "joint"), ({"max_chars": 60}, "joint"), ({"min_words": 4}, "joint")],
)
def test_every_decoder_obeys_pins_and_finds_all_the_rest(limits: dict | None, objective: str) -> None:
    """Against enumeration: of all subtrees, those that break no pin, in the order of the same scores."""
    generator = random.Random(7)
    forest = make_forest(given_parses(FIGURE_1))
    parent, root_edge = forest.parent.tolist(), forest.root_edge.tolist()
    for _ in range(30):
        pins = random_pins(generator, forest)
        rows = len(forest.parses.start)
        edge_scores = Probabilities(
            *(np.array([generator.random() for _ in range(rows)], dtype=np.float32) for _ in range(2)), rho=0.5
        )
        bound = laconic.limits.Limits.of(**limits).bind(forest) if limits else None
        found = decode(forest, edge_scores, pins=pins, k=100_000, objective=objective, limits=bound, rho=0.5)
        results = [frozenset(found.node[a:b].tolist()) for a, b in itertools.pairwise(found.node_ptr.tolist())]
        allowed = {
            nodes
            for nodes in subtrees(parent, root_edge)
            if all(
                not (pins.flags[n] & NodePin.STAYS and parent[n] in nodes and n not in nodes)
                and not (pins.flags[n] & NodePin.NOT_ROOT and n in nodes and parent[n] >= 0 and parent[n] not in nodes)
                for n in range(len(parent))
            )
        }
        assert set(results) <= allowed
        if bound is None:
            assert len(results) == len(set(results)) == len(allowed)
        assert all(pins.broken_by(forest, 0, nodes) is None for nodes in results)
        assert all(a >= b for a, b in itertools.pairwise(found.score.tolist()))


def test_explanations_name_what_the_guard_keeps_within_a_budget(compressor: laconic.Compressor) -> None:
    text = (
        "Members of the club may use the tennis courts behind the old school at any time of the day, except during the "
        "annual tournament in June."
    )
    found = compressor.explain(text, rate=0.4, nearest=True)[0][0]
    loose = compressor.explain(text, rate=0.4, nearest=True, guard=False)[0][0]
    assert "except during the annual tournament" in found.text
    assert "tournament" not in loose.text
    assert [(words.text, words.rule) for words in found.guarded] == [
        ("except during the", "bound"),
        ("tournament", "bound"),
    ]
    assert loose.guarded == ()


def test_a_constraint_may_break_a_pin(compressor: laconic.Compressor) -> None:
    (found,) = compressor.compress("Nobody saw the man on Friday.", drop=["Nobody"])[0]
    assert "Nobody" not in found.text


def test_explanations_name_the_rule(compressor: laconic.Compressor) -> None:
    text = "No one believes that the old bridge over the river will be closed next summer."
    headline = compressor.explain(text, level="headline")
    (found,) = headline[0]
    assert [(words.text, words.rule) for words in found.guarded] == [("No one believes", "denial")]
    assert "stays, guard: denial" in as_plain(headline[0], found)
    assert found in headline[0].compressions
    assert headline.to_dict()["sentences"][0]["compressions"][0]["guarded"][0]["rule"] == "denial"
    plain = compressor.explain("The police said the bank was robbed late on Friday.")[0][0]
    assert plain.guarded == ()
    assert "guarded" not in compressor.explain(plain.text).to_dict()["sentences"][0]["compressions"][0]


def test_what_goes_because_of_the_guard_says_so() -> None:
    """The model alone takes the clause out and keeps "by the river"; with the guard it keeps the doubt instead."""
    spec = "Experts/NNS/nsubj/1 doubt/VBP/ROOT/1 rain/NN/nsubj/3 fell/VBD/ccomp/1 here/RB/advmod/3 =././punct/1"
    forest = make_forest(given_parses(spec))
    pins = make_pins(forest, Policy.SENTENCE)
    assert pins is not None
    assert pins.broken_by(forest, 0, frozenset([2, 3])) == "doubt"
    assert pins.broken_by(forest, 0, frozenset([0, 1, 2, 3])) is None
    assert pins.broken_by(forest, 0, frozenset([0, 1])) == "doubt"


def test_negations_are_one_table() -> None:
    assert negations(Denies.NODE) < negations(Denies.CLAUSE) < negations(Denies.WORD)
    assert set(NEGATIONS) == negations(Denies.WORD)
    assert "without" in negations(Denies.HEADLINE)


@pytest.mark.parametrize(
    ("count", "pin", "message"), [(9, 0, "one entry for each node"), (2, NodePin.KEEP, "no pin KEEP")]
)
def test_the_core_refuses_other_pins(compressor: laconic.Compressor, count: int, pin: int, message: str) -> None:
    forest, scores = compressor.read(["Rain fell."])
    edge_scores = scores.headline().core
    with pytest.raises(ValueError, match=message):
        _core.compress(
            forest, edge_scores, guard=np.full(count, pin, dtype=np.uint8), k=1, rho=0.5, beam=0, joint=True,
            words=False, candidates=0, temperature=1, resolve=False, limits=None,
        )  # fmt: skip


@pytest.mark.parametrize("method", ["nss", "ilp"])
def test_methods_of_the_paper_take_no_pins(maxent_compressor: laconic.Compressor, method: str) -> None:
    forest, edge_scores = maxent_compressor.read(["Nobody saw the man."])
    with pytest.raises(laconic.LaconicError, match="pins go with the method topdown"):
        decode(forest, edge_scores, pins=make_pins(forest, Policy.SENTENCE), method=method)


def test_each_word_that_stays_has_its_own_rule(compressor: laconic.Compressor) -> None:
    text = "Nobody doubts that residents wonder whether the old bridge was closed on Friday."
    headline = compressor.explain(text, level="headline")
    assert {words.rule for words in headline[0][0].guarded} == {"denial", "doubt"}
    assert "stays, guard: denial" in headline._repr_html_()


def test_pins_do_not_depend_on_the_other_texts_of_a_batch() -> None:
    """Also where the root of a parse is below another word, and another text has parts that nothing joins."""
    compressor = laconic.load(model="small")
    text = "Itshutdownthat 2x, so two ATMs ain't p < 0.05\nAs far as I know who might or might not open."
    other = "The portrait, long hidden, was painted by a pupil of Cranach rather than by the master himself."
    alone, together = (make_pins(compressor.read(texts)[0], Policy.SENTENCE).flags for texts in ([text], [text, other]))
    assert together[: len(alone)].tolist() == alone.tolist()
