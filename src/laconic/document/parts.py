"""What is chosen for in a document: its blocks, or some sentences of a long one, with the ways to print each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.document.choose import Offers
from laconic.document.combine import RowWays, Ways, combine, combine_rows
from laconic.document.definitions import Definitions
from laconic.document.document import Document
from laconic.document.options import SentenceOptions
from laconic.limits import Budget

#: Values are fixed-point numbers: sums are the same in any order.
_SCALE: Final = 1000
_NOTHING: Final = np.zeros(0, dtype=np.int64)


class Row(NamedTuple):
    """A row of a table: its text, with the line break before it, and whether it must stay or go."""

    text: str
    required: bool
    gone: bool


@dataclass(slots=True)
class Part:
    """What is chosen for: a block, or some sentences of a long one, with the ways to print it."""

    block: int
    required: bool
    sentences: list[SentenceOptions] = field(default_factory=list)
    rendered: list[list[str]] = field(default_factory=list)  # their options, in the markup of the document
    spans: list[list[bytes]] = field(default_factory=list)  # of these, of the block's plain text
    rows: list[Row] = field(default_factory=list)  # of a table
    ways: Ways | RowWays | None = None  # None: it is printed as it is
    first: int = 0  # the first of the ways that prints something
    lengths: NDArray[np.int64] = field(
        default_factory=lambda: _NOTHING
    )  # of the ways from the first on, with the lead, ascending
    values: NDArray[np.int64] = field(default_factory=lambda: _NOTHING)
    gone: bool = False  # it has what must go


def make_offers(
    parts: Sequence[Part],
    document: Document,
    definitions: Definitions,
    budget: Budget,
    weights: Sequence[Sequence[float]],
) -> None:
    """The ways to print each part, with lengths and values, now that it is known how much everything counts.

    `weights` are, part by part, of its sentences, of its rows, or of the block, as `laconic.document.weights` has them.
    """
    blocks = document.blocks

    def length(text: str) -> int:
        return document.length(budget, text) + definitions.cost(text, shares)

    shares: dict[str, int] = {}
    shares = definitions.share([length(block.lead) + length(block.source) if block.serves else 0 for block in blocks])
    separator = length(" ")
    for part, counts in zip(parts, weights, strict=True):
        block = blocks[part.block]
        lead = length(block.lead)
        if part.gone or block.serves:  # what serves others is printed with them, and costs what is left
            part.required = False
            continue
        if part.rows:
            part.ways = combine_rows(
                length(block.head),
                [length(row.text) for row in part.rows],
                [round(_SCALE * count) for count in counts],
                [row.required for row in part.rows],
                [row.gone for row in part.rows],
            )
        elif part.sentences:
            own = list(zip(part.sentences, counts, strict=True))
            part.ways = combine(
                [[length(text) for text in rendered] for rendered in part.rendered],
                [[round(_SCALE * weight * option.worth) for option in sentence.options] for sentence, weight in own],
                [sentence.required for sentence, _ in own],
                separator,
            )
            part.required |= any(sentence.required for sentence, _ in own)
        else:
            part.lengths = np.array([lead + length(block.source)])
            part.values = np.array([round(_SCALE * counts[0])])
            continue
        part.first = int(np.searchsorted(part.ways.length, 0, side="right"))
        part.lengths = part.ways.length[part.first :] + lead
        part.values = part.ways.value[part.first :]


def find_sections(parts: Sequence[Part], document: Document, budget: Budget) -> tuple[list[int], list[int]]:
    """Where sections begin among the parts, and the lengths of their headings, which a section costs that has any text.

    A heading with others below it is a section by itself, and stays.
    """
    blocks = document.blocks
    levels = [blocks[part.block].heading for part in parts]
    following = [0] * (len(parts) + 1)  # the level of the next heading after a part
    for i in reversed(range(len(parts))):
        following[i] = levels[i + 1] or following[i + 1] if i + 1 < len(parts) else 0
    begins, setups = [], []
    opened = False  # the last section is that of a heading, or of the text before the first
    for i, level in enumerate(levels):
        if not level and opened:
            continue
        begins.append(i)
        block = blocks[parts[i].block]
        above_others = following[i] > level
        has_text = i + 1 < len(parts) and not levels[i + 1]
        opened = not level or (has_text and not above_others and not block.required)
        setups.append(
            document.length(budget, block.lead) + document.length(budget, block.source) if level and opened else 0
        )
        parts[i].required |= bool(level) and above_others
    return begins, setups


def as_arrays(parts: Sequence[Part], sections: Sequence[int], setups: Sequence[int]) -> Offers:
    """What can be chosen, as arrays: sections of parts of ways. A heading that its section costs is no part of it."""
    headings = closing_headings(sections, setups)
    items = [part for i, part in enumerate(parts) if i not in headings]
    ends = [*sections[1:], len(parts)]
    counts = [end - begin - (begin in headings) for begin, end in zip(sections, ends, strict=True)]
    return Offers(
        item_ptr=np.array([0, *accumulate(counts)], dtype=np.int64),
        option_ptr=np.array([0, *accumulate(len(part.lengths) for part in items)], dtype=np.int64),
        length=np.concatenate([_NOTHING, *(part.lengths for part in items)]),
        value=np.concatenate([_NOTHING, *(part.values for part in items)]),
        setup=np.array(setups, dtype=np.int64),
        required=np.array([part.required for part in items], dtype=np.uint8),
    )


def closing_headings(sections: Sequence[int], setups: Sequence[int]) -> set[int]:
    """The parts that are headings which go when nothing of their section stays."""
    return {begin for begin, setup in zip(sections, setups, strict=True) if setup}
