"""Random texts, options, budgets, constraints and Markdown as input: python -m fuzz --inputs 1000 --seed 1

An input is a text or a document. laconic may refuse it with a `LaconicError`. It may not raise anything else, crash,
print more than the budget allows, or print a word that is not in the input, or a part of a word. Failures are printed
on standard output, one JSON object on each line, and the exit status is 1. Inputs depend only on the seed and their
number. With `--state FILE` a run continues where an earlier one ended, even if that was killed; `--rounds A:B` runs
some rounds again. With `--seconds` the run ends after that time, if it has not finished all inputs before.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter
from pathlib import Path

from fuzz.rounds import OFTEN, run_round


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=1000, help="texts and documents, all together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", type=Path, help="where it is noted how far the run is")
    parser.add_argument("--rounds", help="these rounds alone, as A:B")
    parser.add_argument("--seconds", type=float, default=math.inf, help="how long it may take")
    parser.add_argument("--systems", help="what laconic is loaded with, of small, default, maxent: as small,default")
    asked = parser.parse_args()
    systems = asked.systems.split(",") if asked.systems else OFTEN
    if asked.rounds:
        first, last = map(int, asked.rounds.split(":"))
        return _show(
            problem for number in range(first, last) for problem in run_round(asked.seed, number, systems).problems
        )
    state = {"seed": asked.seed, "rounds": 0, "inputs": 0, "refused": 0, "problems": {}, "begun": 0}
    if asked.state is not None and asked.state.exists():
        state = json.loads(asked.state.read_text())
        if state["seed"] != asked.seed:
            parser.error(f"{asked.state} is of seed {state['seed']}: give that seed, or another file")
        if state["begun"] > state["rounds"]:
            print(json.dumps({"round": state["rounds"], "problem": "crash", "where": "the process ended in it"}))
            state["problems"]["crash"] = state["problems"].get("crash", 0) + 1
            state["rounds"] += 1
    counts = Counter(state["problems"])
    begun = time.monotonic()
    while state["inputs"] < asked.inputs and time.monotonic() - begun < asked.seconds:
        state["begun"] = state["rounds"] + 1
        _note(asked.state, state)
        done = run_round(asked.seed, state["rounds"], systems)
        counts.update(problem["problem"] for problem in done.problems)
        _show(done.problems)
        state["rounds"] += 1
        state["inputs"] += done.inputs
        state["refused"] += done.refused
        state["problems"] = dict(counts)
        if state["rounds"] % 500 == 0:
            speed = state["rounds"] / max(time.monotonic() - begun, 1e-9)
            print(f"{state['inputs']:,} inputs, {sum(counts.values())} problems, {speed:.1f} rounds/s", file=sys.stderr)
    _note(asked.state, state)
    found = ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "no problem"
    print(f"{state['inputs']:,} inputs, {state['refused']:,} refused, seed {asked.seed}: {found}", file=sys.stderr)
    return int(bool(counts))


def _note(path: Path | None, state: dict[str, object]) -> None:
    if path is not None:
        new = path.with_suffix(".new")
        new.write_text(json.dumps(state))
        new.replace(path)


def _show(problems) -> int:
    found = 0
    for problem in problems:
        found = 1
        print(json.dumps(problem, default=repr), flush=True)
    return found


if __name__ == "__main__":
    sys.exit(main())
