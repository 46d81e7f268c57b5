"""Long runs of characters without white space: those that are one word, and where others are cut, to bound the work.

This is not part of what a model is compatible with (`laconic.compatibility`): training texts have no such runs.
"""

from __future__ import annotations

import re
from typing import Final

_SPACE: Final = re.compile(r"\s")
_AFTER_WORD: Final = re.compile(r"[^\w'’-](?=[^\W_])")
_WITHIN_WORD: Final = re.compile(r"[^\W_](?=[^\W_])")

#: A run of more words than this was not written word by word: it is code, data, or text that lost its spaces.
_MOST_WORDS: Final = 16
_BETWEEN: Final = re.compile(r"[^\W_](?:[^\w\s]|_)+(?=[^\W_])")


def has_many_words(run: str) -> bool:
    """Whether a run has so many words that it counts as a single one, of which nothing can be deleted."""
    if len(run) <= 2 * _MOST_WORDS:
        return False
    return len(_BETWEEN.findall(run)) > _MOST_WORDS


def end_of_run(text: str, at: int) -> int:
    """The end of the run that goes on at an offset, with the white space character after it."""
    space = _SPACE.search(text, at)
    return len(text) if space is None else space.end()


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
