"""Cut long runs of characters without white space, to bound the work for each piece.

This is not part of what a model is compatible with (`laconic.compatibility`): training texts have no such runs.
"""

from __future__ import annotations

import re
from typing import Final

_AFTER_WORD: Final = re.compile(r"[^\w'’-](?=[^\W_])")
_WITHIN_WORD: Final = re.compile(r"[^\W_](?=[^\W_])")


def piece_size(run: str, at: int, most: int) -> int:
    """The size of the piece of a run that starts at `at`: it ends between words or, failing that, between two letters.

    Pieces that were cut between two letters stay together in the tree (`TreeBuilder::collapse_written_together`).
    """
    if len(run) - at <= most:
        return len(run) - at
    for place in (_AFTER_WORD, _WITHIN_WORD):
        ends = [match.end() for match in place.finditer(run, at + most // 2, at + most + 1)]
        if ends:
            return ends[-1] - at
    return most
