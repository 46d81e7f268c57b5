"""What must hold for every document, on generated Markdown and on real documents."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from invariants import check_fit, check_least, check_rates

import laconic
from laconic.document import read as read_module
from laconic.document.candidates import Candidate, SentenceCandidates

DOCUMENTS = sorted((Path(__file__).parent / "data" / "markdown").glob("*.md"))
RATES = (1.0, 0.8, 0.5, 0.2)


# ---- generated documents

SENTENCES = (
    "The council met on Monday.",
    "Its *members* voted, after **a long** debate, to close the [old bridge](https://example.org/bridge).",
    "Use `read_csv` from [pandas][docs] to load it!",
    "Nobody spoke; see the note[^1].",
    "Prices rose by 3.5% in 2024.",
    "Is it _really_ true?",
    "Some <kbd>keys</kbd> are stuck &amp; loose.",
    "It costs 5 * 3 \\* 2 dollars.",
    "![A plan](plan.png) of the house was shown to all of them.",
    '<b class="x">Rain fell on the roof. Nobody heard it, though it was loud.</b>',
    "Rain fell.",
)
sentence = st.sampled_from(SENTENCES)
paragraph = st.lists(sentence, min_size=1, max_size=4).map(" ".join)
folded = st.lists(sentence, min_size=1, max_size=4).map("\n".join)
broken = st.lists(sentence, min_size=2, max_size=3).map("  \n".join)
heading = st.builds(
    "{} {}".format, st.sampled_from(["#", "##", "###"]), st.sampled_from(["Notes", "The plan", "A *b*"])
)
setext = st.builds("{}\n{}".format, st.sampled_from(["Notes", "Part two"]), st.sampled_from(["===", "---"]))
code = st.sampled_from(["```python\nx = 1\n\ny = 2\n```", "    indented code\n    more", "~~~\n# no heading\n~~~"])
html = st.sampled_from(["<div>\nraw\n</div>", "<!-- a comment -->", "<details>", "</details>"])
rule = st.sampled_from(["---", "***", "_ _ _"])
definition = st.sampled_from(["[docs]: https://example.org/docs", "[^1]: A note to the text.", "[unused]: /x"])
cell = st.sampled_from(["a", "two words", "**3**", "`x|y`", ""])
table = st.builds(
    lambda head, rows: "\n".join(
        [f"| {head} | value |", "|---|:--|", *(f"| {first} | {second} |" for first, second in rows)]
    ),
    st.sampled_from(["name", "key"]),
    st.lists(st.tuples(cell, cell), max_size=6),
)
simple = st.one_of(paragraph, folded, broken, code, table, rule)


def item(marker: str, inside: str) -> str:
    first, *rest = inside.split("\n")
    return "\n".join([f"{marker} {first}", *(" " * (len(marker) + 1) * bool(line) + line for line in rest)])


def listed(marker: str, gap: str, items: Sequence[str]) -> str:
    return gap.join(item(marker.replace("1", str(i)), inside) for i, inside in enumerate(items, 1))


def deeper(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    own = st.lists(inside, min_size=1, max_size=3)
    lists = st.builds(listed, st.sampled_from(["-", "*", "+", "1.", "1)"]), st.sampled_from(["\n", "\n\n"]), own)
    tasks = st.builds(listed, st.sampled_from(["- [ ]", "- [x]"]), st.just("\n"), st.lists(paragraph, max_size=3))
    quotes = own.map(lambda parts: "\n".join(f"> {line}" for line in "\n\n".join(parts).split("\n")))
    both = st.builds("{}\n\n{}".format, paragraph, inside)
    return st.one_of(lists, tasks, quotes, both)


block = st.one_of(
    paragraph, folded, heading, setext, code, html, rule, definition, table, st.recursive(simple, deeper, max_leaves=5)
)
front = st.sampled_from(
    ["", "---\ntitle: A plan\n---\n", "---\n{{ header }}\n---\n\n", "+++\nx = 1\n+++\n", "\n\n", "\ufeff"]
)


@st.composite
def documents(draw: st.DrawFn) -> str:
    blocks = draw(st.lists(block, min_size=1, max_size=8))
    gaps = [draw(st.sampled_from(["\n\n", "\n\n", "\n\n", "\n", "\n\n\n"])) for _ in blocks[1:]]
    body = "".join(part for pair in zip(blocks, [*gaps, ""], strict=True) for part in pair)
    text = draw(front) + body + draw(st.sampled_from(["", "\n", "\n\n  \n"]))
    return text.replace("\n", draw(st.sampled_from(["\n", "\n", "\r\n"])))


def read_candidates(_: object, texts: Sequence[str], *__: object, **___: object) -> list[list[SentenceCandidates]]:
    """Sentences with ways to print them, any words of which may go: more is asked of the document than by a network."""
    return [
        [some_options(text, *match.span()) for match in re.finditer(r"\S.*?(?:[.!?](?=\s)|$)", text)] for text in texts
    ]


def some_options(text: str, start: int, end: int) -> SentenceCandidates:
    own = text[start:end]
    rng = random.Random(own)
    options = {}
    for share in (0.3, 0.6, 0.8):
        kept = [match.span() for match in re.finditer(r"\S+", own) if rng.random() < share]
        spans: list[tuple[int, int]] = []
        for first, last in kept:
            if spans and own[spans[-1][1] : first].isspace():
                spans[-1] = (spans[-1][0], last)
            else:
                spans.append((first, last))
        printed = " ".join(own[first:last] for first, last in spans)
        if printed:
            options[printed] = Candidate(printed, tuple((start + a, start + b) for a, b in spans), len(printed) * 0.7)
    options[own] = Candidate(own, ((start, end),), len(own) * 0.8)
    ordered = sorted(options.values(), key=lambda option: len(option.text))
    return SentenceCandidates(own, tuple(ordered), tuple(own.split()), False)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, compressor: laconic.Compressor) -> laconic.Compressor:
    monkeypatch.setattr(read_module, "read_candidates", read_candidates)
    return compressor


@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(documents())
def test_generated_documents(quick: laconic.Compressor, text: str) -> None:
    if not text.removeprefix("\ufeff").strip():
        return
    assert [*filter(None, check_rates(quick, text, RATES))] == []
    assert [*filter(None, check_least(quick, text))] == []


@pytest.mark.parametrize("inside", ["  - two", "  ## Below", "  ***", "  two words", "  ```\n  x\n  ```", "  > two"])
def test_a_heading_is_between_a_list_and_what_is_indented(quick: laconic.Compressor, inside: str) -> None:
    text = f"* one two three\n\n### Inside\n\n{inside}\n\n> a quotation\n\n***\n\n* four\n"
    assert [*filter(None, check_rates(quick, text, [share / 50 for share in range(1, 51)]))] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_documents_as_plain_text(quick: laconic.Compressor, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert [*filter(None, check_rates(quick, text, RATES, format="text"))] == []
    assert [*filter(None, check_least(quick, text, format="text"))] == []


@pytest.mark.parametrize("path", DOCUMENTS[::4], ids=lambda path: path.stem)
def test_documents_with_the_network(compressor: laconic.Compressor, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert [*filter(None, check_rates(compressor, text, (0.5, 0.2)))] == []
    assert [*filter(None, check_least(compressor, text))] == []


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("---\n\n***", 8),  # rules part nothing here
        ("[a]: /x\n[b]: /y\n", 16),
        ("# A title\n\nRain.\n", 17),
        ("\ufeffRain.\r\n", 8),
        ("Rain. Wind.  Sun.\n\n- Ice.\n\n\n", 5),
        ("| a |\n|---|\n| long row |\n| b |\n", 31 - len("| b |\n")),
        ("---\n{{ title }}\n---\n\nRain.\n", 20),
    ],
)
def test_what_is_shortest(quick: laconic.Compressor, text: str, least: int) -> None:
    with pytest.raises(laconic.LaconicError, match=f"has {least};"):
        quick.fit(text, max_chars=least - 1)
    assert len(quick.fit(text, max_chars=least).text) == least


def test_what_is_no_sentence_is_reported_too(quick: laconic.Compressor) -> None:
    text = "Rain fell.\n\n```\nx = 1\n```\n\n| a |\n|---|\n| 1 |\n| 2 |\n\n## Notes\n\nWind blew.\n"
    found = quick.fit(text, max_chars=25)
    assert found.blocks_left_out == sum(after is None for _, after in found.blocks) == 5
    assert [before for before, _ in found.blocks] == ["```\nx = 1\n```", "| a |\n|---|", "| 1 |", "| 2 |", "## Notes"]
    assert not [*filter(None, check_fit(text, found))]


def test_rows_of_a_table_go_and_its_head_stays(quick: laconic.Compressor) -> None:
    rows = [f"| {name} | {i} |" for i, name in enumerate(["one", "two", "three", "four", "five"])]
    text = "\n".join(["> | name | value |", "> |---|---|", *(f"> {row}" for row in rows), ""])
    found = quick.fit(text, max_chars=70)
    assert found.text == "\n".join(["> | name | value |", "> |---|---|", *(f"> {row}" for row in rows[:2]), ""])
    assert [after for _, after in found.blocks[1:]] == ["> | one | 0 |", "> | two | 1 |", None, None, None]
    kept = quick.fit(text, max_chars=70, keep=["four"], drop=["one"])
    assert kept.text.split("\n")[2:-1] == ["> | two | 1 |", "> | four | 3 |"]
    with pytest.raises(laconic.LaconicError, match="drop 'name' cannot hold"):
        quick.fit(text, max_chars=70, drop=["name"], keep=["four"])


def test_a_batch_has_what_each_has_alone(compressor: laconic.Compressor) -> None:
    texts = [path.read_text(encoding="utf-8")[:1500] for path in DOCUMENTS[:4]]
    texts += ["Your parcel has been shipped today. It will be delivered between 2 and 4 p.m. tomorrow.", "Rain fell."]
    alone = [compressor.fit(text, rate=0.6, threads=1) for text in texts[:-1]]
    assert compressor.fit_batch(texts[:-1], rate=0.6, threads=2) == alone
    *found, first, whole = compressor.fit_batch([*texts, "Rain fell."], max_chars=10, errors="return")[-3:]
    assert first.text == whole.text == "Rain fell."
    assert isinstance(found[0], laconic.LaconicError)
    with pytest.raises(laconic.LaconicError, match="the document is empty"):
        compressor.fit_batch(["Rain fell.", ""], max_chars=10)
    with pytest.raises(laconic.LaconicError, match="fit_batch takes several documents"):
        compressor.fit_batch("Rain fell.", max_chars=10)
    with pytest.raises(laconic.LaconicError, match="threads is 0"):
        compressor.fit("Rain fell.", max_chars=5, threads=0)
