"""Constraints: words that must be kept or deleted, named by their text, position or kind."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from laconic.errors import LaconicError, shorten
from laconic.language.grammar import NAMES
from laconic.language.word_lists import Denies, negations
from laconic.limits.markers import Span
from laconic.parse import Parses, scheme
from laconic.parse.texts import clean

#: Words of negation, in any syntactic role.
_NEGATIONS: Final = negations(Denies.WORD)

_QUOTATION: Final = re.compile(
    r'"[^"]+"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|``(?:[^`\']|\'(?!\'))+\'\''  # double quotes
    r"|‘(?:[^‘’]|’(?=\w))+’(?!\w)|(?<![\w'])'(?!')(?:[^']|(?<=\w)'(?=\w))+'(?!\w)"  # single quotes, around apostrophes
)
_PUNCTUATION: Final = re.compile(r"[.,;:!?()\[\]{}\"'“”‘’«»…–—/-]+")
_NUMBER_TAG: Final = scheme.TAG_ID["CD"]


@dataclass(frozen=True, slots=True)
class Constraint:
    """Words that must be kept (`keep`) or deleted, in every text that contains them."""

    keep: bool
    phrase: str | None = None  # words of the text; case matters only if the phrase has a capital
    span: Span | None = None  # characters of the text
    kind: str | None = None  # one of the values of the options keep_all and drop_all
    exact: bool = False  # printed unchanged, without a capital at the beginning

    def __str__(self) -> str:
        verb = "keep" if self.keep else "drop"
        if self.phrase is not None:
            return f"{verb} {self.phrase!r}"
        if self.span is not None:
            return f"{'protect' if self.exact else verb} {self.span[0]}:{self.span[1]}"
        return f"{verb} {self.kind}"

    @classmethod
    def words(cls, keep: bool, given: Sequence[str | Span]) -> Iterator[Constraint]:
        """Constraints for phrases and spans, as given by the options keep and drop."""
        for each in given:
            if isinstance(each, str):
                yield cls(keep, phrase=clean(" ".join(each.split())))
            else:
                yield cls(keep, span=each)

    @classmethod
    def kinds(cls, keep: bool, given: Sequence[str]) -> Iterator[Constraint]:
        """Constraints for kinds of words, as given by the options keep_all and drop_all."""
        return (cls(keep, kind=kind) for kind in given)

    def is_in(self, text: str) -> bool:
        """Whether the words of a phrase occur in a text; always false for kinds, which need a parse."""
        return self.phrase is not None and bool(_occurrences(self.phrase, text))

    def rows(self, parses: Parses, texts: Sequence[str], number: int) -> list[int]:
        """The rows of the tokens in text `number` of a batch that the constraint applies to."""
        first, last = int(parses.token_ptr[number]), int(parses.token_ptr[number + 1])
        starts, ends = parses.start[first:last].tolist(), parses.end[first:last].tolist()
        text = texts[number]
        if self.kind is not None:
            found = _of_kind(self.kind, parses, text, first, last)
        elif self.span is not None:
            self._check_span(text, starts, ends)
            found = _rows([self.span], starts, ends, first)
        else:
            # Match whole tokens only: no "can" in "can't", no "5" in "$5,000".
            edges = {*starts, *ends}
            spans = [span for span in _occurrences(self.phrase or "", text) if edges.issuperset(span)]
            found = _rows(spans, starts, ends, first)
        return [row for row in found if not text[starts[row - first] : ends[row - first]].isspace()]

    def _check_span(self, text: str, starts: list[int], ends: list[int]) -> None:
        assert self.span is not None
        if self.span[1] > len(text):
            raise LaconicError(
                f"{self} is outside the text {shorten(text)!r}, which has {len(text)} characters: give a span inside it"
            )
        for place in self.span:
            token = bisect_right(starts, place) - 1
            if token >= 0 and starts[token] < place < ends[token]:
                word = text[starts[token] : ends[token]]
                raise LaconicError(
                    f"{self} cuts the word {word!r} at {starts[token]}:{ends[token]}: give a span of whole words"
                )


def _rows(spans: Sequence[Span], starts: list[int], ends: list[int], first: int) -> list[int]:
    """The rows of the tokens that overlap with the spans."""
    return [
        first + token for start, end in spans for token in range(bisect_right(ends, start), bisect_left(starts, end))
    ]


def _occurrences(phrase: str, text: str) -> list[Span]:
    """The spans where the words of a phrase occur in a text, with any white space between them."""
    pattern = re.sub("['’]", "['’]", r"\s+".join(map(re.escape, phrase.split())))
    if re.match(r"\w", phrase[0]):
        pattern = r"(?<!\w)" + pattern
    if re.match(r"\w", phrase[-1]):
        pattern += r"(?!\w)"
    flags = re.NOFLAG if any(char.isupper() for char in phrase) else re.IGNORECASE
    return [match.span() for match in re.finditer(pattern, text, flags)]


def _of_kind(kind: str, parses: Parses, text: str, first: int, last: int) -> list[int]:
    rows = range(first, last)
    if kind == "quotes":
        spans = [match.span() for match in _QUOTATION.finditer(text)]
        return _rows(spans, parses.start[first:last].tolist(), parses.end[first:last].tolist(), first)
    if kind in ("numbers", "negations"):
        starts, ends = parses.start[first:last].tolist(), parses.end[first:last].tolist()
        words = [text[start:end] for start, end in zip(starts, ends, strict=True)]
        if kind == "negations":
            named = [word.lower() in _NEGATIONS for word in words]
        else:
            tagged = (parses.tag[first:last] == _NUMBER_TAG).tolist()
            named = [is_number or _has_digit(word) for word, is_number in zip(words, tagged, strict=True)]
        together = _written_together(named, words, starts, ends)
        return [row for row, is_named in zip(rows, together, strict=True) if is_named]
    types = NAMES if kind == "names" else (kind,)
    found = np.isin(parses.entity[first:last], [scheme.ENTITY_ID[each] for each in types])
    return (np.flatnonzero(found) + first).tolist()


def _written_together(named: list[bool], words: list[str], starts: list[int], ends: list[int]) -> list[bool]:
    """Extend a selection to tokens written without a space: "$60m" and "isn't" are one word to a reader."""
    found = list(named)
    for order in (range(1, len(words)), range(len(words) - 2, -1, -1)):
        step = order.step
        for i in order:
            joined = ends[i - 1] == starts[i] if step > 0 else ends[i] == starts[i + 1]
            # Punctuation at the edge is not part of the word; a sign or unit is.
            found[i] = found[i] or (joined and found[i - step] and not _PUNCTUATION.fullmatch(words[i]))
    return found


def _has_digit(word: str) -> bool:
    return any(char.isdigit() for char in word)
