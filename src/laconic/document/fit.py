"""Fit documents into a budget: for every sentence one of its compressions, the whole, or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from laconic.document.definitions import Definitions
from laconic.document.document import BYTE_ORDER_MARK, Document, check_format, read_document
from laconic.document.format import Format
from laconic.document.least import find_shortest
from laconic.document.parts import Parts, find_sections, make_offers, make_ways
from laconic.document.places import Kept, Places, merge
from laconic.document.printed import Printer
from laconic.document.question import read_question
from laconic.document.read import read_parts
from laconic.document.report import Piece, Report
from laconic.document.search import find_best
from laconic.document.weights import weigh
from laconic.document.whole import report_whole
from laconic.errors import LaconicError, MisfitError
from laconic.foreign import leave_foreign_blocks
from laconic.limits import Budget, Limits
from laconic.limits.budget import share_at_most
from laconic.progress import Advance, ignore

if TYPE_CHECKING:
    from laconic.compressor import Compressor
    from laconic.document.relevance import Relevance


@dataclass(frozen=True, slots=True)
class Fitted:
    """A document that fits: its text, how long that is, and what became of everything in it, in order."""

    text: str
    length: int
    most: int  # the budget
    report: Report = field(repr=False)
    source: str | None = None  # the name of the document, where it has one
    places: Places | None = field(default=None, repr=False, compare=False)  # None: all of it is kept

    @property
    def sentences(self) -> tuple[tuple[str, str | None], ...]:
        """Each sentence as it was, and as it is printed; None: it is left out."""
        return self.report.of(sentences=True)

    @property
    def blocks(self) -> tuple[tuple[str, str | None], ...]:
        """Likewise what is no sentence: headings, code, heads and rows of tables, definitions and rules."""
        return self.report.of(sentences=False)

    @property
    def kept(self) -> tuple[Kept, ...]:
        """What is printed of each sentence, and of what is none, with the offsets into the document that it has."""
        if self.places is None:
            return (Kept(self.text, ((0, len(self.text)),)),)
        return tuple(self.places.find())

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The offsets into the document of all that is kept."""
        return merge(self.kept)

    @property
    def whole(self) -> int:
        """How many sentences are printed as they were."""
        return self.report.whole

    @property
    def left_out(self) -> int:
        """How many sentences are gone."""
        return self.report.left_out

    @property
    def shortened(self) -> int:
        """How many sentences are printed shorter."""
        return self.report.sentences - self.whole - self.left_out

    @property
    def blocks_left_out(self) -> int:
        """How much of what is no sentence is gone."""
        return self.report.others_left_out

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON-ready data."""
        kept = [{"text": each.text, "spans": [list(span) for span in each.spans]} for each in self.kept]
        return {"source": self.source, "text": self.text, "kept": kept if self.text else []}


def fit_documents(
    compressor: Compressor,
    texts: Sequence[str],
    limits: Limits,
    *,
    format: Format | str = Format.MARKDOWN,  # noqa: A002
    leaves_foreign: bool = True,
    query: str | None = None,
    relevance: Relevance | None = None,
    start: Advance = ignore,
    advance: Advance = ignore,
    threads: int = 1,
) -> list[Fitted | LaconicError]:
    """Choose what to print of every sentence for the highest total worth, within the budget of each document.

    With a query, what answers it is worth most; `relevance` says how relevant sentences are to it. What is within its
    budget is printed as it is. A document that does not fit has its error in its place. `start` is told how many
    characters there are, `advance` how many are read. `threads` work on batches of sentences of all documents. Blocks
    that are not English are printed as they are or not at all, where it `leaves_foreign` ones alone.
    """
    format = check_format(format)  # noqa: A001
    check_budget(limits.budget)
    question = read_question(compressor, query, relevance)
    found: list[Fitted | LaconicError | None] = [None] * len(texts)
    asked: list[_Asked] = []
    start(sum(len(text) for text in texts if isinstance(text, str)))
    for number, text in enumerate(texts):
        try:
            one = _ask(number, text, limits, format)
        except LaconicError as error:
            found[number] = error
            continue
        if one.stays_as_it_is(limits):
            found[number] = one.as_it_is()
            advance(len(text))
        else:
            asked.append(one.leaving_foreign() if leaves_foreign else one)
    constraints = Limits(constraints=limits.constraints)
    documents = [one.document for one in asked]
    for one, parts in zip(
        asked,
        read_parts(compressor, documents, constraints, question=question, advance=advance, threads=threads),
        strict=True,
    ):
        try:
            if isinstance(parts, LaconicError):
                raise parts
            try:
                found[one.number] = one.fit(parts, weigh([(parts, one.document.blocks)], question, relevance)[0])
            except MisfitError:
                if question is None or relevance is not None:
                    raise
                # There is no room for what has to do with the question.
                (weights,) = weigh([(parts, one.document.blocks)], question, leaves_out=False)
                found[one.number] = one.fit(parts, weights)
        except LaconicError as error:
            found[one.number] = error
    return [one for one in found if one is not None]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A document and its budget."""

    number: int  # among those that are fitted together
    document: Document
    budget: Budget
    most: int

    def stays_as_it_is(self, limits: Limits) -> bool:
        """Whether the document is within its budget, and nothing has to go."""
        goes = [constraint for constraint in limits.constraints if not constraint.keep]
        fits = self.budget.length(self.document.text) <= self.most
        return fits and all(each.phrase is not None and not each.is_in(self.document.text) for each in goes)

    def leaving_foreign(self) -> _Asked:
        """The same, where blocks that are not English are printed as they are or not at all."""
        blocks = leave_foreign_blocks(self.document.blocks)
        return replace(self, document=replace(self.document, blocks=blocks))

    def as_it_is(self) -> Fitted:
        """The result where all of the document is printed."""
        return make_fitted(self.document, self.document.text, report_whole(self.document), self.budget, self.most)

    def fitted(self, text: str, pieces: Iterable[Piece]) -> Fitted:
        """The result where this is printed."""
        return make_fitted(self.document, text, pieces, self.budget, self.most, is_cut=True)

    def fit(self, parts: Parts, weights: Iterable[Sequence[float]]) -> Fitted:
        """The best that is within the budget."""
        document, budget, most = self.document, self.budget, self.most
        definitions = Definitions(document.blocks)
        sections = find_sections(parts, document, budget)
        ways = make_ways(parts, document, definitions, budget, weights, sections)
        del weights  # there may be millions
        offers = make_offers(ways, parts, sections)
        printer = Printer(document, parts, ways, sections, definitions, budget)

        def write(chosen: Sequence[int], room: int = 0) -> str:
            found = printer.print(chosen)
            return printer.write(found, room) if any(found.contents) else ""

        def measure(chosen: Sequence[int], room: int = 0) -> int:
            text = write(chosen, room)
            return budget.length(text) if text else 0

        shortest, least = find_shortest(offers, measure, most)
        if not least:  # there are but rules, or definitions that nothing refers to
            raise too_short(most, budget, document.text)
        if least > most:
            raise too_short(most, budget, write(shortest))

        room = max(most - budget.length(document.tail), 0)
        # What stands alone is charged for what it prints.
        adds_up = len(document.blocks) == 1 and budget.count is None
        best = find_best(offers, most, room, partial(measure, room=most), adds_up=adds_up) or shortest
        printed = printer.print(best)
        return self.fitted(printer.write(printed, most), printer.report(printed))


