"""Explanations: every deletion with its place, its edge and who decided, as data and as people see it."""

from __future__ import annotations

import html
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from sentences import EXAMPLE, SENTENCES

import laconic
from laconic import Compression, Compressor, LaconicError, Result, Sentence
from laconic.explanation import By, Deletion, Guarded
from laconic.explanation.render import as_plain, as_terminal, pieces
from laconic.levels import NESTED
from laconic.score import Model
from laconic.tree import ROOT, Tree

TEXTS = [
    *SENTENCES,
    "The club, which is owned by a Russian billionaire, bought the young Spanish player for £6m.",
    "He told the court that the firm, which he had founded in 1990, owed him $3 million, or about £2m!",
    "  Rain fell  in Spain,\n police said.  It was cold. ",
    "?!",
    "Yes.",
]


def explained(result: Result) -> Iterator[tuple[Sentence, Compression, tuple[Deletion, ...]]]:
    for sentence in result.sentences:
        for each in sentence.compressions:
            assert each.deletions is not None
            yield sentence, each, each.deletions


def best(result: Result) -> Compression:
    return result.sentences[0].compressions[0]


def check_cover(result: Result) -> None:
    """Every character but white space is printed or in one deletion; the deletions are in order, with their text."""
    for sentence, each, deletions in explained(result):
        printed = {i for span in each.spans for i in range(*span)}
        gone: list[int] = []
        for deletion in deletions:
            assert sentence.start <= deletion.start < deletion.end <= sentence.end
            assert deletion.text == result.text[deletion.start : deletion.end]
            assert deletion.text == deletion.text.strip() != ""
            gone += range(deletion.start, deletion.end)
        assert gone == sorted(set(gone))
        missing = [
            i for i in range(sentence.start, sentence.end)
            if not result.text[i].isspace() and (i in printed) == (i in set(gone))
        ]  # fmt: skip
        assert not missing, (each.text, "".join(result.text[i] for i in missing), deletions)


def check_reasons(result: Result) -> None:
    """An edge with a probability, or none at all where nobody decided."""
    for _, _, deletions in explained(result):
        for deletion in deletions:
            assert (deletion.by is By.PRINT) == (deletion.p_del is None) == (deletion.label == "")
            assert deletion.p_del is None or 0 <= deletion.p_del <= 1
            assert deletion.constraint is None or deletion.by is By.CONSTRAINT


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"resolve_pronouns": True},
        {"rate": 0.5, "nearest": True},
        {"max_words": 6, "nearest": True, "resolve_pronouns": True},
        {"keep_all": ["numbers", "negations"], "rate": 0.7, "nearest": True},
        {"level": "short"},
        {"level": "light", "rate": 0.5, "nearest": True, "drop_all": ["names"]},
        {"level": "headline", "rho": 0.05, "order": "score"},
    ],
    ids=str,
)
def test_deletions_and_what_is_printed_are_the_whole_sentence(system: Compressor, options: dict) -> None:
    if isinstance(system.scorer, Model) and options.get("level") in NESTED:
        with pytest.raises(LaconicError, match="the maximum entropy model writes headlines only"):
            system.batch(TEXTS, 4, explain=True, **options)
        return
    for result in system.batch(TEXTS, 4, explain=True, **options):
        check_cover(result)
        check_reasons(result)


@pytest.mark.parametrize("method", ["nss", "ilp"])
def test_other_methods_are_explained_too(compressor: Compressor, method: str) -> None:
    for result in compressor.batch(TEXTS[:10], explain=True, method=method):
        check_cover(result)
        check_reasons(result)


def test_last_word_that_leaves_its_full_stop_behind_is_gone(system: Compressor) -> None:
    """ "£6m." is one word for some parsers; its full stop stays."""
    result = system.explain("The club bought the player for £6m.", 10)
    check_cover(result)
    shown = {each.text: deletions for _, each, deletions in explained(result)}
    assert [each.text for each in shown["The club bought the player."]] == ["for £6m"]


def test_without_limits_it_was_the_model_or_the_guard(system: Compressor) -> None:
    for result in system.batch(TEXTS, 4, explain=True):
        for _, _, deletions in explained(result):
            assert {each.by for each in deletions} <= {By.MODEL, By.PRINT, By.GUARD}
            assert all(each.constraint is None for each in deletions)


