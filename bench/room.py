"""Budgets and levels on a corpus of sentences with three compressions: python bench/room.py DATA [MODEL]

- at 80, 60, 40 and 25% of the characters: for how many sentences nothing faithful fits, and how much of the allowed
  length is used;
- as the budget shrinks from 95 to 30% in steps of 5%: how many of the printed words were deleted at a larger budget;
- at each level without a budget: the share of the characters that laconic keeps, and that the editor kept.
"""

import sys
from itertools import pairwise
from pathlib import Path

import numpy as np

import laconic
from laconic.corpus import read_corpus
from laconic.evaluate.evaluate import gold_length
from laconic.levels import NESTED

SHARES = (0.8, 0.6, 0.4, 0.25)
STEPS = [share / 100 for share in range(95, 25, -5)]


def main(data: Path, model: str | None) -> None:
    compressor = laconic.load(model, split=False)
    texts = [item.text for item in read_corpus(data, level="light")]
    print(f"{len(texts)} sentences of {data.name}, {model or 'default'}")
    for share in SHARES:
        found = compressor.batch(texts, rate=share, errors="return")
        fits = [result for result in found if not isinstance(result, laconic.LaconicError)]
        room = [min(1.0, result[0].compressions[0].rate / share) for result in fits]
        print(f"at {share:.0%}: nothing fits for {1 - len(fits) / len(texts):.1%}, room used {np.mean(room):.3f}")
    print(f"words that come back as a budget shrinks: {came_back(compressor, texts):.2%} of those printed")
    for level in NESTED:
        results = compressor.batch(texts, level=level)
        rate = np.mean([result[0].compressions[0].rate for result in results])
        editor = np.mean([gold_length(item) / len(item.text) for item in read_corpus(data, level=level)])
        print(f"{level}: {rate:.3f} of the characters are left; the editor left {editor:.3f}")


def came_back(compressor: laconic.Compressor, texts: list[str]) -> float:
    """The share of the characters printed that had gone at the budget before."""
    printed = []
    for share in STEPS:
        kept = []
        for text, result in zip(texts, compressor.batch(texts, rate=share, nearest=True), strict=True):
            own = np.zeros(len(text), dtype=bool)
            for start, end in result[0].compressions[0].spans:
                own[start:end] = True
            kept.append(own)
        printed.append(np.concatenate(kept))
    gone = np.zeros(len(printed[0]), dtype=bool)
    back = total = 0
    for longer, shorter in pairwise(printed):
        gone |= ~longer
        back += int((shorter & gone).sum())
        total += int(shorter.sum())
    return back / total


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
