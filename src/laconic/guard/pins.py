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
    from laconic.guard.words import Words
    from laconic.tree import Forest


class Rule(StrEnum):
    """Why a node is pinned."""

    DENIAL = "denial"  # what denies stays with what it denies
    DOUBT = "doubt"  # what is doubted, or left open, is not taken out of the doubt
    ARGUMENT = "argument"  # a verb keeps what it asks for
    CONDITION = "condition"  # "if it rains" stays with what depends on it
    OWNER = "owner"  # a claim stays with whoever makes it
    HEDGE = "hedge"  # "allegedly", "nearly" stay with what they qualify
    BOUND = "bound"  # "at least", "except" stay with the amount, or with all that is left
    RESTRICTION = "restriction"  # "people who …", where only those are meant
    COMPARISON = "comparison"  # what something is compared with
    INSTRUCTION = "instruction"  # amounts and times of what is to be done
    CONTRAST = "contrast"  # "but it failed"
    PHRASE = "phrase"  # words that mean something only together
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
    preferred: NDArray[np.bool_] | None = None  # by node: its edge had better stay; no pin

    @classmethod
    def none(cls, forest: Forest) -> Pins:
        """Nothing is asked for."""
        nodes = len(forest.row)
        return cls(np.zeros(nodes, np.uint8), np.full(nodes, NO_RULE, np.uint8), np.full(nodes, NO_RULE, np.uint8))

    def within(self, forest: Forest, decoded: Decoded) -> Pins:
        """The same, and nothing is kept that the best result of a sentence has lost."""
        gone = np.repeat(np.diff(decoded.result_ptr) > 0, np.diff(forest.node_ptr))  # what has no result loses nothing
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
            if self.not_root_by[row] != NO_RULE and node in nodes and head not in nodes:
                return RULES[int(self.not_root_by[row])]
        return None


class PinBoard:
    """Pins while they are made: by token, since rules speak of words. The first rule that pins a word names the pin."""

    def __init__(self, tokens: int) -> None:
        self._stays = np.full(tokens, NO_RULE, dtype=np.uint8)
        self._not_root = np.full(tokens, NO_RULE, dtype=np.uint8)
        self._preferred = np.zeros(tokens, dtype=bool)
        self._needs: list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]] = []

    def stays(self, words: NDArray[np.bool_], rule: Rule) -> None:
        """The edges into the nodes of these words are not cut while their heads stay."""
        self._stays[words & (self._stays == NO_RULE)] = RULES.index(rule)

    def prefers(self, words: NDArray[np.bool_]) -> None:
        """The edges into the nodes of these words had better stay: they are cut where there is no room else."""
        self._preferred |= words

    def not_root(self, words: NDArray[np.bool_], rule: Rule) -> None:
        """The nodes of these words are no roots, except that of the whole tree, which has nothing above it."""
        self._not_root[words & (self._not_root == NO_RULE)] = RULES.index(rule)

    def together(self, words: NDArray[np.bool_], rule: Rule) -> None:
        """The nodes of these words and their heads go together: both stay, or none."""
        self.stays(words, rule)
        self.not_root(words, rule)

    def needs(self, these: NDArray[np.int64], those: NDArray[np.int64], rule: Rule) -> None:
        """Where a word of `these` stays, so does the one of `those` in the same place: rows, in pairs.

        Of two words, one below the other, that is a pin on each node between them; else they go by what is above both.
        """
        if len(these):
            self._needs.append((these, those, np.full(len(these), RULES.index(rule), dtype=np.uint8)))

    def with_heads(self, words: Words, mask: NDArray[np.bool_], rule: Rule) -> None:
        """Words stay while what they hang on does, whatever node they are in."""
        rows = (mask & ~words.root).nonzero()[0]
        self.needs(words.head[rows], rows, rule)

    def pins(self, forest: Forest) -> Pins:
        """The pins of the nodes: those of their head words, and of the ways between words that need each other."""
        stays = self._stays[forest.row]
        not_root = self._not_root[forest.row]
        if self._needs:
            self._pin_ways(forest, stays, not_root)
        tops = forest.parent < 0
        not_root = np.where(tops | (forest.root_edge == 0), np.uint8(NO_RULE), not_root)
        if np.count_nonzero(tops) > len(forest):  # what fell off its tree: no sentence begins there
            not_root[tops & ~_mains(forest)] = RULES.index(Rule.DEPENDENT)
        flags = (stays != NO_RULE) * np.uint8(NodePin.STAYS) + (not_root != NO_RULE) * np.uint8(NodePin.NOT_ROOT)
        return Pins(flags, stays, not_root, self._preferred[forest.row])

    def _pin_ways(self, forest: Forest, stays: NDArray[np.uint8], not_root: NDArray[np.uint8]) -> None:
        """Pin what lies between pairs: going up from `these` none is a root, going down to `those` all stay."""
        base = forest.node_ptr[:-1]
        own = np.repeat(base, np.diff(forest.node_ptr))
        parent = np.where(forest.parent < 0, -1, forest.parent + own)
        depth = _depths(parent)
        of_token = np.repeat(base, forest.sentence_last - forest.sentence_first)
        node = np.where(forest.node_of < 0, -1, forest.node_of + of_token)
        these, those, rules = (np.concatenate(column) for column in zip(*self._needs, strict=True))
        up, down = node[these], node[those]
        known = (up >= 0) & (down >= 0) & (own[up] == own[down])
        up, down, rules = up[known], down[known], rules[known]
        ways: list[tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.uint8]]] = []
        while len(up):
            apart = (up != down) & (up >= 0) & (down >= 0)
            up, down, rules = up[apart], down[apart], rules[apart]
            climbs, sinks = depth[up] >= depth[down], depth[down] >= depth[up]
            ways.append((not_root, up[climbs], rules[climbs]))
            ways.append((stays, down[sinks], rules[sinks]))
            up, down = np.where(climbs, parent[up], up), np.where(sinks, parent[down], down)
        for pins, at, by in ways:
            free = pins[at] == NO_RULE
            pins[at[free][::-1]] = by[free][::-1]


def _mains(forest: Forest) -> NDArray[np.bool_]:
    """Nodes that have the root of a sentence as it was parsed."""
    parses = forest.parses
    first = np.repeat(parses.token_ptr[:-1], np.diff(parses.token_ptr))
    base = np.repeat(forest.node_ptr[:-1], forest.sentence_last - forest.sentence_first)
    roots = (parses.head + first == np.arange(len(parses.head))) & (forest.node_of >= 0)
    mains = np.zeros(len(forest.parent), dtype=bool)
    mains[(forest.node_of + base)[roots]] = True
    # a sentence whose root is in no node, as a punctuation mark, has all its tops
    has = np.add.reduceat(mains, forest.node_ptr[:-1]) if len(forest) else np.zeros(0, dtype=bool)
    whole: NDArray[np.bool_] = mains | ~np.repeat(has.astype(bool), np.diff(forest.node_ptr))
    return whole


def _depths(parent: NDArray[np.int64]) -> NDArray[np.int32]:
    """How many nodes are above each."""
    depth = np.zeros(len(parent), dtype=np.int32)
    at = parent
    while (below := at >= 0).any():
        depth += below
        at = np.where(below, parent[at], -1)
    return depth
