"""Texts of a batch that are refused; the others still have their results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from laconic.errors import LaconicError, MisfitError, shorten
from laconic.limits.markers import Span, take_markers_out

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from laconic.results import Result

#: The errors of the refused texts of a batch, by text index.
Refused: TypeAlias = dict[int, LaconicError]


def raise_first(refused: Refused) -> None:
    """Raise the error of the first refused text, if there is one."""
    if refused:
        raise refused[min(refused)]


def check_texts(texts: Sequence[str | Doc], check: Callable[[Doc], None]) -> tuple[list[str | Doc], Refused]:
    """The texts without the documents that `check` refuses, and the errors of these, by index in `texts`."""
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
    """The texts without protection markers, the protected spans, and the errors of texts with unbalanced markers."""
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
    """The errors of sentences longer than the maximum: the ILP returns the whole sentence if no compression fits."""
    refused: Refused = {}
    for number, result in enumerate(results):
        for sentence in result:
            if len(sentence[0].text) > max_chars:
                message = f"no compression of {shorten(sentence.text)!r} fits into {max_chars} characters: give more"
                refused.setdefault(number, MisfitError(message))
    return refused


def put_back(results: Sequence[Result], refused: Refused, unread: Refused) -> list[Result | LaconicError]:
    """The results and errors of all texts in order; `unread` are texts that were refused before parsing."""
    found: Iterator[Result | LaconicError] = (refused.get(i, result) for i, result in enumerate(results))
    return [unread[i] if i in unread else next(found) for i in range(len(results) + len(unread))]
