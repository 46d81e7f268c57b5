"""Prose: the plain text of a paragraph with its markup, and how a compression of it becomes markup again."""

from __future__ import annotations

import marshal
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, groupby, repeat
from typing import NamedTuple

EMPHASIS = frozenset(["*", "_", "**", "__", "~~"])
# Characters that are markup in some contexts and text in others.
SPECIAL = frozenset("*_~`[<&\\")
_SPECIAL = re.compile(f"[{re.escape(''.join(sorted(SPECIAL)))}]")
# Runs of text without markup; exclamation marks and white space affect their neighbours.
_RUN = re.compile(r"[^\s!]+|[\s!]")
# Line beginnings that start a heading, a list, a quote, a fence, a rule or a definition.
BLOCK_START = re.compile(
    r"(?P<number>\d{1,9})?(?(number)[.)](?:\s|$)|(?:#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|`{3}|~{3}|:?-+:?(?:\s*\|.*)?$"
    r"|\|[-:| ]+$|(?P<rule>[-_*=])(?:\s*(?P=rule))*\s*$|\[[ xX]\](?:\s|$)|\[(?:[^\[\]\\]|\\.)+\]:))"
)


class Mark(NamedTuple):
    """Markup around a span of the plain text: emphasis, a link, a pair of HTML tags."""

    start: int
    end: int
    before: str
    after: str
    parent: int  # index of the mark around it; -1: none
    link: bool = False  # no sentence ends inside a link


class Piece(NamedTuple):
    """A printed piece: a unit, a special character, or a run without markup.

    Its source, its offset in the plain text (-1: none) and its mark.
    """

    source: str
    at: int
    mark: int


