import random
import re
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode
from sentences import read_cases

from laconic.document.blocks import Block
from laconic.document.markdown import read_markdown, write_markdown
from laconic.document.plain import read_plain, write_plain
from laconic.document.prose import Prose
from laconic.realise import capitalise

DOCUMENTS = sorted((Path(__file__).parent / "data" / "markdown").glob("*.md"))
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
LEAVES = {"paragraph", "heading", "fence", "code_block", "html_block", "hr", "table"}
Spans = list[tuple[int, int]]
Skeleton = list[object]


# ---- a judge that knows nothing of blocks: the tree that markdown-it reads


def lines_of(text: str, blocks: Sequence[Block]) -> list[tuple[int, int]]:
    """The first and last line of each block in the source."""
    found = []
    at = 0
    for block in blocks:
        at = text.index(block.source, at)
        first = text.count("\n", 0, at)
        at += len(block.source)
        found.append((first, text.count("\n", 0, at)))
    return found


def inline_tokens(node: SyntaxTreeNode) -> list[Token]:
    found = [each.token for each in node.walk() if each.type == "inline"]
    return [child for token in found if token for child in token.children or []]


def visible(node: SyntaxTreeNode) -> str:
    """What a reader sees of a leaf, without footnote references."""
    shown = []
    for token in inline_tokens(node):
        if token.type == "image":
            shown.append("".join(child.content for child in token.children or []))
        elif token.type in ("softbreak", "hardbreak") or token.content == "<br>":
            shown.append(" ")
        elif token.type != "html_inline":
            shown.append(token.content)
    return " ".join(re.sub(r" ?\[\^\w+\]", "", "".join(shown)).split())


def skeleton(node: SyntaxTreeNode, printed: set[int] | None = None) -> Skeleton:
    """The blocks and their nesting; with `printed`, without the leaves that have none of these lines."""
    found: Skeleton = []
    for child in node.children:
        if child.type in LEAVES:
            assert child.map is not None
            if printed is None or printed & set(range(*child.map)):
                shown: object = ""
                if child.type in ("heading", "table"):
                    shown = (child.tag, visible(child))
                elif child.type != "paragraph":
                    shown = "".join(line.strip() for line in child.content.split("\n"))
                found.append((child.type, shown))
        else:
            inside = skeleton(child, printed)
            empty = not any(each.type in LEAVES for each in child.walk())
            lines = set(range(*(child.map or (0, 0))))
            if inside or printed is None or (empty and printed & lines):
                found.append((child.type, inside))
    return found


def without_front_matter(text: str) -> str:
    return re.sub(r"\A---\n\w+:.*?\n---(?=\n)", lambda match: "\n" * match[0].count("\n"), text, flags=re.S)


def tree(text: str) -> SyntaxTreeNode:
    return SyntaxTreeNode(PARSER.parse(without_front_matter(text)))


def check_structure(text: str, blocks: Sequence[Block], contents: Sequence[str | None]) -> str:
    """The written document, after it was held against the source."""
    text = text.replace("\r\n", "\n").rstrip()
    result = write_markdown(blocks, contents)
    charged = sum(len(b.lead) + len(c) for b, c in zip(blocks, contents, strict=True) if c is not None)
    assert len(result) <= charged
    printed = {
        line
        for (first, last), content in zip(lines_of(text, blocks), contents, strict=True)
        for line in range(first, last + 1)
        if content is not None
    }
    assert skeleton(tree(result)) == skeleton(tree(text), printed), result
    return result


# ---- random choices


def sentences(prose: Prose) -> Spans:
    """Spans of the sentences, cut at full stops outside of units."""
    cuts = [0]
    for match in re.finditer(r"(?<=[.!?]) ", prose.plain):
        if not any(start <= match.start() < end for start, end in prose.units):
            cuts += [match.start(), match.end()]
    cuts.append(len(prose.plain))
    return list(zip(cuts[::2], cuts[1::2], strict=True))


