"""Documents within a budget: exact against enumeration, structure intact, and never longer."""

from __future__ import annotations

import itertools
import random
import re
from pathlib import Path

import numpy as np
import pytest
from command_line import refused, run
from invariants import is_subsequence
from markdown_it import MarkdownIt

import laconic
from laconic import LaconicError
from laconic.document.combine import Choices, PartColumns, combine
from laconic.document.document import read_document
from laconic.document.markdown import read_markdown
from laconic.document.printed import announces
from laconic.document.read import read_parts
from laconic.document.weights import weigh
from laconic.limits import Limits

DOCUMENTS = sorted((Path(__file__).parent / "data" / "markdown").glob("*.md"))
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])

TEXT = """\
The council met on Monday in the old town hall. Its members voted to close the bridge for two years.

Nobody spoke against the plan, although the mayor had warned that shops could suffer. Work begins in May.
"""


def words(text: str) -> list[str]:
    return re.findall(r"[\w'’]+", text.casefold().replace("_", " "))  # which may be a sign of emphasis


def tokens(text: str, kind: str) -> list[str]:
    """The contents of all blocks, or the addresses of all links, of one kind."""
    found = PARSER.parse(text)
    if kind == "heading":
        return [after.content for before, after in itertools.pairwise(found) if before.type == "heading_open"]
    if kind == "link":
        inline = [child for token in found for child in token.children or []]
        links = [child.attrs for child in inline if child.type in ("link_open", "image")]
        return [str(attributes.get("href") or attributes.get("src")) for attributes in links]
    return [token.content.strip() for token in found if token.type == kind]


@pytest.mark.parametrize(
    ("text", "announcing", "silent"),
    [
        ("Run this:\n\n```\nmake\n```\n\nThat is all.", ["111"], ["101"]),
        ("We sell:\n\n- tea\n- milk\n\nThat is all.", ["1011"], ["1001"]),
        ("1. We sell:\n   - tea\n   - milk\n2. We buy nuts.", ["1010"], ["1001"]),
        ("He wrote:\n\n> Come.\n>\n> Soon.\n\n> Or not.", ["1010"], []),
        ("He wrote:\n\n> Come.\n\nShe wrote:\n\n> Or not.", [], ["1001"]),
        ("Do one of these:\n\n1. Run this:\n\n```\nmake\n```\n\n2. Wait.", ["1010", "1001"], []),
        ("We sell:\n\n# Other things\n\nNone.", ["100"], []),
        ("- We sell:\n\nOther things.", ["10"], []),
        ("We sell:", ["1"], []),
    ],
)
def test_what_ends_in_a_colon_announces_what_is_behind_it(text: str, announcing: list[str], silent: list[str]) -> None:
    blocks = read_markdown(text)
    for printed in announcing + silent:
        contents = [block.source if sign == "1" else None for block, sign in zip(blocks, printed, strict=True)]
        assert announces(blocks, contents, 0) is (printed in announcing)


@pytest.mark.parametrize(
    ("text", "printed"),
    [("Find parameters for:", "Find parameters for:"), ("Call **it**:", "Call **it**"), ("It is 1\\:", "It is 1\\:")],
)
def test_a_colon_stays_where_what_is_left_would_be_worse(
    compressor: laconic.Compressor, text: str, printed: str
) -> None:
    found = compressor.fit(f"{text}\n\n```\n{'make it ' * 9}\n```", max_chars=len(text))
    assert found.text == printed


def test_a_colon_goes_with_what_it_announces(compressor: laconic.Compressor) -> None:
    text = (
        "# Install\n\nTo install the program on a new machine, run this command in the root folder of the project:\n\n"
        "```sh\nmake everything --with all=of --it now\n```\n\nThe council met on Monday in the old town hall.\n"
    )
    seen = set()
    for most in range(40, len(text)):
        found = compressor.fit(text, max_chars=most)
        announced, code = found.sentences[0][1], "```" in found.text
        seen.add((announced is not None, code))
        if announced is not None:
            assert announced.endswith(":") is code
            assert f"\n\n{announced}\n" in found.text
            kept = next(kept for kept in found.kept if kept.text == announced)
            assert ("\n\n" in text[kept.spans[-1][1] - 1 :][:3]) is code  # the colon is before a blank line
    assert {(True, True), (True, False)} <= seen


