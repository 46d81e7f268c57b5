"""What counts in documents: sentences, rows of tables, and blocks that are neither."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from typing import TYPE_CHECKING, NamedTuple

from laconic.document.terms import unparsed_terms

if TYPE_CHECKING:
    from laconic.document.blocks import Blocks
    from laconic.document.parts import Known, Parts


class Counted(NamedTuple):
    """What counts: a sentence, a row of a table, or a block that is none of these."""

    sentence: Known | None
    text: str
    document: int
    block: int  # its paragraph
    place: int  # in its paragraph
    group: int  # the outermost list or quote around it; -1: there is none
    level: int = 0  # of a heading

    @property
    def terms(self) -> Sequence[str]:
        """Its terms, those of a sentence as it was parsed."""
        return self.sentence.terms if self.sentence is not None else unparsed_terms(self.text)


class AllCounted:
    """All that counts in some documents, in order; there may be millions, so that they are made anew for each pass."""

    def __init__(self, documents: Sequence[tuple[Parts, Blocks]]) -> None:
        self._documents = documents

    def __iter__(self) -> Iterator[Counted]:
        return chain.from_iterable(_find_counted(number, *each) for number, each in enumerate(self._documents))

    def sentences(self) -> Iterator[Known]:
        """Those that are sentences."""
        for parts, _ in self._documents:
            yield from chain.from_iterable(parts.known(i) for i, count in enumerate(parts.sentence_count) if count)

    def sentence_numbers(self) -> array[int]:
        """The numbers of the sentences among all that counts."""
        found, first = array("q"), 0
        for parts, blocks in self._documents:
            for sentences, count in zip(parts.sentence_count, _counts(parts, blocks), strict=True):
                found.extend(range(first, first + sentences))
                first += count
        return found

    def ends(self) -> list[array[int]]:
        """Document by document and part by part: how much there is in the document up to there."""
        return [array("q", accumulate(_counts(*each))) for each in self._documents]


def _counts(parts: Parts, blocks: Blocks) -> Iterator[int]:
    """How much counts in each part."""
    for number, count in zip(parts.block, parts.sentence_count, strict=True):
        yield count or (blocks.row_count(number) if blocks.has_rows[number] else 1)


def _find_counted(document: int, parts: Parts, blocks: Blocks) -> Iterator[Counted]:
    """What counts in a document."""
    last, place = -1, 0
    for i, number in enumerate(parts.block):
        group = blocks.group(number)
        place = place if number == last else 0
        last = number
        if parts.sentence_count[i]:
            for known in parts.known(i):
                yield Counted(known, known.text, document, number, place, group)
                place += 1
        elif blocks.has_rows[number]:
            for row in blocks[number].rows:
                yield Counted(None, row, document, number, 0, group)
        else:
            yield Counted(None, blocks.source(number), document, number, 0, group, blocks.heading[number])