@dataclass(frozen=True, slots=True)
class Prose:
    """The plain text of a paragraph as a reader sees it, with the data to restore its markup."""

    plain: str
    units: tuple[tuple[int, int], ...] = ()  # spans of the plain text that are kept or deleted as a whole, ascending
    marks: tuple[Mark, ...] = ()
    # The innermost mark around each character of the plain text; empty if there are no marks.
    inner: Sequence[int] = ()
    # Source by first character: of a unit, an escaped character, an entity or a tag that breaks lines.
    sources: Mapping[int, str] = field(default_factory=dict)
    # References and comments with their marks, by the character that they follow; printed if it is kept.
    tails: Mapping[int, tuple[str, int]] = field(default_factory=dict)
    markup: bool = True  # False: plain text without special characters

    @property
    def is_plain(self) -> bool:
        """Whether it has no markup at all."""
        return not (self.units or self.marks or self.sources or self.tails)

    def pack(self) -> bytes:
        """A compact serialisation: a document may have millions."""
        inner = [(mark, sum(1 for _ in run)) for mark, run in groupby(self.inner)]
        marks = [tuple(mark) for mark in self.marks]
        return marshal.dumps((self.plain, self.units, marks, inner, dict(self.sources), dict(self.tails)))

    @classmethod
    def unpack(cls, packed: bytes | memoryview, *, markup: bool) -> Prose:
        """Restore packed prose; any bytes after it are ignored."""
        plain, units, marks, runs, sources, tails = marshal.loads(packed)
        inner = list(chain.from_iterable(repeat(mark, count) for mark, count in runs))
        return cls(plain, units, tuple(map(Mark._make, marks)), inner, sources, tails, markup)

    @property
    def whole(self) -> tuple[tuple[int, int], ...]:
        """Disjoint spans of the plain text, ascending, in which no sentence ends: units and the text of links."""
        joined: list[tuple[int, int]] = []
        for start, end in sorted([*self.units, *((mark.start, mark.end) for mark in self.marks if mark.link)]):
            if joined and start < joined[-1][1]:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((start, end))
        return tuple(joined)

    def complete(self, text: str, spans: Sequence[tuple[int, int]]) -> tuple[str, tuple[tuple[int, int], ...]]:
        """A print and its spans, with all of the units of which it has a part: so they are rendered."""
        starts = [start for start, _ in self.units]
        found: list[tuple[int, int]] = []
        shown: list[str] = []
        at = 0  # in text
        for span in spans:
            start, end = span
            gap = " " if found and text[at : at + 1] == " " and self.plain[start : start + 1] != " " else ""
            at += len(gap)
            own = text[at : at + end - start]
            at += end - start
            first = max(bisect_right(starts, start) - 1, 0)
            for unit in self.units[first : bisect_left(starts, end)]:
                if unit[1] <= start:
                    continue
                if found and unit[0] < found[-1][1]:  # the span before this one has been given all of it
                    gap, own, start = "", own[unit[1] - start :], unit[1]
                elif unit[0] < start:
                    own, start = self.plain[unit[0] : start] + own, unit[0]
                    gap = " " if found and self.plain[start - 1 : start] == " " else gap
                if start < end < unit[1]:
                    own, end = own + self.plain[end : unit[1]], unit[1]
            if start < end:
                shown += gap, own
                found.append((start, end))
        return "".join(shown), tuple(found)

    def render(self, text: str, spans: Sequence[tuple[int, int]], marked: Sequence[int] | None = None) -> str:
        """The markup of one sentence or compression: `text` is printed, `spans` are its offsets in `plain`.

        Marks are opened and closed inside it and follow their text. A sentence that would start a heading, a list or
        another block at the beginning of a paragraph is escaped. `marked` is the result of `marked()`, to be computed
        once if many sentences are rendered.
        """
        if not (self.markup or self.marks or self.tails or self.sources):
            return text
        kept = _Kept(spans)
        pieces = self._pieces(text, spans, self.marked() if marked is None else marked)
        tokens = self._tokens(pieces, kept)
        if not self.markup:
            return "".join(string for string, _, _ in tokens)
        tokens = self._without_broken_emphasis(tokens, kept)
        rendered = "".join(string for string, _, _ in tokens).strip()
        if rendered[:1] == "[" and len(tokens[0][0]) > 1 and BLOCK_START.match(rendered):
            # A link by its text followed by a colon would be a definition, so print only the text.
            rendered = tokens[0][0].removesuffix("[]")[1:-1] + rendered[len(tokens[0][0]) :]
        return escape_start(rendered)

    def marked(self) -> list[int]:
        """The offsets of plain-text characters that have markup, or could be taken for markup, ascending."""
        found = {match.start() for match in _SPECIAL.finditer(self.plain)} if self.markup else set()
        found.update(self.sources, self.tails, (i for i, mark in enumerate(self.inner) if mark >= 0))
        for start, end in self.units:
            found.update(range(start, end))
        return sorted(found)

    def _pieces(self, text: str, spans: Sequence[tuple[int, int]], marked: Sequence[int]) -> list[Piece]:
        """The printed pieces in order; white space belongs to a mark only if the mark continues after it."""
        pieces: list[Piece] = []
        at = 0  # offset in text
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
            done = start
            for i in [*marked[bisect_left(marked, start) : bisect_left(marked, end)], end]:
                pieces += [
                    Piece(run[0], done + run.start(), -1) for run in _RUN.finditer(shown[done - start : i - start])
                ]
                done = i + 1
                if i == end:
                    break
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
        """Move white space out of marks that are not open on both sides of it."""
        if not self.marks:
            return pieces
        placed = list(pieces)
        last = -1  # the mark of the last piece other than white space
        following = 0  # the next piece other than white space; it always exists, as trailing white space is removed
        for i, piece in enumerate(placed):
            if piece.source.isspace():
                following = max(following, i + 1)
                while placed[following].source.isspace():
                    following += 1
                around = self._path(placed[following].mark)
                placed[i] = piece._replace(mark=next((mark for mark in self._path(last)[::-1] if mark in around), -1))
            else:
                last = piece.mark
        return placed

    def _path(self, mark: int) -> list[int]:
        """The marks around a character with the innermost mark `mark`, outermost first."""
        path: list[int] = []
        while mark >= 0:
            path.append(mark)
            mark = self.marks[mark].parent
        return path[::-1]

    def _tokens(self, pieces: list[Piece], kept: _Kept) -> list[tuple[str, int, int]]:
        """The strings to print, each with +1 if it opens the mark, -1 if it closes it, 0 if it is text."""
        tokens: list[tuple[str, int, int]] = []
        path: list[int] = []
        literals = _Literals(self.plain, pieces, kept)

        def close(keep: int) -> None:
            while len(path) > keep:
                tokens.append((self.marks[path[-1]].after, -1, path.pop()))

        for i, piece in enumerate(pieces):
            if piece.mark != (path[-1] if path else -1):
                wanted = self._path(piece.mark)
                same = next((k for k, (a, b) in enumerate(zip(path, wanted, strict=False)) if a != b), None)
                close(min(len(path), len(wanted)) if same is None else same)
                for mark in wanted[len(path) :]:
                    if self.marks[mark].before == "[" and tokens and tokens[-1][0] == "!":
                        tokens[-1] = ("\\!", 0, -1)  # otherwise the link would become an image
                    tokens.append((self.marks[mark].before, 1, mark))
                    path.append(mark)
            string = piece.source
            if string[0] == "[" and piece.at in self.sources and tokens and tokens[-1][0] == "!":
                tokens[-1] = ("\\!", 0, -1)
            literal = self.markup and string in SPECIAL and piece.at >= 0 and piece.at not in self.sources
            if literal and not literals.mean_the_same(i):
                string = "\\" + string
            tokens.append((string, 0, -1))
        close(0)
        return tokens

    def _without_broken_emphasis(self, tokens: list[tuple[str, int, int]], kept: _Kept) -> list[tuple[str, int, int]]:
        """Remove emphasis whose signs would be read as text, or as other emphasis, in their new context."""
        broken: set[int] = set()
        for i, (sign, turn, mark) in enumerate(tokens):
            if not turn or sign not in EMPHASIS or self._is_untouched(self.marks[mark], kept):
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

    def _is_untouched(self, mark: Mark, kept: _Kept) -> bool:
        """Whether the text of a mark and its neighbours are printed as they stand in the source."""
        first = mark.start - (mark.start > 0 and self.plain[mark.start - 1] != " ")
        last = mark.end + (self.plain[mark.end : mark.end + 1] not in ("", " "))
        return kept.covers(first, last)


