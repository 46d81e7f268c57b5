"""The parts of a document: blocks, or groups of sentences of a long block, each with the ways to print it."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic._core import Ways
from laconic.document.blocks import Block, Blocks
from laconic.document.candidates import Candidate, SentenceCandidates
from laconic.document.choose import Offers
from laconic.document.combine import Choices, PartColumns
from laconic.document.definitions import Definitions
from laconic.document.document import Document
from laconic.document.likely import LIKELY
from laconic.document.packs import Packs
from laconic.document.worth import ALONE
from laconic.limits import Budget

#: Values are fixed-point numbers, so that sums do not depend on the order.
_SCALE: Final = 1000


class Rows(NamedTuple):
    """By row of a table: whether it must be kept, and whether it must be deleted; empty if no row must be."""

    staying: bytes
    going: bytes


_NO_ROWS: Final = Rows(b"", b"")


@dataclass(slots=True)
class Part:
    """A block, or some sentences of a long one; without sentences and rows, it is printed unchanged or left out."""

    block: int
    required: bool
    sentences: Sequence[SentenceCandidates] = ()
    rendered: Sequence[Sequence[str]] = ()  # their candidates as markup
    spans: Sequence[Sequence[bytes]] = ()  # of the candidates, in the block's plain text
    rows: Rows = _NO_ROWS  # of a table
    gone: bool = False  # it contains what must be deleted


class Known(NamedTuple):
    """What is stored of a sentence; see `SentenceCandidates`."""

    text: str
    terms: tuple[str, ...]
    required: bool
    has_verb: bool
    answers: int
    refers: bool
    alone: float


class Prints(NamedTuple):
    """The ways to print the sentences of a part, by sentence."""

    text: Sequence[Sequence[str]]
    worth: Sequence[Sequence[float]]
    rendered: Sequence[Sequence[str]]  # as markup
    spans: Sequence[Sequence[bytes]]  # in the block's plain text
    whole: Sequence[int]  # index of the whole sentence; -1: none


class Parts:
    """The parts of a document, in columns; data of sentences is packed."""

    def __init__(self, parts: Sequence[Part] = ()) -> None:
        self.block = array("i")
        self.required = bytearray()
        self.gone = bytearray()
        self.sentence_count = bytearray()
        self.rows: dict[int, Rows] = {}  # of tables with rows that must be kept or deleted
        self._known, self._prints = Packs(), Packs()
        self.add(parts)

    def add(self, parts: Sequence[Part]) -> None:
        """Add parts, in order; those added together are unpacked together."""
        self._known.add([[_known(sentence) for sentence in part.sentences] for part in parts])
        self._prints.add([_prints(part) if part.sentences else () for part in parts])
        for part in parts:
            if any(part.rows):
                self.rows[len(self)] = part.rows
            self.block.append(part.block)
            self.required.append(part.required)
            self.gone.append(part.gone)
            self.sentence_count.append(len(part.sentences))

    def __len__(self) -> int:
        return len(self.block)

    def __getitem__(self, i: int) -> Part:
        part = Part(self.block[i], bool(self.required[i]), rows=self.rows.get(i, _NO_ROWS), gone=bool(self.gone[i]))
        if self.sentence_count[i]:
            prints = self.prints(i)
            part.rendered, part.spans = prints.rendered, prints.spans
            part.sentences = [
                SentenceCandidates(
                    known.text,
                    tuple(Candidate(text, (), worth) for text, worth in zip(texts, worths, strict=True)),
                    *known[1:],
                )
                for known, texts, worths in zip(self.known(i), prints.text, prints.worth, strict=True)
            ]
        return part

    def __iter__(self) -> Iterator[Part]:
        return map(self.__getitem__, range(len(self)))

    def known(self, i: int) -> list[Known]:
        """What is stored of the sentences of a part."""
        return [Known._make(known) for known in self._known[i]] if self.sentence_count[i] else []

    def prints(self, i: int) -> Prints:
        """The ways to print the sentences of a part that has some."""
        return Prints._make(self._prints[i])


def _known(sentence: SentenceCandidates) -> tuple[Any, ...]:
    return (sentence.text, *sentence[2:])


def _prints(part: Part) -> tuple[Any, ...]:
    texts = [[candidate.text for candidate in sentence.candidates] for sentence in part.sentences]
    worths = [[candidate.worth for candidate in sentence.candidates] for sentence in part.sentences]
    pairs = zip(part.sentences, texts, strict=True)
    whole = [own.index(sentence.text) if sentence.text in own else -1 for sentence, own in pairs]
    return texts, worths, part.rendered, part.spans, whole


@dataclass(frozen=True, slots=True)
class Sections:
    """The sections of a document: a heading and the text below it, or the text before the first heading."""

    begin: NDArray[np.int64]  # first part of each section
    setup: NDArray[np.int64]  # length of its heading, if that is only printed with the section; else 0
    closing: NDArray[np.bool_]  # by part: whether it is such a heading

    @property
    def chosen_for(self) -> Iterator[int]:
        """The parts with a choice of their own: all but headings that are accounted for by their sections."""
        return (i for i, closing in enumerate(self.closing.tobytes()) if not closing)


def make_ways(
    parts: Parts,
    document: Document,
    definitions: Definitions,
    budget: Budget,
    weights: Iterable[Sequence[float]],
    sections: Sections,
    free: Collection[int] = (),
) -> Ways:
    """The ways to print each part, with lengths and values, given the weights of all items.

    `weights` has the weights of each part's sentences, rows or block, as computed by `laconic.document.weights`. There
    are no ways for headings that are accounted for by their sections, or for parts that are `free`.
    """
    blocks = document.blocks
    length = definitions.measure(document.measure(budget))
    columns = PartColumns()
    most = max((count for counts in weights for count in counts), default=0.0)
    for i, (counts, closing) in enumerate(zip(weights, sections.closing.tobytes(), strict=True)):
        number = parts.block[i]
        sentences: Iterable[Choices] = ()
        lead = length(blocks.lead(number))
        has_rows = bool(blocks.has_rows[number])
        if parts.gone[i] or blocks.serves[number]:  # definitions are charged to what needs them
            parts.required[i] = False
        elif closing or i in free:
            pass
        elif has_rows:
            block = blocks[number]
            lead += length(block.head)
            sentences = _row_choices(block, parts.rows.get(i, _NO_ROWS), counts, length)
        elif parts.sentence_count[i]:
            sentences = _sentence_choices(parts, i, counts, most, length)
            parts.required[i] |= any(sentence.required for sentence in sentences)
        else:  # it has a way even if its value is zero
            sentences = (Choices((length(blocks.source(number)),), (round(_SCALE * counts[0]),), True),)
        columns.add(sentences, lead=lead, is_table=has_rows)
    return columns.ways(length(" "))


def _row_choices(block: Block, rows: Rows, counts: Sequence[float], length: Callable[[str], int]) -> Iterator[Choices]:
    """The options of each row of a table."""
    none = bytes(len(counts))
    for text, count, stays, goes in zip(block.rows, counts, rows.staying or none, rows.going or none, strict=True):
        own = [] if goes else [(length(text), round(_SCALE * count))]
        yield Choices([long for long, _ in own], [worth for _, worth in own], bool(stays))


def _sentence_choices(
    parts: Parts, i: int, counts: Sequence[float], most: float, length: Callable[[str], int]
) -> list[Choices]:
    """The options of each sentence of a part; `most` is the highest weight of any sentence."""
    least = int(parts.required[i])  # if something of it is required, no option has the value zero
    prints = parts.prints(i)
    found = []
    for known, worths, rendered, weight in zip(parts.known(i), prints.worth, prints.rendered, counts, strict=True):
        values = [max(round(_SCALE * weight * worth), least) for worth in worths]
        alone = known.alone if weight >= LIKELY * most else min(known.alone, ALONE)
        found.append(Choices([*map(length, rendered)], values, known.required, alone))
    return found


def find_sections(parts: Parts, document: Document, budget: Budget) -> Sections:
    """The sections of a document; a heading with other headings below it is a section of its own, and required."""
    blocks = document.blocks
    length = document.measure(budget)
    levels = bytes(map(blocks.heading.__getitem__, parts.block))
    following = bytearray(len(parts) + 1)  # by part: the level of the next heading
    for i in reversed(range(len(parts))):
        following[i] = levels[i + 1] or following[i + 1] if i + 1 < len(parts) else 0
    begins, setups = array("q"), array("q")
    opened = False  # whether the last section takes further parts
    for i, level in enumerate(levels):
        if not level and opened:
            continue
        begins.append(i)
        number = parts.block[i]
        above_others = following[i] > level
        has_text = i + 1 < len(parts) and not levels[i + 1]
        opened = not level or (has_text and not above_others and not blocks.required[number])
        setups.append(length(blocks.lead(number)) + length(blocks.source(number)) if level and opened else 0)
        parts.required[i] |= bool(level) and above_others
    begin, setup = np.asarray(begins, dtype=np.int64), np.asarray(setups, dtype=np.int64)
    closing = np.zeros(len(parts), dtype=bool)
    closing[begin[setup > 0]] = True
    return Sections(begin, setup, closing)


def free_headings(parts: Parts, blocks: Blocks) -> set[int]:
    """The headings above other headings, except for the first one: no length is charged for them.

    They are printed if anything below them is. If all of them were charged for, a document with many headings would
    seem too long to print a single sentence.
    """
    headings = [i for i, number in enumerate(parts.block) if blocks.heading[number]]
    found = {i for i in headings[1:] if not blocks.required[parts.block[i]] and parts.required[i]}
    for i in found:
        parts.required[i] = False
    return found


def make_offers(ways: Ways, parts: Parts, sections: Sections) -> Offers:
    """The offers of the choice: sections are groups, their parts are items, without headings charged to sections."""
    counts = np.diff(np.append(sections.begin, len(parts))) - (sections.setup > 0)
    required = np.frombuffer(bytes(parts.required), dtype=np.uint8)
    return Offers(
        item_ptr=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        option_ptr=np.delete(ways.way_ptr, np.flatnonzero(sections.closing)),
        length=ways.length,
        value=ways.value,
        setup=sections.setup,
        required=required[~sections.closing],
    )
