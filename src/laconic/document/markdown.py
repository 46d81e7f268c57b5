"""Read and write Markdown: a document becomes blocks, and what is kept of them a document with the same structure.

The parser records the source offset of each match, so nothing has to be searched for. What cannot be located reliably
is not shortened.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from laconic.document.blocks import Blocks, blank_line, line_end, offsets_into, shared_quotes, write_blocks
from laconic.document.containers import QUOTE, Containers
from laconic.document.cuts import cut_long
from laconic.document.inline import FOOTNOTE_DEFINITION, HTML_TAG, read_inline
from laconic.document.markdown_parser import BlockToken, read_block_tokens
from laconic.document.prose import Prose

# Front matter at the very beginning, between two lines of three signs: YAML (key, template tag or empty) or TOML.
FRONT_MATTER = re.compile(
    r"(?:---[ \t]*\n(?:(?:#.*\n)*(?:[\w\"'][^\n:]*:|[{<][{%])(?s:.*?)\n)?(?:---|\.\.\.)"
    r"|\+\+\+[ \t]*\n(?s:.*?)\n\+\+\+)[ \t]*(?=\n|$)"
)
# A line that begins with a letter is a paragraph, whatever it contains.
ONE_PARAGRAPH = re.compile(r"[^\W\d_][^\n]*")
MARKER = re.compile(r"[-+*]|\d{1,9}[.)]")
GAP = re.compile(r"(?:[\s>]|[-+*](?=\s)|\d{1,9}[.)](?=\s))*")
TASK = re.compile(r"\[[ xX]\][ \t]+(?=\S)")
TABLE_LINE = re.compile(r"\n[ \t>]*[-:|][-:| \t]*(?:\n|$)")
# A block of HTML that is one heading: the titles of many READMEs, which are in the middle.
HTML_HEADING = re.compile(r"<h([1-6])\b(?:(?!</?h[1-6]\b).)*</h\1>", re.IGNORECASE | re.DOTALL)
VOID_TAGS = frozenset("area base br col embed hr img input link meta source track wbr".split())
LISTS = {"bullet_list_open", "ordered_list_open"}
# What may stay where the heading above it goes, besides headings.
SERVING = {"hr", "definition"}
LEAVES = {"paragraph_open", "heading_open", "fence", "code_block", "html_block", "hr", "table_open", "definition"}


@dataclass(slots=True)
class Siblings:
    """The state of the blocks inside a container or the document, as far as they are read; leaf numbers, or -1."""

    leaves: int = 0
    first: int = -1
    anchor: int = -1  # while it is printed, the next block cannot merge with earlier ones
    listed: bool = False  # whether there was a list or indented code before


def read_markdown(text: str) -> Blocks:
    """The blocks of a Markdown document: CommonMark with tables, strikethrough, task lists and front matter."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip()
    front = FRONT_MATTER.match(text)
    begin = front.end() if front else 0
    env: dict[str, Any] = {}
    # Blank out front matter to preserve offsets; replace NUL, as the parser would do.
    source = re.sub(r"[^\n]", " ", text[:begin]) + text[begin:].replace("\0", "\ufffd")
    leaves = Leaves(source, begin)
    if ONE_PARAGRAPH.fullmatch(source):  # as most notifications are: the parser would take longer than all the rest
        leaves.add("paragraph_open", 0, len(source), content=source)
    else:
        read_block_tokens(source, env, leaves)
    return _make_blocks(text, leaves, env)


def write_markdown(blocks: Blocks, contents: Iterable[str | None]) -> str:
    """The document with these contents of its blocks; None leaves a block out.

    If all required blocks are printed, it is never longer than the leads and contents of the printed blocks.
    """
    return write_blocks(blocks, contents)


