"""The weighted items of documents: sentences, table rows, and other blocks."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Final, NamedTuple

from laconic.document.terms import unparsed_terms

if TYPE_CHECKING:
    from laconic.document.blocks import Blocks
    from laconic.document.parts import Known, Parts


class Counted(NamedTuple):
    """An item with a weight of its own: a sentence, a table row, or a block that is neither."""

    sentence: Known | None
    text: str
    document: int
    block: int  # the paragraph's number
    place: int  # its position in the paragraph
    group: int  # the outermost list or quote around it; -1: none
    level: int = 0  # of a heading; 0: none

    @property
    def terms(self) -> Sequence[str]:
        """Its terms; those of a sentence come from its parse."""
        return self.sentence.terms if self.sentence is not None else unparsed_terms(self.text)


#: The maximum number of parts of which the items are kept; those of more are generated anew for each pass.
_KEPT: Final = 64


class AllCounted:
    """All items of some documents, in order; there may be millions."""

    def __init__(self, documents: Sequence[tuple[Parts, Blocks]]) -> None:
        self._documents = documents
        is_small = sum(len(parts) for parts, _ in documents) <= _KEPT
        self._items = list(self._generate()) if is_small else None

    def __iter__(self) -> Iterator[Counted]:
        return self._generate() if self._items is None else iter(self._items)

    def _generate(self) -> Iterator[Counted]:
        return chain.from_iterable(_find_counted(number, *each) for number, each in enumerate(self._documents))

    def sentences(self) -> Iterator[Known]:
        """The items that are sentences."""
        return (item.sentence for item in self if item.sentence is not None)

    def sentence_numbers(self) -> array[int]:
        """The indices of the sentences among all items."""
        found, first = array("q"), 0
        for parts, blocks in self._documents:
            for sentences, count in zip(parts.sentence_count, _counts(parts, blocks), strict=True):
                found.extend(range(first, first + sentences))
                first += count
        return found

    def ends(self) -> list[array[int]]:
        """For each document, the cumulative number of items up to the end of each part."""
        return [array("q", accumulate(_counts(*each))) for each in self._documents]


def _counts(parts: Parts, blocks: Blocks) -> Iterator[int]:
    """The number of items in each part."""
    for number, count in zip(parts.block, parts.sentence_count, strict=True):
        yield count or (blocks.row_count(number) if blocks.has_rows[number] else 1)


def _find_counted(document: int, parts: Parts, blocks: Blocks) -> Iterator[Counted]:
    """The items of a document."""
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
