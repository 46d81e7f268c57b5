"""Definitions of links and footnotes: which there are, what refers to them, and what they cost those that do."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from laconic.document.blocks import Block

#: A label of a link or footnote, where it is defined and where it is referred to: a link by its text alone is "[text]",
#: one by another label "[text][label]". A definition begins with it; several footnotes may stand in one block.
_LABEL: Final = re.compile(r"\[(?:[^\[\]\\]|\\.)+\]")
_DEFINED: Final = re.compile(rf"^\s*({_LABEL.pattern}):", re.MULTILINE)


class Definitions:
    """The definitions of a document."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.defined: dict[str, list[int]] = defaultdict(list)  # the blocks that define a label
        for i, block in enumerate(blocks):
            for label in _DEFINED.findall(block.source) if block.serves else []:
                self.defined[_key(label)].append(i)
        self._blocks = blocks

    def referred(self, texts: Iterable[str]) -> set[int]:
        """The blocks that define what is referred to in these texts, and in these definitions."""
        found: set[int] = set()
        if not self.defined:
            return found
        while True:
            labels = {label for text in texts for label in self._labels(text)}
            more = {i for label in labels for i in self.defined[label]} - found
            if not more:
                return found
            found |= more
            texts = [self._blocks[i].source for i in more]

    def measure(self, length: Callable[[str], int]) -> Callable[[str], int]:
        """What says how long a text is with what it pays for the definitions that it refers to."""
        if not self.defined:
            return length
        shares = self._share([length(each.lead) + length(each.source) if each.serves else 0 for each in self._blocks])
        return lambda text: length(text) + sum(shares[label] for label in self._labels(text))

    def _share(self, lengths: Sequence[int]) -> dict[str, int]:
        """By label, what one of those that refer to it pays for its definition, whose blocks are that long."""
        times = Counter(label for block in self._blocks if not block.serves for label in self._labels(block.source))
        costs = {label: sum(lengths[i] for i in numbers) for label, numbers in self.defined.items()}
        return {label: -(-cost // max(times[label], 1)) for label, cost in costs.items()}

    def _labels(self, text: str) -> list[str]:
        found = [_key(label) for label in _LABEL.findall(text)] if "[" in text else []
        return [label for label in found if label in self.defined]


def _key(label: str) -> str:
    """A label as it is compared: capitals and the number of spaces do not count."""
    return " ".join(label[1:-1].casefold().split())
