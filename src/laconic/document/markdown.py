"""Markdown in and out: a document becomes blocks, and what is kept of them a document of the same structure.

The parser notes where in the source it matched; so nothing has to be searched for, and what is not certain is not
shortened.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from laconic.document.blocks import Block, Container, Place, blank_line, write_blocks
from laconic.document.cuts import cut_long
from laconic.document.inline import FOOTNOTE_DEFINITION, HTML_TAG, read_inline
from laconic.document.markdown_parser import BlockToken, read_block_tokens
from laconic.document.prose import Prose

# At the very start, between two lines of three signs: YAML, which begins with a key, a template's tag or nothing; TOML.
FRONT_MATTER = re.compile(
    r"(?:---[ \t]*\n(?:(?:#.*\n)*(?:[\w\"'][^\n:]*:|[{<][{%])(?s:.*?)\n)?(?:---|\.\.\.)"
    r"|\+\+\+[ \t]*\n(?s:.*?)\n\+\+\+)[ \t]*(?=\n|$)"
)
MARKER = re.compile(r"[-+*]|\d{1,9}[.)]")
GAP = re.compile(r"(?:[\s>]|[-+*](?=\s)|\d{1,9}[.)](?=\s))*")
TASK = re.compile(r"\[[ xX]\][ \t]+(?=\S)")
TABLE_LINE = re.compile(r"\n[ \t>]*[-:|][-:| \t]*(?:\n|$)")
VOID_TAGS = frozenset("area base br col embed hr img input link meta source track wbr".split())
LISTS = {"bullet_list_open", "ordered_list_open"}
LEAVES = {"paragraph_open", "heading_open", "fence", "code_block", "html_block", "hr", "table_open", "definition"}


@dataclass(slots=True, eq=False)
class Leaf:
    """A block of the source that holds no other blocks; offsets into the source."""

    kind: str
    start: int
    end: int
    path: tuple[Container, ...]
    content: str = ""
    required: bool = False
    heading: int = 0  # its level
    serves: bool = False  # a rule, or a definition

    def keep(self) -> None:
        """Makes it stay in any case, also where it serves nothing."""
        self.required, self.serves = True, False


@dataclass(slots=True)
class Siblings:
    """The blocks inside a container, or of the document, as far as they are read."""

    leaves: int = 0
    first: Leaf | None = None
    anchor: Leaf | None = None  # while it is printed, what comes next cannot get into what came before it
    listed: bool = False  # whether there was a list or indented code


def read_markdown(text: str) -> list[Block]:
    """The blocks of a Markdown document: CommonMark with tables, strikethrough, task lists and front matter."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip()
    leaves: list[Leaf] = []
    front = FRONT_MATTER.match(text)
    if front:
        leaves.append(Leaf("front matter", 0, front.end(), (), required=True))
    begin = front.end() if front else 0
    env: dict[str, Any] = {}
    # Front matter is blanked so that offsets stay, and NUL because the parser would do it.
    source = re.sub(r"[^\n]", " ", text[:begin]) + text[begin:].replace("\0", "\ufffd")
    reader = _Leaves(source)
    read_block_tokens(source, env, reader.read)
    leaves += reader.leaves
    del reader
    return _make_blocks(text, _forget(leaves), env)


def _forget(leaves: list[Leaf]) -> Iterator[Leaf]:
    """Each of the leaves, which is not kept: where there are many, their blocks need the room."""
    leaves.reverse()
    while leaves:
        yield leaves.pop()


def write_markdown(blocks: Sequence[Block], contents: Sequence[str | None]) -> str:
    """The document with these contents of its blocks; None: the block is left out.

    It is never longer than the leads and contents of the printed blocks, if all required blocks are printed.
    """
    return write_blocks(blocks, contents)


