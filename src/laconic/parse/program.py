"""Rules as programs: what a rule does with masks is recorded once, and run by the core on every batch.

A rule is an ordinary function over masks and numbers: `words.listed("only") & (words.rows > words.head)`. It is called
once, without a batch: each operation is recorded as a step on a tape, which the core runs (`native/program.cpp`). So a
rule cannot depend on the content of a batch: no `if`, no loop until a condition holds. To inspect values, output them:
`giving(lambda tape: [Words(tape).listed("only")]).values(parses)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from laconic._core import Op, Program

#: An operand: numbers of the same length, or a single number.
Whole: TypeAlias = "Numbers | int | np.uint64"


class Tape:
    """Records the steps of a program; equal steps are recorded once."""

    def __init__(self) -> None:
        self._steps: list[tuple[Op, int, int, int, int]] = []
        self._known: dict[tuple[Op, int, int, int, int], int] = {}
        self._tables: dict[bytes | frozenset[int], int] = {}
        self._ids: dict[bytes | None, int] = {}

    def add(self, op: Op, a: int = -1, b: int = -1, c: int = -1, constant: int = 0) -> int:
        """Add a step that computes a value; returns the value's number."""
        step = op, a, b, c, constant
        number = self._known.get(step)
        if number is None:
            number = self._known[step] = len(self._steps)
            self._steps.append(step)
        return number

    def do(self, op: Op, *arguments: Mask | Numbers, constant: int = 0) -> None:
        """Add a step with a side effect; it is added even if an equal one exists."""
        a, b, c = (*(each.number for each in arguments), -1, -1, -1)[:3]
        self._steps.append((op, a, b, c, constant))

    def table(self, members: NDArray[np.bool_]) -> int:
        """Add a boolean table; returns its number."""
        return self._tables.setdefault(members.astype(np.uint8).tobytes(), len(self._tables))

    def ids(self, ids: NDArray[np.uint64 | np.int64]) -> int:
        """Add a list of ids; returns its number."""
        return self._ids.setdefault(ids.astype(np.uint64).tobytes(), len(self._ids))

    def all_listed(self) -> int:
        """The number of the id list that will contain the sorted ids of all word lists, once recording is complete."""
        return self._ids.setdefault(None, len(self._ids))

    def listed(self, ids: frozenset[int]) -> int:
        """Add a word list, as a boolean table over the positions in `all_listed`; returns its number."""
        return self._tables.setdefault(ids, len(self._tables))

    def program(self) -> Program:
        """The recorded program, ready to run."""
        lists = [table for table in self._tables if isinstance(table, frozenset)]
        listed = np.array(sorted(frozenset[int]().union(*lists)), dtype=np.uint64)
        place = {each: i for i, each in enumerate(listed.tolist())}
        tables = []
        for table in self._tables:
            if isinstance(table, frozenset):
                members = np.zeros(len(listed), dtype=np.uint8)
                members[[place[each] for each in table]] = 1
            else:
                members = np.frombuffer(table, dtype=np.uint8)
            tables.append(members)
        ids = [listed if each is None else np.frombuffer(each, dtype=np.uint64) for each in self._ids]
        return Program(self._steps, tables, ids)


def giving(find: Callable[[Tape], Iterable[Mask | Numbers]]) -> Program:
    """A program that outputs what a function computes: its `values` for a batch are arrays, in the same order."""
    tape = Tape()
    for value in find(tape):
        tape.do(Op.GIVE_MASK if isinstance(value, Mask) else Op.GIVE_NUMBERS, value)
    return tape.program()


class _Value:
    """The value of a step, known only when the program runs."""

    __slots__ = ("number", "tape")

    def __init__(
        self,
        tape: Tape,
        op: Op,
        a: _Value | None = None,
        b: _Value | None = None,
        c: _Value | None = None,
        constant: int = 0,
    ) -> None:
        self.tape = tape
        numbers = (-1 if a is None else a.number, -1 if b is None else b.number, -1 if c is None else c.number)
        self.number: int = tape.add(op, *numbers, constant)

    def __bool__(self) -> bool:
        raise TypeError("a rule is recorded once for all batches: it cannot depend on the content of one")