class Leaves:
    """The blocks that contain no other blocks, in columns; offsets into the source.

    Consumes block tokens. A top-level block that cannot be split reliably becomes a single leaf.
    """

    def __init__(self, text: str, front: int = 0) -> None:
        """`front` is the offset at which front matter ends."""
        self.text = text
        self.kind: list[str] = []
        self.start, self.end = offsets_into(text), offsets_into(text)
        self.required, self.serves, self.heading = bytearray(), bytearray(), bytearray()
        self.container = array("i")  # innermost container; -1: none
        self.containers = Containers()
        self._contents: dict[int, str] = {}  # texts of paragraphs that differ from their source
        self._length = offsets_into(text)  # lengths of the other texts
        self._lines = offsets_into(text)  # offsets of the lines
        self._lines.append(0)
        self._lines.extend(match.end() for match in re.finditer("\n", text))
        self._lines.append(len(text) + 1)
        if front:
            self.add("front matter", 0, front, required=True)
        self._top = len(self)  # first leaf of the current top-level block
        self._inside = -1  # innermost open container
        self._stack = [Siblings()]
        self._lists: list[int] = []  # numbers of the open lists
        self.groups = 0  # number of lists and quotes so far

    def __len__(self) -> int:
        return len(self.start)

    def add(
        self,
        kind: str,
        start: int,
        end: int,
        *,
        content: str = "",
        container: int = -1,
        required: bool = False,
        heading: int = 0,
        serves: bool = False,
    ) -> int:
        """Add a leaf; returns its number."""
        number = len(self)
        as_it_stands = self.text.startswith(content, start)
        if not as_it_stands:
            self._contents[number] = content
        self._length.append(len(content) if as_it_stands else 0)
        self.kind.append(kind)
        self.start.append(start)
        self.end.append(end)
        self.container.append(container)
        self.required.append(required)
        self.heading.append(heading)
        self.serves.append(serves)
        return number

    def content(self, number: int) -> str:
        """The text of a paragraph; empty for other leaves."""
        start = self.start[number]
        return self._contents.get(number) or self.text[start : start + self._length[number]]

    def _keep(self, number: int) -> None:
        """Make a leaf required, even if nothing references it."""
        self.required[number], self.serves[number] = True, False

    def take(self, token: BlockToken) -> None:
        """Process a token."""
        if token.at >= 0:
            self._keep_apart(token)
        if token.type in LEAVES and token.map:
            self._add_token(token, token.map[1], token.content if token.type == "paragraph_open" else "")
        elif token.type in LISTS:
            self._lists.append(self.groups)
            self.groups += 1
        elif token.type == "list_item_open":
            self._enter(self._lists[-1], token.markup)
        elif token.type == "blockquote_open":
            self._enter(self.groups, ">")
            self.groups += 1
        elif token.type in ("list_item_close", "blockquote_close"):
            self._leave(token.type == "list_item_close")
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self._lists.pop()

    def _keep_apart(self, token: BlockToken) -> None:
        """Require the previous block if an indented block could otherwise merge with a list or code before it.

        A heading between them is not required: it stays or goes with the text below it.
        """
        siblings = self._stack[-1]
        anchor = siblings.anchor
        if token.indent >= 2 and siblings.listed and anchor >= 0:
            is_below = self.heading[anchor] and token.type not in SERVING and not _find_level(token)
            if not is_below:
                self._keep(anchor)
        siblings.listed |= token.type in LISTS or token.type == "code_block"

    def _add_token(self, token: BlockToken, end: int, content: str) -> None:
        serves = token.type in SERVING or FOOTNOTE_DEFINITION.match(content) is not None
        leaf = self.add(
            token.type,
            token.at,
            self._lines[end] - 1,
            content=content,
            container=self._inside,
            required=serves or (token.type == "html_block" and not _is_balanced(token.content)),
            heading=_find_level(token),
            serves=serves,
        )
        siblings = self._stack[-1]
        siblings.leaves += 1
        siblings.first = leaf if siblings.first < 0 else siblings.first
        siblings.anchor = leaf

    def _enter(self, group: int, marker: str) -> None:
        """Begin a container."""
        self._inside = self.containers.open(self._inside, group, marker)
        self._stack.append(Siblings())

    def _leave(self, is_item: bool) -> None:
        """End a container. If it has several leaves, the first is required; else they would join another item."""
        inside = self._stack.pop()
        self._inside = self.containers.parent[self._inside]
        outside = self._stack[-1]
        if inside.first >= 0:
            if is_item and inside.leaves > 1:
                self._keep(inside.first)
            outside.first = inside.first if outside.first < 0 else outside.first
            outside.anchor = inside.first
            outside.leaves += inside.leaves

    def end_block(self, first: BlockToken) -> None:
        """End the top-level block that began with this token."""
        if first.map:
            self._finish(first, *first.map)
        self._top = len(self)

    def _finish(self, token: BlockToken, first: int, last: int) -> None:
        start = self._lines[first]
        end = start + len(self.text[start : self._lines[last] - 1].rstrip())
        top, before = self._top, self._top - 1
        if not self._is_certain(start, end):
            kind = "opaque list" if token.type in LISTS else "opaque"
            required = "definition" in self.kind[top:]
            self._drop(top)
            self._stack[0].anchor = self.add(kind, token.at, end, required=required)
            if before >= 0 and kind == "opaque list":
                self._keep(before)  # its markers cannot be changed, so it must not become adjacent to another list
        if before >= 0 and self.kind[before] == "opaque list":
            self._keep(top)

    def _drop(self, first: int) -> None:
        """Remove the leaves from a number on."""
        for number in range(first, len(self)):
            self._contents.pop(number, None)
        columns: list[Any] = [self.kind, self.start, self.end, self.required, self.serves, self.heading]
        for column in (*columns, self.container, self._length):
            del column[first:]

    def _is_certain(self, start: int, end: int) -> bool:
        """Whether only the signs of the leaves' containers surround the leaves of the current top-level block."""
        text, containers = self.text, self.containers
        columns: dict[int, tuple[int, int]] = {}  # by list: the smallest and largest column of its markers
        path: tuple[int, ...] = ()
        for leaf in range(self._top, len(self)):
            at = self.start[leaf]
            line = text.rfind("\n", 0, at) + 1
            own = containers.path(self.container[leaf])
            quotes = sum(containers.marker[item] == QUOTE for item in own)
            opened = [item for item in own if item not in path and containers.marker[item] != QUOTE]
            signs = list(MARKER.finditer(text, line, at))
            if (
                not GAP.fullmatch(text, start, at)
                or MARKER.search(text, start, max(start, line))
                or [ord(sign[0][-1]) for sign in signs] != [containers.marker[item] for item in opened]
                or text.count(">", line, at) != quotes
                or (opened and self.kind[leaf] == "hr")  # with another marker, the item could become a thematic break
            ):
                return False
            for item, sign in zip(opened, signs, strict=True):
                column = sign.start() - line
                least, most = columns.get(containers.group[item], (column, column))
                columns[containers.group[item]] = (min(least, column), max(most, column))
            start, path = self.end[leaf], own
        # An item that is indented further could join the item two above it.
        aligned = all(most < least + 2 for least, most in columns.values())
        return len(self) > self._top and aligned and not text[start:end].strip()


