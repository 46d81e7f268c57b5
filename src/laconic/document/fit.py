"""Fit documents into a budget: each sentence is printed whole, compressed or left out."""

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
from laconic.document.printed import Printed, Printer
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
    """A fitted document: its text, its length, and what was done with each sentence and block, in order."""

    text: str
    length: int
    most: int  # the budget
    report: Report = field(repr=False)
    source: str | None = None  # the name of the document, if it has one
    places: Places | None = field(default=None, repr=False, compare=False)  # None: the document is unchanged

    @property
    def sentences(self) -> tuple[tuple[str, str | None], ...]:
        """Each sentence with its printed form; None: left out."""
        return self.report.of(sentences=True)

    @property
    def blocks(self) -> tuple[tuple[str, str | None], ...]:
        """The same for everything else: headings, code, heads and rows of tables, definitions and rules."""
        return self.report.of(sentences=False)

    @property
    def kept(self) -> tuple[Kept, ...]:
        """The printed form of each sentence and other item that is kept, with its offsets in the document."""
        if self.places is None:
            return (Kept(self.text, ((0, len(self.text)),)),)
        return tuple(self.places.find())

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The offsets in the document of everything that is kept."""
        return merge(self.kept)

    @property
    def whole(self) -> int:
        """The number of sentences that are printed unchanged."""
        return self.report.whole

    @property
    def left_out(self) -> int:
        """The number of sentences that are left out."""
        return self.report.left_out

    @property
    def shortened(self) -> int:
        """The number of sentences that are shortened."""
        return self.report.sentences - self.whole - self.left_out

    @property
    def blocks_left_out(self) -> int:
        """The number of other items that are left out."""
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
    """Choose what to print of every sentence for the highest total value, within the budget of each document.

    With a query, the sentences that answer it have the highest values; `relevance` scores sentences for it. Documents
    that are within their budgets are returned unchanged. If a document does not fit, its error is returned in its
    place. `start` is called with the number of characters, `advance` with the number of characters read. `threads`
    threads work on batches of sentences from all documents. With `leaves_foreign`, blocks that are not English are
    printed unchanged or left out.
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
                # The items that are relevant to the question do not fit: allow all others.
                (weights,) = weigh([(parts, one.document.blocks)], question, leaves_out=False)
                found[one.number] = one.fit(parts, weights)
        except LaconicError as error:
            found[one.number] = error
    return [one for one in found if one is not None]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A document and its budget."""

    number: int  # its index in `texts`
    document: Document
    budget: Budget
    most: int

    def stays_as_it_is(self, limits: Limits) -> bool:
        """Whether the document is within its budget and contains nothing that must be deleted."""
        goes = [constraint for constraint in limits.constraints if not constraint.keep]
        fits = self.budget.length(self.document.text) <= self.most
        return fits and all(each.phrase is not None and not each.is_in(self.document.text) for each in goes)

    def leaving_foreign(self) -> _Asked:
        """A copy in which blocks that are not English are printed unchanged or left out."""
        blocks = leave_foreign_blocks(self.document.blocks)
        if blocks is self.document.blocks:
            return self
        return replace(self, document=replace(self.document, blocks=blocks))

    def as_it_is(self) -> Fitted:
        """The result if the document is printed unchanged."""
        return make_fitted(self.document, self.document.text, report_whole(self.document), self.budget, self.most)

    def fitted(self, text: str, pieces: Iterable[Piece]) -> Fitted:
        """The result with this text."""
        return make_fitted(self.document, text, pieces, self.budget, self.most, is_cut=True)

    def fit(self, parts: Parts, weights: Iterable[Sequence[float]]) -> Fitted:
        """The best result within the budget."""
        document, budget, most = self.document, self.budget, self.most
        definitions = Definitions(document.blocks)
        sections = find_sections(parts, document, budget)
        ways = make_ways(parts, document, definitions, budget, weights, sections)
        del weights  # free their memory: there may be millions
        offers = make_offers(ways, parts, sections)
        printer = Printer(document, parts, ways, sections, definitions, budget)

        last: Printed | None = None  # most often, what was measured last is the result

        def write(chosen: Sequence[int], room: int = 0) -> str:
            nonlocal last
            last = printer.print(chosen)
            return printer.write(last, room) if any(last.contents) else ""

        def result(chosen: Sequence[int]) -> Fitted:
            printed = last if last is not None and last.chosen == chosen else printer.print(chosen)
            return self.fitted(printer.write(printed, most), printer.report(printed))

        def measure(chosen: Sequence[int], room: int = 0) -> int:
            text = write(chosen, room)
            return budget.length(text) if text else 0

        room = max(most - budget.length(document.tail), 0)
        if len(document.blocks) == 1 and budget.count is None:  # the lengths of the options are exact
            best = find_best(offers, most, room, partial(measure, room=most), adds_up=True)
            if best is not None:
                return result(best)

        shortest, least = find_shortest(offers, measure, most)
        if not least:  # only rules, or definitions that nothing references
            raise too_short(most, budget, document.text)
        if least > most:
            raise too_short(most, budget, write(shortest))
        return result(find_best(offers, most, room, partial(measure, room=most)) or shortest)


def make_fitted(
    document: Document, text: str, pieces: Iterable[Piece], budget: Budget, most: int, *, is_cut: bool = False
) -> Fitted:
    """The result with this text and these pieces; `is_cut` says that the document was changed."""
    report = Report(pieces)
    places = Places(document, report) if is_cut else None
    return Fitted(text, *told_length(text, budget, most), report, document.name, places)


def told_length(text: str, budget: Budget, most: int) -> tuple[int, int]:
    """The length and the budget that are reported: with several maxima, those of the first one."""
    if not budget.parts:
        return budget.length(text), most
    return budget.parts[0].length(text), int(budget.parts[0].most or 0)


def _ask(number: int, text: str, limits: Limits, format: Format) -> _Asked:  # noqa: A002
    """A document and its budget; refuses documents that cannot be fitted."""
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
    """The error if nothing fits; it gives the length of the shortest possible result."""
    if budget.parts:  # the common length of several maxima means nothing to users
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
    """Refuse a budget without a maximum."""
    if not budget.has_maximum:
        raise LaconicError("fit needs a budget: give max_chars, max_words, max_tokens, max_bytes or rate")


def check_text(text: str) -> None:
    """Refuse input that is not a non-empty text."""
    if not isinstance(text, str):
        raise LaconicError(f"the document is {text!r}, not a text: give its text")
    if not text.removeprefix(BYTE_ORDER_MARK).strip():
        raise LaconicError("the document is empty: give one with text")
    if "\0" in text:
        raise LaconicError(f"the document is not a text: it has a NUL at character {text.index(chr(0))}; give a text")


def make_most(budget: Budget, text: str) -> int:
    """The maximum length of the print of a text."""
    maxima = [] if budget.most is None else [int(budget.most)]
    if budget.rate is not None:
        maxima.append(int(share_at_most(np.array(len(text)), budget.rate)))
    return min(maxima)
