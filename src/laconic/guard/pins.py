"""The output of the guard: pins on nodes, each with the rule that set it."""

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


#: The number that stands for no rule.
NO_RULE: Final = 255

#: The name of pins on clauses that cannot stand alone. The core also gives it to fragments of a sentence.
DEPENDENT: Final = "dependent clause"

_GONE: Final = np.uint8(NodePin.NOT_BELOW | NodePin.NOT_ROOT)


@dataclass(frozen=True, slots=True)
class Pins:
    """The pins of the nodes of a batch."""

    flags: NDArray[np.uint8]  # by node: a combination of NodePin flags
    stays_by: NDArray[np.uint8]  # by node: the number of the rule that pins its edge, or NO_RULE
    not_root_by: NDArray[np.uint8]  # by node: the number of the rule that forbids it as a root, or NO_RULE
    preferred: NDArray[np.bool_] | None = None  # by node: whether to prefer keeping its edge; weaker than a pin
    names: tuple[str, ...] = ()  # of the rules, by number

    @classmethod
    def none(cls, forest: Forest) -> Pins:
        """No pins at all."""
        nodes = len(forest.row)
        return cls(np.zeros(nodes, np.uint8), np.full(nodes, NO_RULE, np.uint8), np.full(nodes, NO_RULE, np.uint8))

    def within(self, forest: Forest, decoded: Decoded) -> Pins:
        """These pins, and pins that exclude every node that the best result of its sentence does not contain."""
        gone = np.repeat(np.diff(decoded.result_ptr) > 0, np.diff(forest.node_ptr))  # only where there is a result
        first = decoded.result_ptr[:-1]
        for i in np.flatnonzero(np.diff(decoded.result_ptr)).tolist():
            own = decoded.node[decoded.node_ptr[first[i]] : decoded.node_ptr[first[i] + 1]]
            gone[forest.node_ptr[i] + own] = False
        return replace(self, flags=np.where(gone, self.flags | _GONE, self.flags))

    def whole(self, forest: Forest, sentences: NDArray[np.bool_]) -> Pins:
        """These pins, except that all nodes of these sentences are pinned."""
        nodes = np.repeat(sentences, np.diff(forest.node_ptr))
        stays = np.where(forest.parent < 0, 0, np.uint8(NodePin.STAYS | NodePin.NOT_ROOT)).astype(np.uint8)
        return replace(self, flags=np.where(nodes, stays, self.flags))

    def releasing(self, name: str) -> Pins:
        """The same without the pins by which a rule of this name, the last one, keeps nodes from being roots."""
        if name not in self.names:
            return self
        own = self.not_root_by == self.names.index(name)
        return replace(
            self,
            flags=np.where(own, self.flags & ~np.uint8(NodePin.NOT_ROOT), self.flags),
            not_root_by=np.where(own, np.uint8(NO_RULE), self.not_root_by),
        )

    def broken_by(self, forest: Forest, i: int, nodes: frozenset[int]) -> str | None:
        """The name of the first rule that a subtree of sentence `i` breaks, or None."""
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
    """Collects the pins that rules set, by token. The first rule that pins a word gives the pin its name.

    The name is shown in explanations ("guard: condition"); several rules may use the same name.
    """

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self.names: dict[str, int] = {DEPENDENT: 0}  # their numbers

    def stays(self, words: Mask, name: str) -> None:
        """The edges into the nodes of these words are not cut while their heads are kept."""
        self._tape.do(Op.STAYS, words, constant=self._number(name))

    def prefers(self, words: Mask) -> None:
        """The edges into the nodes of these words are kept if there is room."""
        self._tape.do(Op.PREFERS, words)

    def not_root(self, words: Mask, name: str) -> None:
        """The nodes of these words may not be roots, except for the root of the whole tree."""
        self._tape.do(Op.NOT_ROOT, words, constant=self._number(name))

    def together(self, words: Mask, name: str) -> None:
        """The nodes of these words and their heads are kept or deleted together."""
        self.stays(words, name)
        self.not_root(words, name)

    def needs(self, these: Numbers, those: Numbers, name: str) -> None:
        """If a word of `these` is kept, so is its partner in `those`; both are rows, matched by position.

        The nodes from the first word up to the lowest common ancestor may not be roots, and the edges from there down
        to the second word are not cut.
        """
        self._tape.do(Op.NEEDS, these, those, constant=self._number(name))

    def one_of(self, these: Numbers, those: Numbers, name: str) -> None:
        """If the common head is kept, so is a word of `these` or its partner in `those`, matched by position.

        If the second is not the next sibling of the first, the word of `these` is kept.
        """
        self._tape.do(Op.ONE_OF, these, those, constant=self._number(name))

    def with_heads(self, words: Words, mask: Mask, name: str) -> None:
        """Keep each word of `mask` whenever its head is kept, whichever nodes the two belong to."""
        rows = (mask & ~words.root).rows()
        self.needs(words.head[rows], rows, name)

    def _number(self, name: str) -> int:
        number = self.names.setdefault(name, len(self.names))
        assert number < NO_RULE, "the core has one byte for the number of a rule"
        return number


def run_rules(program: Program, names: tuple[str, ...], forest: Forest) -> Pins:
    """The pins that a rule program sets on the nodes of a batch: on head words, and on the paths between words."""
    return Pins(*program.pins(forest, names.index(DEPENDENT)), names)