def tokens(prose: Prose, start: int, end: int) -> Spans:
    """Words, signs and units of a sentence."""
    found = [(a, b) for a, b in prose.units if start <= a and b <= end]
    for match in re.finditer(r"\w+|[^\w\s]", prose.plain[start:end]):
        a, b = start + match.start(), start + match.end()
        if not any(first < b and a < last for first, last in prose.units):
            found.append((a, b))
    return sorted(found)


def compress(rng: random.Random, prose: Prose, start: int, end: int) -> tuple[str, Spans]:
    """A sentence without some of its words, as `realise.join_pieces` spells it."""
    keep = rng.choice([0.2, 0.5, 0.9])
    found = tokens(prose, start, end)
    kept = [token for token in found if rng.random() < keep] or [rng.choice(found)]
    spans: Spans = []
    parts: list[str] = []
    for a, b in kept:
        between = prose.plain[spans[-1][1] : a] if spans else ""
        space = any(char == " " for char in between)
        if spans and not between.strip():
            spans[-1] = (spans[-1][0], b)
        else:
            spans.append((a, b))
        parts += [" "] * space + [prose.plain[a:b]]
    return capitalise("".join(parts)), spans


def choose(rng: random.Random, block: Block) -> tuple[str | None, str | None]:
    """What is printed of a block, and what a reader should see of it."""
    if block.prose is None:
        return (block.source if block.required or rng.random() < 0.5 else None), None
    chosen: list[tuple[str, str]] = []
    for start, end in sentences(block.prose):
        if rng.random() < 0.4:
            spans = [(start, end)]
            text = block.prose.plain[start:end]
        elif rng.random() < 0.6:
            text, spans = compress(rng, block.prose, start, end)
        else:
            continue
        chosen.append((block.prose.render(text, spans), text))
    if not chosen:
        return (block.source, block.prose.plain) if block.required else (None, None)
    return " ".join(rendered for rendered, _ in chosen), " ".join(text for _, text in chosen)


def squeeze(text: str) -> str:
    """Without white space and capitals: a unit keeps its own first letter."""
    return "".join(text.split()).casefold()


def check_random_choices(text: str, seed: int, times: int) -> None:
    rng = random.Random(seed)
    blocks = read_markdown(text)
    for _ in range(times):
        chosen = [choose(rng, block) for block in blocks]
        result = check_structure(text, blocks, [content for content, _ in chosen])
        seen = [visible(node) for node in tree(result).walk() if node.type == "paragraph"]
        wanted = squeeze("".join(shown for _, shown in chosen if shown))
        # Paragraphs that are not read as prose stand between those that are.
        at = 0
        everything = squeeze("".join(seen))
        for _, shown in chosen:
            if shown:
                assert squeeze(shown) in everything[at:], result
                at = everything.index(squeeze(shown), at) + len(squeeze(shown))
        assert len(wanted) <= len(everything)


# ---- the documents