class Mask(_Value):
    """Boolean values, usually one per token."""

    __slots__ = ()

    def __and__(self, other: Mask) -> Mask:
        return Mask(self.tape, Op.BOTH, self, other)

    def __or__(self, other: Mask) -> Mask:
        return Mask(self.tape, Op.EITHER, self, other)

    def __invert__(self) -> Mask:
        return Mask(self.tape, Op.INVERT, self)

    def __getitem__(self, places: Numbers) -> Mask:
        """The values at these positions; false if a position does not exist."""
        return Mask(self.tape, Op.PICK, self, places)

    def rows(self) -> Numbers:
        """The positions of the true values."""
        return Numbers(self.tape, Op.ROWS, self)

    def where(self, yes: Whole, no: Whole) -> Numbers:
        """Choose between two numbers: `yes` where this is true, `no` where it is not."""
        return Numbers(self.tape, Op.WHERE, self, _numbers(self.tape, yes), _numbers(self.tape, no))


class Numbers(_Value):
    """64-bit integers, usually one per token: rows (-1: none), labels, ids."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __lt__(self, other: Whole) -> Mask:
        return Mask(self.tape, Op.LESS, self, _numbers(self.tape, other))

    def __gt__(self, other: Whole) -> Mask:
        return Mask(self.tape, Op.LESS, _numbers(self.tape, other), self)

    def __le__(self, other: Whole) -> Mask:
        return ~(self > other)

    def __ge__(self, other: Whole) -> Mask:
        return ~(self < other)

    def __eq__(self, other: Whole) -> Mask:  # type: ignore[override]
        return Mask(self.tape, Op.EQUAL, self, _numbers(self.tape, other))

    def __ne__(self, other: Whole) -> Mask:  # type: ignore[override]
        return ~(self == other)

    def __add__(self, other: Whole) -> Numbers:
        return self._with(Op.ADD, other)

    def __sub__(self, other: Whole) -> Numbers:
        return self._with(Op.SUBTRACT, other)

    def __mul__(self, other: Whole) -> Numbers:
        return self._with(Op.MULTIPLY, other)

    def __xor__(self, other: Whole) -> Numbers:
        return self._with(Op.EXCLUSIVE_OR, other)

    def __rshift__(self, other: Whole) -> Numbers:
        return self._with(Op.SHIFT, other)

    def _with(self, op: Op, other: Whole) -> Numbers:
        return Numbers(self.tape, op, self, _numbers(self.tape, other))

    @overload
    def __getitem__(self, places: Numbers) -> Numbers: ...
    @overload
    def __getitem__(self, places: Mask) -> Numbers: ...
    def __getitem__(self, places: Numbers | Mask) -> Numbers:
        """The values at these positions, -1 if a position does not exist; or those where a mask is true."""
        return Numbers(self.tape, Op.TAKE if isinstance(places, Numbers) else Op.FILTER, self, places)

    def least(self, other: Whole) -> Numbers:
        """The element-wise minimum."""
        return self._with(Op.LEAST, other)

    def followed_by(self, other: Numbers) -> Numbers:
        """Concatenate these with others."""
        return self._with(Op.CONCATENATE, other)

    def among(self, ids: NDArray[np.uint64]) -> Numbers:
        """The positions of these values in a sorted list of ids; -1: not found."""
        return Numbers(self.tape, Op.FIND, self, constant=self.tape.ids(ids))

    def entry_of(self, table: NDArray[np.uint64 | np.int64]) -> Numbers:
        """The entries of a table indexed by these values; -1: none."""
        return Numbers(self.tape, Op.ENTRY, self, constant=self.tape.ids(table))

    def listed_in(self, table: NDArray[np.bool_]) -> Mask:
        """The entries of a boolean table indexed by these values; false: none."""
        return Mask(self.tape, Op.LISTED, self, constant=self.tape.table(table))


def _numbers(tape: Tape, value: Whole) -> Numbers:
    if isinstance(value, Numbers):
        return value
    number = int(value)  # an unsigned id, reinterpreted as signed
    return Numbers(tape, Op.NUMBER, constant=number - (1 << 64) if number >= 1 << 63 else number)
