"""The ILP baseline (paper §4; Filippova & Altun 2013): the connected subtree with the largest sum of edge weights.

Each edge has a weight, which is positive if the edge is worth retaining; the weights are learned by a structured
perceptron (`laconic.train.structured_perceptron`). The native core (`native/ilp.hpp`) builds the program of a sentence
as the arrays of a row-wise sparse matrix, which is passed to HiGHS in one call, the fastest way according to its
documentation; one solver object serves all sentences. For the k best, each solution found is excluded by a cut, and the
program is solved again.
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
#: Options that differ from HiGHS's defaults. Exact: no gap is tolerated. Not parallel: the programs are small, and the
#: other methods run on one core too (also, all users of HiGHS in a process would need the same number of threads).
BASIC: Final = {"output_flag": False, "parallel": "off", "mip_rel_gap": 0.0, "mip_abs_gap": 0.0}
#: Feasibility jump finds first solutions of hard programs; for ours it would take most of the time (bench/solver.py).
OPTIONS: Final = {**BASIC, "mip_heuristic_run_feasibility_jump": False}


@dataclass(frozen=True, slots=True)
class Program:
    """The integer program of one sentence: a variable for each edge, and the constraints as rows of a sparse matrix."""

    head: NDArray[np.int32]  # by edge: its parent node; -1: the dummy root
    node: NDArray[np.int32]
    weight: NDArray[np.float64]
    length: NDArray[np.float64]  # by edge: the minimum number of characters that its node adds
    fixed: float  # characters that every compression contains
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    start: NDArray[np.int32]
    index: NDArray[np.int32]
    value: NDArray[np.float64]


def programs(forest: Forest, model: Model | None) -> Iterator[Program]:
    """The programs of all sentences; without a model, the weights are zero."""
    return split_programs(_core.Programs(forest, None if model is None else model.core))


def split_programs(batch: _core.Programs) -> Iterator[Program]:
    """Split a batch into the programs of single sentences."""
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
    """HiGHS, set up to solve one program after another; accumulates the time spent in the solver."""

    def __init__(self, options: Mapping[str, Any] = OPTIONS) -> None:
        self._highspy = import_highspy()
        self._highs = self._highspy.Highs()
        for name, value in options.items():
            if self._highs.setOptionValue(name, value) != self._highspy.HighsStatus.kOk:
                raise LaconicError(f"HiGHS does not know the option {name} = {value!r}: see its list of options")
        self.nanoseconds = 0

    def best(self, program: Program, weight: NDArray[np.float64]) -> NDArray[np.bool_]:
        """The edges of the best subtree under the given weights in place of the program's own; for training.

        Without length limit and cuts, the vertices of the relaxed program are integral, so a linear program is solved,
        in a fraction of the time. The solution is checked; should a variable be fractional, the integer program is
        solved.
        """
        self._pass(program, weight, integer=False)
        values = self._run()
        assert values is not None  # there is always a solution, as every tree has a root edge
        if np.abs(values - np.rint(values)).max() > 1e-6:
            self._pass(program, weight, integer=True)
            values = self._run()
            assert values is not None
        chosen: NDArray[np.bool_] = values > 0.5
        return chosen

    def solutions(self, program: Program, max_chars: int | None = None) -> Iterator[tuple[float, NDArray[np.bool_]]]:
        """The weight sums and edges of all subtrees, best first; lazily, each found when requested.

        With `max_chars`, subtrees whose words alone exceed it are left out; punctuation may still exceed it.
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
        """The values of the optimal solution, or None if there is no (further) solution."""
        start = time.perf_counter_ns()
        self._highs.run()
        self.nanoseconds += time.perf_counter_ns() - start
        status = self._highs.getModelStatus()
        if status == self._highspy.HighsModelStatus.kOptimal:
            return np.array(self._highs.getSolution().col_value)
        if status == self._highspy.HighsModelStatus.kInfeasible:
            return None
        raise LaconicError(
            f"HiGHS stopped with the status {self._highs.modelStatusToString(status)!r}: "
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

    With `max_chars`, results that are too long once punctuation is printed are skipped, and so are results with the
    same text as a better one. A `solver` with other options can be passed.
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
            again += not added and max_chars is None  # it has the same text as a better one
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
    """Import the solver's module; the extra `ilp` installs it."""
    try:
        import highspy
    except ImportError:
        raise LaconicError('the ILP needs the solver HiGHS: pip install "laconic[ilp]"') from None
    return highspy