def _find_level(token: BlockToken) -> int:
    """The level of a heading; 0 of what is none."""
    if token.type == "heading_open":
        return int(token.tag[1])
    heading = HTML_HEADING.fullmatch(token.content.strip()) if token.type == "html_block" else None
    return int(heading[1]) if heading else 0


def _is_balanced(html: str) -> bool:
    """Whether an HTML block closes all tags that it opens; otherwise it belongs together with a later block."""
    tags = [(match[1], match[2].lower()) for match in HTML_TAG.finditer(html)]
    depth = 0
    for closing, name in tags:
        if name not in VOID_TAGS:
            depth += -1 if closing else 1
        if depth < 0:
            return False
    return depth == 0


def _make_blocks(text: str, leaves: Leaves, env: dict[str, Any]) -> Blocks:
    """Convert leaves to blocks: add the prose of paragraphs and the lead of each block."""
    containers = leaves.containers
    blocks = Blocks(text, containers)
    anchored = bytearray(leaves.groups)  # by list and quote: whether an earlier block in it is required
    end = 0
    last: tuple[int, ...] = ()
    before = ""  # the kind of the previous leaf
    for leaf, kind in enumerate(leaves.kind):
        start, content = leaves.start[leaf], leaves.content(leaf)
        line = text.rfind("\n", 0, start) + 1
        path = containers.path(leaves.container[leaf])
        opened = [item for item in path if item not in last and containers.marker[item] != QUOTE]
        signs = [match.end() - 1 for match in MARKER.finditer(text[line:start])] if opened else []
        task = TASK.match(text, start) if signs and content else None
        if task:
            start = task.end()
            content = content[len(task[0]) :]
        for sign, item in zip(signs, opened, strict=False):
            containers.note_marker(item, len(blocks), sign)
        prefix = text[line:start]
        if before == "definition" and text.count("\n", end, start) == 1:
            content = ""  # as a quotation, a shortened form would be read as the definition's title
        parts = _read_prose(text, start, leaves.end[leaf], content, env)
        ahead = list(islice(parts, 2))
        is_anchored = bool(signs) and bool(anchored[containers.group[opened[0]]])
        for k, (begin, stop, prose) in enumerate(chain(ahead, parts)):
            lead = text[end:begin]
            if len(blocks) and not blocks.required[-1] and not is_anchored:
                lead = max(lead, blank_line(prefix, shared_quotes(containers, last, path)) + prefix, key=len)
            required = bool(leaves.required[leaf]) or (k == 0 and len(ahead) > 1 and bool(signs))
            blocks.add(
                begin,
                stop,
                lead,
                prefix,
                prose,
                required=required,
                heading=leaves.heading[leaf],
                serves=bool(leaves.serves[leaf]),
                has_rows=kind == "table_open" and text.count("\n", begin, stop) > 1,
                paragraph=leaf if len(ahead) > 1 else -1,
                container=leaves.container[leaf],
            )
            if required:
                is_anchored = True
                for item in path:
                    anchored[containers.group[item]] = True
            end, last = stop, path
        before = kind
    return blocks


