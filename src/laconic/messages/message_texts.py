"""Choose what to print of the texts of a chat history, exactly, over the sentences of all texts.

Each text is a document of its own, of which something is always printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import numpy as np

from laconic.document.choose import Offers
from laconic.document.combine import Choices, combine
from laconic.document.document import read_document
from laconic.document.format import Format
from laconic.document.read import read_parts
from laconic.document.search import find_best
from laconic.document.several import Member
from laconic.document.weights import weigh
from laconic.errors import LaconicError
from laconic.foreign import leave_foreign_blocks
from laconic.limits import Limits
from laconic.messages.left_alone import keep_code, leave_code
from laconic.messages.turns import Given, count_turns
from laconic.parse.texts import clean

if TYPE_CHECKING:
    from laconic.compressor import Compressor
    from laconic.document.fit import Fitted
    from laconic.document.parts import Parts
    from laconic.document.printed import Printed
    from laconic.document.question import Question
    from laconic.document.relevance import Relevance

#: Larger than the length of any message.
_ROOMY: Final = 2**31


class Text:
    """A text with the ways to print it, shortest first."""

    def __init__(self, given: Given, member: Member, limits: Limits) -> None:
        self.place = given.place
        self._given, self._member, self._budget = given.text, member, limits.budget
        items = [Choices(item.length, item.value, item.always and bool(item.length)) for item in member.items]
        self._ways = combine(items, 0)
        self._texts: dict[int, str] = {}
        self._lengths: dict[int, int] = {}
        self.whole = self._budget.length(given.text)

    @property
    def can_be_printed(self) -> bool:
        """Whether it can be printed at all: a text of only rules cannot."""
        return bool(len(self._ways.length))

    @property
    def offers(self) -> tuple[list[int], list[int]]:
        """The lengths and values of the ways to print it; the lengths are sums over its parts."""
        return self._ways.length.tolist(), self._ways.value.tolist()

    @property
    def shortest(self) -> int:
        """The length of the shortest print."""
        return self.length(0)

    def length(self, way: int) -> int:
        """The length of a print."""
        if way not in self._lengths:
            self._lengths[way] = self._budget.length(self._print(way))
        return self._lengths[way]

    def fitted(self, way: int) -> Fitted:
        """The result for a way to print it."""
        return self._member.fitted(self._print(way), self._choose(way), self._budget, self.whole)

    def _print(self, way: int) -> str:
        """The printed text; the original text if everything is kept."""
        if way not in self._texts:
            printed = self._choose(way)
            whole = all(printed.whole) and all(printed.contents)
            self._texts[way] = self._given if whole else self._member.write(printed, _ROOMY)
        return self._texts[way]

    def _choose(self, way: int) -> Printed:
        return self._member.print(self._ways.options(0, way))


def read_texts(
    compressor: Compressor,
    given: Sequence[Given],
    limits: Limits,
    *,
    question: Question | None,
    relevance: Relevance | None,
    leaves_foreign: bool,
    threads: int,
) -> list[Text]:
    """The texts of a history that can be shortened, with the ways to print them; parsed together."""
    prose, documents = [], []
    for each in given:
        if not each.text.strip() or "\0" in each.text:
            continue
        document = read_document(clean(each.text), Format.MARKDOWN)
        blocks = leave_code(document.blocks)
        if leaves_foreign:
            blocks = leave_code(leave_foreign_blocks(blocks))
        if any(block.prose is not None for block in blocks):
            prose.append(each)
            documents.append(replace(document, blocks=blocks))
    constraints = Limits(constraints=limits.constraints)
    found: list[tuple[Given, Parts]] = []
    for each, parts in zip(
        prose, read_parts(compressor, documents, constraints, question=question, threads=threads), strict=True
    ):
        if isinstance(parts, LaconicError):
            raise LaconicError(f"message {each.place.message}: {parts}") from parts
        found.append((each, keep_code(parts)))
    pairs = [(parts, document.blocks) for (_, parts), document in zip(found, documents, strict=True)]
    texts = []
    for (each, parts), document, counts in zip(found, documents, weigh(pairs, question, relevance), strict=True):
        member = Member(document, parts, count_turns(each, parts, counts), limits, most=_ROOMY)
        texts.append(Text(each, member, limits))
    return [text for text in texts if text.can_be_printed]


def choose_prints(texts: Sequence[Text], room: int) -> list[int]:
    """For each text, the way to print it that maximises the total value within `room`; by default, the shortest one."""
    if not texts:
        return []
    offered = [text.offers for text in texts]
    offers = Offers(
        item_ptr=np.arange(len(texts) + 1, dtype=np.int64),
        option_ptr=np.array([0, *accumulate(len(lengths) for lengths, _ in offered)], dtype=np.int64),
        length=np.array([length for lengths, _ in offered for length in lengths], dtype=np.int64),
        value=np.array([value for _, values in offered for value in values], dtype=np.int64),
        setup=np.zeros(len(texts), dtype=np.int64),
        required=np.ones(len(texts), dtype=np.uint8),
    )

    def measure(chosen: Sequence[int]) -> int:
        return sum(text.length(way) for text, way in zip(texts, chosen, strict=True))

    return find_best(offers, room, room, measure) or [0] * len(texts)
