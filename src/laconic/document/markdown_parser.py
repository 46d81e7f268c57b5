"""The parser of Markdown: markdown-it, whose rules are made to note where in the source they matched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from markdown_it import MarkdownIt, rules_block, rules_inline
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token


class NotingState(StateInline):
    """The state of markdown-it's inline parser, which notes where tokens are made."""

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """A new token, with its place in the source."""
        token = super().push(ttype, tag, nesting)
        token.meta["at"] = self.pos
        return token


def _note_block(
    name: str, rule: Callable[[StateBlock, int, int, bool], bool]
) -> Callable[[StateBlock, int, int, bool], bool]:
    """A block rule of markdown-it that notes where its block starts, and how far it is indented."""

    def noting(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        at = state.bMarks[start] + state.tShift[start]
        indent = state.sCount[start] - state.blkIndent
        count = len(state.tokens)
        if not rule(state, start, end, silent):
            return False
        if not silent:
            if name == "reference":  # markdown-it has no token for it
                state.push("definition", "", 0).map = [start, state.line]
            state.tokens[count].meta.update(at=at, indent=indent)
        return True

    return noting


def _note_inline(rule: Callable[[StateInline, bool], bool]) -> Callable[[StateInline, bool], bool]:
    """An inline rule of markdown-it that notes where its tokens start and end."""

    def noting(state: StateInline, silent: bool) -> bool:
        at = state.pos
        count = len(state.tokens)
        if not rule(state, silent):
            return False
        for token in state.tokens[count:] if not silent else []:
            if "at" in token.meta and "end" not in token.meta:
                if token.type == "text":  # signs of emphasis, one token each
                    token.meta["at"] = at
                    at += len(token.content)
                token.meta["end"] = at if token.type == "text" else state.pos
        return True

    return noting


def _read_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """The rule of tables, without tokens for their cells: these take much more memory than the table."""
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
    """The parser of CommonMark with tables and strikethrough, whose rules note where they match."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.inline.ruler2.disable("fragments_join")  # it would join signs that are text with the text around them
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
