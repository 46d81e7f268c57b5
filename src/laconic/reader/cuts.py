"""Sentences with versions of them, from which something was cut, as plain arrays.

Made by `laconic.reader.make_cuts`, read by `laconic.reader.fit`, perhaps on another machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from laconic.network.array_file import ArrayFile

#: Labels of deletions: an editor would leave it, would undo it; nobody has said.
FINE: Final = 0
FAULTY: Final = 1
UNKNOWN: Final = 2

#: States of words of which the reader is asked (`laconic._core.WordState`, which a machine that trains need not have).
CUT: Final = 3
PROMOTED: Final = 4
STATES: Final = 5

#: Where versions come from: an editor's compressions, verdicts on ours, ours without verdicts.
EDITORS: Final = 0
VERDICTS: Final = 1
OURS: Final = 2


@dataclass(frozen=True, slots=True)
class CutSentences(ArrayFile):
    """Sentences, end to end, and versions of each."""

    piece_ptr: NDArray[np.int64]
    piece: NDArray[np.uint16]
    word_start: NDArray[np.uint8]  # 1 on the first piece of a word
    word_ptr: NDArray[np.int64]
    case: NDArray[np.uint8]
    version_ptr: NDArray[np.int64]  # by sentence: its first version, and one end
    source: NDArray[np.uint8]  # by version: `EDITORS`, `VERDICTS` or `OURS`
    state: NDArray[np.uint8]  # of every word of the sentence, version after version: its `WordState`
    label: NDArray[np.uint8]  # likewise: `FINE`, `FAULTY` or `UNKNOWN`, of what was cut or promoted

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.piece_ptr) - 1