def test_there_are_twenty_documents() -> None:
    assert len(DOCUMENTS) == 20
    for path in DOCUMENTS:
        assert 250 <= len(path.read_text(encoding="utf-8").split()) <= 900, path.name


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_a_document_with_all_its_blocks_is_the_document(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    blocks = read_markdown(text)
    assert write_markdown(blocks, [block.source for block in blocks]) == text.rstrip()
    assert "".join(block.lead for block in blocks)
    windows = read_markdown(text.replace("\n", "\r\n"))
    assert [(block.lead, block.source) for block in windows] == [(block.lead, block.source) for block in blocks]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_a_document_of_any_choice_keeps_its_structure(path: Path) -> None:
    check_random_choices(path.read_text(encoding="utf-8"), seed=len(path.stem), times=8)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_most_of_a_document_can_be_shortened(path: Path) -> None:
    blocks = read_markdown(path.read_text(encoding="utf-8"))
    paragraphs = [block for block in blocks if block.prose]
    assert sum(len(block.source) for block in paragraphs) > 0.4 * sum(len(block.source) for block in blocks)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_a_whole_paragraph_is_rendered_as_its_source(path: Path) -> None:
    for block in read_markdown(path.read_text(encoding="utf-8")):
        if block.prose:
            rendered = block.prose.render(block.prose.plain, [(0, len(block.prose.plain))])
            assert squeeze(rendered) == squeeze(re.sub(r"\n[ >]*", "\n", block.source))


# ---- one construct at a time


def prose_of(text: str) -> Prose:
    (block,) = (block for block in read_markdown(text) if block.prose)
    assert block.prose is not None
    return block.prose


def shorten(text: str, words: str) -> str:
    """The Markdown of a paragraph of which these words, found one after the other, are kept."""
    prose = prose_of(text)
    spans: Spans = []
    for word in words.split():
        start = prose.plain.index(word, spans[-1][1] if spans else 0)
        if spans and spans[-1][1] + 1 == start and prose.plain[start - 1] == " ":
            spans[-1] = (spans[-1][0], start + len(word))
        else:
            spans.append((start, start + len(word)))
    return prose.render(capitalise(words), spans)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a *b* **c** _d_ __e__ ~~f~~", "a b c d e f"),
        ("a ***b c*** d", "a b c d"),
        ("see [the *nice* text](u 'a title') now", "see the nice text now"),
        ("a `b  c` d", "a b c d"),
        ("a ![b](c.png) d", "a b d"),
        ("a ![b\nc](c.png) d", "a b c d"),
        ("a ![](c.png) d", "a ![](c.png) d"),
        ("a <http://b.c> d", "a http://b.c d"),
        ("press <kbd>x</kbd> now", "press x now"),
        ("a<br>b", "a b"),
        ("a &amp; b\\* c", "a & b* c"),
        ("a  b\t c\nd", "a b c d"),
        ("end.[^1] Next [^2] one.", "end. Next one."),
        ("snake_case and 2 * 3", "snake_case and 2 * 3"),
        ("> a\n> b\nlazy", "a b lazy"),
        ("- a\n  b", "a b"),
        ("- [ ] a task", "a task"),
        ("C:\\dir", "C:\\dir"),
    ],
)
def test_the_plain_text_is_what_a_reader_sees(text: str, plain: str) -> None:
    assert prose_of(text).plain == plain


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("a `b c` d", ["b c"]),
        ("a ![b c](d.png) e", ["b c"]),
        ("a <http://b.c/d> e", ["http://b.c/d"]),
        ("see https://b.c/d_e(f), please", ["https://b.c/d_e(f)"]),
        ("a [b](https://c.d) e", []),
        ("**at www.b.c** and [`d e`](f)", ["www.b.c", "d e"]),
    ],
)
def test_code_images_and_addresses_are_units(text: str, units: list[str]) -> None:
    prose = prose_of(text)
    assert [prose.plain[start:end] for start, end in prose.units] == units


@pytest.mark.parametrize("case", read_cases("markup"))
def test_markup_goes_with_the_text_that_it_marks(case: str) -> None:
    text, words, rendered = case.replace("\\n", "\n").split(" | ")
    assert shorten(text, words) == rendered


def test_emphasis_that_could_not_be_read_where_it_stands_is_left_out() -> None:
    prose = prose_of('a **"b" c** d')
    assert prose.plain == 'a "b" c d'
    assert prose.render('"b"d', [(2, 5), (8, 9)]) == '"b"d'
    assert prose.render('"b" d', [(2, 5), (8, 9)]) == '**"b"** d'


def test_a_link_by_its_text_before_a_colon_does_not_become_a_definition() -> None:
    prose = prose_of("one. [two]: three\n\n[two]: u")
    assert prose.render("two: three", [(5, 15)]) == "two: three"