def test_explaining_changes_no_compression(system: Compressor) -> None:
    for options in ({}, {"rate": 0.6, "nearest": True}, {"keep_all": ["names"]}):
        plain, explained_ = system.batch(TEXTS, 3, **options), system.batch(TEXTS, 3, explain=True, **options)
        for one, other in zip(plain, explained_, strict=True):
            bare = [[(each.text, each.score, each.spans) for each in s.compressions] for s in one.sentences]
            assert bare == [[(each.text, each.score, each.spans) for each in s.compressions] for s in other.sentences]
            assert all(each.deletions is None for s in one.sentences for each in s.compressions)


def test_same_explanation_alone_and_in_any_batch(system: Compressor) -> None:
    options = {"explain": True, "rate": 0.6, "nearest": True, "keep": ["said"], "drop": ["Monday"]}
    texts = [text for text in TEXTS if "Monday" not in text or "(" in text][:12]
    together = system.batch(texts, 2, **options)
    assert together == [system.batch([text], 2, **options)[0] for text in texts]
    assert together == list(system.stream(texts, 2, **options))


# The edge.


def subtree(tree: Tree, node: int) -> set[int]:
    found = {node}
    while more := {edge.node for edge in tree.edges if edge.head in found} - found:
        found |= more
    return found


def test_label_and_probability_are_those_of_an_edge_of_the_tree(system: Compressor) -> None:
    """Of the edge above the words that are gone, or of the dummy root's where the clause around the print is gone."""
    for text in TEXTS[:30]:
        result = system.explain(text, 3)
        trees = {tree.text: tree for tree in system.tree(text)}
        for sentence, each, deletions in explained(result):
            tree = trees[sentence.text]
            printed = [n for n, node in enumerate(tree.nodes) if any(covers(each.spans, span) for span in node.spans)]
            for deletion in deletions:
                if deletion.by is By.PRINT:
                    continue
                gone = {
                    n for n, node in enumerate(tree.nodes)
                    if n not in printed and any(covers([(deletion.start, deletion.end)], span) for span in node.spans)
                }  # fmt: skip
                edges = [
                    edge for edge in tree.edges
                    if edge.label == deletion.label and 1 - edge.p_ret == pytest.approx(deletion.p_del)
                ]  # fmt: skip
                assert any(gone <= subtree(tree, edge.node) for edge in edges), (deletion, each.text)
                assert any((edge.head == ROOT) == (deletion.label == "root") for edge in edges)


def covers(spans: object, span: tuple[int, int]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in spans)


def test_the_papers_example_edge_by_edge(compressor: Compressor) -> None:
    (tree,) = compressor.tree(EXAMPLE)
    p_ret = {edge.label: edge.p_ret for edge in tree.edges if edge.head != ROOT}
    found = {each.text: each for each in best(compressor.explain(EXAMPLE, order="score")).deletions}
    assert found["late Friday"].label == "npadvmod"
    assert found["late Friday"].p_del == pytest.approx(1 - p_ret["npadvmod"])
    assert found["at his home"].label == "at"
    assert found["The police said"].label == "root"


# Who decided.


def test_budget_smaller_than_what_the_model_prints_decides_something(system: Compressor) -> None:
    for text in TEXTS[:24]:
        free = system.batch([text], level="headline", max_chars=10_000)[0].sentences
        for share in (0.4, 0.6, 0.8, 0.95):
            most = int(share * min(len(each.compressions[0].text) for each in free))
            try:
                result = system.explain(text, level="headline", max_chars=max(most, 1))
            except LaconicError:
                continue
            for _, each, deletions in explained(result):
                assert By.BUDGET in {deletion.by for deletion in deletions}, (each.text, deletions)
                assert By.CONSTRAINT not in {deletion.by for deletion in deletions}


@pytest.mark.parametrize(
    "options", [{}, {"level": "medium"}, *({"level": "headline", "rho": rho} for rho in (None, 0.9, 0.5))]
)
def test_clause_that_a_budget_leaves_alone_is_its_decision(compressor: Compressor, options: dict) -> None:
    """Without the budget the man who robbed a bank was arrested; that he robbed one must be the budget's deletion."""
    assert "who robbed" in compressor.compress(EXAMPLE, level=options.get("level"))[0][0].text
    each = best(compressor.explain(EXAMPLE, max_chars=21, **options))
    assert each.text == "The man was arrested."
    (gone,) = [deletion for deletion in each.deletions if "robbed" in deletion.text]
    assert gone.by is By.BUDGET


