"""What decoders return."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Decoded:
    """The results of a batch as columns: sentences, their compressions, the pieces of text that these print.

    A compression's nodes are numbers of nodes in the sentence's tree. A piece is a token or a part of one, as
    characters of the text; `piece_space` says whether a space goes before it, `piece_word` whether it is a word.
    """

    sentence_text: NDArray[np.int32]
    sentence_first: NDArray[np.int64]
    sentence_last: NDArray[np.int64]
    result_ptr: NDArray[np.int64]
    score: NDArray[np.float64]
    node_ptr: NDArray[np.int64]
    node: NDArray[np.int32]
    piece_ptr: NDArray[np.int64]
    piece_start: NDArray[np.int32]
    piece_end: NDArray[np.int32]
    piece_space: NDArray[np.uint8]
    piece_word: NDArray[np.uint8]
    piece_pronoun: NDArray[np.int64]  # row of the pronoun in whose place the piece is printed, or -1
    nanoseconds: NDArray[np.int64]  # four for each sentence: transform, root edges, decode, realise
    # With limits, by sentence; otherwise empty.
    problem: NDArray[np.uint8]  # why there is no result: 1 length, 2 words that do not go together
    exact: NDArray[np.uint8]  # whether the best within the limits were found for sure
    shortest: NDArray[np.int64]  # of all prints, where none fits
    longest: NDArray[np.int64]
    first: NDArray[np.int64]  # rows of the tokens that do not go together, or -1
    second: NDArray[np.int64]
    solver_nanoseconds: NDArray[np.int64] | None = None  # of decode, by sentence: inside the ILP's solver