@pytest.mark.parametrize("rate", [0.8, 0.5, 0.2])
@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: file.stem)
def test_markdown_keeps_its_structure_within_the_budget(
    compressor: laconic.Compressor, file: Path, rate: float
) -> None:
    source = file.read_text(encoding="utf-8")
    found = compressor.fit(source, rate=rate)
    assert len(found.text) == found.length <= rate * len(source)
    # Most of the room is used, where there are sentences to use it for.
    assert found.length > 0.8 * rate * len(source)
    for kind in ("heading", "fence", "code_block", "html_block", "link"):
        assert is_subsequence(tokens(found.text, kind), tokens(source, kind)), kind
    assert is_subsequence(words(found.text), words(source))
    # What is referred to is there: links by a label are links, footnotes have their notes.
    for reference in set(re.findall(r"\[\^?\w+\](?!\()", found.text)) & set(re.findall(r"(?m)^(\[.+?\]):", source)):
        assert f"{reference}:" in found.text, reference
    assert found.whole + found.shortened + found.left_out == len(found.sentences)
    # No section is left with nothing below its heading.
    levels = [block.heading for block in read_markdown(found.text)]
    for level, following in itertools.pairwise([*levels, 1]):
        assert not (level and following and following <= level), found.text


def test_headings_go_with_their_sections_and_titles_stay(compressor: laconic.Compressor) -> None:
    source = "# Title\n\n## One\n\nThe cat slept on the mat.\n\n## Two\n\nThe storm destroyed the harbour.\n"
    found = compressor.fit(source, max_chars=45)
    assert found.text.startswith("# Title\n\n## ")
    assert found.text.count("##") == 1


def test_a_heading_in_html_is_one(compressor: laconic.Compressor) -> None:
    title = '<h1 align="center">\n  <img src="p.png" alt="" /> Pump <small>2</small>\n</h1>'
    inside = "<h2>Inside</h2>\n\nThe pump moves 400 litres of water an hour."
    text = f"{title}\n\n{inside}\n\n## Outside\n\nIt is painted in a dark green by its owner Ann Lee.\n"
    assert [block.heading for block in read_markdown(text)] == [1, 2, 0, 2, 0]
    found = compressor.fit(text, max_chars=len(title) + len(inside) + 3, keep=["litres"])
    assert found.text == f"{title}\n\n{inside}\n"
    two = read_markdown("<h1>a</h1>\n<p>b</p>\n\n<h1>a</h1><h1>b</h1>\n\n<h1>\n\na\n\n</h1>")
    assert not any(block.heading for block in two)


def test_the_choice_is_the_best_of_all(compressor: laconic.Compressor) -> None:
    """Every combination of what the sentences offer is tried."""
    blocks = read_markdown(TEXT)
    (parts,) = read_parts(compressor, [read_document(TEXT, "markdown")], Limits())
    assert not isinstance(parts, LaconicError)
    sentences = [sentence for part in parts for sentence in part.sentences]
    weights = [weight for part in weigh([(parts, blocks)])[0] for weight in part]
    values = [
        [(None, 0), *((option.text, round(1000 * weight * option.worth)) for option in sentence.candidates)]
        for sentence, weight in zip(sentences, weights, strict=True)
    ]
    everything = []
    for combination in itertools.product(*values):
        first, second = (" ".join(text for text, _ in combination[a:b] if text) for a, b in ((0, 2), (2, 4)))
        everything.append((sum(value for _, value in combination), len("\n\n".join(filter(None, (first, second))))))
    for most in range(12, len(TEXT), 9):
        if not any(value and length + 2 <= most for value, length in everything):
            continue
        found = compressor.fit(TEXT, max_chars=most)
        chosen = sum(
            next(value for text, value in own if text == after)
            for own, (_, after) in zip(values, found.sentences, strict=True)
        )
        # A block is charged for the line break before it, also where it comes first.
        best = max(value for value, length in everything if length <= most)
        nearly = max(value for value, length in everything if length + 2 <= most)
        assert nearly <= chosen <= best


