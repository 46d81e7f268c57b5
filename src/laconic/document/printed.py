"""Print a document for chosen ways of its parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import groupby, repeat

from laconic._core import Ways
from laconic.document.blocks import Block, Blocks
from laconic.document.definitions import Definitions
from laconic.document.document import Document
from laconic.document.format import Format
from laconic.document.parts import Parts, Sections
from laconic.document.places import pack, unpack
from laconic.document.prose import join_rendered
from laconic.document.report import Piece
from laconic.language.word_lists import DANGLING_PREPOSITIONS
from laconic.limits import Budget


@dataclass(frozen=True, slots=True)
class Printed:
    """The printed form of each block."""

    contents: list[str | None]  # None: the block is left out
    whole: bytearray  # by block: whether nothing of it is deleted
    chosen: Sequence[int]  # by part with a choice: its way; -1: none
    hushed: frozenset[tuple[int, int]] = frozenset()  # sentences, by part and index, that lose their final colon


@dataclass(frozen=True, slots=True)
class Printer:
    """Prints a document, given the chosen ways of its parts."""

    document: Document
    parts: Parts
    ways: Ways
    sections: Sections
    definitions: Definitions
    budget: Budget

    def print(self, chosen: Sequence[int]) -> Printed:
        """The printed form of each block, given the chosen way of each part (-1: none)."""
        blocks = self.document.blocks
        contents: list[str | None] = [None] * len(blocks)
        whole = bytearray(b"\1" * len(blocks))
        referred = bytearray(len(self.definitions))  # by label: whether it is referenced
        announcing: dict[int, tuple[int, int]] = {}  # by block with a final colon: the sentence that ends in it
        pairs = zip(self.sections.chosen_for, chosen, strict=True)
        for number, own in groupby(pairs, key=lambda pair: self.parts.block[pair[0]]):
            printed: list[str] = []  # by sentence
            for i, way in own:
                if way < 0:
                    whole[number] = False
                elif self.parts.sentence_count[i]:
                    prints, options = self.parts.prints(i), self.ways.options(i, way)
                    printed += [each[which] for each, which in zip(prints.rendered, options, strict=True) if which >= 0]
                    whole[number] &= -1 not in options and list(prints.whole) == options
                    if _is_announcement(printed[-1]):
                        announcing[number] = i, max(k for k, which in enumerate(options) if which >= 0)
                    else:
                        announcing.pop(number, None)
                elif blocks.has_rows[number]:
                    options = self.ways.options(i, way)
                    printed.append(_print_rows(blocks[number], options))
                    whole[number] = -1 not in options
                else:
                    printed.append(blocks.source(number))
            if referred and not blocks.heading[number]:  # which headings are printed is not known yet
                self._refer(printed, referred)
            contents[number] = _join(blocks, number, printed)
        _print_headings(blocks, contents)
        if referred:
            headings = zip(blocks.heading, contents, strict=True)
            self._refer((text for level, text in headings if level and text), referred)
        _print_what_serves(blocks, contents, self.definitions, referred)
        is_told = self.document.format is Format.MARKDOWN  # how far a list goes
        hushed = [number for number in announcing if is_told and not announces(blocks, contents, number)]
        for number in hushed:
            contents[number] = (contents[number] or "")[:-1].rstrip()
            whole[number] = False
        return Printed(contents, whole, chosen, frozenset(announcing[number] for number in hushed))

    def _refer(self, texts: Iterable[str], referred: bytearray) -> None:
        """Mark the labels that texts reference."""
        for text in texts:
            for label in self.definitions.labels(text):
                referred[label] = True

    def write(self, printed: Printed, most: int) -> str:
        """The printed text: blocks on one line or, if complete and there is room, with their original line breaks."""
        document, length = self.document, self.document.measure(self.budget)
        blocks = document.blocks
        text = document.write(printed.contents)
        room = most - self.budget.length(text)
        unfolded: dict[int, str] = {}
        for i, (own, whole) in enumerate(zip(printed.contents, printed.whole, strict=True)):
            if own is None or not whole or own == (source := blocks.source(i)):
                continue
            # If its first word is escaped on one line, it would start a list or similar here.
            if own.split(None, 1)[0] == source.split(None, 1)[0]:
                more = length(source) - length(own)
                if more <= max(room, 0):
                    unfolded[i] = source
                    room -= more
        if not unfolded:
            return text
        longer = document.write(unfolded.get(i, own) for i, own in enumerate(printed.contents))
        # The token counts of parts do not quite add up.
        return longer if self.budget.count is None or self.budget.length(longer) <= most else text

    def report(self, printed: Printed) -> Iterator[Piece]:
        """What was done with every item of the document, in order."""
        blocks = self.document.blocks
        chosen = iter(printed.chosen)
        for i, (number, closing) in enumerate(zip(self.parts.block, self.sections.closing.tobytes(), strict=True)):
            way = -1 if closing else next(chosen)
            if self.parts.sentence_count[i]:
                yield from self._report_sentences(i, way, printed.hushed)
            elif blocks.has_rows[number]:
                yield from self._report_rows(i, way)
            else:  # whether headings, rules and definitions are printed depends on other blocks
                is_printed = bool(printed.contents[number])
                stays = is_printed if blocks.heading[number] or blocks.serves[number] else way >= 0
                source = blocks.source(number)
                yield Piece(number, source, source if stays else None, False)

    def _report_sentences(self, i: int, way: int, hushed: frozenset[tuple[int, int]]) -> Iterator[Piece]:
        """What was done with the sentences of a part."""
        number, prints = self.parts.block[i], self.parts.prints(i)
        columns = zip(self.parts.known(i), prints.text, prints.spans, self._options(i, way), strict=True)
        for k, (known, texts, spans, which) in enumerate(columns):
            if which < 0:
                yield Piece(number, known.text, None, True)
            elif (i, k) in hushed:
                *others, (first, last) = unpack(spans[which])
                kept = [*others, (first, last - 1)] if last - 1 > first else others
                yield Piece(number, known.text, texts[which][:-1].rstrip(), True, pack(kept))
            else:
                yield Piece(number, known.text, texts[which], True, spans[which])

    def _report_rows(self, i: int, way: int) -> Iterator[Piece]:
        """What was done with the head and the rows of a table."""
        number = self.parts.block[i]
        block = self.document.blocks[number]
        yield Piece(number, block.head, block.head if way >= 0 else None, False)
        for row, which in zip(block.rows, self._options(i, way), strict=True):
            text = row.strip()
            yield Piece(number, text, text if which >= 0 else None, False)

    def _options(self, part: int, way: int) -> Iterable[int]:
        """The chosen option of each sentence or row of a part; -1: none."""
        if way >= 0:
            return self.ways.options(part, way)
        count = self.parts.sentence_count[part] or self.document.blocks.row_count(self.parts.block[part])
        return repeat(-1, count)


def _is_announcement(text: str) -> bool:
    """Whether the final colon of a sentence may go: the rest must not become other markup or end in a preposition."""
    *_, last = text[:-1].split() or [""]
    return (
        text.endswith(":")
        and text[-2:-1] not in ("\\", ":")
        and any(map(str.isalpha, text))
        and last.lower() not in DANGLING_PREPOSITIONS
    )


def announces(blocks: Blocks, contents: Sequence[str | None], number: int) -> bool:
    """Whether what a block announces, which ends in a colon, is printed, some of it: it needs no colon otherwise.

    A block announces the block after it and the code, tables, lists and quotes up to the next paragraph. If none of
    these follows, it is taken to announce something.
    """
    path = blocks.containers.path(blocks.container[number])
    is_next = True
    for i in range(number + 1, len(blocks)):
        if blocks.serves[i]:
            continue
        own = blocks.containers.path(blocks.container[i])
        if blocks.heading[i] or own[: len(path)] != path:
            break
        is_paragraph = own == path and blocks.prose(i) is not None
        if contents[i] or (is_paragraph and not is_next):
            return is_next or not is_paragraph
        is_next = False
    return is_next


def _print_rows(block: Block, options: Iterable[int]) -> str:
    """The printed form of a table: its head and the chosen rows."""
    printed = StringIO()
    printed.write(block.head)
    printed.writelines(row for row, which in zip(block.rows, options, strict=True) if which >= 0)
    return printed.getvalue()


def _print_headings(blocks: Blocks, contents: list[str | None]) -> None:
    """Print headings if anything below them is printed; the first heading, if it is required or was chosen itself.

    From the end to the start: the blocks below a heading extend to the next heading of its level or a higher one.
    """
    below = [False] * 7  # by level: whether anything is printed below an earlier heading of that level
    first = next((i for i, level in enumerate(blocks.heading) if level), -1)
    for i in reversed(range(len(blocks))):
        level = blocks.heading[i]
        if not level:
            if contents[i]:
                below = [True] * 7
            continue
        printed = below[level] or blocks.required[i] or (i == first and bool(contents[i]))
        contents[i] = blocks.source(i) if printed else None
        for deeper in range(level, 7):
            below[deeper] = False
        for higher in range(level):
            below[higher] |= bool(printed)


def _print_what_serves(
    blocks: Blocks, contents: list[str | None], definitions: Definitions, referred: bytearray
) -> None:
    """Print the definitions that are referenced, by label, and rules between printed blocks."""
    for i in definitions.serving(label for label, is_referred in enumerate(referred) if is_referred):
        contents[i] = blocks.source(i)
    waiting = -1  # the rule that waits for a block after it
    anything = False
    for i, serves in enumerate(blocks.serves):
        if not serves:
            if contents[i] and waiting >= 0:
                contents[waiting] = blocks.source(waiting)
            if contents[i]:
                waiting, anything = -1, True
        elif anything and waiting < 0 and not definitions.defining[i]:
            waiting = i


def _join(blocks: Blocks, number: int, sentences: Sequence[str]) -> str | None:
    """The sentences of a block on one line."""
    if len(sentences) < 2:
        return "".join(sentences) or None
    prose = blocks.prose(number) if any(map(_ends_in_tag, sentences)) else None
    return join_rendered(sentences, () if prose is None else prose.marks) or None


def _ends_in_tag(text: str) -> bool:
    return text.rstrip("*_~").endswith(">")
