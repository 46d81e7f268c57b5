"""Inline Markdown: the text of a paragraph with links, emphasis, code and tags becomes prose.

In plain text, only pairs of HTML tags, comments and references are special.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from markdown_it.token import Token

from laconic.document.markdown_parser import PARSER, NotingState
from laconic.document.prose import Mark, Prose
from laconic.parse.tags import PAIRED_TAGS

#: A reference to a footnote; also the beginning of its definition.
FOOTNOTE = re.compile(r"\[\^[^\[\]\s]+\]")
FOOTNOTE_DEFINITION = re.compile(FOOTNOTE.pattern + ":")
# Citations, including groups of several: "[1]", "[17], [18]", "[2–4, 7]". They stay with the word before them.
CITATION = re.compile(r"\[(?:\d{1,4}(?:(?:, ?|[–-])\d{1,4}){0,20}|note \d{1,3}|citation needed)\]")
REFERENCE = re.compile(rf"{FOOTNOTE.pattern}|{CITATION.pattern}(?:(?:, ?| ?[–-] ?| )?{CITATION.pattern})*")
ADDRESS = re.compile(r"(?<![^\W_])(?:https?://|ftp://|www\.)[^\s<>]*[^\s<>.,:;!?'\")\]…’”»]")
SPACE = re.compile(r"\s+")
HTML_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)")
# Tags, comments and references in plain text.
IN_TEXT = re.compile(rf"</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?>|<!--(?:[^-]|-(?!->)){{0,1000}}-->|{REFERENCE.pattern}")
# Signs of inline markup; a text without any, in one line, is plain.
_MARKUP = re.compile(r"[\n\\`*_~\[<&]")
# The maximum nesting of tags or signs; deeper nesting is not written by people.
DEEPEST = 20
_NONE: Mapping[int, Any] = {}  # shared by all paragraphs without any, to save memory


def read_text(content: str) -> Prose:
    """The prose of a plain-text paragraph, with its tags and references; unpaired tags are treated as text."""
    return _Paragraph(content).read_text(IN_TEXT) or _Paragraph(content).read_text(REFERENCE) or Prose("", markup=False)


def read_inline(content: str, env: dict[str, Any]) -> list[tuple[int, int, Prose | None]] | None:
    """The parts of a paragraph between hard line breaks, as offsets and prose; None: it cannot be read reliably."""
    if not _MARKUP.search(content):
        return _Paragraph(content).read(())
    state = NotingState(content, PARSER, env, [])
    PARSER.inline.tokenize(state)
    for rule in PARSER.inline.ruler2.getRules(""):
        rule(state)
    return _Paragraph(content).read(state.tokens)


@dataclass(slots=True)
class _Draft:
    """A mark that is being read: open, or already closed."""

    kind: str
    start: int
    before: str
    parent: int
    depth: int
    at: int  # the start of a link's text in the content
    end: int = -1
    after: str = ""


class _Paragraph:
    """Reads the inline tokens of a paragraph into prose."""

    def __init__(self, content: str) -> None:
        self.content = content
        self.parts: list[tuple[int, int, Prose | None]] = []
        self.begin = 0  # start of the part that is being read
        self.cursor = 0  # everything before it has been read
        self.behind = 0  # skip tokens before it: they are inside an element that has been read
        self.signs: set[str] = set()  # signs of emphasis in use
        self.loose: set[str] = set()  # signs that are text here but could form emphasis if words are deleted
        self._clear()

    def _clear(self) -> None:
        self.plain: list[str] = []
        self.inner: list[int] = []
        self.units: list[tuple[int, int]] = []
        self.sources: dict[int, str] = {}
        self.tails: dict[int, tuple[str, int]] = {}
        self.drafts: list[_Draft] = []
        self.mark = -1  # the innermost open mark

    def read(self, tokens: Sequence[Token]) -> list[tuple[int, int, Prose | None]] | None:
        """The parts between hard line breaks, as offsets into the content and prose; None: not read reliably."""
        for token in tokens:
            at = token.meta.get("at", -1)
            is_text = token.type == "text" and token.content
            if is_text and at >= 0 and not self._is_harmless(token.content[0], at):
                self.loose.add(token.content[0])
            if at < self.behind or is_text or (token.type == "text_special" and token.content == token.markup):
                continue
            start = at - 1 if token.type == "link_open" and token.markup != "autolink" else at
            if start < self.cursor or not self._add_text(self.content[self.cursor : start]):
                return None
            self.cursor = token.meta["end"]
            if not (self._take_mark(token, at) if token.nesting else self._take(token, at)):
                return None
        if not self._add_text(self.content[self.cursor :]) or self.mark >= 0 or self.loose & self.signs:
            return None
        return [*self.parts, (self.begin, len(self.content), self._finish())]

    def read_text(self, special: re.Pattern[str]) -> Prose | None:
        """The prose of plain text whose special parts match a pattern; None: it cannot be read reliably."""
        at = 0
        for found in special.finditer(self.content):
            self._add_characters(self.content[at : found.start()])
            at = found.end()
            if found[0][0] == "<" and not self._add_tag(" ".join(found[0].split())):
                return None
            if found[0][0] == "[":
                self._add_reference(" ".join(found[0].split()))
        self._add_characters(self.content[at:])
        plain = self._join()
        if self.mark >= 0 or not plain:
            return None
        marks = self._marks(len(plain))
        return Prose(plain, (), marks, self.inner if marks else (), self.sources, self.tails, markup=False)

    def _is_harmless(self, sign: str, at: int) -> bool:
        """Whether an emphasis sign is surrounded by spaces, as in 2 * 3, or is an underscore inside a word."""
        before = self.content[max(0, at - 100) : at].rstrip(sign)[-1:]
        after = self.content[at : at + 100].lstrip(sign)[:1]
        alone = not before.strip() and not after.strip()
        return alone or (sign == "_" and before.isalnum() and after.isalnum())

    def _take(self, token: Token, at: int) -> bool:
        """Read a token other than a mark; False: it cannot be read reliably."""
        source = self.content[at : self.cursor].replace("\n", " ")
        match token.type:
            case "text":  # the second sign of strong emphasis
                read = True
            case "softbreak":
                read = self._add_text(" ")
            case "hardbreak":
                read = self.mark < 0
                end = at - len(self.content[self.begin : at]) + len(self.content[self.begin : at].rstrip(" \t"))
                self.parts.append((self.begin, end, self._finish()))
                self.begin = self.cursor
                self._clear()
            case "text_special":
                read = self._add_special(token.content, source)
            case "code_inline":
                read = self._add_unit(token.content, source)
            case "image":
                words = (" " if child.type == "softbreak" else child.content for child in token.children or [])
                read = self._add_unit("".join(words), source)
            case "html_inline":
                read = self._add_tag(source)
            case _:
                read = False
        return read

    def _take_mark(self, token: Token, at: int) -> bool:
        """Read a token that opens or closes a mark; False: it cannot be read reliably."""
        end = self.cursor
        source = self.content[at:end].replace("\n", " ")
        if token.markup == "autolink":
            self.behind = end
            read = self._add_unit(source[1:-1], source)
        elif token.type == "link_open" and self.content.startswith("^", at):
            self.behind = end  # the parser takes a footnote whose text is one word for a link
            note = self.content[at - 1 : end]
            read = FOOTNOTE.fullmatch(note) is not None and self._add_tail(note)
        elif token.type == "link_open":
            self.cursor = at
            read = self._open("a", "[", at)
        elif token.type == "link_close":
            read = self._close_label(at, source) if source in ("]", "][]") else self._close("a", source)
        elif token.nesting > 0:
            self.signs.add(token.markup[0])
            # Nested emphasis of the same kind could be paired differently once words are deleted.
            outer = self.mark
            while outer >= 0 and self.drafts[outer].kind != token.tag:
                outer = self.drafts[outer].parent
            read = outer < 0 and self._open(token.tag, token.markup)
        else:
            read = self._close(token.tag, token.markup)
        return read

    def _add_text(self, text: str) -> bool:
        at = 0
        for note in REFERENCE.finditer(text):
            self._add_characters(text[at : note.start()])
            if not self.plain and note[0][1] == "^":
                return False
            self._add_reference(note[0])
            at = note.end()
        self._add_characters(text[at:])
        return True

    def _add_reference(self, source: str) -> None:
        """Attach a reference to a note or source to the word before it; without one, it is text."""
        if self.plain:
            self._add_tail(source)
        else:
            self._add_characters(source)

    def _add_characters(self, text: str) -> None:
        text = SPACE.sub(" ", text)
        if text.startswith(" ") and (not self.plain or self.plain[-1] == " "):
            text = text[1:]
            if len(self.plain) - 1 in self.sources:  # after a tag that breaks the line, or a similar special
                self.sources[len(self.plain) - 1] = self.sources[len(self.plain) - 1].rstrip() + " "
        self.plain += text
        self.inner += [self.mark] * len(text)

    def _add_tail(self, source: str) -> bool:
        if self.plain and self.plain[-1] == " " and len(self.plain) - 1 not in self.sources:
            self.plain.pop()
            self.inner.pop()
            source = " " + source
        at = len(self.plain) - 1
        earlier = self.tails[at][0] if at in self.tails else ""
        self.tails[at] = (earlier + source, self.mark)
        return at >= 0

    def _add_special(self, shown: str, source: str) -> bool:
        """Add an escaped character, an entity or a tag that breaks a line."""
        if len(shown) != 1:
            return False
        if shown.isspace():
            if not self.plain:
                return False
            if self.plain[-1] == " ":
                self.plain.pop()
                self.inner.pop()
                source = self.sources.pop(len(self.plain), " ") + source
            shown = " "
        self.sources[len(self.plain)] = source
        self.plain.append(shown)
        self.inner.append(self.mark)
        return True

    def _add_unit(self, shown: str, source: str) -> bool:
        """Add a unit, which is kept or deleted as a whole; if it has no text to show, its source is shown."""
        characters = " ".join(shown.split()) or " ".join(source.split())
        start = len(self.plain)
        self.sources[start] = source
        self.plain += characters
        self.inner += [self.mark] * len(characters)
        self.units.append((start, len(self.plain)))
        return True

    def _add_tag(self, source: str) -> bool:
        tag = HTML_TAG.match(source)
        if source.startswith("<!--"):
            return self._add_tail(source)
        if tag is None or (name := tag[2].lower()) not in PAIRED_TAGS or source.endswith("/>"):
            return tag is not None and tag[2].lower() == "br" and self._add_special(" ", source)
        return self._close("<" + name, source) if tag[1] else self._open("<" + name, source)

    def _open(self, kind: str, before: str, at: int = -1) -> bool:
        depth = self.drafts[self.mark].depth + 1 if self.mark >= 0 else 0
        self.drafts.append(_Draft(kind, len(self.plain), before, self.mark, depth, at))
        self.mark = len(self.drafts) - 1
        return depth < DEEPEST

    def _close(self, kind: str, after: str) -> bool:
        if self.mark < 0 or self.drafts[self.mark].kind != kind:
            return False
        draft = self.drafts[self.mark]
        draft.end, draft.after = len(self.plain), after
        self.mark = draft.parent
        return bool("".join(self.plain[draft.start : draft.end]).strip())

    def _close_label(self, at: int, after: str) -> bool:
        """Read a link whose text is its label as a unit: shortening its text would break the reference."""
        number = self.mark
        if not self._close("a", after):
            return False
        draft = self.drafts[number]
        start, end = draft.start, draft.end
        del self.drafts[number:]  # the marks inside it
        self.inner[start:end] = [self.mark] * (end - start)
        self.units = [unit for unit in self.units if unit[1] <= start] + [(start, end)]
        self.sources = {i: source for i, source in self.sources.items() if i < start}
        self.sources[start] = "[" + self.content[draft.at : at].replace("\n", " ") + after
        self.tails = {i: tail for i, tail in self.tails.items() if i < start}
        return True

    def _finish(self) -> Prose | None:
        """The prose read so far; None if it has no text outside of units."""
        plain = self._join()
        taken = {i for start, end in self.units for i in range(start, end)} | {i + 1 for i in self.tails}
        for address in ADDRESS.finditer(plain):
            start, end = address.span()
            unclosed = plain.count("(", start, end) - plain.count(")", start, end)
            while unclosed > 0 and plain[end : end + 1] == ")":
                end += 1  # part of the address, as in https://example.org/a_(b)
                unclosed -= 1
            inside = range(start, end)
            if len(set(self.inner[inside.start : inside.stop])) == 1 and taken.isdisjoint(inside):
                self.sources[inside.start] = "".join(self.sources.get(i, plain[i]) for i in inside)
                self.units.append((start, end))
        units = tuple(sorted(self.units))
        rest = "".join(plain[end:start] for (_, end), (start, _) in pairwise([(0, 0), *units, (len(plain), 0)]))
        if not any(char.isalnum() for char in rest):
            return None
        marks = self._marks(len(plain))
        return Prose(plain, units, marks, self.inner if marks else (), self.sources or _NONE, self.tails or _NONE)

    def _join(self) -> str:
        while self.plain and self.plain[-1] == " ":
            self.plain.pop()
            self.inner.pop()
        return "".join(self.plain)

    def _marks(self, end: int) -> tuple[Mark, ...]:
        return tuple(
            Mark(
                draft.start,
                min(draft.end, end),
                draft.before,
                draft.after,
                draft.parent,
                link=draft.kind in ("a", "<a"),
            )
            for draft in self.drafts
        )