@pytest.mark.parametrize("seed", range(20))
def test_ways_of_a_block_are_those_that_nothing_beats(seed: int) -> None:
    rng = random.Random(seed)
    lengths = [[rng.randint(1, 9) for _ in range(rng.randint(1, 4))] for _ in range(rng.randint(1, 4))]
    values = [[rng.randint(0, 9) for _ in own] for own in lengths]
    required = [rng.random() < 0.3 for _ in lengths]
    alone = [rng.choice((1.0, 0.5, 0.0)) for _ in lengths]
    ways = combine(map(Choices, lengths, values, required, alone), 1)
    choices = [[*([] if must else [-1]), *range(len(own))] for own, must in zip(lengths, required, strict=True)]
    everything = {}
    for combination in itertools.product(*choices):
        taken = [(i, option) for i, option in enumerate(combination) if option >= 0]
        length = sum(lengths[i][option] for i, option in taken) + max(len(taken) - 1, 0)
        value = sum(
            values[i][option] if i == 0 or combination[i - 1] >= 0 else round(alone[i] * values[i][option])
            for i, option in taken
        )
        everything[combination] = (length, value)
    best = {
        (length, value)
        for length, value in everything.values()
        if not any(a <= length and b >= value and (a, b) != (length, value) for a, b in everything.values())
    }
    assert list(zip(ways.length.tolist(), ways.value.tolist(), strict=True)) == sorted(best - {(0, 0)})
    for way in range(len(ways.length)):
        assert everything[tuple(ways.options(0, way))] == (ways.length[way], ways.value[way])


@pytest.mark.parametrize("seed", range(20))
def test_ways_of_a_table_are_its_best_rows(seed: int) -> None:
    rng = random.Random(seed)
    rows = [Choices([rng.randint(1, 9)], [rng.randint(0, 9)], rng.random() < 0.2) for _ in range(rng.randint(1, 6))]
    rows += [Choices([], [])]  # it must go
    columns = PartColumns()
    columns.add(rows, lead=5, is_table=True)
    columns.add([])
    ways = columns.ways(1)
    assert ways.way_ptr[1] == ways.way_ptr[2] == len(ways.length)
    taken = [set(np.flatnonzero(np.array(ways.options(0, way)) == 0)) for way in range(len(ways.length))]
    must = {i for i, row in enumerate(rows) if row.required}
    assert [len(own) for own in taken] == list(range(max(len(must), 1), len(rows)))
    for own, length, value in zip(taken, ways.length.tolist(), ways.value.tolist(), strict=True):
        assert must <= own
        assert length == 5 + sum(rows[i].lengths[0] for i in own)
        assert value == sum(rows[i].values[0] for i in own)
        left = set(range(len(rows) - 1)) - own
        share = {i: rows[i].values[0] / rows[i].lengths[0] for i in range(len(rows) - 1)}
        assert all(share[a] >= share[b] for a in own - must for b in left)


@pytest.mark.parametrize("format", ["markdown", "text"])
def test_a_bracket_over_several_sentences_is_whole_or_gone(compressor: laconic.Compressor, format: str) -> None:  # noqa: A002
    bracket = "(The drummer left in May 1991. A lawyer called Warner was right.)"
    text = f"The band played in forty cities of Europe in 1990. {bracket} Two more albums sold a million copies each."
    for most in range(30, len(text), 5):
        found = compressor.fit(text, max_chars=most, format=format)
        assert found.text.count("(") == found.text.count(")") <= 1
        assert (bracket in found.text) == ("Warner" in found.text) == ("drummer" in found.text)
        reported = [after for before, after in found.sentences if before == bracket]
        assert reported == [bracket if bracket in found.text else None]


def test_a_wide_budget_changes_nothing(compressor: laconic.Compressor) -> None:
    for file in DOCUMENTS:
        source = file.read_text(encoding="utf-8")
        for end in ("\n", "\r\n"):
            text = "\ufeff" * (end != "\n") + source.replace("\n", end)
            for most in (len(text), 10 * len(text)):
                found = compressor.fit(text, max_chars=most)
                assert found.text == text
                assert found.left_out == found.shortened == found.blocks_left_out == 0
        assert compressor.fit(source, max_words=len(source.split())).text == source