def test_a_link_behind_an_exclamation_mark_does_not_become_an_image() -> None:
    assert prose_of("wow! [link](u)").render("wow!link", [(0, 4), (5, 9)]) == "wow\\![link](u)"


def test_a_mark_is_opened_and_closed_in_each_of_its_sentences() -> None:
    prose = prose_of("**One two. Three four.** Five.")
    assert prose.render("One two.", [(0, 8)]) == "**One two.**"
    assert prose.render("Four.", [(15, 20)]) == "**Four.**"


def test_spans_that_do_not_spell_the_text_are_refused() -> None:
    with pytest.raises(ValueError, match="do not spell the text 'one three'"):
        prose_of("one two three").render("one three", [(0, 3), (4, 7)])


@pytest.mark.parametrize(
    "text",
    [
        "**a** and ** b *c** d*x",  # signs that are text next to signs that are not
        "**a **b** c** d",  # without a or c, the signs could be paired in another way
        "a <div>b</div> c",
        "a <b>c",
        "*a <b>c* d</b>",
        "**a  \nb**",
        "a <img src='x'> b",
        "a\0b",
        "![a](b) [![c](d)](e)",
        "[^note]: A footnote is kept as it is.",
        '[a]: b\nCome "in"',
    ],
)
def test_a_paragraph_that_is_not_read_with_certainty_is_whole_or_nothing(text: str) -> None:
    assert [block.prose for block in read_markdown(text) if block.source[:3] != "[a]"] == [None]


@pytest.mark.parametrize(
    ("text", "leads", "required"),
    [
        ("# A\n\nb\n\nc", ["", "\n\n", "\n\n"], "000"),
        ("# A\nb", ["", "\n\n"], "00"),
        ("a\n\n- b\n- c", ["", "\n\n- ", "\n\n- "], "000"),  # without b, a blank line is needed before c
        ("a\n\n- b\n\n  c\n- d", ["", "\n\n- ", "\n\n  ", "\n- "], "0100"),  # b is always there
        ("> a\n>\n> 1. b", ["> ", "\n>\n> 1. "], "00"),
        ("- a\n  - b\n    - c", ["- ", "\n  - ", "\n    - "], "110"),
        ("- - a\n  - b", ["- - ", "\n  - "], "10"),
        ("a  \nb\\\nc", ["", "  \n", "\\\n"], "000"),
        ("- [x] a", ["- [x] "], "0"),
        ("a\n\n---\n\n[b]: c\n\n[^1]: d e", ["", "\n\n", "\n\n", "\n\n"], "0111"),
        ("---\na: b\n---\n\nc", ["", "\n\n"], "10"),
        ("- a\n\nb\n\n    c", ["- ", "\n\n", "\n\n    "], "010"),  # without b, c would be in the item
        ("a\n\nb\n\n    c", ["", "\n\n", "\n\n    "], "000"),
        ("- a\n\nb\n\n  - c", ["- ", "\n\n", "\n\n  - "], "010"),
        ("- a\n\n# b\n\n  - c", ["- ", "\n\n", "\n\n  - "], "000"),  # the heading stays with c
        ("- a\n\n# b\n\n  <h1>c</h1>", ["- ", "\n\n", "\n\n  "], "010"),
        ("- a\n\n# b\n\n  # c", ["- ", "\n\n", "\n\n  "], "010"),
        ("\n\na", ["\n\n"], "0"),
    ],
)
def test_leads_and_required_blocks(text: str, leads: list[str], required: str) -> None:
    blocks = read_markdown(text)
    assert [block.lead for block in blocks] == leads
    assert [block.required for block in blocks] == [sign == "1" for sign in required]
    assert write_markdown(blocks, [block.source for block in blocks]) == text


