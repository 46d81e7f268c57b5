"""The attributes of spans and documents, and how compressions are stored in a document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, cast

from spacy.tokens import Doc, Span

from laconic.errors import LaconicError
from laconic.explanation.deletions import By, Deletion, Guarded
from laconic.results import Compression, Resolved, Result

#: The attribute of spans and documents: `sent._.compressions`, `doc._.compressions`.
ATTRIBUTE: Final = "compressions"


def set_extensions() -> None:
    """Register `span._.compressions` and `doc._.compressions`; every component does so.

    Call it to read saved documents without loading a pipeline.
    """
    attributes: list[tuple[Any, Callable[[Any], Any]]] = [(Span, _of_span), (Doc, _of_doc)]
    for kind, getter in attributes:
        if not kind.has_extension(ATTRIBUTE):
            kind.set_extension(ATTRIBUTE, getter=getter)
            continue
        present = kind.get_extension(ATTRIBUTE)[2]
        if (getattr(present, "__module__", None), getattr(present, "__name__", None)) != (__name__, getter.__name__):
            raise LaconicError(
                f"the attribute {kind.__name__}._.{ATTRIBUTE} is somebody else's: remove it with "
                f"{kind.__name__}.remove_extension({ATTRIBUTE!r}) before laconic is added"
            )


def _of_span(span: Span) -> tuple[Compression, ...]:
    """The compressions of a sentence, or of the whole document if a budget applies to it; other spans have none."""
    found = _user_data(span.doc).get(_key(span.start_char, span.end_char), ())
    return tuple(_from_plain(plain, span.start_char) for plain in found)


def _of_doc(doc: Doc) -> list[tuple[Compression, ...]]:
    """The compressions of every sentence of a document."""
    return [_of_span(sent) for sent in doc.sents] if doc.has_annotation("SENT_START") else []


def _key(start: int, end: int) -> tuple[str, str, int, int]:
    """The key in spaCy's user data for a span, given by its characters."""
    return ("._.", ATTRIBUTE, start, end)


def _user_data(doc: Doc) -> dict[Any, Any]:
    return cast(dict[Any, Any], doc.user_data)  # spaCy's stubs do not declare its own keys


def keep(doc: Doc, result: Result) -> None:
    """Store a result in its document."""
    places = [(sent.start_char, sent.end_char) for sent in doc.sents] if result.sentences else []
    for sentence in result.sentences:  # a sentence of white space has none
        start, end = places[bisect_right(places, sentence.start, key=lambda place: place[0]) - 1]
        _user_data(doc)[_key(start, end)] = [_plain(each, start) for each in sentence.compressions]
    if result.of_text:  # several sentences, so the key differs from theirs
        whole = doc[:]
        key = _key(whole.start_char, whole.end_char)
        _user_data(doc)[key] = [_plain(each, whole.start_char) for each in result.of_text]


def _plain(compression: Compression, base: int) -> dict[str, Any]:
    """A compression as plain data, with offsets from `base`."""
    deletions = compression.deletions
    return {
        "text": compression.text,
        "score": float(compression.score),
        "rank": compression.rank,
        "rate": float(compression.rate),
        "spans": _moved(compression.spans, -base),
        "resolved": [
            [_moved([each.pronoun], -base)[0], _moved(each.antecedent, -base)] for each in compression.resolved
        ],
        "deletions": None
        if deletions is None
        else [
            {
                **each.to_dict(),
                "start": int(each.start) - base,
                "end": int(each.end) - base,
                "p_del": None if each.p_del is None else float(each.p_del),
            }
            for each in deletions
        ],
        "guarded": [
            {**each.to_dict(), "start": int(each.start) - base, "end": int(each.end) - base}
            for each in compression.guarded
        ],
        "excess": int(compression.excess),
    }


def _from_plain(plain: dict[str, Any], base: int) -> Compression:
    """Restore a compression from plain data, with offsets into the document."""
    deletions = plain["deletions"]
    return Compression(
        plain["text"],
        plain["score"],
        plain["rank"],
        plain["rate"],
        tuple(_moved(plain["spans"], base)),
        tuple(
            Resolved(_moved([pronoun], base)[0], tuple(_moved(antecedent, base)))
            for pronoun, antecedent in plain["resolved"]
        ),
        None
        if deletions is None
        else tuple(
            Deletion(**{**each, "start": each["start"] + base, "end": each["end"] + base, "by": By(each["by"])})
            for each in deletions
        ),
        tuple(
            Guarded(**{**each, "start": each["start"] + base, "end": each["end"] + base})
            for each in plain.get("guarded", ())
        ),
        plain.get("excess", 0),
    )


def _moved(spans: Iterable[Sequence[int]], by: int) -> list[tuple[int, int]]:
    return [(int(start) + by, int(end) + by) for start, end in spans]