@pytest.mark.parametrize("unit", ["words", "tokens"])
def test_words_and_tokens(compressor: laconic.Compressor, unit: str) -> None:
    source = (DOCUMENTS[0].parent / "travel-guide.md").read_text(encoding="utf-8")
    tokenizer = re.compile(r"\w+|[^\w\s]").findall if unit == "tokens" else str.split
    options = {"tokenizer": tokenizer} if unit == "tokens" else {}
    for most in (60, 150):
        found = compressor.fit(source, **{f"max_{unit}": most}, **options)
        assert 0.7 * most < len(tokenizer(found.text)) <= most


def test_what_must_stay_stays_and_what_must_go_goes(compressor: laconic.Compressor) -> None:
    found = compressor.fit(TEXT, max_chars=90, keep=["May"], drop=["mayor"])
    assert "May" in found.text
    assert "mayor" not in found.text
    assert "mayor" not in compressor.fit(TEXT, rate=1.0, drop=["mayor"]).text
    with pytest.raises(LaconicError, match="allow at least that many"):
        compressor.fit(TEXT, max_chars=20, keep=["May", "bridge"])


def test_plain_text_has_no_markup(compressor: laconic.Compressor) -> None:
    text = "# not a heading, but it was 5 * 3 in all\n\nThe cat slept on the mat, *loudly*, in the afternoon."
    found = compressor.fit(text, format="text", rate=0.6, keep=["loudly"])
    assert len(found.text) <= 0.6 * len(text)
    first, second = found.text.split("\n\n")
    assert "# not a heading" not in first  # which Markdown would keep whole
    assert "5 * 3" in first
    assert "*loudly*" in second


def test_the_same_document_gives_the_same_text(compressor: laconic.Compressor) -> None:
    source = DOCUMENTS[0].read_text(encoding="utf-8")
    assert len({compressor.fit(source, rate=0.4).text for _ in range(3)}) == 1


def test_the_papers_model_fits_documents_too(maxent_compressor: laconic.Compressor) -> None:
    found = maxent_compressor.fit(TEXT, rate=0.6)
    assert 0 < len(found.text) <= 0.6 * len(TEXT)


def test_a_paragraph_of_any_length(compressor: laconic.Compressor) -> None:
    """Long paragraphs are chosen for in parts."""
    text = " ".join(f"The committee of {i} members met in the old house on Monday." for i in range(100))
    found = compressor.fit(text, rate=0.4)
    assert 0.35 * len(text) < len(found.text) <= 0.4 * len(text)
    assert "\n" not in found.text


def test_a_markdown_paragraph_of_any_size_is_cut(compressor: laconic.Compressor) -> None:
    sentence = "The *committee* of `{}` members met in the [old house](https://example.org) on Monday."
    text = " ".join(sentence.format(i) for i in range(1600)) + "\n"
    assert len(text) > 100_000
    blocks = read_markdown(text)
    assert len(blocks) > 10
    assert all(block.prose is not None and len(block.source) <= 10_000 for block in blocks)
    assert {block.source[-1] for block in blocks} == {"."}
    found = compressor.fit(text[:25_000], rate=0.3)
    assert 0.25 * 25_000 < len(found.text) <= 0.3 * 25_000
    assert "\n" not in found.text


def test_what_has_no_sentences_is_read_in_bounded_parts() -> None:
    for text in ("*a " * 5000, "word " * 5000, "[a](b " * 5000):
        *blocks, _ = read_markdown(text)
        assert all(len(block.source) <= 1500 and block.prose is None for block in blocks)
    (run,) = read_markdown("*" * 50_000 + "a")
    assert run.prose is None


