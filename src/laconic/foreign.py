"""Texts that are not English: they are detected and left unchanged."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from laconic.errors import LaconicError, LanguageWarning, MisfitError, shorten
from laconic.language.detect import is_english
from laconic.results import Compression, Result, Sentence, join_compressions

if TYPE_CHECKING:
    from laconic.document.blocks import Blocks
    from laconic.limits import Limits
    from laconic.limits.limits import BoundLimits
    from laconic.refused import Refused
    from laconic.tree import Forest

#: The remedy named in messages about texts that are left unchanged.
_REMEDY: Final = "compress it all the same with language='any'"
_OPTIONS: Final = {"language": "any"}


class Language(StrEnum):
    """The languages of texts that are compressed."""

    ENGLISH = "en"  # texts that do not look like another language
    ANY = "any"  # all texts


def check_language(language: Language | str | None) -> Language:
    """The language of that name."""
    try:
        return Language(language or Language.ENGLISH)
    except ValueError:
        raise LaconicError(f"unknown language {language!r}: use en, or any to compress every language") from None


def find_foreign(texts: Sequence[str], language: Language | str | None) -> NDArray[np.bool_]:
    """For each text, whether it is to be left unchanged."""
    if check_language(language) is Language.ANY:
        return np.zeros(len(texts), dtype=np.bool_)
    return np.array([not is_english(text) for text in texts], dtype=np.bool_)


def leave_as_they_are(forest: Forest, limits: Limits, *, each: bool, explains: bool) -> tuple[list[Result], Refused]:
    """The results of texts that are left unchanged, and the errors of those that the limits refuse.

    The budget applies to `each` sentence, or to each text as a whole.
    """
    bound = limits.bind(forest, of_texts=not each) if limits else None
    texts, parses = forest.parses.texts(), forest.parses
    sentences: list[list[Sentence]] = [[] for _ in texts]
    refused: Refused = {} if bound is None else dict(bound.errors)
    for i, (number, first, last) in enumerate(parses.sentences()):
        text, start = texts[number], int(parses.start[first])
        whole = text[start : parses.end[last - 1]].strip()
        if not whole:
            continue
        start = text.index(whole, start)
        span = (start, start + len(whole))
        excess = bound.excess(i, whole) if bound is not None and each else 0
        deletions = () if explains else None
        same = Compression(whole, 0.0, 1, 1.0, (span,), deletions=deletions, excess=excess)
        sentences[number].append(Sentence(whole, *span, (same,)))
        if bound is not None and any(not bound.reasons[row].keep for row in range(first, last) if row in bound.reasons):
            message = f"{shorten(whole)!r} is not English and left as it is, but it has words that must go: {_REMEDY}"
            refused.setdefault(number, LaconicError(message, **_OPTIONS))
    results = [Result(text, tuple(own), foreign=True) for text, own in zip(texts, sentences, strict=True)]
    if bound is not None and not each:
        results = [_of_text(result, bound, number) for number, result in enumerate(results)]
    for number, result in enumerate(results):
        if bound is not None and not bound.limits.budget.nearest:
            for part in result.parts():
                if part[0].excess:
                    refused.setdefault(number, _misfit(part, bound))
    return results, refused


def warn_of_foreign(results: Iterable[Result | LaconicError]) -> None:
    """Warn about each text that is left unchanged."""
    for result in results:
        if isinstance(result, Result) and result.foreign:
            warn_of(result.text)


def warn_of(text: str) -> None:
    """Warn that a text is left unchanged."""
    shown = shorten(" ".join(text.split()))
    warning = LanguageWarning(f"{shown!r} is not English and left as it is: {_REMEDY}", **_OPTIONS)
    warnings.warn(warning, stacklevel=4)


def leave_foreign_blocks(blocks: Blocks) -> Blocks:
    """The blocks of a document, with those that are not English marked to be printed unchanged or dropped."""
    found = [i for i in range(len(blocks)) if (prose := blocks.prose(i)) is not None and not is_english(prose.plain)]
    for i in found:
        warn_of(blocks.source(i))
    return blocks.leaving(found) if found else blocks


def _of_text(result: Result, bound: BoundLimits, number: int) -> Result:
    """The result of a text for a budget that applies to the whole text."""
    if not result.sentences:
        return result
    bounds = bound.bounds_of_text(number)
    whole = result.text.strip()
    excess = bounds.excess(whole)
    if len(result.sentences) == 1:
        (sentence,) = result.sentences
        return replace(result, sentences=(replace(sentence, compressions=(replace(sentence[0], excess=excess),)),))
    joined = join_compressions(result.text, [sentence[0] for sentence in result], excess=excess)
    start = result.text.index(whole)
    return replace(result, of_text=(replace(joined, text=whole, rate=1.0, spans=((start, start + len(whole)),)),))


def _misfit(part: Sentence, bound: BoundLimits) -> MisfitError:
    budget = bound.limits.budget
    length = budget.length(part.text)
    lengths = " and ".join(f"{each.length(part.text)} {each.plural}" for each in budget.parts or (budget,))
    error = MisfitError(
        f"{shorten(part.text)!r} is not English and left as it is, and its {lengths} are not within the budget: allow "
        f"them, or {_REMEDY}",
        **_OPTIONS,
    )
    if not budget.parts:
        error.shortest = error.longest = length
    return error
