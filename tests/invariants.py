"""What must hold for every document that is fitted, judged by a Markdown parser and words alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

import laconic
from laconic.document.markdown import FRONT_MATTER

INVARIANTS = {
    "same": "what is within its budget comes back byte for byte",
    "budget": "nothing is longer than its budget",
    "lines": "line ends and the last one stay",
    "front": "front matter stays",
    "words": "the words are a subsequence of the document's",
    "blocks": "the blocks are a subsequence of the document's, of the same kind and nesting",
    "reported": "nothing is gone that is not reported",
    "least": "the shortest possible result is that, and one less is refused",
    "error": "nothing else is refused",
}

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
WORD = re.compile(r"[^\W_]+")
LEAST = re.compile(r"the shortest possible result, with what always stays, has (\d+); allow at least that many")
UNITS = {"max_chars": len, "max_words": lambda text: len(text.split())}

Problem = tuple[str, str]


def words(text: str) -> list[str]:
    return WORD.findall(text.casefold())


def is_subsequence(small: Sequence[object], large: Sequence[object]) -> bool:
    rest = iter(large)
    return all(word in rest for word in small)


# ---- blocks


@dataclass(frozen=True)
class Leaf:
    """A block without blocks in it, the containers around it, by number, and its text."""

    containers: tuple[tuple[str, int], ...]
    kind: str
    exact: str  # what must be the same
    words: tuple[str, ...]  # what may be shortened
    rows: tuple[str, ...] = ()  # of a table

    def may_be(self, source: Leaf) -> bool:
        """Whether it can be what is left of another one."""
        same = (self.kind, self.exact, [kind for kind, _ in self.containers])
        return (
            same == (source.kind, source.exact, [kind for kind, _ in source.containers])
            and is_subsequence(self.words, source.words)
            and is_subsequence(self.rows, source.rows)
        )


def leaves(text: str) -> list[Leaf]:
    """The leaves of a document without front matter, in order."""
    found: list[Leaf] = []
    numbers = count()

    def walk(node: SyntaxTreeNode, containers: tuple[tuple[str, int], ...]) -> None:
        for child in node.children:
            if child.type in ("bullet_list", "ordered_list", "list_item", "blockquote"):
                walk(child, (*containers, (child.type, next(numbers))))
            elif child.type == "paragraph":
                found.append(Leaf(containers, "paragraph", "", tuple(words(child.children[0].content))))
            elif child.type == "heading":
                found.append(Leaf(containers, child.tag, child.children[0].content, ()))
            elif child.type == "table":
                rows = [row for part in child.children for row in part.children]
                cells = [" | ".join(each.content for cell in row.children for each in cell.children) for row in rows]
                found.append(Leaf(containers, "table", cells[0], (), tuple(cells[1:])))
            else:
                exact = "\n".join(line.strip() for line in child.content.strip().split("\n"))
                found.append(Leaf(containers, child.type, exact, ()))

    walk(SyntaxTreeNode(PARSER.parse(text)), ())
    return found


def shared(first: Leaf, second: Leaf) -> int:
    """How many containers two leaves have in common."""
    return sum(a == b for a, b in zip(first.containers, second.containers, strict=False))


def misplaced(printed: str, source: str) -> str | None:
    """What of the printed blocks is none of the source's, or stands elsewhere; None: nothing."""
    own, given = leaves(printed), leaves(source)
    ends = {-1}  # the places in the source where the blocks so far may end
    for i, leaf in enumerate(own):
        able = [k for k, other in enumerate(given) if k > min(ends) and leaf.may_be(other)]
        ends = {
            k
            for k in able
            if any(k > j and (not i or shared(leaf, own[i - 1]) == shared(given[k], given[j])) for j in ends)
        }
        if not ends:
            return f"{leaf.kind} {leaf.exact or ' '.join(leaf.words)!r} in {[kind for kind, _ in leaf.containers]}"
    return None


def normal(text: str) -> str:
    """A document as blocks are looked for in it."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def split_front(text: str) -> tuple[str, str]:
    front = FRONT_MATTER.match(normal(text))
    return (front[0], normal(text)[front.end() :]) if front else ("", normal(text))


# ---- the judge


def check_fit(source: str, found: laconic.Fitted, *, markdown: bool = True) -> Iterator[Problem]:
    """What is wrong with a document that was fitted."""
    text = found.text
    if found.length > found.most:
        yield "budget", f"{found.length} of {found.most}"
    ends = set(re.findall(r"\r\n|\n|\r", source))
    if not set(re.findall(r"\r\n|\n|\r", text)) <= ends:
        yield "lines", "another line end"
    stripped = source[len(source.rstrip()) :]
    if bool(re.search(r"[\r\n]", stripped)) != text.endswith(("\n", "\r")):
        yield "lines", "the last one"
    if not is_subsequence(words(text), words(source)):
        yield "words", unmatched(words(text), words(source))
    gone = Counter(words(source)) - Counter(words(text))
    told = found.shortened + found.left_out + found.blocks_left_out
    if gone and not told:
        yield "reported", f"{sum(gone.values())} words are gone"
    if told and "".join(source.split()) == "".join(text.split()):
        yield "reported", f"nothing is gone, and {told} are said to be"
    if markdown:
        front, body = split_front(text)
        source_front, source_body = split_front(source)
        if front != source_front:
            yield "front", source_front
        wrong = misplaced(body, source_body)
        if wrong:
            yield "blocks", wrong


def unmatched(small: Sequence[str], large: Sequence[str]) -> str:
    """The words around the first that is not found."""
    rest = iter(large)
    for i, word in enumerate(small):
        if word not in rest:
            return " ".join(small[max(0, i - 3) : i + 3])
    return ""


def check_rates(
    compressor: laconic.Compressor, source: str, rates: Sequence[float], **options: str
) -> Iterator[Problem | None]:
    """What is wrong at some rates; None for each fit."""
    markdown = options.get("format", "markdown") == "markdown"
    for rate in rates:
        yield None
        try:
            found = compressor.fit(source, rate=rate, **options)
        except laconic.LaconicError as error:
            least = LEAST.search(str(error))
            if not least:
                yield "error", str(error)
            elif int(least[1]) <= int(rate * len(source) + 1e-9):
                yield "least", str(error)
            continue
        if rate == 1 and found.text != source:
            yield "same", f"{len(found.text)} of {len(source)} characters"
        yield from check_fit(source, found, markdown=markdown)


def check_least(compressor: laconic.Compressor, source: str, **options: str) -> Iterator[Problem | None]:
    """What is wrong with the shortest results, in characters and in words; None for each fit."""
    markdown = options.get("format", "markdown") == "markdown"
    for unit, length in UNITS.items():
        yield None
        try:
            compressor.fit(source, **{unit: 1}, **options)
            continue
        except laconic.LaconicError as error:
            least = LEAST.search(str(error))
            if not least:
                yield "error", str(error)
                continue
        few = int(least[1])
        try:
            found = compressor.fit(source, **{unit: few}, **options)
            if length(found.text) > few:
                yield "budget", f"{length(found.text)} of {few}"
            yield from check_fit(source, found, markdown=markdown)
        except laconic.LaconicError as error:
            yield "least", str(error)
        try:
            found = compressor.fit(source, **{unit: few - 1}, **options)
            yield "least", f"{few} was said to be the least, and {length(found.text)} fit into {few - 1}"
        except laconic.LaconicError as error:
            if few > 1 and f"has {few};" not in str(error):
                yield "least", str(error)
