"""What the guard asks for: pins on nodes, each with the rule that wants it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from laconic._core import NodePin, Op, Program

if TYPE_CHECKING:
    from laconic.decode import Decoded
    from laconic.guard.words import Words
    from laconic.parse.program import Mask, Numbers, Tape
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
    """What rules ask for: by token, since they speak of words. The first rule that pins a word names the pin."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape

    def stays(self, words: Mask, rule: Rule) -> None:
        """The edges into the nodes of these words are not cut while their heads stay."""
        self._tape.do(Op.STAYS, words, constant=RULES.index(rule))

    def prefers(self, words: Mask) -> None:
        """The edges into the nodes of these words had better stay: they are cut where there is no room else."""
        self._tape.do(Op.PREFERS, words)

    def not_root(self, words: Mask, rule: Rule) -> None:
        """The nodes of these words are no roots, except that of the whole tree, which has nothing above it."""
        self._tape.do(Op.NOT_ROOT, words, constant=RULES.index(rule))

    def together(self, words: Mask, rule: Rule) -> None:
        """The nodes of these words and their heads go together: both stay, or none."""
        self.stays(words, rule)
        self.not_root(words, rule)

    def needs(self, these: Numbers, those: Numbers, rule: Rule) -> None:
        """Where a word of `these` stays, so does the one of `those` in the same place: rows, in pairs.

        Of two words, one below the other, that is a pin on each node between them; else they go by what is above both.
        """
        self._tape.do(Op.NEEDS, these, those, constant=RULES.index(rule))

    def with_heads(self, words: Words, mask: Mask, rule: Rule) -> None:
        """Words stay while what they hang on does, whatever node they are in."""
        rows = (mask & ~words.root).rows()
        self.needs(words.head[rows], rows, rule)


def run_rules(program: Program, forest: Forest) -> Pins:
    """What the rules of a program ask of the nodes of a batch: pins on head words, and on the ways between words."""
    return Pins(*program.pins(forest, RULES.index(Rule.DEPENDENT)))
