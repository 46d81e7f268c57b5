"""Fit several documents into one budget, by one exact choice over all of them.

A document is a group of the choice. Its setup is the length of what is always printed if anything of it is: front
matter, the title, and blocks that keep others apart. A section whose heading is printed with its text is one item,
whose options are its Pareto-optimal ways to be printed. A heading with other headings below it is printed with any of
them; its length is only known once the document is printed (`laconic.document.search`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from laconic._core import Ways
from laconic.document.choose import Offers
from laconic.document.combine import Choices, combine
from laconic.document.definitions import Definitions
from laconic.document.document import Document, read_document
from laconic.document.fit import Fitted, check_budget, check_text, make_fitted, make_most, told_length, too_short
from laconic.document.format import Format
from laconic.document.least import find_shortest
from laconic.document.parts import Parts, find_sections, free_headings, make_ways
from laconic.document.printed import Printed, Printer
from laconic.document.question import read_question
from laconic.document.read import read_parts
from laconic.document.search import find_best
from laconic.document.weights import PartWeights, weigh
from laconic.document.whole import report_whole
from laconic.errors import LaconicError, MisfitError
from laconic.foreign import leave_foreign_blocks
from laconic.limits import Budget, Limits
from laconic.progress import Advance, ignore

if TYPE_CHECKING:
    from laconic.compressor import Compressor
    from laconic.document.relevance import Relevance

#: The separator of documents in the printed text.
BETWEEN = "\n\n"


class Source(NamedTuple):
    """A document to fit: its text, its name and its format."""

    text: str
    name: str | None = None
    format: Format | str = Format.MARKDOWN


@dataclass(frozen=True, slots=True)
class FittedAll:
    """The fitted documents in order, and their printed text, with a blank line between two."""

    documents: tuple[Fitted, ...]
    text: str
    length: int
    most: int  # the budget

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[Fitted]:
        return iter(self.documents)

    def __getitem__(self, index: int) -> Fitted:
        return self.documents[index]

    def __str__(self) -> str:
        return self.text


def fit_together(
    compressor: Compressor,
    sources: Sequence[Source],
    limits: Limits,
    *,
    query: str | None = None,
    relevance: Relevance | None = None,
    leaves_foreign: bool = True,
    start: Advance = ignore,
    advance: Advance = ignore,
    threads: int = 1,
) -> FittedAll:
    """Choose what to print of the sentences of all documents for the highest total value, within one budget.

    With `leaves_foreign`, blocks that are not English are printed unchanged or left out.
    """
    check_budget(limits.budget)
    if not sources:
        raise LaconicError("there are no documents: give at least one")
    for source in sources:
        check_text(source.text)
    _check_phrases([source.text for source in sources], limits)
    question = read_question(compressor, query, relevance)
    documents = [replace(read_document(source.text, source.format), name=source.name) for source in sources]
    budget = limits.budget
    everything = join([document.text for document in documents])
    most = make_most(budget, everything)
    start(sum(len(document.text) for document in documents))
    if budget.length(everything) <= most and all(constraint.keep for constraint in limits.constraints):
        whole = [make_fitted(each, each.text, report_whole(each), budget, most) for each in documents]
        return FittedAll(tuple(whole), everything, *told_length(everything, budget, most))
    if leaves_foreign:
        documents = [replace(each, blocks=leave_foreign_blocks(each.blocks)) for each in documents]
    constraints = Limits(constraints=limits.constraints)
    parts = []
    for document, own in zip(
        documents,
        read_parts(compressor, documents, constraints, question=question, advance=advance, threads=threads),
        strict=True,
    ):
        if isinstance(own, LaconicError):
            raise own if document.name is None else LaconicError(f"{document.name}: {own}")
        parts.append(own)
    pairs = [(own, document.blocks) for own, document in zip(parts, documents, strict=True)]

    def choose(weights: Sequence[PartWeights]) -> FittedAll:
        members = [
            Member(document, own, counts, limits, most)
            for document, own, counts in zip(documents, parts, weights, strict=True)
        ]
        return _choose(members, budget, most)

    try:
        return choose(weigh(pairs, question, relevance, copies=True))
    except MisfitError:
        if question is None or relevance is not None:
            raise
        # The items that are relevant to the question do not fit: allow all others.
        return choose(weigh(pairs, question, leaves_out=False, copies=True))


def join(texts: Sequence[str]) -> str:
    """Join the non-empty printed documents, with a blank line between two."""
    printed = [text for text in texts if text.strip()]
    return "".join(text if i + 1 == len(printed) else text.rstrip("\r\n") + BETWEEN for i, text in enumerate(printed))


def _choose(members: Sequence[Member], budget: Budget, most: int) -> FittedAll:
    """The best result within the budget."""
    offers = _as_arrays(members)
    ends = [0, *accumulate(len(member.items) for member in members)]

    def printed(chosen: Sequence[int]) -> list[Printed]:
        own = [chosen[a:b] for a, b in pairwise(ends)]
        return [member.print(options) for member, options in zip(members, own, strict=True)]

    def write(found: Sequence[Printed], room: int) -> list[str]:
        return [member.write(each, room) for member, each in zip(members, found, strict=True)]

    def measure(chosen: Sequence[int]) -> int:
        return budget.length(join(write(printed(chosen), 0)))

    shortest, least = find_shortest(offers, measure, most)
    if not least or least > most:
        texts = write(printed(shortest), 0) if least else [member.document.text for member in members]
        raise too_short(most, budget, join(texts))
    between = budget.length(BETWEEN) * (len(members) - 1)
    best = printed(find_best(offers, most, max(most - between, 0), measure) or shortest)
    texts = write(best, 0)
    spare = most - budget.length(join(texts))
    for i, member in enumerate(members):  # restore the original line breaks of whole paragraphs while there is room
        unfolded = member.write(best[i], budget.length(texts[i]) + spare)
        others = [*texts[:i], unfolded, *texts[i + 1 :]]
        if texts[i] and budget.length(join(others)) <= most:
            spare -= budget.length(unfolded) - budget.length(texts[i])
            texts = others
    fitted = [member.fitted(text, each, budget, most) for member, text, each in zip(members, texts, best, strict=True)]
    text = join(texts)
    return FittedAll(tuple(fitted), text, *told_length(text, budget, most))


@dataclass(frozen=True, slots=True)
class _Item:
    """An item of the choice: a part, or all parts of a section with a heading."""

    parts: list[int]  # indices among the parts with a choice
    ways: Ways | None  # of the parts together; None: a single part
    numbers: list[int]  # indices of the ways, or of the part's options, that can be chosen
    length: list[int]
    value: list[int]
    always: bool  # the first option is printed if anything of the document is


class Member:
    """A document among several: its items, and how chosen options are printed."""

    def __init__(
        self, document: Document, parts: Parts, weights: Iterable[Sequence[float]], limits: Limits, most: int
    ) -> None:
        budget = limits.budget
        self.document = document
        definitions = Definitions(document.blocks)
        sections = find_sections(parts, document, budget)
        free = free_headings(parts, document.blocks)
        ways = make_ways(parts, document, definitions, budget, weights, sections, free)
        self._printer = Printer(document, parts, ways, sections, definitions, budget)
        self._count = len(parts) - int(sections.closing.sum())
        self.must_stay = any(known.required for i in range(len(parts)) for known in parts.known(i)) or any(
            constraint.keep and constraint.is_in(document.text) for constraint in limits.constraints
        )
        self.items: list[_Item] = []
        offered = [_Offered(ways, i, bool(required)) for i, required in enumerate(parts.required)]
        number = 0
        begins = sections.begin.tolist()
        for begin, end, setup in zip(begins, [*begins[1:], len(parts)], sections.setup.tolist(), strict=True):
            inside = offered[begin + (setup > 0) : end]
            own = list(range(number, number + len(inside)))
            number += len(own)
            if setup:
                self.items.append(_make_section(own, inside, setup, most))
            else:
                self.items += [_make_item(i, part) for i, part in zip(own, inside, strict=True)]
        self.setup = sum(item.length[0] for item in self.items if item.always) + budget.length(document.tail)

    def offers(self, item: _Item) -> tuple[list[int], list[int]]:
        """The lengths and values of an item's options, less what the document's setup pays for."""
        paid = item.length[0] if item.always else 0
        return [length - paid for length in item.length], item.value

    def print(self, options: Sequence[int]) -> Printed:
        """The printed form of the document, given the chosen option of each item."""
        chosen = [-1] * self._count
        opened = any(option >= 0 for option in options)
        for item, option in zip(self.items, options, strict=True):
            taken = 0 if option < 0 and item.always and opened else option
            if taken < 0:
                continue
            way = item.numbers[taken]
            for part, which in zip(item.parts, [way] if item.ways is None else item.ways.options(0, way), strict=True):
                chosen[part] = which
        found = self._printer.print(chosen)
        return found if opened else replace(found, contents=[None] * len(found.contents))

    def write(self, printed: Printed, most: int) -> str:
        """The document's text; empty if nothing of it is printed."""
        return self._printer.write(printed, most) if any(printed.contents) else ""

    def fitted(self, text: str, printed: Printed, budget: Budget, most: int) -> Fitted:
        """The result for this document."""
        return make_fitted(self.document, text, self._printer.report(printed), budget, most, is_cut=True)


