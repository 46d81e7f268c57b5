"""Several documents within one budget: exact against enumeration, never longer, every kept span in its place."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from command_line import refused, run
from invariants import is_subsequence, words

import laconic
from laconic import LaconicError
from laconic.document.document import read_document
from laconic.document.parts import Part
from laconic.document.places import align
from laconic.document.read import read_parts
from laconic.document.several import join
from laconic.document.weights import weigh
from laconic.limits import Limits

MARKDOWN = sorted((Path(__file__).parent / "data" / "markdown").glob("*.md"))

DOCUMENTS = {
    "report.md": "# Report\n\nAnna Smith, the treasurer, approved the budget of $2 million.\n\n"
    "## Later\n\nThe **next meeting** is on [5 May](https://example.org/5.May 'in May') in the `town hall`.\n",
    "notes.txt": "The harvest was good   this year.  Farmers sold\r\nmore wheat than ever before, they said.\r\n",
    "menu.md": "- Soup is served with fresh bread.\n- Fish comes on Friday.\n  - It is cod from Norway.\n",
}
FORMATS = ["markdown", "text", "markdown"]


@pytest.mark.parametrize("query", [None, "Who approved the budget?", "What comes on Friday?"])
def test_together_they_are_within_every_budget(compressor: laconic.Compressor, query: str | None) -> None:
    total = len(join(list(DOCUMENTS.values())))
    for most in range(30, total + 20, 23):
        found = compressor.fit_all(DOCUMENTS, max_chars=most, format=FORMATS, query=query)
        assert found.text == join([each.text for each in found])
        assert found.length == len(found.text) <= most
        assert [each.source for each in found] == list(DOCUMENTS)
    assert found.text == join(list(DOCUMENTS.values()))
    assert [each.text for each in found] == list(DOCUMENTS.values())


@pytest.mark.parametrize("most", [70, 120, 200, 250, 400])
def test_what_is_kept_stands_where_its_spans_say(compressor: laconic.Compressor, most: int) -> None:
    found = compressor.fit_all(DOCUMENTS, max_chars=most, format=FORMATS)
    for each in found:
        text = DOCUMENTS[each.source or ""]
        for kept in each.kept if each.text else ():
            cut = words(" ".join(text[start:end] for start, end in kept.spans))
            assert is_subsequence(words(kept.text), cut)
            assert len(cut) == len(words(kept.text)) or "May" in kept.text  # whose link has an address
        spans = list(each.spans) if each.text else []
        assert spans == sorted(spans)
        assert all(first[1] < second[0] for first, second in itertools.pairwise(spans))


@pytest.mark.parametrize("rate", [0.5, 0.2])
@pytest.mark.parametrize("file", MARKDOWN, ids=lambda file: file.stem)
def test_spans_of_markdown_are_its_words(compressor: laconic.Compressor, file: Path, rate: float) -> None:
    source = file.read_text(encoding="utf-8")
    found = compressor.fit(source, rate=rate)
    for kept in found.kept:
        cut = words(" ".join(source[start:end] for start, end in kept.spans))
        assert is_subsequence(words(kept.text), cut)  # there may be the address of a link between two words
        assert (cut[:1], cut[-1:]) == (words(kept.text)[:1], words(kept.text)[-1:])


def test_an_address_is_not_taken_for_the_text_behind_it() -> None:
    (block,) = read_document("See [docs](<https://a.b/c. d>), and *it*. A `x.y` b&amp;c.\nEnd.", "markdown").blocks
    assert block.prose is not None
    plain, spans = block.prose.plain, align(block.prose, block.source)
    assert spans == sorted(spans)
    for part, before in ((",", "d>)"), (".", "*it*"), (" A", "*it*."), ("x.y", "A "), ("c.", "&amp;"), ("End", ".\n")):
        assert block.source[: spans[plain.index(part)][0]].endswith(before), part


@pytest.mark.parametrize(
    ("text", "plain", "source"),
    [
        ("It starts at `1` and ends.", "1", "`1`"),
        ("Read the *big* `a b\nc` and `a b c`.", "a b c", "`a b\nc`"),
        ("> See ![a\n> b](x.png) here.", "a b", "![a\n> b](x.png)"),
        ("It is [old](x\n'y z') wood, 'y z') wood.", "wood", "wood"),
        ("Salt &amp; fat.", "&", "&amp;"),
    ],
)
def test_all_of_what_is_kept_whole_is_in_its_span(text: str, plain: str, source: str) -> None:
    (block,) = read_document(text, "markdown").blocks
    assert block.prose is not None
    spans = align(block.prose, block.source)
    at = block.prose.plain.index(plain)
    start, end = spans[at][0], spans[at + len(plain) - 1][1]
    assert (start, end) == (block.source.index(source), block.source.index(source) + len(source))


def test_the_choice_over_all_is_the_best(compressor: laconic.Compressor) -> None:
    """Every combination of what the sentences of two documents offer is tried."""
    texts = [
        "# One\n\nThe council met on Monday in the old town hall.\n",
        "# Two\n\n## Inside\n\nIts members voted to close the bridge for two years. Work begins in May.\n",
    ]
    documents = [read_document(text, "markdown") for text in texts]
    read: list[list[Part]] = []
    for own in read_parts(compressor, documents, Limits()):
        assert not isinstance(own, LaconicError)
        read.append(own)
    weights = weigh([(parts, document.blocks) for parts, document in zip(read, documents, strict=True)])
    values = [
        [(None, 0), *((option.text, round(1000 * weight * option.worth)) for option in sentence.candidates)]
        for parts, counts in zip(read, weights, strict=True)
        for part, own_counts in zip(parts, counts, strict=True)
        for sentence, weight in zip(part.sentences, own_counts, strict=False)
    ]
    everything = []
    for one, two, three in itertools.product(*values):
        first = f"# One\n\n{one[0]}" if one[0] else ""
        second = " ".join(text for text, _ in (two, three) if text)
        second = f"# Two\n\n## Inside\n\n{second}\n" if second else ""
        length = len(join([first + "\n" * bool(first), second]))
        everything.append((one[1] + two[1] + three[1], length))
    for most in range(25, sum(map(len, texts)), 7):
        if not any(value and length + 6 <= most for value, length in everything):
            continue
        found = compressor.fit_all(texts, max_chars=most)
        after = [printed for each in found for _, printed in each.sentences]
        chosen = sum(next(v for text, v in own if text == kept) for own, kept in zip(values, after, strict=True))
        # Blocks and documents are charged for the line breaks before them, also where they come first.
        assert chosen <= max(value for value, length in everything if length <= most)
        assert chosen >= max(value for value, length in everything if length + 6 <= most)


def test_a_document_goes_with_all_that_always_stays_of_it(compressor: laconic.Compressor) -> None:
    long = "---\ntitle: nothing\n---\n\n# A long title that nobody asked for\n\n## Inside\n\nRain fell on the hills.\n"
    asked = "The treasurer Anna Smith approved the budget on Monday.\n"
    found = compressor.fit_all([long, asked], max_chars=60, query="Who approved the budget?")
    assert found.text == asked
    assert found[0].text == ""
    assert found[0].sentences == (("Rain fell on the hills.", None),)
    kept = compressor.fit_all([long, asked], max_chars=130, query="Who approved the budget?", keep=["hills"])
    assert "hills" in kept[0].text


def test_headings_of_other_sections_do_not_shut_a_document_out(compressor: laconic.Compressor) -> None:
    sections = "".join(
        f"## Chapter {i}: the weather of the coast\n\n### Rain in week {i}\n\nRain fell on the hills.\n\n"
        for i in range(40)
    )
    answer = "Anna Smith, the treasurer, approved the budget."
    long = f"# Handbook\n\n{sections}## Money\n\n### Approval\n\n{answer}\n"
    other = "The menu has soup on Monday. Fish comes on Friday.\n"
    found = compressor.fit_all([long, other], max_chars=150, query="Who approved the budget?")
    assert found[0].text == f"# Handbook\n\n## Money\n\n### Approval\n\n{answer}\n"
    assert "Chapter" not in found.text


def test_what_one_document_has_said_another_does_not_say_again(compressor: laconic.Compressor) -> None:
    said = "The city council approved a budget of $2 million for the new bridge on Monday.\n"
    other = "A library with 40,000 books opens near the old railway station in spring.\n"
    found = compressor.fit_all([said, said, other], max_chars=len(said) + len(other) + 3, format="text")
    assert [bool(each.text) for each in found] == [True, False, True]


def test_what_two_documents_have_word_for_word_counts_once_however_short_it_is(compressor: laconic.Compressor) -> None:
    """As in chunks of one text that overlap."""
    code = "```\npip install pumps --upgrade --user\n```"
    first = f"## Tea\n\nThe board met. Tea was served.\n\n{code}\n"
    second = f"## Tea\n\nTea was served.\n\n{code}\n\nThe hall was painted green.\n"
    found = compressor.fit_all([first, second], max_chars=len(first) + 45)
    sentences = ("The board met.", "Tea was served.", "The hall was painted green.")
    assert [found.text.count(each) for each in (code, *sentences)] == [1] * 4


@pytest.mark.parametrize(
    ("documents", "options", "message"),
    [
        ([], {"max_chars": 50}, "no documents"),
        ("one", {"max_chars": 50}, "fit_all takes several"),
        (None, {"max_chars": 50}, "fit_all takes several"),
        (["Rain fell.", " "], {"max_chars": 50}, "empty"),
        (["Rain fell.", "Wind blew."], {}, "needs a budget"),
        (["Rain fell.", "Wind blew."], {"max_chars": 3}, "the shortest possible result"),
        (["Rain fell.", "Wind blew."], {"max_chars": 15, "keep": ["snow"]}, "no document has these words"),
        (["Rain fell.", "Wind blew."], {"max_chars": 15, "format": ["text"]}, "1 formats of 2 documents"),
    ],
)
def test_what_cannot_be_fitted_is_refused(
    compressor: laconic.Compressor, documents: list[str], options: dict[str, object], message: str
) -> None:
    with pytest.raises(LaconicError, match=message):
        compressor.fit_all(documents, **options)


def test_the_command_line_takes_several_files(tmp_path: Path) -> None:
    files = []
    for name, text in DOCUMENTS.items():
        files.append(tmp_path / name)
        files[-1].write_bytes(text.encode())
    names = list(map(str, files))
    done = run("fit", *names, "--max-chars", "80", "--query", "Who approved the budget?")
    assert done.returncode == 0, done.stderr
    assert "Anna Smith" in done.stdout
    assert len(done.stdout) <= 80
    assert all(name in done.stderr for name in names)
    lines = run("fit", *names, "--max-chars", "80", "--jsonl", "--quiet").stdout.splitlines()
    assert [json.loads(line)["source"] for line in lines] == names
    assert "given twice" in refused("fit", names[0], names[0], "--max-chars", "80")


@pytest.mark.parametrize("count", [1, 2])
def test_what_the_error_of_two_limits_says_is_enough(compressor: laconic.Compressor, count: int) -> None:
    text = "# Storm\n\nThe storm, which came from the north, destroyed many houses. Nobody was hurt.\n"
    with pytest.raises(laconic.MisfitError, match=r"26 characters and 5 words are enough") as error:
        compressor.fit_all([text] * count, max_chars=60, max_words=1)
    assert error.value.shortest is None
    found = compressor.fit_all([text] * count, max_chars=26, max_words=5)
    assert (found.text, found.length, found.most) == ("# Storm\n\nNobody was hurt.\n", 26, 26)


@pytest.mark.parametrize("empty", ["\ufeff", "\ufeff\n"])
def test_a_byte_order_mark_alone_is_an_empty_document(compressor: laconic.Compressor, empty: str) -> None:
    with pytest.raises(LaconicError, match="empty"):
        compressor.fit_all([empty, "Rain fell on the town on Monday, officials said."], max_chars=20)
    with pytest.raises(LaconicError, match="empty"):
        compressor.fit(empty, max_chars=20)
