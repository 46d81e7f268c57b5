"""What became of the sentences of a document, and of what is none; packed, since there may be millions of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from laconic.document.packs import Packs

#: Pieces that are packed together.
_TOGETHER: Final = 1024


class Piece(NamedTuple):
    """What became of a sentence, or of what is no sentence: as it was, and as it is printed; None: left out."""

    block: int
    was: str
    printed: str | None
    is_sentence: bool
    spans: bytes | None = None  # of the block's plain text, packed; None: it has none


class Report:
    """What became of everything in a document, in order, and how much of it."""

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
        """The sentences, or what is none: each as it was, and as it is printed; None: left out."""
        return tuple((piece.was, piece.printed) for piece in self if piece.is_sentence == sentences)
