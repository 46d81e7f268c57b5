"""Where a long run of characters without white space is cut, so that the work for one piece of it stays bounded.

This is no part of what a model fits (`laconic.compatibility`): no text that a model is trained on has such runs.
"""

from __future__ import annotations

import re
from typing import Final

_AFTER_WORD: Final = re.compile(r"[^\w'’-](?=[^\W_])")
_WITHIN_WORD: Final = re.compile(r"[^\W_](?=[^\W_])")


def piece_size(run: str, at: int, most: int) -> int:
    """The size of the piece of a run that starts at a character: it ends between words, or else between two letters.

    Two letters that are written together stay together (`TreeBuilder::collapse_written_together`).
    """
    if len(run) - at <= most:
        return len(run) - at
    for place in (_AFTER_WORD, _WITHIN_WORD):
        ends = [match.end() for match in place.finditer(run, at + most // 2, at + most + 1)]
        if ends:
            return ends[-1] - at
    return most
