"""What is printed of a document, once the ways to print its parts are chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from laconic.document.blocks import Block
from laconic.document.definitions import Definitions
from laconic.document.document import Document
from laconic.document.parts import Part, closing_headings
from laconic.limits import Budget


class Piece(NamedTuple):
    """What became of a sentence, or of what is no sentence: as it was, and as it is printed; None: left out."""

    was: str
    printed: str | None
    is_sentence: bool
    spans: bytes | None = None  # of the block's plain text, packed; None: it has none


@dataclass(frozen=True, slots=True)
class Printed:
    """What is printed of each block."""

    contents: list[list[str]]  # sentence by sentence
    whole: list[bool]  # nothing of it is gone
    pieces: list[tuple[int, Piece]]  # of what is chosen for, with the numbers of their blocks

    def report(self, blocks: Sequence[Block]) -> Iterator[tuple[int, Piece]]:
        """What became of everything in the document, in order, with the numbers of the blocks."""
        told = iter([*self.pieces, (len(blocks), None)])
        number, piece = next(told)
        for i, block in enumerate(blocks):
            if number > i:  # headings, rules and definitions, which are printed with others
                yield i, Piece(block.source, block.source if self.contents[i] else None, False)
            while number == i and piece is not None:
                yield i, piece
                number, piece = next(told)


def print_blocks(
    parts: Sequence[Part],
    blocks: Sequence[Block],
    sections: Sequence[int],
    setups: Sequence[int],
    definitions: Definitions,
    chosen: Sequence[int],
) -> Printed:
    """What is printed of each block where this option is chosen of each part (-1: none)."""
    headings = closing_headings(sections, setups)
    contents: list[list[str]] = [[] for _ in blocks]
    whole = [True] * len(blocks)
    pieces: list[tuple[int, Piece]] = []
    for i, option in zip((i for i in range(len(parts)) if i not in headings), chosen, strict=True):
        part, block = parts[i], blocks[parts[i].block]
        if part.rows:
            own, printed = _print_rows(part, block, option)
        elif part.ways is not None:
            own, printed = _print_sentences(part, option)
        else:
            own, printed = [], [block.source] if option >= 0 else []
            if not block.heading and not block.serves:
                own = [Piece(block.source, block.source if printed else None, False)]
        contents[part.block] += printed
        whole[part.block] &= all(piece.printed == piece.was for piece in own)
        pieces += [(part.block, piece) for piece in own]
    _print_headings(blocks, contents)
    _print_what_serves(blocks, contents, definitions)
    return Printed(contents, whole, pieces)


def _print_sentences(part: Part, option: int) -> tuple[list[Piece], list[str]]:
    """What became of the sentences of a part, and what is printed of them."""
    ways = part.ways
    chosen = [-1] * len(part.sentences) if option < 0 or ways is None else ways.options(part.first + option)
    pieces = [
        Piece(sentence.text, None, True)
        if which < 0
        else Piece(sentence.text, sentence.options[which].text, True, spans[which])
        for sentence, spans, which in zip(part.sentences, part.spans, chosen, strict=True)
    ]
    return pieces, [own[which] for own, which in zip(part.rendered, chosen, strict=True) if which >= 0]


def _print_rows(part: Part, block: Block, option: int) -> tuple[list[Piece], list[str]]:
    """What became of the head and the rows of a table, and what is printed of it."""
    ways = part.ways
    chosen = [-1] * len(part.rows) if option < 0 or ways is None else ways.options(part.first + option)
    texts = [None if which < 0 else row.text for row, which in zip(part.rows, chosen, strict=True)]
    printed = [text for text in texts if text is not None]
    pieces = [Piece(block.head, block.head if printed else None, False)]
    pieces += [
        Piece(row.text.strip(), None if text is None else text.strip(), False)
        for row, text in zip(part.rows, texts, strict=True)
    ]
    return pieces, ["".join([block.head, *printed])] if printed else []


def _print_headings(blocks: Sequence[Block], contents: list[list[str]]) -> None:
    """Headings stay with what is below them; the first one, which is the document's, in any case where it is above all.

    From the end to the start: what is below a heading are the blocks up to the next one of its level or a higher one.
    """
    below = [False] * 7  # by level: whether anything is printed below a heading of that level that may come next
    first = next((i for i, block in enumerate(blocks) if block.heading), -1)
    for i in reversed(range(len(blocks))):
        level = blocks[i].heading
        if not level:
            if contents[i]:
                below = [True] * 7
            continue
        printed = below[level] or blocks[i].required or (i == first and bool(contents[i]))
        contents[i] = [blocks[i].source] if printed else []
        for deeper in range(level, 7):
            below[deeper] = False
        for higher in range(level):
            below[higher] |= printed


def _print_what_serves(blocks: Sequence[Block], contents: list[list[str]], definitions: Definitions) -> None:
    """Definitions stay with what refers to them, rules between what they part."""
    for i in definitions.referred(text for own in contents for text in own):
        contents[i] = [blocks[i].source]
    defining = {i for numbers in definitions.defined.values() for i in numbers}
    waiting = -1  # a rule with something before it
    anything = False
    for i, block in enumerate(blocks):
        if not block.serves:
            if contents[i] and waiting >= 0:
                contents[waiting] = [blocks[waiting].source]
            if contents[i]:
                waiting, anything = -1, True
        elif i not in defining and anything and waiting < 0:
            waiting = i


def _join(block: Block, sentences: Sequence[str]) -> str | None:
    """The sentences of a block on one line; tags around several of them are opened once."""
    text = " ".join(sentences)
    marks = block.prose.marks if block.prose is not None and len(sentences) > 1 else ()
    for after, before in {(mark.after, mark.before) for mark in marks if mark.before[0] == "<"}:
        text = text.replace(f"{after} {before}", " ")
    return text or None


def unfold(document: Document, printed: Printed, budget: Budget, most: int) -> list[str | None]:
    """What is printed of each block: on one line, or, where all of it stays, as it was, as far as there is room."""
    contents = [_join(block, own) for block, own in zip(document.blocks, printed.contents, strict=True)]
    room = most - budget.length(document.write(contents))
    unfolded = list(contents)
    for i, (block, text) in enumerate(zip(document.blocks, contents, strict=True)):
        # Where its first word is printed with a backslash, it would start a list or the like.
        if text is not None and printed.whole[i] and text.split(None, 1)[0] == block.source.split(None, 1)[0]:
            more = document.length(budget, block.source) - document.length(budget, text)
            if more <= max(room, 0):
                unfolded[i] = block.source
                room -= more
    # The lengths of a tokenizer do not quite add up.
    fits = budget.count is None or budget.length(document.write(unfolded)) <= most
    return unfolded if fits else contents
