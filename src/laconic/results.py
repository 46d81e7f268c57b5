"""What the compressor returns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    """One compression of a sentence, or of a text."""

    text: str
    score: float  # higher is better; equations 4–9 of the paper, 0 at most; of the ILP: the sum of edge weights
    rank: int  # 1 is the best
    rate: float  # characters of the compression / characters of the sentence, or the text
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
        import html  # here, with its table of entities: few have notebooks

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
    #: Where a budget is for a text of several sentences: the k best of the text, best first. The compressions of its
    #: sentences are then those that these are made of.
    of_text: tuple[Compression, ...] = ()
    foreign: bool = False  # it is not English, and left as it is

    _parts = property(attrgetter("sentences"))

    @property
    def compressions(self) -> tuple[Compression, ...]:
        """The k best of the text; where it has several sentences and no budget for all, the best of each together."""
        if self.of_text or not self.sentences:
            return self.of_text
        if len(self.sentences) == 1:
            return self.sentences[0].compressions
        return (join_compressions(self.text, [sentence[0] for sentence in self.sentences]),)

    def __str__(self) -> str:
        return self.compressions[0].text if self.sentences else ""

    def parts(self) -> tuple[Sentence, ...]:
        """What compressions are asked of: the sentences, or, where a budget is for all of them, the text."""
        if not self.of_text:
            return self.sentences
        return (Sentence(*_stripped(self.text), self.of_text),)

    def _repr_html_(self) -> str:
        """In a notebook: sentence by sentence, or the text."""
        return "".join(part._repr_html_() for part in self.parts())

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON-ready data."""
        return {
            "text": self.text,
            **({"foreign": True} if self.foreign else {}),
            **({"compressions": [_plain(compression) for compression in self.of_text]} if self.of_text else {}),
            "sentences": [
                {
                    "text": sentence.text,
                    "start": sentence.start,
                    "end": sentence.end,
                    "compressions": [_plain(compression) for compression in sentence.compressions],
                }
                for sentence in self.sentences
            ],
        }


def join_compressions(text: str, chosen: Sequence[Compression], rank: int = 1, *, excess: int = 0) -> Compression:
    """One compression of a text out of one of each of its sentences."""
    explained = all(each.deletions is not None for each in chosen)
    joined = " ".join(each.text for each in chosen)
    return Compression(
        text=joined,
        score=sum(each.score for each in chosen),
        rank=rank,
        rate=len(joined) / max(len(text.strip()), 1),
        spans=tuple(span for each in chosen for span in each.spans),
        resolved=tuple(resolved for each in chosen for resolved in each.resolved),
        deletions=tuple(gone for each in chosen for gone in each.deletions or ()) if explained else None,
        guarded=tuple(words for each in chosen for words in each.guarded),
        excess=excess,
    )


def _stripped(text: str) -> tuple[str, int, int]:
    """A text without white space around it, and where that begins and ends."""
    whole = text.strip()
    start = text.index(whole)
    return whole, start, start + len(whole)


def _plain(compression: Compression) -> dict[str, Any]:
    return {
        "text": compression.text,
        "score": compression.score,
        "rank": compression.rank,
        "rate": compression.rate,
        "spans": [list(span) for span in compression.spans],
        **_resolved(compression),
        **_deletions(compression),
        **({"excess": compression.excess} if compression.excess else {}),
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
