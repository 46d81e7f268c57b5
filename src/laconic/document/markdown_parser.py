"""The Markdown parser: markdown-it with its rules wrapped to record the source offset of each match."""

from __future__ import annotations

import re
from collections.abc import Callable, MutableMapping
from itertools import repeat
from typing import Any, Final, Literal, Protocol

from markdown_it import MarkdownIt, rules_block, rules_inline
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from laconic.document.blocks import offsets_into

_SPACE: Final = re.compile(r"[ \t]+")
#: The characters that a block may start with, by rule: most rules look at most lines in vain.
_SIGNS: Final = {
    "fence": frozenset("`~"),
    "blockquote": frozenset(">"),
    "hr": frozenset("*-_"),
    "list": frozenset("*+-0123456789"),
    "reference": frozenset("["),
    "html_block": frozenset("<"),
    "heading": frozenset("#"),
}
_ANYWHERE: Final = {"href": "", "title": ""}


class NotingState(StateInline):
    """The state of markdown-it's inline parser; records the source offsets of tokens."""

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """A new token with its offset in the source."""
        token = super().push(ttype, tag, nesting)
        token.meta["at"] = self.pos
        return token


class _Unused:
    """An attribute of tokens that markdown-it's rules set and that is not used here."""

    def __set__(self, token: object, value: object) -> None:
        pass


class BlockToken:
    """A token of markdown-it's block parser, reduced to the attributes that are used here."""

    __slots__ = ("at", "content", "indent", "level", "map", "markup", "nesting", "tag", "type")
    attrs, block, children, hidden, info = _Unused(), _Unused(), _Unused(), _Unused(), _Unused()

    def __init__(self, kind: str, tag: str, nesting: int, level: int) -> None:
        self.type, self.tag, self.nesting, self.level = kind, tag, nesting, level
        self.map: list[int] | None = None
        self.content = self.markup = ""
        self.at = self.indent = -1  # start of the block in the source, and its indentation; -1: unknown


class _TextToken:
    """The token of a block's text: it stores the text in the token that opens the block."""

    children, map = _Unused(), _Unused()

    def __init__(self) -> None:
        self.opening: Any = None

    @property
    def content(self) -> str:
        """The text."""
        return str(self.opening.content)

    @content.setter
    def content(self, text: str) -> None:
        self.opening.content = text


class TokenReader(Protocol):
    """Consumes the tokens of a document one by one, and is notified of the end of top-level blocks."""

    def take(self, token: BlockToken) -> None:
        """Process a token."""

    def end_block(self, first: BlockToken) -> None:
        """End the top-level block that began with this token."""


class _BlockState(StateBlock):
    """The state of markdown-it's block parser, which passes tokens on without storing them: one list may be a document.

    The text of a block is the content of its opening token, and closing tokens are reused. A token is passed on when
    the next one is created, as markdown-it has set all of its attributes only then.
    """

    def __init__(self, source: str, env: dict[str, Any], reader: TokenReader) -> None:
        super().__init__("", PARSER, env, [])
        self.src = source
        # markdown-it would use lists, which take many times the memory of the lines.
        lines: Any = [offsets_into(source) for _ in range(5)]
        self.bMarks, self.eMarks, self.tShift, self.sCount, self.bsCount = lines
        self._read_lines()
        self._closing: dict[tuple[str, int], BlockToken] = {}
        self._text = _TextToken()
        self._reader = reader
        self._waiting: BlockToken | None = None
        self._first: Any = None  # token of this top-level block
        self.noted = (-1, -1)  # start and indentation of the block that the next token opens

    def _read_lines(self) -> None:
        """Record the starts, ends and indentation of lines, as markdown-it does."""
        source, start = self.src, 0
        begins, ends, shifts, indents = self.bMarks, self.eMarks, self.tShift, self.sCount
        while start < len(source):
            end = source.find("\n", start)
            end = len(source) if end < 0 else end
            indent = width = 0
            if source[start] in " \t" and (space := _SPACE.match(source, start)):
                indent, width = len(space[0]), len(space[0].expandtabs(4))
            if start + indent == len(source):  # white space only, and the last line
                break
            begins.append(start)
            ends.append(end)
            shifts.append(indent)
            indents.append(width)
            start = end + 1
        for column, last in ((begins, len(source)), (ends, len(source)), (shifts, 0), (indents, 0)):
            column.append(last)
        self.bsCount.extend(repeat(0, len(self.bMarks)))
        self.lineMax = len(self.bMarks) - 1

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Any:
        """A new token, or a reused one."""
        if ttype == "inline":
            self._text.opening = self._waiting
            return self._text
        self._hand_on()
        self.level -= nesting < 0
        token = self._closing.get((ttype, self.level)) if nesting < 0 else None
        if token is None:
            token = BlockToken(ttype, tag, nesting, self.level)
            if nesting < 0:
                self._closing[ttype, self.level] = token
        if nesting >= 0:
            token.at, token.indent = self.noted
            self.noted = (-1, -1)
            if self.level == 0:
                self._first = token
        self.level += nesting > 0
        self._waiting = token
        return token

    def _hand_on(self) -> None:
        if self._waiting is not None:
            self._reader.take(self._waiting)
            self._waiting = None

    def end_block(self) -> None:
        """Called when a block has been read completely."""
        if self.level == 0:
            self._hand_on()
            self._reader.end_block(self._first)


