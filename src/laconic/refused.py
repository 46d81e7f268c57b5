"""Texts of a batch that are refused, while the others have their results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from laconic.errors import LaconicError, MisfitError, shorten
from laconic.limits.markers import Span, take_markers_out

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from laconic.results import Result

#: Why texts of a batch are refused, by their numbers.
Refused: TypeAlias = dict[int, LaconicError]


def raise_first(refused: Refused) -> None:
    """The error of the first text that is refused, if any is."""
    if refused:
        raise refused[min(refused)]


def check_texts(texts: Sequence[str | Doc], check: Callable[[Doc], None]) -> tuple[list[str | Doc], Refused]:
    """The texts without the documents that the check refuses, and why, by their numbers in all of them."""
    accepted: list[str | Doc] = []
    refused: Refused = {}
    for number, text in enumerate(texts):
        try:
            if not isinstance(text, str):
                check(text)
            accepted.append(text)
        except LaconicError as error:
            refused[number] = error
    return accepted, refused


def take_all_markers_out(
    texts: Sequence[str | Doc], markers: Sequence[str]
) -> tuple[list[str], tuple[tuple[Span, ...], ...], Refused]:
    """Texts without protection markers, the spans in each that they protect, and where they are not balanced."""
    plain: list[str] = []
    protected: list[tuple[Span, ...]] = []
    refused: Refused = {}
    for number, text in enumerate(texts):
        try:
            if not isinstance(text, str):
                raise LaconicError("protect takes markers out of texts, not of a Doc: give the text, or spans to keep")
            without, spans = take_markers_out(text, markers)
        except LaconicError as error:
            refused[number] = error
            without, spans = "", []
        plain.append(without)
        protected.append(tuple(spans))
    return plain, tuple(protected), refused


def refuse_longer(results: list[Result], max_chars: int) -> Refused:
    """A sentence for which the ILP has no compression that fits comes back whole: too long."""
    refused: Refused = {}
    for number, result in enumerate(results):
        for sentence in result:
            if len(sentence[0].text) > max_chars:
                message = f"no compression of {shorten(sentence.text)!r} fits into {max_chars} characters: give more"
                refused.setdefault(number, MisfitError(message))
    return refused


def put_back(results: Sequence[Result], refused: Refused, unread: Refused) -> list[Result | LaconicError]:
    """Results and errors of all texts in their places; `unread` are those that were not even read."""
    found: Iterator[Result | LaconicError] = (refused.get(i, result) for i, result in enumerate(results))
    return [unread[i] if i in unread else next(found) for i in range(len(results) + len(unread))]