class _Leaves:
    """Reads block tokens into leaves; a top-level block that cannot be taken apart with certainty is one leaf."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = array("q", [0])
        self.lines.extend(match.end() for match in re.finditer("\n", text))
        self.lines.append(len(text) + 1)
        self.leaves: list[Leaf] = []
        self.top = 0  # the first leaf of this top-level block
        self.path: tuple[Container, ...] = ()
        self.stack = [Siblings()]
        self.lists: list[int] = []  # the numbers of the open lists
        self.number = 0  # of the last list or container

    def read(self, tokens: Sequence[BlockToken]) -> None:
        """One more top-level block."""
        first = tokens[0]
        self.top = len(self.leaves)
        for token in tokens:
            if token.at >= 0:
                self._keep_apart(token)
            if token.type in LEAVES and token.map:
                self._add(token, token.map[1], token.content if token.type == "paragraph_open" else "")
            elif token.type in LISTS:
                self.number += 1
                self.lists.append(self.number)
            elif token.type in ("list_item_open", "blockquote_open"):
                self.number += 1
                listed = token.type == "list_item_open"
                self.path += (Container(self.lists[-1], token.markup) if listed else Container(self.number, ">"),)
                self.stack.append(Siblings())
            elif token.type in ("list_item_close", "blockquote_close"):
                self._leave(token.type == "list_item_close")
            elif token.type in ("bullet_list_close", "ordered_list_close"):
                self.lists.pop()
        if first.map:
            self._finish(first, *first.map)

    def _keep_apart(self, token: BlockToken) -> None:
        """Sees to it that an indented block does not get into a list, or code into code, further up."""
        siblings = self.stack[-1]
        if token.indent >= 2 and siblings.listed and siblings.anchor:
            siblings.anchor.keep()
        siblings.listed |= token.type in LISTS or token.type == "code_block"

    def _add(self, token: BlockToken, end: int, content: str) -> None:
        serves = token.type in ("hr", "definition") or FOOTNOTE_DEFINITION.match(content) is not None
        required = serves or (token.type == "html_block" and not _is_balanced(token.content))
        leaf = Leaf(token.type, token.at, self.lines[end] - 1, self.path, content, required)
        leaf.serves = serves
        leaf.heading = int(token.tag[1]) if token.type == "heading_open" else 0
        self.leaves.append(leaf)
        siblings = self.stack[-1]
        siblings.leaves += 1
        siblings.first = siblings.first or leaf
        siblings.anchor = leaf

    def _leave(self, is_item: bool) -> None:
        """Ends a container: without the first text of an item, the rest of it would belong to another item."""
        inside = self.stack.pop()
        self.path = self.path[:-1]
        outside = self.stack[-1]
        if inside.first:
            if is_item and inside.leaves > 1:
                inside.first.keep()
            outside.first = outside.first or inside.first
            outside.anchor = inside.first
            outside.leaves += inside.leaves

    def _finish(self, token: BlockToken, first: int, last: int) -> None:
        """Ends a top-level block, which started with this token."""
        leaves = self.leaves[self.top :]
        start = self.lines[first]
        end = start + len(self.text[start : self.lines[last] - 1].rstrip())
        before = self.leaves[self.top - 1] if self.top else None
        if not _is_certain(self.text, start, leaves, end):
            kind = "opaque list" if token.type in LISTS else "opaque"
            required = any(leaf.kind == "definition" for leaf in leaves)
            self.leaves[self.top :] = [Leaf(kind, token.at, end, (), required=required)]
            self.stack[0].anchor = self.leaves[self.top]
            if before and kind == "opaque list":
                before.keep()  # its markers cannot be changed, so it must not get next to another list
        if before and before.kind == "opaque list":
            self.leaves[self.top].keep()


def _is_balanced(html: str) -> bool:
    """Whether an HTML block closes what it opens; otherwise it belongs together with another one further on."""
    tags = [(match[1], match[2].lower()) for match in HTML_TAG.finditer(html)]
    depth = 0
    for closing, name in tags:
        if name not in VOID_TAGS:
            depth += -1 if closing else 1
        if depth < 0:
            return False
    return depth == 0


def _is_certain(text: str, start: int, leaves: Sequence[Leaf], end: int) -> bool:
    """Whether there is nothing but the signs of the leaves' containers around the leaves of a top-level block."""
    columns: dict[int, list[int]] = {}
    path: tuple[Container, ...] = ()
    for leaf in leaves:
        line = text.rfind("\n", 0, leaf.start) + 1
        opened = [item for item in leaf.path if item not in path and item.marker != ">"]
        signs = list(MARKER.finditer(text, line, leaf.start))
        if (
            not GAP.fullmatch(text, start, leaf.start)
            or MARKER.search(text, start, max(start, line))
            or [sign[0][-1] for sign in signs] != [item.marker for item in opened]
            or text.count(">", line, leaf.start) != sum(container.marker == ">" for container in leaf.path)
            or (opened and leaf.kind == "hr")  # with another marker, the item could become a thematic break
        ):
            return False
        for item, sign in zip(opened, signs, strict=True):
            columns.setdefault(item.group, []).append(sign.start() - line)
        start, path = leaf.end, leaf.path
    # An item further in could get into the item two above it.
    aligned = all(max(places) < min(places) + 2 for places in columns.values())
    return bool(leaves) and aligned and not text[start:end].strip()