def test_no_clause_is_taken_out_of_its_denial(compressor: laconic.Compressor) -> None:
    text = "Police do not believe the fire was started deliberately. Nobody knows whether the bank will close."
    for most in range(8, len(text)):
        try:
            found = compressor.fit(text, max_chars=most).text.casefold()
        except LaconicError:
            continue
        assert "fire was started" not in found or "not believe" in found
        assert "bank will close" not in found or "nobody knows" in found


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", {"max_chars": 5}, "the document is empty"),
        (" \n\t\n", {"max_chars": 5}, "the document is empty"),
        ("a\0b", {"max_chars": 5}, "a NUL at character 1"),
        (TEXT, {}, "fit needs a budget"),
        (TEXT, {"max_chars": 0}, "max_chars is 0"),
        (TEXT, {"max_chars": 50, "min_chars": 20}, "leave out minima"),
        (TEXT, {"max_chars": 50, "format": "latex"}, "unknown format 'latex': use one of markdown, text"),
        (TEXT, {"max_chars": 50, "keep": [(0, 3)]}, "keep 0:3 does not go with a document"),
        (TEXT, {"max_chars": 50, "protect": ("[", "]")}, "protect does not go with a document"),
        (TEXT, {"max_char": 50}, "unknown option 'max_char'"),
        ("# A\n\n## Beta\n\nRain fell.", {"max_chars": 2}, r"does not fit into 2 characters: the shortest .* has \d+;"),
        ("Rain fell.", {"max_chars": 3}, "does not fit into 3 characters: the shortest possible result, .*, has 10;"),
        (
            TEXT,
            {"max_chars": 90, "keep": ["Easter"]},
            "keep 'Easter' cannot hold: the document does not have these words",
        ),
        (
            "# The mayor\n\n" + TEXT,
            {"rate": 0.9, "drop": ["mayor"]},
            "'# The mayor' contains it and is never shortened",
        ),
        (None, {"rate": 0.9}, "the document is None, not a text: give its text"),
    ],
)
def test_bad_documents_and_budgets_are_refused(
    compressor: laconic.Compressor, text: str, options: dict, message: str
) -> None:
    with pytest.raises(LaconicError, match=message):
        compressor.fit(text, **options)


def test_a_tokenizer_whose_counts_never_add_up_still_has_its_budget(compressor: laconic.Compressor) -> None:
    def odd(text: str) -> int:
        return len(text) ** 2 // 50

    found = compressor.fit(TEXT, max_tokens=150, tokenizer=odd)
    assert odd(found.text) == found.length <= 150


def test_command_line(tmp_path: Path) -> None:
    file = tmp_path / "notes.md"
    file.write_text("# Notes\n\n" + TEXT, encoding="utf-8")
    done = run("fit", str(file), "--max-chars", "100")
    assert done.returncode == 0
    assert done.stdout.startswith("# Notes\n\n")
    assert len(done.stdout) - 1 <= 100
    assert re.search(r"\d+ of 100 characters; 4 sentences: \d whole, \d shortened, \d left out", done.stderr)
    piped = run("fit", "-", "--rate", ".4", "--quiet", stdin=file.read_bytes())
    assert piped.stderr == ""
    assert len(piped.stdout) - 1 <= 0.4 * len(file.read_text(encoding="utf-8"))
    plain = tmp_path / "notes.txt"
    plain.write_bytes(file.read_bytes())
    assert run("fit", str(plain), "--max-chars", "90").returncode == 0


def test_command_line_refuses_with_the_name_of_the_file(tmp_path: Path) -> None:
    empty, binary = tmp_path / "empty.md", tmp_path / "binary.md"
    empty.write_text("")
    binary.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    assert "empty.md: the document is empty: give one with text" in refused("fit", str(empty), "--rate", ".5")
    assert "binary.md is no text in UTF-8 (byte 0 is 0x89)" in refused("fit", str(binary), "--rate", ".5")
    binary.write_bytes(b"text\x00text")
    assert "it has a NUL at character 4" in refused("fit", str(binary), "--rate", ".5")
    assert "cannot read" in refused("fit", str(tmp_path / "none.md"), "--rate", ".5")
    assert "fit needs a budget" in refused("fit", str(DOCUMENTS[0]))


def test_of_a_doc_the_text_is_fitted(compressor: laconic.Compressor) -> None:
    spacy = pytest.importorskip("spacy")
    assert compressor.fit(spacy.blank("en")(TEXT), max_chars=90) == compressor.fit(TEXT, max_chars=90)
