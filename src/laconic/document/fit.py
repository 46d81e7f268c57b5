"""Fit a document into a budget: for every sentence one of its compressions, the whole, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Final

import numpy as np

from laconic.document.blocks import Block
from laconic.document.choose import Choice, Offers, TooShort, choose
from laconic.document.combine import Ways, combine
from laconic.document.markdown import read_markdown, write_markdown
from laconic.document.options import Option, SentenceOptions, read_options, salience
from laconic.document.plain import read_plain, write_plain
from laconic.document.prose import Prose
from laconic.errors import LaconicError
from laconic.limits import Budget, Limits

if TYPE_CHECKING:
    from laconic.compressor import Compressor

#: Blocks that are parsed together.
_BATCH: Final = 64
#: A block with more sentences is chosen for in parts of so many: the ways to print one grow with its length.
_PART: Final = 16
#: Values are fixed-point numbers: sums are the same in any order.
_SCALE: Final = 1000
#: What a character of a block that cannot be shortened is worth: about as much as one of a sentence, on average.
_AS_IT_IS: Final = 0.4
#: How often the room is narrowed until the text fits, where a tokenizer counts and lengths do not quite add up.
_TRIES: Final = 50


class Format(StrEnum):
    """How a document is written."""

    MARKDOWN = "markdown"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Fitted:
    """A document that fits: its text, how long that is, and what became of each sentence, in order."""

    text: str
    length: int
    most: int  # the budget
    sentences: tuple[tuple[str, str | None], ...]  # as it was, and as it is printed; None: left out

    @property
    def whole(self) -> int:
        """How many sentences are printed as they were."""
        return sum(before == after for before, after in self.sentences)

    @property
    def left_out(self) -> int:
        """How many sentences are gone."""
        return sum(after is None for _, after in self.sentences)

    @property
    def shortened(self) -> int:
        """How many sentences are printed shorter."""
        return len(self.sentences) - self.whole - self.left_out

    def __str__(self) -> str:
        return self.text


@dataclass(slots=True)
class _Part:
    """What is chosen for: a block, or some sentences of a long one, with the ways to print it."""

    block: int
    required: bool
    sentences: list[SentenceOptions] = field(default_factory=list)
    rendered: list[list[str]] = field(default_factory=list)  # their options, in the markup of the document
    ways: Ways | None = None  # None: it is printed as it is
    offers: list[int] = field(default_factory=list)  # the ways that print something
    lengths: list[int] = field(default_factory=list)  # of the offers, with the lead
    values: list[int] = field(default_factory=list)


def fit(
    compressor: Compressor,
    text: str,
    limits: Limits,
    *,
    format: Format | str = Format.MARKDOWN,  # noqa: A002
    start: Callable[[int], None] = lambda _: None,
    advance: Callable[[int], None] = lambda _: None,
) -> Fitted:
    """Choose what to print of every sentence for the highest total worth within the budget of the limits.

    A heading goes when nothing of its section stays, unless there are headings below it; code, tables and the like are
    printed as they are or not at all. `start` is told how many characters there are, `advance` how many are read.
    """
    budget = limits.budget
    read, write = _reader_and_writer(format)
    most = _most(budget, text)
    blocks = read(text)
    start(len(text))
    parts = list(_read_parts(compressor, blocks, Limits(constraints=limits.constraints), advance))
    _offer(parts, blocks, budget)
    sections, setups = _sections(parts, blocks, budget)
    best: Fitted | None = None
    room = most
    for _ in range(_TRIES):
        found = choose(_offers(parts, sections, setups), room)
        if isinstance(found, TooShort):
            break
        contents, sentences = _contents(parts, blocks, sections, setups, found)
        fitted = write(blocks, _unfolded(blocks, contents, write, budget, most))
        length = budget.length(fitted)
        if length > most:  # lengths do not add up where a tokenizer counts
            if best is not None:
                return best
            room -= max(length - most, 1)
            continue
        if best is not None and length <= best.length:
            return best
        best = Fitted(fitted, length, most, sentences)
        room += most - length  # what was charged and not printed: line breaks, headings of empty sections
        if length == most:
            return best
    if best is not None:
        return best
    if room < most:
        raise LaconicError(
            f"the document does not come within {most} {budget.unit.plural}: the tokenizer counts words together "
            "otherwise than one by one; give a maximum in characters"
        )
    assert isinstance(found, TooShort)
    raise LaconicError(
        f"the document does not fit into {most} {budget.unit.plural}: what always stays (headings with others below "
        f"them, link definitions, rules, what must be kept) takes {found.least}: allow at least that many"
    )


def _reader_and_writer(
    format: Format | str,  # noqa: A002
) -> tuple[Callable[[str], list[Block]], Callable[[Sequence[Block], Sequence[str | None]], str]]:
    try:
        known = Format(format)
    except ValueError:
        raise LaconicError(f"unknown format {format!r}: use one of {', '.join(Format)}") from None
    return (read_markdown, write_markdown) if known is Format.MARKDOWN else (read_plain, write_plain)


def _most(budget: Budget, text: str) -> int:
    if budget.least or budget.min_rate is not None or budget.nearest:
        raise LaconicError("a document has a maximum: leave out minima and nearest")
    if not budget.has_maximum:
        raise LaconicError("fit needs a budget: give max_chars, max_words, max_tokens or rate")
    if not text.strip():
        raise LaconicError("the document is empty: give one with text")
    if "\0" in text:
        raise LaconicError(f"the document is no text, it has a NUL at character {text.index(chr(0))}: give a text")
    _, most = budget.bounds(np.array([len(text)]))
    return int(most[0])


def _read_parts(
    compressor: Compressor, blocks: Sequence[Block], limits: Limits, advance: Callable[[int], None]
) -> Iterator[_Part]:
    """What is chosen for, in order. Blocks are parsed in batches, and only the options of their sentences are kept."""
    numbers = iter(range(len(blocks)))
    while batch := list(islice(numbers, _BATCH)):
        plain = [block.prose.plain for block in map(blocks.__getitem__, batch) if block.prose is not None]
        found = iter(read_options(compressor, plain, limits))
        for i in batch:
            block = blocks[i]
            sentences = [] if block.prose is None else next(found)
            if block.prose is None or not sentences:
                yield _Part(i, block.required)
                continue
            for at in range(0, len(sentences), _PART):
                own = sentences[at : at + _PART]
                rendered = [[_render(block.prose, option) for option in sentence.options] for sentence in own]
                light = [replace(sentence, options=tuple(map(_without_spans, sentence.options))) for sentence in own]
                yield _Part(i, block.required and at == 0, light, rendered)
        advance(sum(len(blocks[i].lead) + len(blocks[i].source) for i in batch))


def _render(prose: Prose, option: Option) -> str:
    rendered = prose.render(option.text, option.spans)
    return option.text if rendered == option.text else rendered  # one string for both: there are many


def _without_spans(option: Option) -> Option:
    return replace(option, spans=())


def _offer(parts: Sequence[_Part], blocks: Sequence[Block], budget: Budget) -> None:
    """The ways to print each part, with lengths and values, now that all sentences of the document are known."""
    weights = iter(salience([sentence for part in parts for sentence in part.sentences]))
    separator = budget.length(" ")
    for part in parts:
        block = blocks[part.block]
        lead = budget.length(block.lead)
        if not part.sentences:
            part.lengths = [lead + budget.length(block.source)]
            part.values = [round(_SCALE * _AS_IT_IS * len(block.source))]
            continue
        own = [(sentence, next(weights)) for sentence in part.sentences]
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


def _sections(parts: Sequence[_Part], blocks: Sequence[Block], budget: Budget) -> tuple[list[int], list[int]]:
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


def _offers(parts: Sequence[_Part], sections: Sequence[int], setups: Sequence[int]) -> Offers:
    """What can be chosen, as arrays: sections of parts of ways. A heading that its section costs is no part of it."""
    headings = _headings(sections, setups)
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


def _headings(sections: Sequence[int], setups: Sequence[int]) -> set[int]:
    """The parts that are headings which go when nothing of their section stays."""
    return {begin for begin, setup in zip(sections, setups, strict=True) if setup}


def _contents(
    parts: Sequence[_Part], blocks: Sequence[Block], sections: Sequence[int], setups: Sequence[int], found: Choice
) -> tuple[list[list[str]], tuple[tuple[str, str | None], ...]]:
    """What is printed of each block, sentence by sentence, and of each sentence."""
    headings = _headings(sections, setups)
    contents: list[list[str]] = [[] for _ in blocks]
    sentences: list[tuple[str, str | None]] = []
    for i, option in zip((i for i in range(len(parts)) if i not in headings), found.options.tolist(), strict=True):
        part = parts[i]
        if part.ways is None:
            if option >= 0:
                contents[part.block].append(blocks[part.block].source)
            continue
        chosen = [-1] * len(part.sentences) if option < 0 else part.ways.options(part.offers[option])
        for sentence, rendered, which in zip(part.sentences, part.rendered, chosen, strict=True):
            sentences.append((sentence.text, None if which < 0 else sentence.options[which].text))
            if which >= 0:
                contents[part.block].append(rendered[which])
    _print_headings(blocks, contents)
    return contents, tuple(sentences)


def _print_headings(blocks: Sequence[Block], contents: list[list[str]]) -> None:
    """Headings stay with what is below them; the first one, which is the document's, in any case where it is above all.

    From the end to the start: what is below a heading are the blocks up to the next one of its level or a higher one.
    """
    below = [False] * 7  # by level: whether anything is printed below a heading of that level that may come next
    first = next((i for i, block in enumerate(blocks) if block.heading), -1)
    for i in reversed(range(len(blocks))):
        level = blocks[i].heading
        if not level:
            if contents[i]:
                below = [True] * 7
            continue
        printed = below[level] or blocks[i].required or (i == first and bool(contents[i]))
        contents[i] = [blocks[i].source] if printed else []
        for deeper in range(level, 7):
            below[deeper] = False
        for higher in range(level):
            below[higher] |= printed


def _unfolded(
    blocks: Sequence[Block],
    contents: Sequence[Sequence[str]],
    write: Callable[[Sequence[Block], Sequence[str | None]], str],
    budget: Budget,
    most: int,
) -> list[str | None]:
    """What is printed of each block: on one line, or, where all of it stays, as it was, if there is room for that."""
    printed: list[str | None] = [" ".join(own) or None for own in contents]
    as_they_were = [
        block.source if text is not None and text.split() == _joined(block) else text
        for block, text in zip(blocks, printed, strict=True)
    ]
    return as_they_were if budget.length(write(blocks, as_they_were)) <= most else printed


def _joined(block: Block) -> list[str]:
    """The words of a block as they are printed when nothing is gone."""
    if block.prose is None:
        return block.source.split()
    return block.prose.render(block.prose.plain, [(0, len(block.prose.plain))]).split()
