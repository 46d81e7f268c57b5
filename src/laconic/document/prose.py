"""Prose: a paragraph as a reader sees it, and how what is kept of a sentence becomes the document's markup again."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

EMPHASIS = frozenset(["*", "_", "**", "__", "~~"])
# Characters that are markup in some surroundings and text in others.
SPECIAL = frozenset("*_~`[<&\\")
_SPECIAL = re.compile(f"[{re.escape(''.join(sorted(SPECIAL)))}]")
# What a line may not start with unless it starts a heading, a list, a quote, a fence, a rule or a definition.
BLOCK_START = re.compile(
    r"(?P<number>\d{1,9})?(?(number)[.)](?:\s|$)|(?:#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|`{3}|~{3}|:?-+:?(?:\s*\|.*)?$"
    r"|\|[-:| ]+$|(?P<rule>[-_*=])(?:\s*(?P=rule))*\s*$|\[[ xX]\](?:\s|$)|\[(?:[^\[\]\\]|\\.)+\]:))"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """Markup around a part of the plain text: emphasis, a link, a pair of HTML tags."""

    start: int
    end: int
    before: str
    after: str
    after_cut: str  # printed after it where some of its text is missing: a link by its text must then name its label
    parent: int  # number of the mark around it, -1: none


class Piece(NamedTuple):
    """A character or unit that is printed: its source, its place in the plain text (-1: none) and its mark."""

    source: str
    at: int
    mark: int


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph as a reader sees it, and the way back to its markup."""

    plain: str
    units: tuple[tuple[int, int], ...] = ()  # spans of the plain text that are kept whole or dropped whole, ascending
    marks: tuple[Mark, ...] = ()
    # The innermost mark around each character of the plain text; empty where there are no marks at all.
    inner: Sequence[int] = ()
    # What is printed for a unit (at its first character), an escaped character, an entity or a tag that breaks lines.
    sources: Mapping[int, str] = field(default_factory=dict)
    # Footnote references and comments: printed, inside a mark, after the character they stand behind, if it is kept.
    tails: Mapping[int, tuple[str, int]] = field(default_factory=dict)
    markup: bool = True  # False: plain text, in which no character is special

    def render(self, text: str, spans: Sequence[tuple[int, int]]) -> str:
        """The markup of one sentence or compression: `text` is printed, and `spans` say where it stands in `plain`.

        Marks are opened and closed inside it and go with their text. A sentence that would start a heading, a list
        or another block, if it came first in its paragraph, is escaped.
        """
        if not self.markup:
            return text
        pieces = self._pieces(text, spans)
        tokens = self._without_broken_emphasis(self._tokens(pieces, spans), spans)
        rendered = "".join(string for string, _, _ in tokens).strip()
        start = BLOCK_START.match(rendered)
        if start and tokens[0][1] and rendered[0] == "[":  # a link by its text, and a colon: a definition
            own = tokens[0][2]
            named = [(self.marks[own].after_cut if (turn, m) == (-1, own) else s) for s, turn, m in tokens]
            rendered = "".join(named).strip()
        elif start:
            rendered = escape_start(rendered)
        return rendered

    def marked(self) -> list[int]:
        """The characters of the plain text around which there is markup, or that could be some, ascending."""
        found = {match.start() for match in _SPECIAL.finditer(self.plain)} if self.markup else set()
        found.update(self.sources, self.tails, (i for i, mark in enumerate(self.inner) if mark >= 0))
        for start, end in self.units:
            found.update(range(start, end))
        return sorted(found)

    def _pieces(self, text: str, spans: Sequence[tuple[int, int]]) -> list[Piece]:
        """What is printed, in order; white space is outside of every mark that does not go on behind it."""
        pieces: list[Piece] = []
        at = 0  # in text
        unit = -1
        starts = [start for start, _ in self.units]
        for start, end in spans:
            if pieces and text[at : at + 1] == " " and self.plain[start : start + 1] != " ":
                pieces.append(Piece(" ", -1, -1))
                at += 1
            shown = text[at : at + end - start]
            kept = self.plain[start:end]
            if shown != kept and shown.casefold() != kept.casefold() and shown.upper() != kept.upper():
                raise ValueError(
                    f"the spans do not spell the text {text!r}: {kept!r} is not {shown!r}; use its own spans"
                )
            at += end - start
            for i in range(start, end):
                number = bisect_right(starts, i) - 1
                if number >= 0 and i < self.units[number][1]:
                    if number != unit:
                        first, last = self.units[number]
                        pieces.append(Piece(self.sources[first], first, self._mark(first)))
                        unit = number
                        self._add_tail(pieces, last - 1)
                    continue
                pieces.append(Piece(self.sources.get(i, shown[i - start]), i, self._mark(i)))
                self._add_tail(pieces, i)
        while pieces and not pieces[-1].source.strip():
            pieces.pop()
        return self._outside_spaces(pieces)

    def _mark(self, at: int) -> int:
        return self.inner[at] if self.inner else -1

    def _add_tail(self, pieces: list[Piece], at: int) -> None:
        if at in self.tails:
            source, mark = self.tails[at]
            pieces.append(Piece(source, -1, mark))

    def _outside_spaces(self, pieces: list[Piece]) -> list[Piece]:
        """The pieces, where white space is in those marks that are open on both sides of it."""
        if not self.marks:
            return pieces
        placed = list(pieces)
        last = -1  # the mark of the last piece that is no white space
        for i, piece in enumerate(placed):
            if piece.source.isspace():
                following = i + 1
                while placed[following].source.isspace():  # there is always one: white space at the end is gone
                    following += 1
                around = self._path(placed[following].mark)
                placed[i] = piece._replace(mark=next((mark for mark in self._path(last)[::-1] if mark in around), -1))
            else:
                last = piece.mark
        return placed

    def _path(self, mark: int) -> list[int]:
        """The marks around a character in the innermost mark `mark`, the outermost first."""
        path: list[int] = []
        while mark >= 0:
            path.append(mark)
            mark = self.marks[mark].parent
        return path[::-1]

    def _tokens(self, pieces: list[Piece], spans: Sequence[tuple[int, int]]) -> list[tuple[str, int, int]]:
        """The strings to print: each with +1 if it opens the mark, -1 if it closes it, 0 if it is text."""
        tokens: list[tuple[str, int, int]] = []
        path: list[int] = []

        def close(keep: int) -> None:
            while len(path) > keep:
                mark = self.marks[path[-1]]
                whole = any(start <= mark.start and mark.end <= end for start, end in spans)
                tokens.append((mark.after if whole else mark.after_cut, -1, path.pop()))

        for i, piece in enumerate(pieces):
            if piece.mark != (path[-1] if path else -1):
                wanted = self._path(piece.mark)
                same = next((k for k, (a, b) in enumerate(zip(path, wanted, strict=False)) if a != b), None)
                close(min(len(path), len(wanted)) if same is None else same)
                for mark in wanted[len(path) :]:
                    if self.marks[mark].before == "[" and tokens and tokens[-1][0] == "!":
                        tokens[-1] = ("\\!", 0, -1)  # or the link would become an image
                    tokens.append((self.marks[mark].before, 1, mark))
                    path.append(mark)
            string = piece.source
            literal = string in SPECIAL and piece.at >= 0 and piece.at not in self.sources
            if literal and not self._means_the_same(pieces, i, spans):
                string = "\\" + string
            tokens.append((string, 0, -1))
        close(0)
        return tokens

    def _without_broken_emphasis(
        self, tokens: list[tuple[str, int, int]], spans: Sequence[tuple[int, int]]
    ) -> list[tuple[str, int, int]]:
        """The strings without emphasis whose signs would be read as text or as other emphasis where they now stand."""
        broken: set[int] = set()
        for i, (sign, turn, mark) in enumerate(tokens):
            if not turn or sign not in EMPHASIS or self._is_untouched(self.marks[mark], spans):
                continue
            before, after = i - 1, i + 1
            while before >= 0 and tokens[before][1] == turn and tokens[before][0][-1] == sign[0]:
                before -= 1
            while after < len(tokens) and tokens[after][1] == turn and tokens[after][0][0] == sign[0]:
                after += 1
            chars = (tokens[before][0][-1] if before >= 0 else " ", tokens[after][0][0] if after < len(tokens) else " ")
            outer, inner = chars if turn > 0 else chars[::-1]
            if sign[0] in (outer, inner) or not _flanks(outer, inner, sign):
                broken.add(mark)
        return [token for token in tokens if token[2] not in broken or token[0] not in EMPHASIS]

    def _is_untouched(self, mark: Mark, spans: Sequence[tuple[int, int]]) -> bool:
        """Whether the text of a mark, and what it touches, is printed as it stands in the source."""
        first = mark.start - (mark.start > 0 and self.plain[mark.start - 1] != " ")
        last = mark.end + (self.plain[mark.end : mark.end + 1] not in ("", " "))
        return any(start <= first and last <= end for start, end in spans)

    def _means_the_same(self, pieces: list[Piece], i: int, spans: Sequence[tuple[int, int]]) -> bool:
        """Whether a special character that is text in the source is also text between what is left around it."""
        at = pieces[i].at
        sign = self.plain[at]
        start, end = next(((start, end) for start, end in spans if start <= at < end), (at, at + 1))
        if sign == "[":
            closing = self.plain.find("]", at)
            following = next((self.plain[later] for later, _ in spans if later >= end), " ")
            return closing < 0 or closing + 1 < end or (closing + 1 == end and following not in "([:")
        if sign == "<" and len(spans) > 1 and self.plain[at + 1 : at + 2] not in " =":
            return False
        first, last = at, at + 1  # of the run of signs, whose neighbours must be what they were
        while first > start and self.plain[first - 1] == sign:
            first -= 1
        while last < end and self.plain[last] == sign:
            last += 1
        before = self.plain[first - 1] if first else " "
        after = self.plain[last : last + 1] or " "
        left, right = i - (at - first) - 1, i + (last - at)
        same_before = start < first or (before == " " and (left < 0 or pieces[left].source == " "))
        ends = right >= len(pieces) or pieces[right].at < 0 or pieces[right].source == " "
        return same_before and (last < end or (after == " " and ends))


def escape_start(text: str) -> str:
    """A text that does not start a heading, a list or another block."""
    start = BLOCK_START.match(text)
    if not start:
        return text
    at = start.end("number") if start["number"] else 0
    return text[:at] + "\\" + text[at:]


def _flanks(outer: str, inner: str, sign: str) -> bool:
    """Whether emphasis can open or close between a character outside and one inside of it (CommonMark 6.2)."""
    if inner.isspace():
        return False
    if _is_punctuation(inner):
        return outer.isspace() or _is_punctuation(outer)
    return sign[0] != "_" or outer.isspace() or _is_punctuation(outer)


def _is_punctuation(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS"