def make_fitted(
    document: Document, text: str, pieces: Iterable[Piece], budget: Budget, most: int, *, is_cut: bool = False
) -> Fitted:
    """The result with this text, and with what became of the parts of the document, where it is cut, or stays."""
    report = Report(pieces)
    places = Places(document, report) if is_cut else None
    return Fitted(text, *told_length(text, budget, most), report, document.name, places)


def told_length(text: str, budget: Budget, most: int) -> tuple[int, int]:
    """The length of a text and the budget, as they are told: of several maxima, those of the first."""
    if not budget.parts:
        return budget.length(text), most
    return budget.parts[0].length(text), int(budget.parts[0].most or 0)


def _ask(number: int, text: str, limits: Limits, format: Format) -> _Asked:  # noqa: A002
    """A document and its budget; refuses what cannot be fitted."""
    check_text(text)
    most = make_most(limits.budget, text)
    document = read_document(text, format)
    for constraint in limits.constraints:
        if constraint.keep and constraint.phrase is not None and not constraint.is_in(text):
            raise LaconicError(
                f"{constraint} cannot hold: the document does not have these words; check their spelling"
            )
    return _Asked(number, document, limits.budget, most)


def too_short(most: int, budget: Budget, shortest: str) -> MisfitError:
    """Says that nothing fits, and how much would: the shortest print."""
    if budget.parts:  # a length is a share of these
        lengths = " and ".join(f"{part.length(shortest)} {part.plural}" for part in budget.parts)
        return MisfitError(f"the document does not fit into {budget.described}: allow more; {lengths} are enough")
    least = budget.length(shortest)
    error = MisfitError(
        f"the document does not fit into {most} {budget.plural}: the shortest possible result, with what always "
        f"stays, has {least}; allow at least that many"
    )
    error.shortest = least
    return error


def check_budget(budget: Budget) -> None:
    """Refuse what is no budget of a document."""
    if not budget.has_maximum:
        raise LaconicError("fit needs a budget: give max_chars, max_words, max_tokens, max_bytes or rate")


def check_text(text: str) -> None:
    """Refuse what is no text."""
    if not isinstance(text, str):
        raise LaconicError(f"the document is {text!r}: give its text")
    if not text.removeprefix(BYTE_ORDER_MARK).strip():
        raise LaconicError("the document is empty: give one with text")
    if "\0" in text:
        raise LaconicError(f"the document is no text, it has a NUL at character {text.index(chr(0))}: give a text")


def make_most(budget: Budget, text: str) -> int:
    """The greatest length of what is printed of a text."""
    maxima = [] if budget.most is None else [int(budget.most)]
    if budget.rate is not None:
        maxima.append(int(share_at_most(np.array(len(text)), budget.rate)))
    return min(maxima)