@pytest.mark.parametrize("options", [{"drop": ["Arizona"]}, {"max_chars": 45}, {"drop": ["Arizona"], "max_chars": 60}])
def test_reason_does_not_depend_on_how_many_compressions_there_are(system: Compressor, options: dict) -> None:
    one = best(system.explain(EXAMPLE, 1, order="score", **options))
    for k in (2, 5, 20):
        assert best(system.explain(EXAMPLE, k, order="score", **options)) == one


@pytest.mark.parametrize("k", [1, 2, 10])
def test_word_that_the_model_keeps_and_a_constraint_drops_is_the_constraints(compressor: Compressor, k: int) -> None:
    assert "Arizona" in compressor.compress(EXAMPLE)[0][0].text
    for drop, name in (
        ({"drop": ["Arizona"]}, "drop 'Arizona'"),
        ({"drop": [(45, 52)]}, "drop 45:52"),
        ({"drop_all": ["GPE"]}, "drop GPE"),
        ({"drop_all": ["names"], "max_chars": 80}, "drop names"),
    ):
        (gone,) = [each for each in best(compressor.explain(EXAMPLE, k, **drop)).deletions if "Arizona" in each.text]
        assert (gone.by, gone.constraint) == (By.CONSTRAINT, name)
        assert gone.label
        assert gone.p_del is not None


def test_word_that_the_model_deletes_itself_is_the_models(system: Compressor) -> None:
    assert "Friday" not in system.compress(EXAMPLE)[0][0].text
    (gone,) = [each for each in best(system.explain(EXAMPLE, drop=["Friday"])).deletions if "Friday" in each.text]
    assert gone.by is By.MODEL


def test_punctuation_that_a_constraint_drops_is_the_constraints(compressor: Compressor) -> None:
    text = "The man, an actor, left Rome, police said."
    assert compressor.compress(text, level="headline", keep=["an actor"])[0][0].text == "The man, an actor, left Rome."
    each = best(compressor.explain(text, level="headline", drop=[","], keep=["an actor"]))
    assert each.text == "The man an actor left Rome."
    commas = [deletion for deletion in each.deletions if deletion.text == ","]
    assert [(deletion.by, deletion.constraint) for deletion in commas] == [(By.CONSTRAINT, "drop ','")] * 3


def test_limits_that_ask_for_nothing_decide_nothing(system: Compressor) -> None:
    """A phrase that is in no text, a budget that everything fits into: the model decides as if they were not there."""
    for options in ({"keep": ["zebra"]}, {"max_chars": 1000}):
        for result in system.batch(TEXTS, 1, explain=True, **options):
            for _, each, deletions in explained(result):
                by = {deletion.by for deletion in deletions}
                assert by <= {By.MODEL, By.PRINT, By.GUARD}, (each.text, deletions)


def test_keeping_a_word_may_cost_another(compressor: Compressor) -> None:
    """Budget and keep together: what goes to make room is the budget's or the constraint's, never the model's."""
    free = compressor.compress(EXAMPLE)[0][0].text
    each = best(compressor.explain(EXAMPLE, max_chars=45, keep=["late Friday"]))
    assert "late Friday" in each.text
    for deletion in each.deletions:
        if all(word in free for word in deletion.text.split()) and "The police" not in deletion.text:
            assert deletion.by in (By.BUDGET, By.CONSTRAINT)


# Pronouns, several sentences, nothing at all.


def test_resolved_pronoun_is_gone_and_its_antecedent_is_not(system: Compressor) -> None:
    text = "The man who lost his job said he would sue the firm."
    result = system.explain(text, 10, resolve_pronouns=True)
    check_cover(result)
    resolved = [(each, deletions) for _, each, deletions in explained(result) if each.resolved]
    assert resolved
    for each, deletions in resolved:
        (pair,) = each.resolved
        assert any(deletion.start <= pair.pronoun[0] < deletion.end for deletion in deletions)
        assert not any(d.start < end and start < d.end for d in deletions for start, end in pair.antecedent)


def test_offsets_are_those_of_the_text_with_several_sentences(system: Compressor) -> None:
    text = "\n Rain fell in Spain on Monday.  Snow, which nobody had expected, fell in Wales. "
    result = system.explain(text, 2)
    assert len(result.sentences) == 2
    check_cover(result)
    assert any(deletions and deletions[0].start > 30 for _, _, deletions in explained(result))


