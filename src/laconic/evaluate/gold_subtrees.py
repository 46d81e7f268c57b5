"""A parsed corpus with the subtrees that are closest to its compressions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic import compatibility
from laconic._core import GoldSubtrees
from laconic.parse.words import TOKENS
from laconic.tree import Forest


@dataclass(frozen=True, slots=True)
class Gold:
    """A parsed corpus with its gold subtrees."""

    forest: Forest
    trees: str  # their source: parser and rules
    keep: NDArray[np.uint8]  # by token: kept by the gold
    subtrees: GoldSubtrees
    tokens: str = TOKENS  # the tokeniser of the sentences

    @classmethod
    def make(cls, forest: Forest, keep: NDArray[np.uint8], *, parser: str, tokens: str = TOKENS) -> Gold:
        """Find the gold subtrees of sentences; `parser` names the parser of their trees, `tokens` their tokeniser."""
        return cls(forest, f"{parser}+{compatibility.rules()}", keep, GoldSubtrees(forest, keep), tokens)