class _Kept:
    """The spans of the plain text that are printed."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        self._spans = sorted(spans)
        self._starts = [start for start, _ in self._spans]

    def __len__(self) -> int:
        return len(self._spans)

    def around(self, at: int) -> tuple[int, int]:
        """The span that contains a character; if none does, the character itself."""
        number = bisect_right(self._starts, at) - 1
        return self._spans[number] if number >= 0 and at < self._spans[number][1] else (at, at + 1)

    def covers(self, start: int, end: int) -> bool:
        """Whether a single span covers a stretch of text."""
        number = bisect_right(self._starts, start) - 1
        return number >= 0 and end <= self._spans[number][1]

    def after(self, end: int) -> int:
        """The start of the first span that begins at or after `end`; -1: none."""
        number = bisect_left(self._starts, end)
        return self._starts[number] if number < len(self._starts) else -1


class _Literals:
    """Decides whether special characters that are text in the source are still text in their new context.

    Queried in order: all signs of a run have the same answer, so that each run is examined once.
    """

    def __init__(self, plain: str, pieces: Sequence[Piece], kept: _Kept) -> None:
        self._plain = plain
        self._pieces = pieces
        self._kept = kept
        self._run = (-1, -1, False)  # the last run of signs, and whether it keeps its meaning
        self._closing = -1  # the last closing bracket that was searched for

    @cached_property
    def _last_closing(self) -> int:
        return self._plain.rfind("]")

    def mean_the_same(self, i: int) -> bool:
        """Whether the special character of a piece is still text where it is printed."""
        at = self._pieces[i].at
        sign = self._plain[at]
        start, end = self._kept.around(at)
        if sign == "[":
            closing = self._find_closing(at)
            later = self._kept.after(end)
            following = self._plain[later] if later >= 0 else " "
            return closing < 0 or closing + 1 < end or (closing + 1 == end and following not in "([:")
        if sign == "<" and len(self._kept) > 1 and self._plain[at + 1 : at + 2] not in " =":
            return False
        if not self._run[0] <= at < self._run[1]:
            self._run = self._look_at_run(i, at, start, end)
        return self._run[2]

    def _find_closing(self, at: int) -> int:
        if at > self._last_closing:
            return -1
        if self._closing < at:
            self._closing = self._plain.find("]", at)
        return self._closing

    def _look_at_run(self, i: int, at: int, start: int, end: int) -> tuple[int, int, bool]:
        """The run of signs around a character, and whether its neighbours inside the printed text are unchanged."""
        sign = self._plain[at]
        first, last = at, at + 1
        while first > start and self._plain[first - 1] == sign:
            first -= 1
        while last < end and self._plain[last] == sign:
            last += 1
        before = self._plain[first - 1] if first else " "
        after = self._plain[last : last + 1] or " "
        left, right = i - (at - first) - 1, i + (last - at)
        same_before = start < first or (before == " " and (left < 0 or self._pieces[left].source == " "))
        pieces = self._pieces
        ends = right >= len(pieces) or pieces[right].at < 0 or pieces[right].source == " "
        return first, last, same_before and (last < end or (after == " " and ends))


def join_rendered(texts: Iterable[str], marks: Sequence[Mark]) -> str:
    """Sentences side by side; tags around several of them, and the marks around these tags, are opened once."""
    text = " ".join(texts)
    if not any(mark.before[0] == "<" for mark in marks):
        return text
    seams = {seam for mark in marks if mark.before[0] == "<" for seam in _seams(mark, marks)}
    for after, before in sorted(seams, key=lambda seam: -len(seam[0])):
        text = text.replace(f"{after} {before}", " ")
    return text


def _seams(mark: Mark, marks: Sequence[Mark]) -> Iterator[tuple[str, str]]:
    """What closes a mark and what opens it again; the same with the marks around it."""
    around: Mark | None = mark
    after = before = ""
    while around is not None:
        after, before = after + around.after, around.before + before
        yield after, before
        around = None if around.parent < 0 else marks[around.parent]


def escape_start(text: str) -> str:
    """Escape a text that would start a heading, a list or another block."""
    if text[:1].isalpha():  # the usual case
        return text
    start = BLOCK_START.match(text)
    if not start:
        return text
    at = start.end("number") if start["number"] else 0
    return text[:at] + "\\" + text[at:]


def _flanks(outer: str, inner: str, sign: str) -> bool:
    """Whether emphasis can open or close between a character outside and one inside it (CommonMark 6.2)."""
    if inner.isspace():
        return False
    if _is_punctuation(inner):
        return outer.isspace() or _is_punctuation(outer)
    return sign[0] != "_" or outer.isspace() or _is_punctuation(outer)


def _is_punctuation(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS"
