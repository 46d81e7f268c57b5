"""What the compressor returns."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

if TYPE_CHECKING:
    from laconic.explanation import Deletion, Guarded


_Part = TypeVar("_Part")


class _Parts(Generic[_Part]):
    """What has parts in order: they can be counted, iterated over and indexed."""

    __slots__ = ()

    @property
    def _parts(self) -> tuple[_Part, ...]:
        """Which these are, every class says itself."""
        return ()

    def __len__(self) -> int:
        return len(self._parts)

    def __iter__(self) -> Iterator[_Part]:
        return iter(self._parts)

    @overload
    def __getitem__(self, index: int) -> _Part: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[_Part, ...]: ...
    def __getitem__(self, index: int | slice) -> _Part | tuple[_Part, ...]:
        return self._parts[index]


@dataclass(frozen=True, slots=True)
class Resolved:
    """A pronoun in whose place its antecedent is printed; character offsets into the input text."""

    pronoun: tuple[int, int]
    antecedent: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Compression:
    """One compression of a sentence."""

    text: str
    score: float  # higher is better; equations 4–9 of the paper, 0 at most; of the ILP: the sum of edge weights
    rank: int  # 1 is the best
    rate: float  # characters of the compression / characters of the sentence
    spans: tuple[tuple[int, int], ...]  # character offsets into the input text of what is printed, in this order
    resolved: tuple[Resolved, ...] = ()  # pronouns in whose place antecedents are printed
    deletions: tuple[Deletion, ...] | None = None  # what is gone and why, where that was asked for
    guarded: tuple[Guarded, ...] = ()  # what stays because of the guard, where that was asked for
    #: Where nothing is within the budget and this comes nearest: how much it is over the maximum, in the budget's unit;
    #: below zero: how much it is under the minimum.
    excess: int = 0

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Sentence(_Parts[Compression]):
    """A sentence of the input with its compressions, best first: iterate over them, or index them."""

    text: str
    start: int  # character offsets into the input text
    end: int
    compressions: tuple[Compression, ...]

    _parts = property(attrgetter("compressions"))

    def _repr_html_(self) -> str:
        """In a notebook: the compressions, with what is gone struck through where that was asked for."""
        from laconic.explanation.render import as_html

        return "".join(
            f"<p>{html.escape(each.text)}</p>" if each.deletions is None else as_html(self, each)
            for each in self.compressions
        )


@dataclass(frozen=True, slots=True)
class Result(_Parts[Sentence]):
    """An input text with its sentences: iterate over them, or index them."""

    text: str
    sentences: tuple[Sentence, ...]

    _parts = property(attrgetter("sentences"))

    def _repr_html_(self) -> str:
        """In a notebook: sentence by sentence."""
        return "".join(sentence._repr_html_() for sentence in self.sentences)

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON-ready data."""
        return {
            "text": self.text,
            "sentences": [
                {
                    "text": sentence.text,
                    "start": sentence.start,
                    "end": sentence.end,
                    "compressions": [
                        {
                            "text": compression.text,
                            "score": compression.score,
                            "rank": compression.rank,
                            "rate": compression.rate,
                            "spans": [list(span) for span in compression.spans],
                            **_resolved(compression),
                            **_deletions(compression),
                            **({"excess": compression.excess} if compression.excess else {}),
                        }
                        for compression in sentence.compressions
                    ],
                }
                for sentence in self.sentences
            ],
        }


def _resolved(compression: Compression) -> dict[str, Any]:
    """Resolved pronouns as JSON-ready data, where there are any."""
    if not compression.resolved:
        return {}
    return {
        "resolved": [
            {"pronoun": list(each.pronoun), "antecedent": [list(span) for span in each.antecedent]}
            for each in compression.resolved
        ]
    }


def _deletions(compression: Compression) -> dict[str, Any]:
    """Deletions as JSON-ready data, where they were asked for."""
    if compression.deletions is None:
        return {}
    return {
        "deletions": [deletion.to_dict() for deletion in compression.deletions],
        **({"guarded": [words.to_dict() for words in compression.guarded]} if compression.guarded else {}),
    }