def _make_blocks(text: str, leaves: Iterable[Leaf], env: dict[str, Any]) -> list[Block]:
    """Blocks from leaves: paragraphs get their prose, and every block its lead."""
    blocks: list[Block] = []
    anchored: set[int] = set()  # lists and paragraphs (negative) of which an earlier block is required
    end = 0
    last: tuple[Container, ...] = ()
    before = ""  # the kind of the leaf before
    same: dict[str, str] = {}  # what stands before blocks: one string for all that are the same, there are few
    for number, leaf in enumerate(leaves, 1):
        line = text.rfind("\n", 0, leaf.start) + 1
        opened = [item for item in leaf.path if item not in last]
        signs = [match.end() - 1 for match in MARKER.finditer(text[line : leaf.start])]
        markers = tuple(zip(signs, (item for item in opened if item.marker != ">"), strict=False))
        task = TASK.match(text, leaf.start) if markers and leaf.content else None
        if task:
            leaf.start = task.end()
            leaf.content = leaf.content[len(task[0]) :]
        prefix = text[line : leaf.start]
        prefix = same.setdefault(prefix, prefix)
        parts = _read_prose(text, leaf, env)
        if before == "definition" and text[end : leaf.start].count("\n") == 1:
            parts = [(leaf.start, leaf.end, None)]  # shortened to a quotation, it would be the title of the definition
        for k, (begin, stop, prose) in enumerate(parts):
            gap = text[end:begin]
            gap = same.setdefault(gap, gap)
            required = leaf.required or (k == 0 and len(parts) > 1 and bool(markers))
            place = Place(gap, prefix, number if len(parts) > 1 else -1, leaf.path, () if k else markers)
            lead = gap
            above = {-number, *(item.group for _, item in markers[:1])}
            if blocks and not blocks[-1].required and not anchored & above:
                common = [a for a, b in zip(last, leaf.path, strict=False) if a is b]
                lead = max(gap, blank_line(prefix, common) + prefix, key=len)
            lead = same.setdefault(lead, lead)
            source = text[begin:stop]
            if prose is not None and prose.plain == source:
                source = prose.plain  # one string for both
            rows = _read_rows(source) if leaf.kind == "table_open" else ()
            blocks.append(Block(lead, required, source, prose, leaf.heading, leaf.serves, place, rows))
            if required:
                anchored.update([-number, *(container.group for container in leaf.path)])
            end, last = stop, leaf.path
        before = leaf.kind
    return blocks


def _read_rows(table: str) -> tuple[str, ...]:
    """The rows of a table, each with the line break before it: the lines below its head and the line under that."""
    cuts = [match.start() for match in re.finditer("\n", table)][1:]
    return tuple(table[first:last] for first, last in pairwise([*cuts, len(table)]))


def _read_prose(text: str, leaf: Leaf, env: dict[str, Any]) -> list[tuple[int, int, Prose | None]]:
    """The parts of a leaf, cut at hard line breaks, with their offsets into the source and what can be shortened."""
    whole: list[tuple[int, int, Prose | None]] = [(leaf.start, leaf.end, None)]
    footnote = FOOTNOTE_DEFINITION.match(leaf.content)
    if "|" in leaf.content and TABLE_LINE.match(text, leaf.end):
        return whole  # on one line, it could become the head of a table
    if footnote or not leaf.content or "\0" in text[leaf.start : leaf.end]:
        return whole
    parts: list[tuple[int, int, Prose | None]] = []
    for at, end, has_sentences in cut_long(leaf.content):
        found = read_inline(leaf.content[at:end], env) if has_sentences else None
        if found is None or any(start >= stop for start, stop, _ in found):
            found = [(0, end - at, None)]
        parts += [(at + start, at + stop, prose) for start, stop, prose in found]
    if len(parts) == 1:
        return [(leaf.start, leaf.end, parts[0][2])]
    places: dict[int, int] = {}  # from the starts of the paragraph's lines to the source
    line, at = leaf.start, 0
    for content in leaf.content.split("\n"):
        stop = text.find("\n", line)
        stop = len(text) if stop < 0 else stop
        shown = content.strip(" \t")
        start = line + len(text[line:stop].rstrip(" \t")) - len(shown)
        if text[start : start + len(shown)] != shown:
            return whole
        places[at] = start - (len(content) - len(content.lstrip(" \t")))
        line, at = stop + 1, at + len(content) + 1
    offsets = sorted(places)

    def place(position: int) -> int:
        begin = offsets[bisect_right(offsets, position) - 1]
        return places[begin] + position - begin

    ends = [*(place(stop) for _, stop, _ in parts[:-1]), leaf.end]
    return [(place(start), stop, prose) for (start, _, prose), stop in zip(parts, ends, strict=True)]
