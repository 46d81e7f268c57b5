"""Documents as they are given and written back: blocks, line endings, and the text around the blocks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from laconic.document.blocks import Blocks
from laconic.document.format import Format
from laconic.document.markdown import read_markdown, write_markdown
from laconic.document.plain import read_plain, write_plain
from laconic.known_names import find_named
from laconic.limits import Budget

_LINE_END: Final = re.compile(r"\r\n|\n|\r")
BYTE_ORDER_MARK: Final = "\ufeff"


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed document: its blocks, whose lines end in a line feed, and what is written around and between them."""

    text: str  # as given
    format: Format
    blocks: Blocks
    head: str  # a byte order mark, or nothing
    tail: str  # "\n" if the last line is terminated
    line_end: str  # the most frequent one
    name: str | None = None

    def write(self, contents: Iterable[str | None]) -> str:
        """The document with these contents of its blocks; None leaves a block out."""
        write = write_markdown if self.format is Format.MARKDOWN else write_plain
        return self._restore(self.head + write(self.blocks, contents) + self.tail)

    def measure(self, budget: Budget) -> Callable[[str], int]:
        """The function that measures the length of a part of a block as it will be written."""
        if self.line_end == "\n":
            return budget.measure
        return lambda text: budget.length(self._restore(text))

    def _restore(self, text: str) -> str:
        return text if self.line_end == "\n" else text.replace("\n", self.line_end)


def read_document(text: str, format: Format | str) -> Document:  # noqa: A002
    """Parse a document in the given format."""
    known = check_format(format)
    head = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    body = text[len(head) :]
    ends = Counter(match[0] for match in _LINE_END.finditer(body))
    line_end = max(ends, key=ends.__getitem__) if ends else "\n"
    tail = "\n" if _LINE_END.search(body, len(body.rstrip())) else ""
    blocks = read_markdown(body) if known is Format.MARKDOWN else read_plain(body)
    return Document(text, known, blocks, head, tail, line_end)


def check_format(format: Format | str) -> Format:  # noqa: A002
    """The format of that name."""
    return find_named(Format, format, "format")
