"""Definitions of links and footnotes: which there are, what refers to them, and what they cost those that do."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import numpy as np

from laconic.document.blocks import Blocks

#: A label of a link or footnote, where it is defined and where it is referred to: a link by its text alone is "[text]",
#: one by another label "[text][label]". A definition begins with it; several footnotes may stand in one block.
_LABEL: Final = re.compile(r"\[(?:[^\[\]\\]|\\.)+\]")
_DEFINED: Final = re.compile(rf"^\s*({_LABEL.pattern}):", re.MULTILINE)


class Definitions:
    """The definitions of a document, by the numbers of their labels: there may be a million."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self._numbers: dict[str, int] = {}
        self.defining = bytearray(len(blocks))  # by block: whether it is a definition, or several
        labels, places = array("i"), array("i")  # of each definition: its label, its block
        for i in blocks.serving():
            for label in _DEFINED.findall(blocks.source(i)):
                labels.append(self._numbers.setdefault(_key(label), len(self._numbers)))
                places.append(i)
                self.defining[i] = True
        self._places = np.asarray(places)[np.argsort(labels, kind="stable")]  # label by label
        self._ends = np.cumsum(np.bincount(labels, minlength=len(self._numbers)))

    def __len__(self) -> int:
        return len(self._numbers)

    def labels(self, text: str) -> list[int]:
        """The labels that a text refers to."""
        found = [_key(label) for label in _LABEL.findall(text)] if self._numbers and "[" in text else []
        return [self._numbers[label] for label in found if label in self._numbers]

    def serving(self, labels: Iterable[int]) -> Iterator[int]:
        """The blocks that define these labels, and the labels in these definitions."""
        seen = bytearray(len(self))
        waiting = list(labels)
        while waiting:
            label = waiting.pop()
            if seen[label]:
                continue
            seen[label] = True
            for i in self._of(label):
                yield i
                waiting += self.labels(self._blocks.source(i))

    def measure(self, length: Callable[[str], int]) -> Callable[[str], int]:
        """What says how long a text is with what it pays for the definitions that it refers to."""
        if not self._numbers:
            return length
        shares = self._share(length)
        return lambda text: length(text) + sum(shares[label] for label in self.labels(text))

    def _of(self, label: int) -> list[int]:
        """The blocks that define a label."""
        found: list[int] = self._places[self._ends[label - 1] if label else 0 : self._ends[label]].tolist()
        return found

    def _share(self, length: Callable[[str], int]) -> array[int]:
        """By label, what one of those that refer to it pays for its definitions."""
        blocks = self._blocks
        times = array("q", bytes(8 * len(self)))
        for i, serves in enumerate(blocks.serves):
            for label in self.labels(blocks.source(i)) if not serves else []:
                times[label] += 1
        costs = (
            sum(length(blocks.lead(i)) + length(blocks.source(i)) for i in self._of(label))
            for label in range(len(self))
        )
        return array("q", (-(-cost // max(referring, 1)) for cost, referring in zip(costs, times, strict=True)))


def _key(label: str) -> str:
    """A label as it is compared: capitals and the number of spaces do not count."""
    return " ".join(label[1:-1].casefold().split())
