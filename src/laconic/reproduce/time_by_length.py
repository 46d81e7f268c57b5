"""Time by sentence length for the three methods (paper §4.4, figures 4 and 5), in one run on one core."""

from __future__ import annotations

import time
from functools import partial
from typing import Any, Final

import numpy as np

from laconic import _core
from laconic.decode import Method
from laconic.decode.ilp import BASIC, OPTIONS, Solver, decode_ilp, split_programs
from laconic.parse import Parses
from laconic.progress import Log
from laconic.score import Model
from laconic.timing import Times, one_core, time_decoder, time_runs
from laconic.tree import make_forest

TOP: Final = 5


def time_methods(parses: Parses, model: Model, log: Log) -> dict[str, Any]:
    """The times of every sentence for the best result and the top five, in microseconds, without parsing."""
    lengths = [last - first for _, first, last in parses.sentences()]
    methods = {}
    with one_core():
        for method in (Method.TOPDOWN, Method.NSS, Method.ILP):
            best = time_decoder(parses, model, method, 1)
            five = time_decoder(parses, model, method, TOP)
            methods[str(method)] = {"best": _summary(best), "five": _summary(five)}
            each = five.core.sum() / five.results
            log(f"  {method}: {best.core.mean():,.1f} µs for the best, {each:,.1f} µs for each of the top five")
        untuned = {
            name: time_runs(partial(decode_ilp, make_forest(parses), model, k=k, solver=Solver(BASIC)), 1)
            for name, k in (("best", 1), ("five", TOP))
        }
        relaxed = _time_relaxed(parses, model)
    return {
        "lengths": lengths,
        "methods": methods,
        "untuned": {name: _summary(times) for name, times in untuned.items()},
        "relaxed": relaxed,
    }


def _summary(times: Times) -> dict[str, Any]:
    core = times.core
    return {
        "us": core.round(2).tolist(),
        "mean": float(core.mean()),
        "median": float(np.median(core)),
        "p99": float(np.percentile(core, 99)),
        "for_each": float(core.sum() / max(times.results, 1)),  # over the results found
        "solver_share": times.solver_share,
    }


def _time_relaxed(parses: Parses, model: Model) -> dict[str, float]:
    """Time the best result by the relaxed program, a shortcut that only works for this case of the ILP."""
    programs = _core.Programs(make_forest(parses), model.core)
    solver = Solver({**OPTIONS, "presolve": "off"})  # presolving costs more time here than it saves
    times = programs.nanoseconds.reshape(-1, 3).sum(axis=1)
    for i, program in enumerate(split_programs(programs)):
        start = time.perf_counter_ns()
        if len(program.head):
            solver.best(program, program.weight)
        times[i] += time.perf_counter_ns() - start
    us = times / 1e3
    return {
        "mean": float(us.mean()),
        "median": float(np.median(us)),
        "p99": float(np.percentile(us, 99)),
        "solver_share": float(solver.nanoseconds / times.sum()),
    }
