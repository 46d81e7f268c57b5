"""What the guard asks for: pins on nodes, each with the rule that wants it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from laconic._core import NodePin, Op, Program

if TYPE_CHECKING:
    from laconic.decode import Decoded
    from laconic.guard.rule_words import Words
    from laconic.parse.program import Mask, Numbers, Tape
    from laconic.tree import Forest


#: The number of no rule.
NO_RULE: Final = 255

#: The name of pins on what says nothing without what it hangs on. The core gives it, too: to a fragment of a sentence.
DEPENDENT: Final = "dependent clause"

_GONE: Final = np.uint8(NodePin.NOT_BELOW | NodePin.NOT_ROOT)


@dataclass(frozen=True, slots=True)
class Pins:
    """The pins of the nodes of a batch."""

    flags: NDArray[np.uint8]  # by node: NodePin.STAYS, NodePin.OR_NEXT and NodePin.NOT_ROOT
    stays_by: NDArray[np.uint8]  # by node: the number of the rule that wants its edge to stay, or NO_RULE
    not_root_by: NDArray[np.uint8]  # by node: the number of the rule that wants it to be no root, or NO_RULE
    preferred: NDArray[np.bool_] | None = None  # by node: its edge had better stay; no pin
    names: tuple[str, ...] = ()  # of the rules, by number

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

    def broken_by(self, forest: Forest, i: int, nodes: frozenset[int]) -> str | None:
        """The name of the first rule that a subtree of sentence `i` would break; None: it obeys them all."""
        first = int(forest.node_ptr[i])
        for node in np.flatnonzero(self.flags[first : int(forest.node_ptr[i + 1])]).tolist():
            row = first + node
            head = int(forest.parent[row])
            if self.stays_by[row] != NO_RULE and head in nodes and node not in nodes:
                beside = np.flatnonzero(forest.parent[row + 1 : int(forest.node_ptr[i + 1])] == head)
                if not (self.flags[row] & NodePin.OR_NEXT and node + 1 + int(beside[0]) in nodes):
                    return self.names[int(self.stays_by[row])]
            if self.not_root_by[row] != NO_RULE and node in nodes and head not in nodes:
                return self.names[int(self.not_root_by[row])]
        return None


class PinBoard:
    """What rules ask for: by token, since they speak of words. The first that pins a word gives the pin its name.

    That name is what explanations say ("guard: condition"); rules may share one.
    """

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self.names: dict[str, int] = {DEPENDENT: 0}  # with their numbers

    def stays(self, words: Mask, name: str) -> None:
        """The edges into the nodes of these words are not cut while their heads stay."""
        self._tape.do(Op.STAYS, words, constant=self._number(name))

    def prefers(self, words: Mask) -> None:
        """The edges into the nodes of these words had better stay: they are cut where there is no room else."""
        self._tape.do(Op.PREFERS, words)

    def not_root(self, words: Mask, name: str) -> None:
        """The nodes of these words are no roots, except that of the whole tree, which has nothing above it."""
        self._tape.do(Op.NOT_ROOT, words, constant=self._number(name))

    def together(self, words: Mask, name: str) -> None:
        """The nodes of these words and their heads go together: both stay, or none."""
        self.stays(words, name)
        self.not_root(words, name)

    def needs(self, these: Numbers, those: Numbers, name: str) -> None:
        """Where a word of `these` stays, so does the one of `those` in the same place: rows, in pairs.

        Of two words, one below the other, that is a pin on each node between them; else they go by what is above both.
        """
        self._tape.do(Op.NEEDS, these, those, constant=self._number(name))

    def one_of(self, these: Numbers, those: Numbers, name: str) -> None:
        """Where what both hang on stays, a word of `these` does, or the one of `those` in the same place.

        That is so of nodes beside each other; elsewhere the word of `these` stays.
        """
        self._tape.do(Op.ONE_OF, these, those, constant=self._number(name))

    def with_heads(self, words: Words, mask: Mask, name: str) -> None:
        """Words stay while what they hang on does, whatever node they are in."""
        rows = (mask & ~words.root).rows()
        self.needs(words.head[rows], rows, name)

    def _number(self, name: str) -> int:
        number = self.names.setdefault(name, len(self.names))
        assert number < NO_RULE, "the core has one byte for the number of a rule"
        return number


def run_rules(program: Program, names: tuple[str, ...], forest: Forest) -> Pins:
    """What the rules of a program ask of the nodes of a batch: pins on head words, and on the ways between words."""
    return Pins(*program.pins(forest, names.index(DEPENDENT)), names)
