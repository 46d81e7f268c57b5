"""What is chosen for in a document: its blocks, or some sentences of a long one, with the ways to print each."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic._core import Ways
from laconic.document.blocks import Block
from laconic.document.candidates import SentenceCandidates
from laconic.document.choose import Offers
from laconic.document.combine import Choices, PartColumns
from laconic.document.definitions import Definitions
from laconic.document.document import Document
from laconic.document.weights import LIKELY
from laconic.document.worth import ALONE
from laconic.limits import Budget

#: Values are fixed-point numbers: sums are the same in any order.
_SCALE: Final = 1000


class Row(NamedTuple):
    """A row of a table: its text, with the line break before it, and whether it must stay or go."""

    text: str
    required: bool
    gone: bool


@dataclass(slots=True)
class Part:
    """What is chosen for: a block, or some sentences of a long one; without sentences and rows it is as it is."""

    block: int
    required: bool
    sentences: Sequence[SentenceCandidates] = ()
    rendered: Sequence[Sequence[str]] = ()  # their candidates, in the markup of the document
    spans: Sequence[Sequence[bytes]] = ()  # of these, of the block's plain text
    rows: Sequence[Row] = ()  # of a table
    gone: bool = False  # it has what must go


@dataclass(frozen=True, slots=True)
class Sections:
    """The sections of a document: of a heading and what is below it, or of what is before the first."""

    begin: NDArray[np.int64]  # among the parts
    setup: NDArray[np.int64]  # the length of its heading, if it goes when nothing of the section stays
    closing: NDArray[np.bool_]  # by part: it is such a heading

    @property
    def chosen_for(self) -> Iterator[int]:
        """The parts that are chosen for: a heading that its section costs is none of them."""
        return (i for i, closing in enumerate(self.closing.tolist()) if not closing)


def make_ways(
    parts: Sequence[Part],
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
    length = definitions.measure(document.measure(budget))
    columns = PartColumns()
    most = max((count for counts in weights for count in counts), default=0.0)
    for i, (part, counts, closing) in enumerate(zip(parts, weights, sections.closing.tolist(), strict=True)):
        block = document.blocks[part.block]
        sentences: list[Choices] = []
        lead = length(block.lead)
        if part.gone or block.serves:  # what serves others is printed with them, and costs what is left
            part.required = False
        elif closing or i in free:
            pass
        elif part.rows:
            lead += length(block.head)
            for row, count in zip(part.rows, counts, strict=True):
                own = [] if row.gone else [(length(row.text), round(_SCALE * count))]
                sentences.append(Choices([long for long, _ in own], [worth for _, worth in own], row.required))
        elif part.sentences:
            least = int(part.required)  # where something of it must stay, no print of it is worth nothing
            for sentence, rendered, weight in zip(part.sentences, part.rendered, counts, strict=True):
                values = [max(round(_SCALE * weight * each.worth), least) for each in sentence.candidates]
                alone = sentence.alone if weight >= LIKELY * most else min(sentence.alone, ALONE)
                sentences.append(Choices([*map(length, rendered)], values, sentence.required, alone))
                part.required |= sentence.required
        else:  # its one way is there also where it is worth nothing
            sentences.append(Choices((length(block.source),), (round(_SCALE * counts[0]),), True))
        columns.add(sentences, lead=lead, is_table=bool(part.rows))
    return columns.ways(length(" "))


def find_sections(parts: Sequence[Part], document: Document, budget: Budget) -> Sections:
    """The sections of a document; a heading with others below it is a section by itself, and stays."""
    blocks = document.blocks
    length = document.measure(budget)
    # Arrays, since there may be millions of parts.
    levels = bytes(blocks[part.block].heading for part in parts)
    following = bytearray(len(parts) + 1)  # the level of the next heading after a part
    for i in reversed(range(len(parts))):
        following[i] = levels[i + 1] or following[i + 1] if i + 1 < len(parts) else 0
    begins, setups = array("q"), array("q")
    opened = False  # the last section is that of a heading, or of the text before the first
    for i, level in enumerate(levels):
        if not level and opened:
            continue
        begins.append(i)
        block = blocks[parts[i].block]
        above_others = following[i] > level
        has_text = i + 1 < len(parts) and not levels[i + 1]
        opened = not level or (has_text and not above_others and not block.required)
        setups.append(length(block.lead) + length(block.source) if level and opened else 0)
        parts[i].required |= bool(level) and above_others
    begin, setup = np.asarray(begins, dtype=np.int64), np.asarray(setups, dtype=np.int64)
    closing = np.zeros(len(parts), dtype=bool)
    closing[begin[setup > 0]] = True
    return Sections(begin, setup, closing)


def free_headings(parts: Sequence[Part], blocks: Sequence[Block]) -> set[int]:
    """The headings above others, but for the first one, which nothing is charged for.

    They are printed with what is below them, and where nothing is, they are gone. Charged for all of them, a document
    of many headings would seem too long to print one sentence of it.
    """
    first = next((i for i, part in enumerate(parts) if blocks[part.block].heading), -1)
    found = set()
    for i, part in enumerate(parts):
        block = blocks[part.block]
        if block.heading and i != first and not block.required and part.required:
            part.required = False
            found.add(i)
    return found


def make_offers(ways: Ways, parts: Sequence[Part], sections: Sections) -> Offers:
    """What can be chosen: sections of parts of ways. A heading that its section costs is no part of it."""
    counts = np.diff(np.append(sections.begin, len(parts))) - (sections.setup > 0)
    required = np.array([part.required for part in parts], dtype=np.uint8)
    return Offers(
        item_ptr=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        option_ptr=np.delete(ways.way_ptr, np.flatnonzero(sections.closing)),
        length=ways.length,
        value=ways.value,
        setup=sections.setup,
        required=required[~sections.closing],
    )
