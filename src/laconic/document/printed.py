"""What is printed of a document, once the ways to print its parts are chosen."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from laconic.document.blocks import Block
from laconic.document.choose import Choice
from laconic.document.parts import Part, closing_headings
from laconic.limits import Budget

#: What a definition of a link or a footnote begins with; several footnotes may stand in one block.
_LABEL: Final = re.compile(r"^\s*(\[(?:[^\[\]\\]|\\.)+\]):", re.MULTILINE)


def print_blocks(
    parts: Sequence[Part], blocks: Sequence[Block], sections: Sequence[int], setups: Sequence[int], found: Choice
) -> tuple[list[list[str]], tuple[tuple[str, str | None], ...]]:
    """What is printed of each block, sentence by sentence, and of each sentence."""
    headings = closing_headings(sections, setups)
    contents: list[list[str]] = [[] for _ in blocks]
    sentences: list[tuple[str, str | None]] = []
    for i, option in zip((i for i in range(len(parts)) if i not in headings), found.options.tolist(), strict=True):
        part = parts[i]
        if part.ways is None:
            if option >= 0:
                contents[part.block].append(blocks[part.block].source)
            continue
        chosen = [-1] * len(part.sentences) if option < 0 else part.ways.options(part.offers[option])
        for sentence, rendered, which in zip(part.sentences, part.rendered, chosen, strict=True):
            sentences.append((sentence.text, None if which < 0 else sentence.options[which].text))
            if which >= 0:
                contents[part.block].append(rendered[which])
    _print_headings(blocks, contents)
    _print_what_serves(blocks, contents)
    return contents, tuple(sentences)


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


def _print_what_serves(blocks: Sequence[Block], contents: list[list[str]]) -> None:
    """Definitions stay with what refers to them, rules between what they part."""
    text = "\n".join(sentence for own in contents for sentence in own).casefold()
    waiting = -1  # a rule with something before it
    anything = False
    for i, block in enumerate(blocks):
        labels = _LABEL.findall(block.source) if block.serves else []
        if not block.serves:
            if contents[i] and waiting >= 0:
                contents[waiting] = [blocks[waiting].source]
            if contents[i]:
                waiting, anything = -1, True
        elif labels:
            # A link by its text alone is "[text]", one by another label "[text][label]".
            contents[i] = [block.source] if any(label.casefold() in text for label in labels) else []
        elif anything and waiting < 0:
            waiting = i


def unfold(
    blocks: Sequence[Block],
    contents: Sequence[Sequence[str]],
    write: Callable[[Sequence[Block], Sequence[str | None]], str],
    budget: Budget,
    most: int,
) -> list[str | None]:
    """What is printed of each block: on one line, or, where all of it stays, as it was, if there is room for that."""
    printed: list[str | None] = [" ".join(own) or None for own in contents]
    as_they_were = [
        block.source if text is not None and text.split() == _joined(block) else text
        for block, text in zip(blocks, printed, strict=True)
    ]
    return as_they_were if budget.length(write(blocks, as_they_were)) <= most else printed


def _joined(block: Block) -> list[str]:
    """The words of a block as they are printed when nothing is gone."""
    if block.prose is None:
        return block.source.split()
    return block.prose.render(block.prose.plain, [(0, len(block.prose.plain))]).split()
