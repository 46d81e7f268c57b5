"""Definitions of links and footnotes: their labels, the references to them, and the cost shared by the references."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import numpy as np

from laconic.document.blocks import Blocks

#: A label of a link or footnote, in definitions and references: a link by its text alone is "[text]", a link with
#: another label is "[text][label]". A definition begins with its label; a block may contain several footnotes.
_LABEL: Final = re.compile(r"\[(?:[^\[\]\\]|\\.)+\]")
_DEFINED: Final = re.compile(rf"^\s*({_LABEL.pattern}):", re.MULTILINE)


class Definitions:
    """The definitions of a document, by numbers of labels: there may be a million."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self._numbers: dict[str, int] = {}
        self.defining = bytearray(len(blocks))  # by block: whether it contains definitions
        labels, places = array("i"), array("i")  # by definition: its label, its block
        for i in blocks.serving():
            for label in _DEFINED.findall(blocks.source(i)):
                labels.append(self._numbers.setdefault(_key(label), len(self._numbers)))
                places.append(i)
                self.defining[i] = True
        self._places = np.asarray(places)[np.argsort(labels, kind="stable")]  # sorted by label
        self._ends = np.cumsum(np.bincount(labels, minlength=len(self._numbers)))

    def __len__(self) -> int:
        return len(self._numbers)

    def labels(self, text: str) -> list[int]:
        """The labels that a text references."""
        found = [_key(label) for label in _LABEL.findall(text)] if self._numbers and "[" in text else []
        return [self._numbers[label] for label in found if label in self._numbers]

    def serving(self, labels: Iterable[int]) -> Iterator[int]:
        """The blocks that define these labels, including labels that the definitions themselves reference."""
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
        """Wrap a length function to add the text's share of the length of the definitions that it references."""
        if not self._numbers:
            return length
        shares = self._share(length)
        return lambda text: length(text) + sum(shares[label] for label in self.labels(text))

    def _of(self, label: int) -> list[int]:
        """The blocks that define a label."""
        found: list[int] = self._places[self._ends[label - 1] if label else 0 : self._ends[label]].tolist()
        return found

    def _share(self, length: Callable[[str], int]) -> array[int]:
        """By label: the length of its definitions divided by the number of texts that reference it."""
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
    """Normalise a label: letter case and the amount of white space are ignored."""
    return " ".join(label[1:-1].casefold().split())
