"""The harvest compared with gold compressions: python bench/harvest.py CORPUS… [--misses N] [--rejected N]

Items that have a headline are harvested as pairs of headline and sentence. Prints the share of accepted pairs, the
reasons for which the others are rejected, and word F1 and exact match of the harvested compressions against the gold
compressions; on request also the worst results, and some of the rejected pairs.
"""

import argparse
import gzip
import json
import random
import time
from collections import Counter
from pathlib import Path

from laconic.corpus.align import prints_antecedent
from laconic.harvest import Harvested, Harvester, Rejected
from laconic.metrics import make_table, word_f1, word_series
from laconic.metrics.overlap import words

BATCH = 512


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--misses", type=int, default=0)
    parser.add_argument("--rejected", type=int, default=0)
    options = parser.parse_args()
    items = [item for path in options.corpora for item in read(path) if item.get("headline")]
    harvester = Harvester()
    start = time.perf_counter()
    outcomes = []
    for at in range(0, len(items), BATCH):
        outcomes += harvester.harvest([(item["headline"], item["sentence"]) for item in items[at : at + BATCH]])
    seconds = time.perf_counter() - start
    counts = Counter(outcome.reason if isinstance(outcome, Rejected) else "accepted" for outcome in outcomes)
    for name, count in counts.most_common():
        print(f"{count:>8,} {count / len(items):>6.1%}  {name}")
    print(f"{len(items):>8,}         pairs, {len(items) / seconds:.0f} a second on one core\n")
    pairs = [(item, outcome) for item, outcome in zip(items, outcomes, strict=True) if isinstance(outcome, Harvested)]
    golds = [words(item["compression"]) for item, _ in pairs]
    outputs = [words(outcome.compression) for _, outcome in pairs]
    series = word_series([[own] for own in outputs], golds, gold="text")
    print(make_table([("harvested", series)]).as_text())
    resolved = [(item, outcome) for item, outcome in pairs if prints_antecedent(kept(outcome), outcome.compression)]
    agreed = sum(prints_antecedent(kept(outcome), item["compression"]) for item, outcome in resolved)
    print(f"\n{len(resolved)} compressions print an antecedent; the gold of {agreed} of them does so too")
    scored = sorted(
        ((word_f1(own, gold), item, outcome) for own, gold, (item, outcome) in zip(outputs, golds, pairs, strict=True)),
        key=lambda row: row[0],
    )
    for f1, item, outcome in scored[: options.misses]:
        print(f"\n{f1:.2f} headline: {item['headline']}\n     sentence: {item['sentence']}")
        print(f"     gold:     {item['compression']}\n     ours:     {outcome.compression}")
    rejected = [pair for pair in zip(items, outcomes, strict=True) if isinstance(pair[1], Rejected)]
    for item, outcome in random.Random(0).sample(rejected, min(options.rejected, len(rejected))):
        print(f"\n{outcome.reason}: {outcome.detail}\n     headline: {item['headline']}")
        print(f"     sentence: {item['sentence']}\n     gold:     {item['compression']}")


def kept(outcome: Harvested) -> list[str]:
    """The kept words, without the "that" which is never printed."""
    words = [token for token, keep in zip(outcome.tokens, outcome.keep, strict=True) if keep]
    return [word for word in words if word.lower() != "that"]


def read(path: Path) -> list[dict]:
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        return [json.loads(line) for line in file]


if __name__ == "__main__":
    main()
