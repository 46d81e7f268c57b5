"""What is printed of a document, once the ways to print its parts are chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from laconic._core import Ways
from laconic.document.blocks import Block
from laconic.document.definitions import Definitions
from laconic.document.document import Document
from laconic.document.parts import Part, Sections
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

    contents: list[Sequence[str]]  # sentence by sentence
    whole: list[bool]  # nothing of it is gone
    chosen: Sequence[int]  # of each part that is chosen for, the way; -1: none


@dataclass(frozen=True, slots=True)
class Printer:
    """Prints a document where ways to print its parts are chosen."""

    document: Document
    parts: Sequence[Part]
    ways: Ways
    sections: Sections
    definitions: Definitions
    budget: Budget

    def print(self, chosen: Sequence[int]) -> Printed:
        """What is printed of each block where this way is chosen of each part (-1: none)."""
        blocks = self.document.blocks
        contents: list[Sequence[str]] = [()] * len(blocks)
        whole = [True] * len(blocks)
        for i, way in zip(self.sections.chosen_for, chosen, strict=True):
            part = self.parts[i]
            number = part.block
            if part.rows or part.sentences:
                options = self._options(i, way)
                if part.rows:
                    printed: Sequence[str] = _print_rows(part, blocks[number], options)
                    whole[number] = -1 not in options
                else:
                    printed = [own[which] for own, which in zip(part.rendered, options, strict=True) if which >= 0]
                    whole[number] &= _is_whole(part, options)
                contents[number] = [*contents[number], *printed] if contents[number] else printed
            elif way >= 0:
                contents[number] = (blocks[number].source,)
            else:
                whole[number] = False
        _print_headings(blocks, contents)
        _print_what_serves(blocks, contents, self.definitions)
        return Printed(contents, whole, chosen)

    def write(self, printed: Printed, most: int) -> str:
        """What is printed, as a text: blocks on one line, or, where all of one stays and there is room, as it was."""
        document, length = self.document, self.document.measure(self.budget)
        contents = [_join(block, own) for block, own in zip(document.blocks, printed.contents, strict=True)]
        text = document.write(contents)
        room = most - self.budget.length(text)
        unfolded: dict[int, str] = {}
        for i, (block, own, whole) in enumerate(zip(document.blocks, contents, printed.whole, strict=True)):
            if own is None or not whole or own == block.source:
                continue
            # Where its first word is printed with a backslash, it would start a list or the like.
            if own.split(None, 1)[0] == block.source.split(None, 1)[0]:
                more = length(block.source) - length(own)
                if more <= max(room, 0):
                    unfolded[i] = block.source
                    room -= more
        if not unfolded:
            return text
        longer = document.write([unfolded.get(i, own) for i, own in enumerate(contents)])
        # The lengths of a tokenizer do not quite add up.
        return longer if self.budget.count is None or self.budget.length(longer) <= most else text

    def report(self, printed: Printed) -> Iterator[tuple[int, Piece]]:
        """What became of everything in the document, in order, with the numbers of the blocks."""
        chosen = iter(printed.chosen)
        for i, (part, closing) in enumerate(zip(self.parts, self.sections.closing.tolist(), strict=True)):
            block = self.document.blocks[part.block]
            way = -1 if closing else next(chosen)
            if part.rows:
                pieces = _report_rows(part, block, self._options(i, way))
            elif part.sentences:
                pieces = _report_sentences(part, self._options(i, way))
            else:  # headings, rules and definitions are printed with others
                stays = bool(printed.contents[part.block]) if block.heading or block.serves else way >= 0
                pieces = [Piece(block.source, block.source if stays else None, False)]
            for piece in pieces:
                yield part.block, piece

    def _options(self, part: int, way: int) -> list[int]:
        """Which option of each of its sentences or rows a part prints."""
        if way >= 0:
            return self.ways.options(part, way)
        return [-1] * len(self.parts[part].rows or self.parts[part].sentences)


def _is_whole(part: Part, options: Sequence[int]) -> bool:
    return all(
        which >= 0 and sentence.candidates[which].text == sentence.text
        for sentence, which in zip(part.sentences, options, strict=True)
    )


def _report_sentences(part: Part, options: Sequence[int]) -> list[Piece]:
    """What became of the sentences of a part."""
    return [
        Piece(sentence.text, None, True)
        if which < 0
        else Piece(sentence.text, sentence.candidates[which].text, True, spans[which])
        for sentence, spans, which in zip(part.sentences, part.spans, options, strict=True)
    ]


def _print_rows(part: Part, block: Block, options: Sequence[int]) -> list[str]:
    """What is printed of a table: its head and some rows, or nothing."""
    printed = [row.text for row, which in zip(part.rows, options, strict=True) if which >= 0]
    return ["".join([block.head, *printed])] if printed else []


def _report_rows(part: Part, block: Block, options: Sequence[int]) -> list[Piece]:
    """What became of the head and the rows of a table."""
    rows = [(row.text.strip(), which >= 0) for row, which in zip(part.rows, options, strict=True)]
    head = Piece(block.head, block.head if any(stays for _, stays in rows) else None, False)
    return [head, *(Piece(text, text if stays else None, False) for text, stays in rows)]


def _print_headings(blocks: Sequence[Block], contents: list[Sequence[str]]) -> None:
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
        contents[i] = (blocks[i].source,) if printed else ()
        for deeper in range(level, 7):
            below[deeper] = False
        for higher in range(level):
            below[higher] |= printed


def _print_what_serves(blocks: Sequence[Block], contents: list[Sequence[str]], definitions: Definitions) -> None:
    """Definitions stay with what refers to them, rules between what they part."""
    for i in definitions.referred(text for own in contents for text in own):
        contents[i] = (blocks[i].source,)
    defining = {i for numbers in definitions.defined.values() for i in numbers}
    waiting = -1  # a rule with something before it
    anything = False
    for i, block in enumerate(blocks):
        if not block.serves:
            if contents[i] and waiting >= 0:
                contents[waiting] = (blocks[waiting].source,)
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
