"""The ways to print each part of a document, by length and value: an option for each sentence, or a set of rows.

The sentences of a part are printed with a separator between them. The ways of a part are its Pareto front: those that
print something and that no other way beats, with increasing length and value. A table has one way for each number of
rows, with the best rows. The core computes the ways of all parts in one call (`native/ways.hpp`).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from laconic._core import Ways

_Number = TypeVar("_Number", bound=np.generic)

_ANY_LENGTH: Final = -1


class Choices(NamedTuple):
    """The options of a sentence, or of a table row, which has one, or none if it must be deleted."""

    lengths: Sequence[int]
    values: Sequence[int]
    required: bool = False
    alone: float = 1.0  # the share of its value that remains if the sentence before it is not printed


class PartColumns:
    """Collects the options of all parts of a document in columns for the core."""

    def __init__(self) -> None:
        self._sentence_ptr, self._option_ptr = array("q", [0]), array("q", [0])
        self._length, self._value, self._lead = array("q"), array("q"), array("q")
        self._required, self._is_table = bytearray(), bytearray()
        self._alone = array("d")

    def add(self, sentences: Iterable[Choices], *, lead: int = 0, is_table: bool = False) -> None:
        """Add a part: its sentences or rows, and the length of what is printed before them."""
        for sentence in sentences:
            self._length.extend(sentence.lengths)
            self._value.extend(sentence.values)
            self._option_ptr.append(len(self._length))
            self._required.append(sentence.required)
            self._alone.append(sentence.alone)
        self._sentence_ptr.append(len(self._required))
        self._lead.append(lead)
        self._is_table.append(is_table)

    def ways(self, separator: int, most: int | None = None) -> Ways:
        """The ways to print each part; longer than `most` only where no way is shorter."""
        return Ways(
            _view(self._sentence_ptr, np.int64),
            _view(self._option_ptr, np.int64),
            _view(self._length, np.int64),
            _view(self._value, np.int64),
            _view(self._required, np.uint8),
            _view(self._alone, np.float64),
            _view(self._lead, np.int64),
            _view(self._is_table, np.uint8),
            separator,
            _ANY_LENGTH if most is None else most,
        )


def _view(column: array[Any] | bytearray, kind: type[_Number]) -> NDArray[_Number]:
    """A column as an array for the core, without copying."""
    return np.frombuffer(column, dtype=kind) if len(column) else np.zeros(0, dtype=kind)


def combine(sentences: Iterable[Choices], separator: int, most: int | None = None) -> Ways:
    """The ways to print a single part."""
    columns = PartColumns()
    columns.add(sentences)
    return columns.ways(separator, most)
