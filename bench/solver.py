"""Which settings of HiGHS are fast for our programs: python bench/solver.py CORPUS [SENTENCES]

Prints, for each set of options, µs for the best result and for each of the top five, on one core.
"""

import sys
from itertools import islice
from pathlib import Path
from time import perf_counter

import numpy as np

from laconic.corpus import read_corpus
from laconic.decode.ilp import BASIC, OPTIONS, Solver, programs
from laconic.model_folders import maxent_folder
from laconic.parse import load_parser
from laconic.score import Model
from laconic.timing import one_core
from laconic.tree import make_forest

OTHERS = [f"mip_heuristic_run_{name}" for name in ("rins", "rens", "root_reduced_cost")] + [
    "mip_detect_symmetry",
    "mip_allow_restart",
]
SETTINGS = {
    "as HiGHS comes": BASIC,
    "as shipped": OPTIONS,
    **{f"shipped, without {name}": {**OPTIONS, name: False} for name in OTHERS},
    "shipped, without presolve": {**OPTIONS, "presolve": "off"},
    "shipped, with gaps": {**OPTIONS, "mip_rel_gap": 1e-4, "mip_abs_gap": 1e-6},
}


def main() -> None:
    items = read_corpus(Path(sys.argv[1]))
    texts = [item.text for item in islice(items, int(sys.argv[2]) if len(sys.argv) > 2 else 200)]
    model = Model.load(maxent_folder())
    parses = load_parser(model.parser, split=False).parse(texts)
    all_programs = list(programs(make_forest(parses), model))
    edges, rows = (np.mean([len(column) for column in columns]) for columns in
                   ([p.head for p in all_programs], [p.lower for p in all_programs]))  # fmt: skip
    print(f"{len(all_programs)} programs, {edges:.1f} variables and {rows:.1f} rows on average")
    print(f"{'':<52}{'best':>9}{'of five':>9}  µs")
    with one_core():
        for name, options in SETTINGS.items():
            times = []
            for k in (1, 5):
                solver = Solver(options)
                start, found = perf_counter(), 0
                for program in all_programs:
                    found += sum(1 for _ in islice(solver.solutions(program), k))
                times.append((perf_counter() - start) / found * 1e6)
            print(f"{name:<52}{times[0]:>9.0f}{times[1]:>9.0f}", flush=True)


if __name__ == "__main__":
    main()
