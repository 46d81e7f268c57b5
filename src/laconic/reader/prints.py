"""Printed sentences from which something was cut, as plain arrays.

Made by `laconic.reader.make_prints`, read by `laconic.reader.fit`, perhaps on another machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from laconic.network.array_file import ArrayFile

#: In `print_node`: several edges were cut, at random.
SEVERAL: Final = -1


@dataclass(frozen=True, slots=True)
class Prints(ArrayFile):
    """Sentences, end to end, and prints of each: first those with random cuts, then those with one edge cut."""

    piece_ptr: NDArray[np.int64]
    piece: NDArray[np.uint16]
    word_start: NDArray[np.uint8]  # 1 on the first piece of a word
    word_ptr: NDArray[np.int64]
    case: NDArray[np.uint8]
    node: NDArray[np.int16]  # of a word, counted from the first of its sentence; -1: punctuation
    print_ptr: NDArray[np.int64]  # by sentence: its first print, and one end
    print_node: NDArray[np.int16]  # by print: the node whose edge alone was cut, or `SEVERAL`
    printed: NDArray[np.uint8]  # a bit for every word of the sentence, print after print

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.piece_ptr) - 1
