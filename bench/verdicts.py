"""How well a network detects deletions that an editor would undo: python bench/verdicts.py VERDICTS [MODEL]

VERDICTS is a file that `data/join.py` writes; verdicts-dev.jsonl.gz has the held-out sentences. Prints the area under
the ROC curve of p(needed) for deletions, and of p(may not stand alone) for clauses that were taken out of their
sentence; and, for each range of probabilities, how many of the deletions were faulty.
"""

import sys
from itertools import pairwise
from pathlib import Path

import numpy as np

import laconic
from laconic.corpus.verdicts import read_verdicts
from laconic.network.roc import area

BINS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)


def main(path: Path, model: str | None) -> None:
    parser = laconic.load(model, split=False).scorer
    verdicts = read_verdicts(path)
    parses, scores = parser.read(list(verdicts))
    found: dict[str, list[tuple[float, int]]] = {"need": [], "alone": []}
    for text, first, last in parses.sentences():
        at = {start: row for row, start in enumerate(parses.start[first:last].tolist(), first)}
        for verdict in list(verdicts.values())[text]:
            for name, logits, said in (("need", scores.need, verdict.cut), ("alone", scores.alone, verdict.root)):
                found[name] += [(float(logits[at[begin]]), faulty) for begin, faulty in said.items() if begin in at]
    for name, pairs in found.items():
        logits, faulty = (np.array(column) for column in zip(*pairs, strict=True))
        print(f"{name}: {len(pairs):,} verdicts, {faulty.mean():.1%} at fault, area {area(logits, faulty > 0):.4f}")
        p = 1 / (1 + np.exp(-logits))
        for low, high in pairwise(BINS):
            inside = (p >= low) & (p < high)
            if inside.any():
                print(f"  p {low:.2f} to {high:.2f}: {inside.sum():>6,}, {faulty[inside].mean():.1%} at fault")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
