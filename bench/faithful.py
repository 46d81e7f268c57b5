"""How often a compression says what its sentence does not say: python bench/faithful.py [MODEL] [--show]

The suites tests/data/faithful*.jsonl have sentences of many genres. Each has rules of the form "if these words are
printed, those must be printed too". The rules of the guard were made with one suite; the other was written by people
who had seen neither these rules nor the first suite. The sentences are compressed without a budget, and to 80, 60, 40
and 25% of their characters (to the nearest result if nothing fits). Prints, by kind of rule, how many sentences break a
rule at each length and at any length; with --show, also the outputs that break one.
"""

import sys
from collections import defaultdict
from pathlib import Path

import laconic

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from faithful import LENGTHS, SUITES, compress_at, load_suite


def main(model: str | None, show: bool) -> None:
    compressor = laconic.load(model, split=False)
    for suite in SUITES:
        measure(compressor, suite, show)


def measure(compressor: laconic.Compressor, suite: str, show: bool) -> None:
    items = load_suite(suite)
    broken: dict[str, list[list[bool]]] = defaultdict(list)
    printed = [compress_at(compressor, items, rate) for rate in LENGTHS]
    for item, *compressions in zip(items, *printed, strict=True):
        found = [bool(item.broken_by(each)) for each in compressions]
        broken[item.kind].append(found)
        if show and any(found):
            worst = compressions[found.index(True)].text
            print(f"{item.id}\t{item.text}\t{worst}")
    broken["all"] = [found for own in list(broken.values()) for found in own]
    heads = ["no budget", *(f"{rate:.0%}" for rate in LENGTHS[1:]), "any"]
    print(f"{suite + ' sentences, broken':<28}{'of':>5}" + "".join(f"{head:>11}" for head in heads))
    for kind, own in broken.items():
        shares = [sum(found[i] for found in own) / len(own) for i in range(len(LENGTHS))]
        shares.append(sum(map(any, own)) / len(own))
        print(f"{kind:<28}{len(own):>5}" + "".join(f"{share:>11.1%}" for share in shares))


if __name__ == "__main__":
    names = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    main(names[0] if names else None, "--show" in sys.argv)