def test_offsets_are_those_of_the_text_without_markers(system: Compressor) -> None:
    result = system.explain("[[The police]] said the man <b> was [[arrested]] late Friday.", 3, protect="[[ ]]")
    assert result.text == "The police said the man <b> was arrested late Friday."
    check_cover(result)


@pytest.mark.parametrize("text", ["", " \n ", "?!", "...", "😀"])
def test_texts_without_words_have_nothing_to_explain(system: Compressor, text: str) -> None:
    result = system.explain(text, 2)
    assert result.text == text
    assert all(deletions == () for _, _, deletions in explained(result))
    assert "<del" not in result._repr_html_()


def test_nothing_is_gone_where_everything_stays(system: Compressor) -> None:
    each = best(system.explain(EXAMPLE, min_chars=len(EXAMPLE)))
    assert (each.text, each.deletions) == (EXAMPLE, ())


def test_explain_is_a_function_of_the_package() -> None:
    assert laconic.explain(EXAMPLE, 2).sentences[0].compressions == tuple(laconic.compress(EXAMPLE, 2, explain=True)[0])


# For people.

HOSTILE = 'The <b>old</b> man & his "wife", who had <script>alert(1)</script> in Rome, left on Monday, police said.'


class Reader(HTMLParser):
    """Reads the text, and that of <del> elements, back."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.gone, self.titles, self.tags = "", [], [], []
        self.feed(page)
        assert self.tags == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ("p", "del", "span")
        self.tags.append(tag)
        if tag == "del":
            self.gone.append("")
            self.titles.append(dict(attrs)["title"])

    def handle_endtag(self, tag: str) -> None:
        assert self.tags.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if "del" in self.tags:
            self.gone[-1] += data


def test_html_has_the_sentence_with_deletions_and_nothing_of_it_is_markup(system: Compressor) -> None:
    for text in (HOSTILE, *TEXTS):
        for sentence in system.explain(text).sentences:
            reader = Reader(sentence._repr_html_())
            assert reader.text == sentence.text
            assert reader.gone == [deletion.text for deletion in sentence.compressions[0].deletions]
            for title, deletion in zip(reader.titles, sentence.compressions[0].deletions, strict=True):
                assert deletion.by is By.PRINT or (
                    title.startswith(deletion.by) and f"{deletion.label}, p_del" in title
                )


def test_html_of_a_result_is_that_of_its_sentences_and_compressions(compressor: Compressor) -> None:
    result = compressor.explain(f"{HOSTILE} {EXAMPLE}", 3)
    assert result._repr_html_() == "".join(sentence._repr_html_() for sentence in result.sentences)
    assert result._repr_html_().count("<p>") == sum(len(sentence.compressions) for sentence in result.sentences)
    (plain,) = compressor.batch([HOSTILE], 2)
    expected = "".join(f"<p>{html.escape(each.text)}</p>" for each in plain.sentences[0].compressions)
    assert plain._repr_html_() == expected


def test_name_of_a_constraint_is_escaped_in_html(compressor: Compressor) -> None:
    text = 'The man in the "A<B" shop was arrested in Rome.'
    page = compressor.explain(text, drop=['"A<B" shop'])._repr_html_()
    assert """drop '"A<B" shop'""" in "".join(Reader(page).titles)


def test_pieces_are_the_sentence_from_left_to_right(system: Compressor) -> None:
    for result in system.batch(TEXTS, 2, explain=True, resolve_pronouns=True):
        for sentence, each, deletions in explained(result):
            found = list(pieces(sentence, each))
            assert "".join(piece for piece, _ in found) == sentence.text
            assert [part for _, part in found if isinstance(part, Deletion)] == list(deletions)
            assert [part for _, part in found if isinstance(part, Guarded)] == list(each.guarded)


def test_plain_text_and_terminal_show_every_deletion_once(compressor: Compressor) -> None:
    (sentence,) = compressor.explain(EXAMPLE, drop=["Arizona"]).sentences
    (each,) = sentence.compressions
    first, *lines = as_plain(sentence, each).splitlines()
    assert re.sub(r"\[-(.*?)-\]", r"\1", first) == EXAMPLE
    assert re.findall(r"\[-(.*?)-\]", first) == [deletion.text for deletion in each.deletions]
    assert len(lines) == len(each.deletions)
    assert any(re.fullmatch(r"  42:52  in Arizona  drop 'Arizona': in, p_del 0\.\d\d", line) for line in lines)
    assert as_terminal(sentence, each).plain.splitlines() == [EXAMPLE, *lines]


def test_data_for_json(compressor: Compressor) -> None:
    (shown,) = compressor.explain(EXAMPLE, drop=["Arizona"]).to_dict()["sentences"][0]["compressions"]
    assert json.loads(json.dumps(shown)) == shown
    (gone,) = [each for each in shown["deletions"] if "Arizona" in each["text"]]
    assert gone == {"start": 42, "end": 52, "text": "in Arizona", "label": "in", "p_del": gone["p_del"],
                    "by": "constraint", "constraint": "drop 'Arizona'"}  # fmt: skip
    assert all("constraint" not in each for each in shown["deletions"] if each["by"] != "constraint")
    (plain,) = compressor.batch([EXAMPLE])
    assert "deletions" not in plain.to_dict()["sentences"][0]["compressions"][0]


# The command line.

LACONIC = [sys.executable, "-m", "laconic", "compress", "--explain"]
STRUCK = re.compile(r"\x1b\[(?:[\d;]*;)?9(?:;[\d;]*)?m(.*?)\x1b\[0m")


def in_terminal(*arguments: str, **environment: str) -> str:
    """What is written to a terminal."""
    variables = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    terminal, side = pty.openpty()
    with subprocess.Popen([*LACONIC, *arguments], stdin=subprocess.DEVNULL, stdout=side, stderr=side,
                          env={**variables, "TERM": "xterm-256color", **environment}) as process:  # fmt: skip
        os.close(side)
        written = b""
        try:
            while data := os.read(terminal, 1 << 16):
                written += data
        except OSError:  # the other side is closed
            pass
        os.close(terminal)
        assert process.wait(timeout=60) == 0, written
    return written.decode().replace("\r\n", "\n")


def test_terminal_strikes_through_what_is_gone(compressor: Compressor) -> None:
    each = best(compressor.explain(EXAMPLE, drop=["Arizona"]))
    shown = in_terminal(EXAMPLE, "--drop", "Arizona")
    first, second, *_ = shown.splitlines()
    assert each.text in first
    assert STRUCK.findall(second) == [deletion.text for deletion in each.deletions]
    assert re.sub(r"\x1b\[[\d;]*m", "", second) == EXAMPLE
    assert len(set(re.findall(r"\x1b\[9;(\d+)m", second))) == 2  # the model's colour and the constraint's


def test_no_color_leaves_the_strokes(compressor: Compressor) -> None:
    shown = in_terminal(EXAMPLE, NO_COLOR="1")
    assert "late Friday" in STRUCK.findall(shown)
    assert not re.search(r"\x1b\[[\d;]*3\d[\d;]*m", shown)


def test_terminal_that_cannot_strike_through_gets_brackets() -> None:
    shown = in_terminal(EXAMPLE, TERM="dumb")
    assert "\x1b" not in shown
    assert "[-late Friday-]" in shown


def test_terminal_shows_the_words_of_the_text_and_no_others() -> None:
    """Nothing in a text means anything to the terminal's printer: no markup, no emoji by its name."""
    text = "The shop [bold]sells[/bold] :heart: shirts in Rome, police said."
    shown = in_terminal(text, "--keep", "[bold]sells[/bold] :heart: shirts")
    first, second, *_ = re.sub(r"\x1b\[[\d;]*m", "", shown).splitlines()
    assert "[bold]sells[/bold] :heart: shirts" in first
    assert second == text


def test_without_a_terminal_there_are_brackets_and_no_escape_codes(compressor: Compressor) -> None:
    text = f"{EXAMPLE} Rain fell in Spain on Monday, police said."
    done = subprocess.run([*LACONIC, text, "-k", "2"], capture_output=True, text=True, check=True, timeout=60)
    assert "\x1b" not in done.stdout
    expected = "".join(
        f"{each.text}\n{as_plain(sentence, each)}\n" for sentence, each, _ in explained(compressor.explain(text, 2))
    )
    assert done.stdout == expected
    assert "[-late Friday-]" in done.stdout


def test_json_of_the_command_line_has_the_deletions(compressor: Compressor) -> None:
    arguments = [EXAMPLE, "-k", "2", "--drop", "Arizona", "--max-chars", "60", "--format", "jsonl"]
    done = subprocess.run([*LACONIC, *arguments], capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(done.stdout) == compressor.explain(EXAMPLE, 2, drop=["Arizona"], max_chars=60).to_dict()
