"""What is chosen for in a document: its blocks, or some sentences of a long one, with the ways to print each."""

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

#: Values are fixed-point numbers: sums are the same in any order.
_SCALE: Final = 1000


class Rows(NamedTuple):
    """By row of a table: whether it must stay, and whether it must go; empty where none must."""

    staying: bytes
    going: bytes


_NO_ROWS: Final = Rows(b"", b"")


@dataclass(slots=True)
class Part:
    """What is chosen for: a block, or some sentences of a long one; without sentences and rows it is as it is."""

    block: int
    required: bool
    sentences: Sequence[SentenceCandidates] = ()
    rendered: Sequence[Sequence[str]] = ()  # their candidates, in the markup of the document
    spans: Sequence[Sequence[bytes]] = ()  # of these, of the block's plain text
    rows: Rows = _NO_ROWS  # of a table
    gone: bool = False  # it has what must go


class Known(NamedTuple):
    """What is known of a sentence: as in `SentenceCandidates`."""

    text: str
    terms: tuple[str, ...]
    required: bool
    has_verb: bool
    answers: int
    refers: bool
    alone: float


class Prints(NamedTuple):
    """The ways to print the sentences of a part, sentence by sentence."""

    text: Sequence[Sequence[str]]
    worth: Sequence[Sequence[float]]
    rendered: Sequence[Sequence[str]]  # in the markup of the document
    spans: Sequence[Sequence[bytes]]  # of the block's plain text
    whole: Sequence[int]  # which one is all of the sentence; -1: none


class Parts:
    """The parts of a document, in columns; what there is of their sentences is packed."""

    def __init__(self, parts: Sequence[Part] = ()) -> None:
        self.block = array("i")
        self.required = bytearray()
        self.gone = bytearray()
        self.sentence_count = bytearray()
        self.rows: dict[int, Rows] = {}  # of tables some rows of which must stay or go
        self._known, self._prints = Packs(), Packs()
        self.add(parts)

    def add(self, parts: Sequence[Part]) -> None:
        """Some more parts, in order: those that are added together are unpacked together."""
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
        """What is known of the sentences of a part."""
        return [Known._make(known) for known in self._known[i]] if self.sentence_count[i] else []

    def prints(self, i: int) -> Prints:
        """The ways to print the sentences of a part, which has some."""
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
    """The sections of a document: of a heading and what is below it, or of what is before the first."""

    begin: NDArray[np.int64]  # among the parts
    setup: NDArray[np.int64]  # the length of its heading, if it goes when nothing of the section stays
    closing: NDArray[np.bool_]  # by part: it is such a heading

    @property
    def chosen_for(self) -> Iterator[int]:
        """The parts that are chosen for: a heading that its section costs is none of them."""
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
    """The ways to print each part, with lengths and values, now that it is known how much everything counts.

    `weights` are, part by part, of its sentences, of its rows, or of the block, as `laconic.document.weights` has them.
    There are none of headings that their sections cost, and of parts that are `free`.
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
        if parts.gone[i] or blocks.serves[number]:  # what serves others is printed with them, and costs what is left
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
        else:  # its one way is there also where it is worth nothing
            sentences = (Choices((length(blocks.source(number)),), (round(_SCALE * counts[0]),), True),)
        columns.add(sentences, lead=lead, is_table=has_rows)
    return columns.ways(length(" "))


def _row_choices(block: Block, rows: Rows, counts: Sequence[float], length: Callable[[str], int]) -> Iterator[Choices]:
    """What can be printed of each row of a table."""
    none = bytes(len(counts))
    for text, count, stays, goes in zip(block.rows, counts, rows.staying or none, rows.going or none, strict=True):
        own = [] if goes else [(length(text), round(_SCALE * count))]
        yield Choices([long for long, _ in own], [worth for _, worth in own], bool(stays))


def _sentence_choices(
    parts: Parts, i: int, counts: Sequence[float], most: float, length: Callable[[str], int]
) -> list[Choices]:
    """What can be printed of each sentence of a part; `most` is what the sentence counts that counts most."""
    least = int(parts.required[i])  # where something of it must stay, no print of it is worth nothing
    prints = parts.prints(i)
    found = []
    for known, worths, rendered, weight in zip(parts.known(i), prints.worth, prints.rendered, counts, strict=True):
        values = [max(round(_SCALE * weight * worth), least) for worth in worths]
        alone = known.alone if weight >= LIKELY * most else min(known.alone, ALONE)
        found.append(Choices([*map(length, rendered)], values, known.required, alone))
    return found


def find_sections(parts: Parts, document: Document, budget: Budget) -> Sections:
    """The sections of a document; a heading with others below it is a section by itself, and stays."""
    blocks = document.blocks
    length = document.measure(budget)
    levels = bytes(map(blocks.heading.__getitem__, parts.block))
    following = bytearray(len(parts) + 1)  # the level of the next heading after a part
    for i in reversed(range(len(parts))):
        following[i] = levels[i + 1] or following[i + 1] if i + 1 < len(parts) else 0
    begins, setups = array("q"), array("q")
    opened = False  # the last section is that of a heading, or of the text before the first
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
    """The headings above others, but for the first one, which nothing is charged for.

    They are printed with what is below them, and where nothing is, they are gone. Charged for all of them, a document
    of many headings would seem too long to print one sentence of it.
    """
    headings = [i for i, number in enumerate(parts.block) if blocks.heading[number]]
    found = {i for i in headings[1:] if not blocks.required[parts.block[i]] and parts.required[i]}
    for i in found:
        parts.required[i] = False
    return found


def make_offers(ways: Ways, parts: Parts, sections: Sections) -> Offers:
    """What can be chosen: sections of parts of ways. A heading that its section costs is no part of it."""
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
