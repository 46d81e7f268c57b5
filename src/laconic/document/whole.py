"""The report of a document that is printed unchanged, by tokenisation alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, pairwise

from laconic.document.document import Document
from laconic.document.prose import Prose
from laconic.document.report import Piece
from laconic.parse.sentences import sentence_starts
from laconic.parse.texts import clean
from laconic.parse.words import WordTokeniser


def report_whole(document: Document) -> Iterator[Piece]:
    """The sentences and other items of a document, all of them printed; nothing is parsed for it."""
    for i, block in enumerate(document.blocks):
        if block.prose is not None:
            for sentence in _sentences(block.prose):
                yield Piece(i, sentence, sentence, True)
        else:
            for part in chain([block.head], map(str.strip, block.rows)):
                yield Piece(i, part, part, False)


def _sentences(prose: Prose) -> Iterator[str]:
    text = clean(prose.plain)
    starts, ends = _tokeniser().spans(text)
    cuts = [starts[first] for first in sentence_starts(text, starts, ends, prose.whole)]
    yield from (text[first:last].strip() for first, last in pairwise([*cuts, len(text)]))


@lru_cache(maxsize=1)
def _tokeniser() -> WordTokeniser:
    return WordTokeniser()