class _Offered:
    """The ways to print a part, as lists."""

    def __init__(self, ways: Ways, part: int, required: bool) -> None:
        own = slice(ways.way_ptr[part], ways.way_ptr[part + 1])
        self.lengths: list[int] = ways.length[own].tolist()
        self.values: list[int] = ways.value[own].tolist()
        self.required = required


def _make_item(number: int, part: _Offered) -> _Item:
    always = part.required and bool(part.lengths)  # a part without words cannot be required
    return _Item([number], None, list(range(len(part.lengths))), part.lengths, part.values, always)


def _make_section(numbers: list[int], parts: Sequence[_Offered], setup: int, most: int) -> _Item:
    """The parts of a section as one item; its heading is printed with any of them."""
    sentences = [Choices(part.lengths, part.values, part.required and bool(part.lengths)) for part in parts]
    # If nothing fits, at least the shortest way must be included.
    required = [part.lengths[0] for part, own in zip(parts, sentences, strict=True) if own.required]
    least = sum(required) or min((part.lengths[0] for part in parts if part.lengths), default=0)
    ways = combine(sentences, 0, max(most, least))
    length = (ways.length + setup).tolist()
    always = any(sentence.required for sentence in sentences)
    return _Item(numbers, ways, list(range(len(length))), length, ways.value.tolist(), always)


def _as_arrays(members: Sequence[Member]) -> Offers:
    offered = [member.offers(item) for member in members for item in member.items]
    # If something of a document is required, so is everything that is printed with it in any case.
    required = [member.must_stay and item.always for member in members for item in member.items]
    return Offers(
        item_ptr=np.array([0, *accumulate(len(member.items) for member in members)], dtype=np.int64),
        option_ptr=np.array([0, *accumulate(len(lengths) for lengths, _ in offered)], dtype=np.int64),
        length=np.array([length for lengths, _ in offered for length in lengths], dtype=np.int64),
        value=np.array([value for _, values in offered for value in values], dtype=np.int64),
        setup=np.array([member.setup for member in members], dtype=np.int64),
        required=np.array(required, dtype=np.uint8),
    )


def _check_phrases(texts: Sequence[str], limits: Limits) -> None:
    """Refuse a phrase to keep that occurs in no document."""
    for constraint in limits.constraints:
        if constraint.keep and constraint.phrase is not None and not any(map(constraint.is_in, texts)):
            raise LaconicError(f"{constraint} cannot hold: no document has these words; check their spelling")
