"""What was done with the sentences and other items of a document; packed, since there may be millions of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from laconic.document.packs import Packs

#: The number of pieces that are packed together.
_TOGETHER: Final = 1024


class Piece(NamedTuple):
    """A sentence or other item: its original and its printed form; None: left out."""

    block: int
    was: str
    printed: str | None
    is_sentence: bool
    spans: bytes | None = None  # in the block's plain text, packed; None: it has none


class Report:
    """What was done with every item of a document, in order, with counts."""

    def __init__(self, pieces: Iterable[Piece]) -> None:
        self.sentences = self.whole = self.left_out = 0
        self.others = self.others_left_out = 0
        self._packs = Packs()
        rest = iter(pieces)
        while together := list(islice(rest, _TOGETHER)):
            for piece in together:
                self._count(piece)
            self._packs.add([tuple(piece) for piece in together])

    def _count(self, piece: Piece) -> None:
        if piece.is_sentence:
            self.sentences += 1
            self.whole += piece.was == piece.printed
            self.left_out += piece.printed is None
        else:
            self.others += 1
            self.others_left_out += piece.printed is None

    def __iter__(self) -> Iterator[Piece]:
        return (Piece._make(self._packs[i]) for i in range(len(self._packs)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Report):
            return NotImplemented
        return [each[:4] for each in self] == [each[:4] for each in other]

    def __hash__(self) -> int:
        return hash((self.sentences, self.whole, self.left_out, self.others, self.others_left_out))

    def of(self, *, sentences: bool) -> tuple[tuple[str, str | None], ...]:
        """The sentences, or the other items: each with its original and its printed form; None: left out."""
        return tuple((piece.was, piece.printed) for piece in self if piece.is_sentence == sentences)