@pytest.mark.parametrize(
    ("text", "printed", "result"),
    [
        ("a\n\n- b\n- c\n- d", "1011", "a\n\n- c\n- d"),
        ("a\n- b\n- c", "101", "a\n- c"),
        ("a\n1. b\n2. c", "101", "a\n\n2. c"),  # only an item with the number 1 can follow a paragraph
        ("- a\n\nb\n\n- c\n- d", "1011", "- a\n\n+ c\n+ d"),  # or the lists would be one
        ("1. a\n\nb\n\n1. c", "101", "1. a\n\n1) c"),
        ("> a\n>\n> b\n>\n> c", "101", "> a\n>\n> c"),
        ("> a\n\nb\n\n> c", "101", "> a\n\n> c"),
        ("> a\n>\n> b\n\nc", "011", "> b\n\nc"),
        ("- a\n  - b\n  - c", "101", "- a\n  - c"),
        ("- a\n\n- b\n\n- c", "101", "- a\n\n- c"),
        ("a  \nb  \nc\n\nd", "1011", "a  \nc\n\nd"),
        ("a\n\nb  \n  c", "101", "a\n\nc"),
        ("# A\nb\n```\nc\n```\nd", "1011", "# A\n\n```\nc\n```\nd"),
        ("a\n\nb", "01", "b"),
    ],
)
def test_blocks_that_are_left_out_leave_no_trace(text: str, printed: str, result: str) -> None:
    blocks = read_markdown(text)
    contents = [block.source if sign == "1" else None for block, sign in zip(blocks, printed, strict=True)]
    assert check_structure(text, blocks, contents) == result


@pytest.mark.parametrize(
    "text",
    [
        "- a b\n - c d\n  - e f",  # without c d, e f would be in the item a b
        "1. a b\n10. c d\n\n   e f",  # without c d, e f would be in the item a b
        "+ a b\n\nc d\n\n+ ---",  # with another marker, the item would be a thematic break
        "- a b\n\nc d\n\n-\n\n  e f\n\ng h\n\n- i j",
        "> a b  \nc d\n\ne f",
        "1. a b\nc | d\n---",  # on one line, c | would be the head of a table
        "> - a b\n>\n>   c d  \n>   e f\n> - g h\n\ni j",
        "- a b\n\nc d\n\n  - e f\n  - g h",
        "    a\n\nb c\n\n    d",
        "<div>\n\na b\n\n- c d\n- e f",
        "> ```\n> a\n\nb c\n\n> d e",
        "* a b\n\nc d\n\n* e f\n\ng h\n\n* i j",
    ],
)
def test_what_comes_before_a_block_does_not_change_what_it_is(text: str) -> None:
    check_random_choices(text, seed=3, times=40)


# ---- documents put together at random, and documents that are none

LINES = [
    *["", "", "", "", "Alpha *beta* gamma. Delta [eps zeta](u).", "# Head", "- one two. Three.", "- **b** c", "* star"],
    *["+ plus", "1. first", "2. second", "3) third", "  - nested a", "  - nested b", "   1. deep", "> quote one. Two"],
    *["> - item", "> > deep", "    code", "```", "text  ", "back\\", "---", "***", "| a |\n|---|\n| b |", "<div>", "-"],
    *["[a]: http://x.y", "[^1]: a note", "see [a]", "  indented", "- - double", "- [ ] task", "\ttab", "Setext\n==="],
    *["`a * b` * c_d_ *e", "10. ten", "> ", "<!-- c -->", "x <b>y</b> z<br>w"],
]


@pytest.mark.parametrize("part", range(8))
def test_lines_in_any_order_keep_their_structure(part: int) -> None:
    rng = random.Random(part)
    for seed in range(60):
        text = "\n".join(rng.choices(LINES, k=rng.randint(1, 14)))
        blocks = read_markdown(text)
        assert write_markdown(blocks, [block.source for block in blocks]) == text.rstrip()
        check_random_choices(text, seed, times=2)