def read_block_tokens(source: str, env: dict[str, Any], reader: TokenReader) -> None:
    """Pass the tokens of a document, whose lines end in line feeds, to a reader; definitions are stored in `env`."""
    state = _BlockState(source, env, reader)
    PARSER.block.tokenize(state, 0, state.lineMax)


def _note_block(name: str, rule: Callable[[StateBlock, int, int, bool], bool]) -> Callable[[Any, int, int, bool], bool]:
    """Wrap a block rule of markdown-it to record the start and indentation of its block."""
    signs = _SIGNS.get(name)

    def noting(state: _BlockState, start: int, end: int, silent: bool) -> bool:
        at = state.bMarks[start] + state.tShift[start]
        if signs is not None and state.src[at : at + 1] not in signs:
            return False
        if silent:
            return rule(state, start, end, silent)
        state.noted = (at, state.sCount[start] - state.blkIndent)
        if not rule(state, start, end, silent):
            return False
        if name == "reference":  # markdown-it has no token for it
            state.push("definition", "", 0).map = [start, state.line]
            _forget_destination(state.env)
        state.end_block()
        return True

    return noting


def _forget_destination(env: MutableMapping[str, Any]) -> None:
    """Discard the destination of the last definition: only its existence matters, and there may be a million."""
    references = env["references"]
    references[next(reversed(references))] = _ANYWHERE
    env.pop("duplicate_refs", None)


def _note_inline(rule: Callable[[StateInline, bool], bool]) -> Callable[[StateInline, bool], bool]:
    """Wrap an inline rule of markdown-it to record the start and end of its tokens."""

    def noting(state: StateInline, silent: bool) -> bool:
        at = state.pos
        count = len(state.tokens)
        if not rule(state, silent):
            return False
        for token in state.tokens[count:] if not silent else []:
            if "at" in token.meta and "end" not in token.meta:
                if token.type == "text":  # emphasis signs, one token each
                    token.meta["at"] = at
                    at += len(token.content)
                token.meta["end"] = at if token.type == "text" else state.pos
        return True

    return noting


def _read_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """The table rule, without tokens for cells, which would take much more memory than the table."""
    if not rules_block.table(state, start, end, True):
        return False
    if silent:
        return True
    enders = state.md.block.ruler.getRules("blockquote")
    outer, state.parentType = state.parentType, "table"
    line = start + 2
    while (
        line < end
        and state.sCount[line] >= state.blkIndent
        and not state.isEmpty(line)
        and not state.is_code_block(line)
        and not any(rule(state, line, end, True) for rule in enders)
    ):
        line += 1
    state.parentType = outer
    state.push("table_open", "table", 0).map = [start, line]
    state.line = line
    return True


def _make_parser() -> MarkdownIt:
    """A parser of CommonMark with tables and strikethrough, whose rules record where they match."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    parser.inline.ruler2.disable("fragments_join")  # it would merge unused emphasis signs with the surrounding text
    every = ["paragraph", "reference", "blockquote", "list"]
    for name, block_rule, ends in (
        ("table", _read_table, every[:2]),
        ("code", rules_block.code, []),
        ("fence", rules_block.fence, every),
        ("blockquote", rules_block.blockquote, every),
        ("hr", rules_block.hr, every),
        ("list", rules_block.list_block, every[:3]),
        ("reference", rules_block.reference, []),
        ("html_block", rules_block.html_block, every[:3]),
        ("heading", rules_block.heading, every[:3]),
        ("lheading", rules_block.lheading, []),
        ("paragraph", rules_block.paragraph, []),
    ):
        parser.block.ruler.at(name, _note_block(name, block_rule), {"alt": ends})
    for name, inline_rule in (
        ("newline", rules_inline.newline),
        ("escape", rules_inline.escape),
        ("backticks", rules_inline.backtick),
        ("strikethrough", rules_inline.strikethrough.tokenize),
        ("emphasis", rules_inline.emphasis.tokenize),
        ("link", rules_inline.link),
        ("image", rules_inline.image),
        ("autolink", rules_inline.autolink),
        ("html_inline", rules_inline.html_inline),
        ("entity", rules_inline.entity),
    ):
        parser.inline.ruler.at(name, _note_inline(inline_rule))
    return parser


PARSER = _make_parser()
