"""Locate what is kept of a document: character offsets into the text as given."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from laconic.document.blocks import Blocks
    from laconic.document.document import Document
    from laconic.document.prose import Prose
    from laconic.document.report import Report

_LINE_END: Final = re.compile(r"\r\n")


class Kept(NamedTuple):
    """The printed text of a sentence or other item, and its offsets in the document."""

    text: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Places:
    """The locations of everything that is kept, in order; offsets are computed on request."""

    document: Document
    report: Report

    def find(self) -> Iterator[Kept]:
        """The kept items with their offsets."""
        offsets = Offsets(self.document)
        number, source, of_plain = -1, "", [(0, 0)]
        at = 0  # offset in the block's source, after the last match
        for block, _, printed, _, packed in self.report:
            if printed is None:
                continue
            if block != number:
                number, at = block, 0
                source, of_plain = self.document.blocks.source(block), offsets.of_plain(block)
            if packed is None:
                found = max(source.find(printed.strip(), at), 0)
                at = found + len(printed.strip())
                yield Kept(printed, (offsets.of_source(block, found, at),))
            else:
                yield Kept(printed, tuple((of_plain[a][0], of_plain[b - 1][1]) for a, b in unpack(packed)))


class Offsets:
    """Maps offsets in blocks to offsets in the document as given."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._head = len(document.head)
        body = document.text[self._head :]
        self._shifts = array("q", (match.start() - number for number, match in enumerate(_LINE_END.finditer(body))))
        lines = body.replace("\r\n", "\n").replace("\r", "\n")
        self._starts = _block_starts(lines, document.blocks)

    def of_source(self, block: int, start: int, end: int) -> tuple[int, int]:
        """The offsets of a part of a block's source."""
        first = self._starts[block]
        return self._given(first + start), self._given(first + end)

    def of_plain(self, block: int) -> list[tuple[int, int]]:
        """The source span of every character of a block's plain text; empty for a block without prose."""
        prose, source = self._document.blocks.prose(block), self._document.blocks.source(block)
        return [] if prose is None else [self.of_source(block, *span) for span in align(prose, source)]

    def _given(self, offset: int) -> int:
        """Convert an offset into the normalised lines to one into the document as given."""
        return self._head + offset + bisect_right(self._shifts, offset - 1)


def pack(spans: Sequence[tuple[int, int]]) -> bytes:
    """Pack spans compactly: a document has many."""
    return array("i", [offset for span in spans for offset in span]).tobytes()


def unpack(packed: bytes) -> list[tuple[int, int]]:
    """The spans that were packed."""
    offsets = array("i", packed)
    return list(zip(offsets[::2], offsets[1::2], strict=True))


def _block_starts(text: str, blocks: Blocks) -> array[int]:
    starts, at = array("q"), 0
    for source in map(blocks.source, range(len(blocks))):
        at = text.index(source, at)
        starts.append(at)
        at += len(source)
    return starts


def align(prose: Prose, source: str) -> list[tuple[int, int]]:
    """The span in a block's source of every character of its plain text.

    Markup is skipped where it stands: opening signs before a character, closing signs after one. The first and the last
    character of a unit map to the unit's ends, those between them to places inside it.
    """
    opens: dict[int, list[str]] = {}
    closes: dict[int, list[str]] = {}
    for mark in prose.marks:  # outer marks before inner ones
        opens.setdefault(mark.start, []).append(mark.before)
        closes.setdefault(mark.end, []).insert(0, mark.after)
    for place, (tail, _) in prose.tails.items():
        closes.setdefault(place + 1, []).insert(0, tail)
    units = dict(prose.units)
    spans: list[tuple[int, int]] = []
    at = 0
    while len(spans) < len(prose.plain):
        i = len(spans)
        for sign in (*closes.get(i, ()), *opens.get(i, ())):
            _, at = _find(sign, source, at)
        start, at = _find(prose.sources.get(i, prose.plain[i]), source, at)
        before_last = units.get(i, i + 1) - i - 1
        spans += [(min(start + k, at), min(start + k + 1, at)) for k in range(before_last)]
        spans.append((max(at - 1, start) if before_last else start, at))
    return spans


def _find(shown: str, source: str, at: int) -> tuple[int, int]:
    """Find text in a source, from an offset on; a space in the text may be a line end in the source."""
    if shown.isspace() or len(shown.split()) > 1:
        found = re.compile(r"[\s>]+".join(map(re.escape, shown.split())) or r"\s").search(source, at)
        return found.span() if found else (at, at)
    start = source.find(shown.strip(), at)
    return (start, start + len(shown.strip())) if start >= 0 else (at, at)


def merge(kept: Sequence[Kept]) -> tuple[tuple[int, int], ...]:
    """The spans of everything that is kept; adjacent ones are merged."""
    spans = sorted(span for each in kept for span in each.spans)
    cuts = [i for i, ((_, end), (start, _)) in enumerate(pairwise(spans), 1) if start > end]
    groups = [spans[a:b] for a, b in pairwise([0, *cuts, len(spans)])]
    return tuple((group[0][0], max(end for _, end in group)) for group in groups if group)
