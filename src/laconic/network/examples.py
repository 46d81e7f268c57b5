"""Training examples of a network: sentences as word pieces, with the targets of every word.

Plain arrays in a file, made by `laconic.network.prepare` and read by `laconic.network.distil`, perhaps on another
machine.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic.network.array_file import ArrayFile

#: The value in `keep`, `retain`, `need`, `root` and `alone` if the target is unknown.
UNKNOWN: Final = 2


@dataclass(frozen=True, slots=True)
class Examples(ArrayFile):
    """Sentences in contiguous columns. Without a teacher's trees, the columns after `case` are empty."""

    piece_ptr: NDArray[np.int64]
    piece: NDArray[np.uint16]
    word_start: NDArray[np.uint8]  # 1 on the first piece of a word
    word_ptr: NDArray[np.int64]
    level: NDArray[np.uint8]  # by sentence: the level of its gold compression (index in `LEVELS`)
    case: NDArray[np.uint8]
    head: NDArray[np.uint8]  # relative to the first word of the sentence; a root is its own head
    label: NDArray[np.uint8]
    tag: NDArray[np.uint8]
    entity: NDArray[np.uint8]
    keep: NDArray[np.uint8]  # 1: the word is in the gold compression
    retain: NDArray[np.uint8]  # edge into the word's node, given that its head is kept: 1 retained, 0 deleted
    need: NDArray[np.uint8]  # edge into the word's node, given that it was cut: 1 an error, 0 fine
    root: NDArray[np.uint8]  # edge from the dummy root to the node: 1 retained, 0 deleted
    alone: NDArray[np.uint8]  # its clause was printed without its parent: 1 an error, 0 fine

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.piece_ptr) - 1

    @property
    def labelled(self) -> bool:
        """Whether there are targets besides the sentences."""
        return len(self.head) == len(self.case)


class ExamplesBuilder:
    """Collects sentences and builds `Examples`."""

    def __init__(self) -> None:
        self._lengths: dict[str, list[int]] = {"piece_ptr": [0], "word_ptr": [0]}
        self._columns: dict[str, list[Any]] = {
            field.name: [] for field in fields(Examples) if not field.name.endswith("_ptr")
        }

    def add(self, words: list[tuple[tuple[int, ...], int]], level: int = 0, **targets: NDArray[Any]) -> None:
        """Add a sentence: the pieces and case class of its words, and the target columns."""
        pieces = [piece for own, _ in words for piece in own]
        starts = np.zeros(len(pieces), dtype=np.uint8)
        starts[np.cumsum([0] + [len(own) for own, _ in words[:-1]])] = 1
        self._lengths["piece_ptr"].append(self._lengths["piece_ptr"][-1] + len(pieces))
        self._lengths["word_ptr"].append(self._lengths["word_ptr"][-1] + len(words))
        self._columns["level"].append(np.array([level], dtype=np.uint8))
        self._columns["piece"].append(np.array(pieces, dtype=np.uint16))
        self._columns["word_start"].append(starts)
        self._columns["case"].append(np.array([case for _, case in words], dtype=np.uint8))
        for name, column in targets.items():
            self._columns[name].append(column.astype(np.uint8))

    def build(self) -> Examples:
        """All sentences so far."""
        empty = {"piece": np.uint16}
        arrays: dict[str, Any] = {name: np.array(pointer, np.int64) for name, pointer in self._lengths.items()}
        for name, parts in self._columns.items():
            arrays[name] = np.concatenate(parts) if parts else np.zeros(0, empty.get(name, np.uint8))
        return Examples(**arrays)
