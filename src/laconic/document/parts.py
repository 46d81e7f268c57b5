"""What is chosen for in a document: its blocks, or some sentences of a long one, with the ways to print each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Final

import numpy as np

from laconic.document.blocks import Block
from laconic.document.choose import Offers
from laconic.document.combine import Ways, combine
from laconic.document.options import Option, SentenceOptions, read_options
from laconic.document.prose import Prose
from laconic.errors import LaconicError
from laconic.limits import Budget, Constraint, Limits

if TYPE_CHECKING:
    from laconic.compressor import Compressor
    from laconic.document.question import Question

#: Blocks that are parsed together.
_BATCH: Final = 128
#: A block with more sentences is chosen for in parts of so many: the ways to print one grow with its length.
_PART: Final = 16
#: Values are fixed-point numbers: sums are the same in any order.
_SCALE: Final = 1000
#: A first sentence up to this length that has no verb is the label of what follows: "**Warmer light.** The lamp …".
_LABEL: Final = 40


@dataclass(slots=True)
class Part:
    """What is chosen for: a block, or some sentences of a long one, with the ways to print it."""

    block: int
    required: bool
    sentences: list[SentenceOptions] = field(default_factory=list)
    rendered: list[list[str]] = field(default_factory=list)  # their options, in the markup of the document
    ways: Ways | None = None  # None: it is printed as it is
    offers: list[int] = field(default_factory=list)  # the ways that print something
    lengths: list[int] = field(default_factory=list)  # of the offers, with the lead
    values: list[int] = field(default_factory=list)
    gone: bool = False  # it has what must go


def read_parts(
    compressor: Compressor,
    blocks: Sequence[Block],
    limits: Limits,
    advance: Callable[[int], None],
    question: Question | None = None,
) -> Iterator[Part]:
    """What is chosen for, in order. Blocks are parsed in batches, and only the options of their sentences are kept."""
    numbers = iter(range(len(blocks)))
    while batch := list(islice(numbers, _BATCH)):
        plain = [block.prose.plain for block in map(blocks.__getitem__, batch) if block.prose is not None]
        found = iter(read_options(compressor, plain, limits, question))
        for i in batch:
            block = blocks[i]
            sentences = [] if block.prose is None else next(found)
            if block.prose is None or not sentences:
                yield _as_it_is(i, block, limits.constraints)
                continue
            rendered = [[_render(block.prose, option) for option in sentence.options] for sentence in sentences]
            sentences = [_without_spans(sentence) for sentence in sentences]
            _join_label(sentences, rendered)
            for at in range(0, len(sentences), _PART):
                own = slice(at, at + _PART)
                yield Part(i, block.required and at == 0, sentences[own], rendered[own])
        advance(sum(len(blocks[i].lead) + len(blocks[i].source) for i in batch))


def _as_it_is(i: int, block: Block, constraints: Sequence[Constraint]) -> Part:
    """A block that is not shortened; what must stay or go in it makes it stay or go."""
    named = [constraint for constraint in constraints if constraint.is_in(block.source)]
    keep = next((constraint for constraint in named if constraint.keep), None)
    drop = next((constraint for constraint in named if not constraint.keep), None)
    if drop is not None and (keep is not None or block.required or block.heading):
        shown = block.source.splitlines()[0]
        raise LaconicError(
            f"{drop} cannot hold: {shown!r} has it, which is never shortened"
            f"{'' if keep is None else f', and {keep} wants it to stay'}; leave {drop} out, or change that"
        )
    return Part(i, block.required or keep is not None, gone=drop is not None)


def _join_label(sentences: list[SentenceOptions], rendered: list[list[str]]) -> None:
    """Makes one sentence of a label and the sentence that it stands before: one says nothing without the other."""
    if len(sentences) < 2 or len(sentences[0].options) > 1 or len(sentences[0].text) > _LABEL:
        return
    label, first = sentences[0], sentences[1]
    if not label.options or label.required or first.has_verb == label.has_verb:
        return
    (before,) = label.options
    options = tuple(Option(f"{before.text} {option.text}", (), before.worth + option.worth) for option in first.options)
    joined = f"{label.text} {first.text}"
    sentences[:2] = [replace(first, text=joined, options=options, content=label.content + first.content)]
    rendered[:2] = [[f"{rendered[0][0]} {text}" for text in rendered[1]]]


def _render(prose: Prose, option: Option) -> str:
    rendered = prose.render(option.text, option.spans)
    return option.text if rendered == option.text else rendered  # one string for both: there are many


def _without_spans(sentence: SentenceOptions) -> SentenceOptions:
    return replace(sentence, options=tuple(replace(option, spans=()) for option in sentence.options))


def make_offers(
    parts: Sequence[Part], blocks: Sequence[Block], budget: Budget, weights: Sequence[Sequence[float]]
) -> None:
    """The ways to print each part, with lengths and values, now that it is known what each sentence counts for."""
    separator = budget.length(" ")
    for part, counts in zip(parts, weights, strict=True):
        block = blocks[part.block]
        lead = budget.length(block.lead)
        if part.gone or block.serves:  # what serves others is printed with them, and costs what is left
            part.required = False
            continue
        if not part.sentences:
            part.lengths = [lead + budget.length(block.source)]
            part.values = [round(_SCALE * counts[0])]
            continue
        own = list(zip(part.sentences, counts, strict=True))
        part.ways = combine(
            [[budget.length(text) for text in rendered] for rendered in part.rendered],
            [[round(_SCALE * weight * option.worth) for option in sentence.options] for sentence, weight in own],
            [sentence.required for sentence, _ in own],
            separator,
        )
        part.required |= any(sentence.required for sentence, _ in own)
        part.offers = np.flatnonzero(part.ways.length).tolist()
        part.lengths = (part.ways.length[part.offers] + lead).tolist()
        part.values = part.ways.value[part.offers].tolist()


def find_sections(parts: Sequence[Part], blocks: Sequence[Block], budget: Budget) -> tuple[list[int], list[int]]:
    """Where sections begin among the parts, and the lengths of their headings, which a section costs that has any text.

    A heading with others below it is a section by itself, and stays.
    """
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
        setups.append(budget.length(block.lead) + budget.length(block.source) if level and opened else 0)
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
        length=np.array([length for part in items for length in part.lengths], dtype=np.int64),
        value=np.array([value for part in items for value in part.values], dtype=np.int64),
        setup=np.array(setups, dtype=np.int64),
        required=np.array([part.required for part in items], dtype=np.uint8),
    )


def closing_headings(sections: Sequence[int], setups: Sequence[int]) -> set[int]:
    """The parts that are headings which go when nothing of their section stays."""
    return {begin for begin, setup in zip(sections, setups, strict=True) if setup}
