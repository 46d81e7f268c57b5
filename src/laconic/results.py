"""The results of the compressor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

if TYPE_CHECKING:
    from laconic.explanation import Deletion, Guarded


_Part = TypeVar("_Part")


class _Parts(Generic[_Part]):
    """A sequence of parts: it has a length, and can be iterated over and indexed."""

    __slots__ = ()

    @property
    def _parts(self) -> tuple[_Part, ...]:
        """The parts; each subclass defines them."""
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
    """A pronoun that is replaced by its antecedent; character offsets into the input text."""

    pronoun: tuple[int, int]
    antecedent: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Compression:
    """One compression of a sentence, or of a text."""

    text: str
    score: float  # higher is better, within one sentence; docs/usage.md says what it is for each method
    rank: int  # 1 is the best
    rate: float  # characters of the compression / characters of the sentence, or the text
    spans: tuple[tuple[int, int], ...]  # character offsets into the input text of the printed text, in print order
    resolved: tuple[Resolved, ...] = ()  # pronouns that are replaced by their antecedents
    deletions: tuple[Deletion, ...] | None = None  # what is deleted and why; None: explanations were not asked for
    guarded: tuple[Guarded, ...] = ()  # what is kept because of the guard, if explanations were asked for
    #: With the option `nearest`, if nothing is within the budget: by how much the result exceeds the maximum, in the
    #: budget's unit; if negative, by how much it falls short of the minimum.
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
        """In a notebook: the compressions, with deleted words struck through if explanations were asked for."""
        import html  # imported here: its table of entities is large, and few users have notebooks

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
    #: If the budget applies to a text of several sentences: the k best compressions of the text, best first. The
    #: compressions of each sentence are then those used in them.
    of_text: tuple[Compression, ...] = ()
    foreign: bool = False  # the text is not English, and left unchanged

    _parts = property(attrgetter("sentences"))

    @property
    def compressions(self) -> tuple[Compression, ...]:
        """The k best of the text; if it has several sentences and no common budget, the best of each, joined."""
        if self.of_text or not self.sentences:
            return self.of_text
        if len(self.sentences) == 1:
            return self.sentences[0].compressions
        return (join_compressions(self.text, [sentence[0] for sentence in self.sentences]),)

    def __str__(self) -> str:
        return self.compressions[0].text if self.sentences else ""

    def parts(self) -> tuple[Sentence, ...]:
        """The units that are compressed: the sentences or, if the budget applies to the text as a whole, the text."""
        if not self.of_text:
            return self.sentences
        return (Sentence(*_stripped(self.text), self.of_text),)

    def _repr_html_(self) -> str:
        """In a notebook: each sentence or, if the budget applies to the text as a whole, the text."""
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
    """Join compressions, one of each sentence of a text, into one compression of the text."""
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
    """A text without surrounding white space, and its start and end in the text."""
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
    """Resolved pronouns as JSON-ready data, if there are any."""
    if not compression.resolved:
        return {}
    return {
        "resolved": [
            {"pronoun": list(each.pronoun), "antecedent": [list(span) for span in each.antecedent]}
            for each in compression.resolved
        ]
    }


def _deletions(compression: Compression) -> dict[str, Any]:
    """Deletions as JSON-ready data, if explanations were asked for."""
    if compression.deletions is None:
        return {}
    return {
        "deletions": [deletion.to_dict() for deletion in compression.deletions],
        **({"guarded": [words.to_dict() for words in compression.guarded]} if compression.guarded else {}),
    }