@pytest.mark.parametrize(
    "text", ["", " ", "\n\n", "\t", "\x00", "\ufeff", "---", "---\na: b\n---", "+++\na = 1\n+++", ">", "-"]
)
def test_a_document_of_almost_nothing_is_read(text: str) -> None:
    blocks = read_markdown(text)
    assert write_markdown(blocks, [block.source for block in blocks]) == text.rstrip()


@pytest.mark.parametrize(
    "text",
    [
        "One sentence after another. " * 36_000,
        "a" * 1_000_000,
        ">" * 10_000,
        "> " * 10_000 + "a",
        "[" * 10_000,
        "[" * 10_000 + "]" * 10_000,
        "![a" * 5_000,
        "*a " * 10_000,
        "`a " * 10_000,
        "<a " * 10_000,
        "&" * 30_000,
        "\\" * 30_000,
        "```\n" + "x\n" * 20_000,
        "---\n" + "a: b\n" * 20_000,
        "- a b.\n" * 3_000,
        "a b  \n" * 5_000,
        "a[^1] " * 5_000,
        "http://a.b " * 5_000,
        "".join(" " * (2 * i) + "- a\n" for i in range(200)),
        "".join(chr(random.Random(1).randrange(32, 256)) + "\0\t\x1b" for _ in range(20_000)),
        "\t" * 10_000 + "a",
    ],
    ids=lambda text: f"{text[:8]!r}",
)
def test_any_input_is_read_and_written_in_little_time(text: str) -> None:
    start = time.process_time()
    blocks = read_markdown(text)
    assert write_markdown(blocks, [block.source for block in blocks]) == text.rstrip()
    assert time.process_time() - start < 3


# ---- plain text


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("One two.\nThree four.\n\nFive.", ["One two.", "Three four.", "Five."]),  # a sentence a line
        (
            "A line that is full and\nis folded. Then it goes\non.",
            ["A line that is full and\nis folded. Then it goes\non."],
        ),
        (
            "A line that is full and\nends.\nThe next is a new one.",
            ["A line that is full and\nends.", "The next is a new one."],
        ),
        ("We need\n- eggs\n- flour", ["We need", "eggs", "flour"]),
        ("  Indented.\n\n\n\nLast.  \n", ["Indented.", "Last."]),
        ("", []),
    ],
)
def test_plain_text_is_cut_where_a_line_break_means_something(text: str, sources: list[str]) -> None:
    blocks = read_plain(text)
    assert [block.source for block in blocks] == sources
    assert write_plain(blocks, sources) == text.rstrip()
    assert all(block.prose and block.prose.plain == " ".join(block.source.split()) for block in blocks)


def test_plain_text_is_printed_as_it_is() -> None:
    (block,) = read_plain("# no *markup* here")
    assert block.prose is not None
    assert block.prose.render("# *here", [(0, 3), (14, 18)]) == "# *here"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_plain_text_of_any_choice_keeps_its_paragraphs(path: Path) -> None:
    text = path.read_text(encoding="utf-8").rstrip()
    blocks = read_plain(text)
    assert write_plain(blocks, [block.source for block in blocks]) == text
    rng = random.Random(7)
    for _ in range(10):
        contents = [f"<{i}>" if rng.random() < 0.5 else None for i in range(len(blocks))]
        result = write_plain(blocks, contents)
        charged = sum(len(b.lead) + len(c) for b, c in zip(blocks, contents, strict=True) if c is not None)
        assert len(result) <= charged
        marked = write_plain(blocks, [f"<{i}>" for i in range(len(blocks))])
        paragraphs = [re.findall(r"<(\d+)>", part) for part in re.split(r"\n\s*\n", marked)]
        kept = [[i for i in part if contents[int(i)] is not None] for part in paragraphs]
        assert [re.findall(r"<(\d+)>", part) for part in re.split(r"\n\s*\n", result)] == [
            part for part in kept if part
        ]
