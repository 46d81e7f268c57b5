"""A parsed corpus with the subtrees that come closest to its compressions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic.parse import Parses
from laconic.parse.words import TOKENS
from laconic.tree.rules import fingerprint, make_rules


@dataclass(frozen=True, slots=True)
class Gold:
    """A parsed corpus with its gold subtrees."""

    parses: Parses
    trees: str  # what made them: parser and rules
    keep: NDArray[np.uint8]  # by token: kept by the gold
    parent: NDArray[np.int32]  # by node
    root_edge: NDArray[np.uint8]  # by node: the dummy root has an edge to it
    node_ptr: NDArray[np.int64]  # nodes of a sentence
    kept: NDArray[np.uint8]  # by node: in the gold's subtree
    root: NDArray[np.int32]  # of the gold's subtree, by sentence
    f1: NDArray[np.float64]  # word F1 of the gold's subtree, by sentence
    tokens: str = TOKENS  # what cut the sentences into words

    @classmethod
    def make(cls, parses: Parses, keep: NDArray[np.uint8], *, parser: str, tokens: str = TOKENS) -> Gold:
        """Find the gold subtrees of sentences; `parser` names who made their trees, `tokens` who made their tokens."""
        core_parses, rules = _core.Parses(*parses.columns()), make_rules()
        f1, root, node_ptr, kept = _core.gold(core_parses, rules, keep)
        trees = _core.trees(core_parses, rules, None)
        return cls(parses, f"{parser}+{fingerprint()}", keep, trees[2], trees[5], node_ptr, kept, root, f1, tokens)
