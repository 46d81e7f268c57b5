"""What the guard asks for: pins on nodes, each with the rule that wants it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from laconic._core import NodePin

if TYPE_CHECKING:
    from laconic.decode import Decoded
    from laconic.tree import Forest


class Rule(StrEnum):
    """Why a node is pinned."""

    DENIAL = "denial"  # what denies stays with what it denies
    DOUBT = "doubt"  # what is doubted, or left open, is not taken out of the doubt
    ARGUMENT = "argument"  # a verb keeps what it asks for
    CONDITION = "condition"  # "if it rains" stays with what depends on it
    LIMIT = "limit"  # "only", "almost" stay with what they limit
    FRAME = "frame"  # a word keeps what it seldom stands without
    DEPENDENT = "dependent clause"  # it says nothing without what it hangs on


#: The rules by number, and the number of none.
RULES: Final = tuple(Rule)
NO_RULE: Final = 255

_GONE: Final = np.uint8(NodePin.NOT_BELOW | NodePin.NOT_ROOT)


@dataclass(frozen=True, slots=True)
class Pins:
    """The pins of the nodes of a batch."""

    flags: NDArray[np.uint8]  # by node: NodePin.STAYS and NodePin.NOT_ROOT
    stays_by: NDArray[np.uint8]  # by node: the number of the rule that wants its edge to stay, or NO_RULE
    not_root_by: NDArray[np.uint8]  # by node: the number of the rule that wants it to be no root, or NO_RULE

    @classmethod
    def none(cls, forest: Forest) -> Pins:
        """Nothing is asked for."""
        nodes = len(forest.row)
        return cls(np.zeros(nodes, np.uint8), np.full(nodes, NO_RULE, np.uint8), np.full(nodes, NO_RULE, np.uint8))

    def within(self, forest: Forest, decoded: Decoded) -> Pins:
        """The same, and nothing is kept that the best result of a sentence has lost."""
        gone = np.ones(len(self.flags), dtype=bool)
        first = decoded.result_ptr[:-1]
        for i in np.flatnonzero(np.diff(decoded.result_ptr)).tolist():
            own = decoded.node[decoded.node_ptr[first[i]] : decoded.node_ptr[first[i] + 1]]
            gone[forest.node_ptr[i] + own] = False
        return replace(self, flags=np.where(gone, self.flags | _GONE, self.flags))

    def whole(self, forest: Forest, sentences: NDArray[np.bool_]) -> Pins:
        """The same, and these sentences lose nothing."""
        nodes = np.repeat(sentences, np.diff(forest.node_ptr))
        stays = np.where(forest.parent < 0, 0, np.uint8(NodePin.STAYS | NodePin.NOT_ROOT)).astype(np.uint8)
        return replace(self, flags=np.where(nodes, stays, self.flags))

    def broken_by(self, forest: Forest, i: int, nodes: frozenset[int]) -> Rule | None:
        """The first rule that a subtree of sentence `i` would break; None: it obeys them all."""
        first = int(forest.node_ptr[i])
        for node in np.flatnonzero(self.flags[first : int(forest.node_ptr[i + 1])]).tolist():
            row = first + node
            head = int(forest.parent[row])
            if self.stays_by[row] != NO_RULE and head in nodes and node not in nodes:
                return RULES[int(self.stays_by[row])]
            if self.not_root_by[row] != NO_RULE and node in nodes and head >= 0 and head not in nodes:
                return RULES[int(self.not_root_by[row])]
        return None


class PinBoard:
    """Pins while they are made: by token, since rules speak of words. The first rule that pins a word names the pin."""

    def __init__(self, tokens: int) -> None:
        self._stays = np.full(tokens, NO_RULE, dtype=np.uint8)
        self._not_root = np.full(tokens, NO_RULE, dtype=np.uint8)

    def stays(self, words: NDArray[np.bool_], rule: Rule) -> None:
        """The edges into the nodes of these words are not cut while their heads stay."""
        self._stays[words & (self._stays == NO_RULE)] = RULES.index(rule)

    def not_root(self, words: NDArray[np.bool_], rule: Rule) -> None:
        """The nodes of these words are no roots, except that of the whole tree, which has nothing above it."""
        self._not_root[words & (self._not_root == NO_RULE)] = RULES.index(rule)

    def together(self, words: NDArray[np.bool_], rule: Rule) -> None:
        """The nodes of these words and their heads go together: both stay, or none."""
        self.stays(words, rule)
        self.not_root(words, rule)

    def pins(self, forest: Forest) -> Pins:
        """The pins of the nodes: those of their head words."""
        stays = self._stays[forest.row]
        not_root = np.where(forest.parent < 0, np.uint8(NO_RULE), self._not_root[forest.row])
        flags = (stays != NO_RULE) * np.uint8(NodePin.STAYS) + (not_root != NO_RULE) * np.uint8(NodePin.NOT_ROOT)
        return Pins(flags, stays, not_root)
