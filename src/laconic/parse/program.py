"""Rules as programs: what they say of words is written down once, and run by the core on every batch.

A rule is an ordinary function over masks and numbers: `words.listed("only") & (words.rows > words.head)`. It is called
once, with no batch at hand: every operation becomes a step on a tape, which the core runs (`native/program.cpp`). So
what a rule does cannot depend on what is in a batch: no `if`, no loop until something changes. Whoever wants to see
values has them given out: `giving(lambda tape: [Words(tape).listed("only")]).values(parses)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from laconic._core import Op, Program

#: What numbers go with: others of the same length, or one for all.
Whole: TypeAlias = "Numbers | int | np.uint64"


class Tape:
    """The steps of a program while they are written down; equal steps are one."""

    def __init__(self) -> None:
        self._steps: list[tuple[Op, int, int, int, int]] = []
        self._known: dict[tuple[Op, int, int, int, int], int] = {}
        self._tables: dict[bytes | frozenset[int], int] = {}
        self._ids: dict[bytes | None, int] = {}

    def add(self, op: Op, a: int = -1, b: int = -1, c: int = -1, constant: int = 0) -> int:
        """A step that gives a value; the number of the value."""
        step = op, a, b, c, constant
        number = self._known.get(step)
        if number is None:
            number = self._known[step] = len(self._steps)
            self._steps.append(step)
        return number

    def do(self, op: Op, *arguments: Mask | Numbers, constant: int = 0) -> None:
        """A step that does something; it is done as often as it is written down."""
        a, b, c = (*(each.number for each in arguments), -1, -1, -1)[:3]
        self._steps.append((op, a, b, c, constant))

    def table(self, members: NDArray[np.bool_]) -> int:
        """A table of truth values; its number."""
        return self._tables.setdefault(members.astype(np.uint8).tobytes(), len(self._tables))

    def ids(self, ids: NDArray[np.uint64 | np.int64]) -> int:
        """A list of ids; its number."""
        return self._ids.setdefault(ids.astype(np.uint64).tobytes(), len(self._ids))

    def all_listed(self) -> int:
        """The sorted ids of all lists, which are known when everything is written down; the number of these ids."""
        return self._ids.setdefault(None, len(self._ids))

    def listed(self, ids: frozenset[int]) -> int:
        """A list, as a table with a truth value for each place in `all_listed`; its number."""
        return self._tables.setdefault(ids, len(self._tables))

    def program(self) -> Program:
        """What was written down, ready to be run."""
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
    """A program that gives out what a function finds: its `values` for a batch are arrays, in the same order."""
    tape = Tape()
    for value in find(tape):
        tape.do(Op.GIVE_MASK if isinstance(value, Mask) else Op.GIVE_NUMBERS, value)
    return tape.program()


class _Value:
    """The value of a step: known only when the program runs."""

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
        raise TypeError("a rule is written down once for all batches: it cannot ask what is in one")


class Mask(_Value):
    """Truth values, mostly one for each token."""

    __slots__ = ()

    def __and__(self, other: Mask) -> Mask:
        return Mask(self.tape, Op.BOTH, self, other)

    def __or__(self, other: Mask) -> Mask:
        return Mask(self.tape, Op.EITHER, self, other)

    def __invert__(self) -> Mask:
        return Mask(self.tape, Op.INVERT, self)

    def __getitem__(self, places: Numbers) -> Mask:
        """Those at the places; false where there is no such place."""
        return Mask(self.tape, Op.PICK, self, places)

    def rows(self) -> Numbers:
        """The places of those that are true."""
        return Numbers(self.tape, Op.ROWS, self)

    def where(self, yes: Whole, no: Whole) -> Numbers:
        """One number where this is true, another where it is not."""
        return Numbers(self.tape, Op.WHERE, self, _numbers(self.tape, yes), _numbers(self.tape, no))


class Numbers(_Value):
    """Whole numbers of 64 bits, mostly one for each token: rows (-1: none), labels, ids."""

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
        """Those at the places, -1 where there is no such place; or those where a mask is true."""
        return Numbers(self.tape, Op.TAKE if isinstance(places, Numbers) else Op.FILTER, self, places)

    def least(self, other: Whole) -> Numbers:
        """The lesser of two."""
        return self._with(Op.LEAST, other)

    def followed_by(self, other: Numbers) -> Numbers:
        """These, then the others."""
        return self._with(Op.CONCATENATE, other)

    def among(self, ids: NDArray[np.uint64]) -> Numbers:
        """The places that these have among sorted ids; -1: none."""
        return Numbers(self.tape, Op.FIND, self, constant=self.tape.ids(ids))

    def entry_of(self, table: NDArray[np.uint64 | np.int64]) -> Numbers:
        """The entries of a table that has one for each number; -1: none."""
        return Numbers(self.tape, Op.ENTRY, self, constant=self.tape.ids(table))

    def listed_in(self, table: NDArray[np.bool_]) -> Mask:
        """The truth values of a table that has one for each number; false: none."""
        return Mask(self.tape, Op.LISTED, self, constant=self.tape.table(table))


def _numbers(tape: Tape, value: Whole) -> Numbers:
    if isinstance(value, Numbers):
        return value
    number = int(value)  # an id has no sign, and the same bits
    return Numbers(tape, Op.NUMBER, constant=number - (1 << 64) if number >= 1 << 63 else number)
