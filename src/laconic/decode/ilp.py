"""The ILP baseline (paper §4; Filippova & Altun 2013): the connected subtree with the largest sum of edge weights.

Every edge has a weight, positive where it is worth retaining, learned by a structured perceptron
(`laconic.train.structured_perceptron`). The program of a sentence is built by the native core (`native/ilp.hpp`) as the
arrays of a row-wise sparse matrix and handed to HiGHS in one call, the fast way by its documentation; one solver object
serves all sentences. The k best come one after another: each solution
that was found is forbidden by a cut, and the program is solved again.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic._core import Decoded
from laconic.errors import LaconicError
from laconic.progress import Advance, ignore
from laconic.score import Model
from laconic.tree import Forest

_NO_LIMIT: Final = 2**62
#: What is not HiGHS's default. Exact: no gap is tolerated. Not parallel: the programs are small, and the other methods
#: run on one core too (a number of threads would have to be the same for all users of HiGHS in a process).
BASIC: Final = {"output_flag": False, "parallel": "off", "mip_rel_gap": 0.0, "mip_abs_gap": 0.0}
#: Feasibility jump looks for a first solution of hard programs. For ours it takes most of the time (bench/solver.py).
OPTIONS: Final = {**BASIC, "mip_heuristic_run_feasibility_jump": False}


@dataclass(frozen=True, slots=True)
class Program:
    """The program of one sentence: a variable for each edge, and the constraints as rows of a sparse matrix."""

    head: NDArray[np.int32]  # of an edge; -1: the dummy root
    node: NDArray[np.int32]
    weight: NDArray[np.float64]
    length: NDArray[np.float64]  # characters that the edge's node adds at least
    fixed: float  # characters that every compression has
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    start: NDArray[np.int32]
    index: NDArray[np.int32]
    value: NDArray[np.float64]


def programs(forest: Forest, model: Model | None) -> Iterator[Program]:
    """The programs of all sentences; without a model their weights are zero."""
    return split_programs(_core.Programs(forest, None if model is None else model.core))


def split_programs(batch: _core.Programs) -> Iterator[Program]:
    """The programs of a batch, one by one."""
    edge_ptr, row_ptr, entry_ptr = batch.edge_ptr.tolist(), batch.row_ptr.tolist(), batch.entry_ptr.tolist()
    head, node, weight, length = batch.head, batch.node, batch.weight, batch.length
    lower, upper, start, index, value = batch.lower, batch.upper, batch.start, batch.index, batch.value
    for i, fixed in enumerate(batch.fixed.tolist()):
        edges = slice(edge_ptr[i], edge_ptr[i + 1])
        rows = slice(row_ptr[i], row_ptr[i + 1])
        entries = slice(entry_ptr[i], entry_ptr[i + 1])
        yield Program(
            head=head[edges],
            node=node[edges],
            weight=weight[edges],
            length=length[edges],
            fixed=fixed,
            lower=lower[rows],
            upper=upper[rows],
            start=start[rows.start + i : rows.stop + i + 1],
            index=index[entries],
            value=value[entries],
        )


class Solver:
    """HiGHS, ready to solve one program after another; counts the time that is spent inside."""

    def __init__(self, options: Mapping[str, Any] = OPTIONS) -> None:
        self._highspy = import_highspy()
        self._highs = self._highspy.Highs()
        for name, value in options.items():
            if self._highs.setOptionValue(name, value) != self._highspy.HighsStatus.kOk:
                raise LaconicError(f"HiGHS does not know the option {name} = {value!r}: see its list of options")
        self.nanoseconds = 0

    def best(self, program: Program, weight: NDArray[np.float64]) -> NDArray[np.bool_]:
        """The edges of the best subtree under other weights than the program's own; for training.

        Without a length and without cuts the corners of the relaxed program are whole numbers, and a linear program is
        solved in a fraction of the time. That is checked; should a variable be fractional, it is solved with integers.
        """
        self._pass(program, weight, integer=False)
        values = self._run()
        assert values is not None  # a tree has a root edge, so there is a solution
        if np.abs(values - np.rint(values)).max() > 1e-6:
            self._pass(program, weight, integer=True)
            values = self._run()
            assert values is not None
        chosen: NDArray[np.bool_] = values > 0.5
        return chosen

    def solutions(self, program: Program, max_chars: int | None = None) -> Iterator[tuple[float, NDArray[np.bool_]]]:
        """Sums of weights and edges of all subtrees, best first, each found when it is asked for.

        With `max_chars`, only those that may fit: the length is that of the words, and punctuation may come on top.
        """
        if not len(program.head):
            return
        self._pass(program, program.weight, integer=True)
        every = np.arange(len(program.head), dtype=np.int32)
        if max_chars is not None:
            self._highs.addRow(-np.inf, max_chars - program.fixed, len(every), every, program.length)
        while (values := self._run()) is not None:
            chosen = values > 0.5
            yield float(program.weight[chosen].sum()), chosen
            signs = np.where(chosen, 1.0, -1.0)
            self._highs.addRow(-np.inf, float(chosen.sum()) - 1, len(every), every, signs)

    def _pass(self, program: Program, weight: NDArray[np.float64], *, integer: bool) -> None:
        columns, rows = len(weight), len(program.lower)
        self._highs.passModel(
            columns,
            rows,
            len(program.index),
            int(self._highspy.MatrixFormat.kRowwise),
            int(self._highspy.ObjSense.kMaximize),
            0.0,
            weight,
            np.zeros(columns),
            np.ones(columns),
            program.lower,
            program.upper,
            program.start,
            program.index,
            program.value,
            np.full(columns, int(integer), dtype=np.int32),
        )

    def _run(self) -> NDArray[np.float64] | None:
        """The optimal values, or None when there is no solution (any more)."""
        start = time.perf_counter_ns()
        self._highs.run()
        self.nanoseconds += time.perf_counter_ns() - start
        status = self._highs.getModelStatus()
        if status == self._highspy.HighsModelStatus.kOptimal:
            return np.array(self._highs.getSolution().col_value)
        if status == self._highspy.HighsModelStatus.kInfeasible:
            return None
        raise LaconicError(
            f"HiGHS gave up with the status {self._highs.modelStatusToString(status)!r}: "
            "report the sentence, and use another method for it"
        )


def decode_ilp(
    forest: Forest,
    model: Model,
    *,
    k: int,
    max_chars: int | None = None,
    resolve_pronouns: bool = False,
    solver: Solver | None = None,
    advance: Advance = ignore,
) -> Decoded:
    """The k best compressions of every sentence by the ILP.

    With `max_chars` none is printed with more characters: what does not fit with its punctuation is passed over, and so
    is what reads like a better one. A `solver` with other options can be given.
    """
    room = _NO_LIMIT if max_chars is None else min(max_chars, _NO_LIMIT)
    solver = Solver() if solver is None else solver
    printer = _core.Printer(forest, resolve_pronouns)
    batch = _core.Programs(forest, model.core)
    nanoseconds = np.zeros((len(batch), 4), dtype=np.int64)
    nanoseconds[:, :3] = batch.nanoseconds.reshape(-1, 3)
    inside = np.zeros(len(batch), dtype=np.int64)
    clock = time.perf_counter_ns
    for i, program in enumerate(split_programs(batch)):
        before = solver.nanoseconds
        lap = clock()
        printer.begin(i)
        printing = clock() - lap
        count = again = 0
        for score, chosen in solver.solutions(program, max_chars):
            at = clock()
            added = printer.add(score, sorted(program.node[chosen].tolist()), room)
            printing += clock() - at
            count += added
            again += not added and max_chars is None  # it reads like another
            if count == k or again > k:
                break
        at = clock()
        printer.end()
        printing += clock() - at
        nanoseconds[i, 2] += clock() - lap - printing
        nanoseconds[i, 3] = printing
        inside[i] = solver.nanoseconds - before
        advance(1)
    return printer.finish(nanoseconds.reshape(-1), inside)


def import_highspy() -> Any:
    """The solver's module; it comes with an extra."""
    try:
        import highspy
    except ImportError:
        raise LaconicError('the ILP needs the solver HiGHS: pip install "laconic[ilp]"') from None
    return highspy
