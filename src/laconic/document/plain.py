"""Read and write plain text: paragraphs become blocks, and what is kept of them a text with the same paragraphs.

Paragraphs are separated by blank lines. Inside a paragraph, a line break is either a fold, made because the line was
full, which is removed; or it is meaningful and kept, and a new block begins after it. A break is kept

- before a line that starts with a list marker (`-`, `*`, `•`, `1.`, `a)`),
- if every line of the paragraph but the last ends a sentence: the text has one or several sentences a line,
- after a line that ends a sentence although the next word would have fitted into the longest line of the paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from laconic.document.blocks import Blocks, write_blocks
from laconic.document.cuts import cut_long
from laconic.document.inline import read_text

PARAGRAPH = re.compile(r"\S[^\n]*(?:\n[^\n]*\S[^\n]*)*")
SENTENCE_END = re.compile(r"[.!?…:][\"'”’)\]]*\s*$")
ITEM = re.compile(r"\s*(?:[-*•–]|\d{1,3}[.)]|[A-Za-z]\))\s+(?=\S)")
SPACE = re.compile(r"\s*")


def read_plain(text: str) -> Blocks:
    """The blocks of a plain text: its paragraphs, cut at meaningful line breaks."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip()
    blocks = Blocks(text, markup=False)
    end = 0
    for number, paragraph in enumerate(PARAGRAPH.finditer(text)):
        for line, (start, stop) in enumerate(_parts(text, *paragraph.span())):
            indent = text[text.rfind("\n", 0, start) + 1 : start]
            for part, (first, last, has_sentences) in enumerate(cut_long(text[start:stop])):
                gap = text[end : start + first]
                # If the block before is left out, a line must still be separated from the previous paragraph.
                lead = "\n\n" + indent if part else "\n" + gap if line else gap
                source = text[start + first : start + last]
                prose = read_text(source) if has_sentences else None
                blocks.add(start + first, start + last, lead, indent, prose, paragraph=number)
                end = start + last
    return blocks


def write_plain(blocks: Blocks, contents: Iterable[str | None]) -> str:
    """The text with these contents of its blocks; None leaves a block out.

    It is never longer than the leads and contents of the printed blocks.
    """
    return write_blocks(blocks, contents)


def _parts(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A paragraph cut at the line breaks that are kept."""
    lines = [(start + match.start(), start + match.end()) for match in re.finditer(r"[^\n]+", text[start:end])]
    ends = [SENTENCE_END.search(text[max(first, last - 20) : last]) is not None for first, last in lines]
    width = max(last - first for first, last in lines)
    one_a_line = all(ends[:-1])
    parts: list[tuple[int, int]] = []
    for i, (first, last) in enumerate(lines):
        word = re.match(r"\s*\S+", text[first:last])
        fits = i > 0 and word is not None and lines[i - 1][1] - lines[i - 1][0] + 1 + word.end() <= width
        if i and not ITEM.match(text, first, last) and not one_a_line and not (fits and ends[i - 1]):
            parts[-1] = (parts[-1][0], last)
        else:
            marker = ITEM.match(text, first, last) or SPACE.match(text, first, last)
            parts.append((marker.end() if marker else first, last))
    return parts