def _read_prose(
    text: str, begin: int, end: int, content: str, env: dict[str, Any]
) -> Iterator[tuple[int, int, Prose | None]]:
    """The parts of a leaf between hard line breaks: offsets into the source, and prose that can be shortened.

    `begin` and `end` are the offsets of the leaf; `content` is its text if it is a paragraph.
    """
    # Shortened to one line, a paragraph above such a line could become the head of a table.
    is_head = "|" in content and TABLE_LINE.match(text, end)
    if not content or is_head or FOOTNOTE_DEFINITION.match(content) or "\0" in text[begin:end]:
        yield begin, end, None
        return
    parts = _read_parts(content, env)
    first, second = next(parts), next(parts, None)
    if second is None:
        yield begin, end, first[2]
        return
    lines = _find_lines(content, text, begin)
    if lines is None:
        yield begin, end, None
        return
    starts, places = lines

    def place(position: int) -> int:
        line = bisect_right(starts, position) - 1
        return places[line] + position - starts[line]

    last = first
    for part in chain([second], parts):
        yield place(last[0]), place(last[1]), last[2]
        last = part
    yield place(last[0]), end, last[2]


def _read_parts(content: str, env: dict[str, Any]) -> Iterator[tuple[int, int, Prose | None]]:
    """The parts of a paragraph's text: offsets into it, and prose that can be shortened."""
    for at, stop, has_sentences in cut_long(content):
        found = read_inline(content[at:stop], env) if has_sentences else None
        if found is None or any(first >= last for first, last, _ in found):
            found = [(0, stop - at, None)]
        for first, last, prose in found:
            yield at + first, at + last, prose


def _find_lines(content: str, text: str, begin: int) -> tuple[array[int], array[int]] | None:
    """The offsets of a paragraph's lines in its text and in the source; None: they cannot be located reliably."""
    starts, places = offsets_into(text), offsets_into(text)
    at, line = 0, begin
    while at <= len(content):
        own = content[at : line_end(content, at)]
        end = line_end(text, line)
        shown = own.strip(" \t")
        start = line + len(text[line:end].rstrip(" \t")) - len(shown)
        if not text.startswith(shown, start):
            return None
        starts.append(at)
        places.append(start - (len(own) - len(own.lstrip(" \t"))))
        at, line = at + len(own) + 1, end + 1
    return starts, places
