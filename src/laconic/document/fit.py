"""Fit a document into a budget: for every sentence one of its compressions, the whole, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from laconic.document.blocks import Block
from laconic.document.choose import TooShort, choose
from laconic.document.markdown import read_markdown, write_markdown
from laconic.document.parts import as_arrays, find_sections, make_offers, read_parts
from laconic.document.plain import read_plain, write_plain
from laconic.document.printed import print_blocks, unfold
from laconic.document.question import Question
from laconic.document.weights import weigh
from laconic.errors import LaconicError
from laconic.limits import Budget, Limits
from laconic.limits.budget import PLURAL, share_at_most

if TYPE_CHECKING:
    from laconic.compressor import Compressor
    from laconic.document.relevance import Relevance

#: How often the room is narrowed until the text fits, where lengths do not quite add up: those of a tokenizer do not,
#: and definitions are printed with what refers to them.
_TRIES: Final = 50
#: A document that leaves no more than this share of its budget is not tried to be filled further.
_ENOUGH: Final = 0.005


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


def fit(
    compressor: Compressor,
    text: str,
    limits: Limits,
    *,
    format: Format | str = Format.MARKDOWN,  # noqa: A002
    query: str | None = None,
    relevance: Relevance | None = None,
    start: Callable[[int], None] = lambda _: None,
    advance: Callable[[int], None] = lambda _: None,
) -> Fitted:
    """Choose what to print of every sentence for the highest total worth within the budget of the limits.

    A heading goes when nothing of its section stays; code, tables and the like are printed as they are or not at all.
    `start` is told how many characters there are, `advance` how many are read.
    """
    budget = limits.budget
    read, write = _reader_and_writer(format)
    most = _most(budget, text)
    blocks = read(text)
    _check_constraints(limits, text)
    _check_least(blocks, budget, most)
    question = None if query is None else Question.read(compressor, query)
    start(len(text))
    parts = list(read_parts(compressor, blocks, Limits(constraints=limits.constraints), advance, question))
    make_offers(parts, blocks, budget, weigh(parts, blocks, question, relevance))
    sections, setups = find_sections(parts, blocks, budget)
    offers = as_arrays(parts, sections, setups)
    best: Fitted | None = None
    room = most  # for the choice
    fits, overflows = 0, None  # the most room that led to a text that fits, and the least that did not
    for _ in range(_TRIES):
        found = choose(offers, room)
        if isinstance(found, TooShort):
            if room == most:
                raise _too_short(most, budget, found.least)
            break
        contents, sentences = print_blocks(parts, blocks, sections, setups, found)
        fitted = write(blocks, unfold(blocks, contents, write, budget, most))
        length = budget.length(fitted)
        if length > most:
            overflows = room
            room = (fits + overflows) // 2 if best is not None else room - max(length - most, 1)
        else:
            if not fitted:
                raise _too_short(most, budget, int(min(offers.length, default=0)))
            if best is None or length > best.length:
                best = Fitted(fitted, length, most, sentences)
            fits = room
            # What was charged and not printed can be spent: line breaks, headings of empty sections.
            room = room + most - length if overflows is None else (fits + overflows) // 2
        if best is not None and (most - best.length <= most * _ENOUGH or room <= fits):
            return best
    if best is not None:
        return best
    raise LaconicError(
        f"the document does not come within {most} {PLURAL[budget.unit]}: together its parts have more of them than "
        "one by one; allow more, or give the maximum in characters"
    )


def _too_short(most: int, budget: Budget, least: int) -> LaconicError:
    return LaconicError(
        f"the document does not fit into {most} {PLURAL[budget.unit]}: the shortest possible result, with what always "
        f"stays, has {least}; allow at least that many"
    )


def _check_constraints(limits: Limits, text: str) -> None:
    """Refuse a phrase to keep that is nowhere: it would be missed only in the result."""
    for constraint in limits.constraints:
        if constraint.keep and constraint.phrase is not None and not constraint.is_in(text):
            raise LaconicError(
                f"{constraint} cannot hold: the document does not have these words; check their spelling"
            )


def _check_least(blocks: Sequence[Block], budget: Budget, most: int) -> None:
    """Refuse a budget that what always stays does not fit into, before anything takes time."""
    always = [block for block in blocks if block.required and block.prose is None and not block.serves]
    least = sum(budget.length(block.lead) + budget.length(block.source) for block in always)
    if least > most and budget.count is None:
        raise _too_short(most, budget, least)


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
    if not isinstance(text, str):
        raise LaconicError(f"the document is {text!r}: give its text")
    if not text.strip():
        raise LaconicError("the document is empty: give one with text")
    if "\0" in text:
        raise LaconicError(f"the document is no text, it has a NUL at character {text.index(chr(0))}: give a text")
    maxima = [] if budget.most is None else [int(budget.most)]
    if budget.rate is not None:
        maxima.append(int(share_at_most(np.array(len(text)), budget.rate)))
    return min(maxima)
