"""How often editors break the rules of the guard: python bench/guard.py SHARD… [--show RULE] [--words RULE]

The shards are parsed corpora with gold compressions (`laconic.train.cache`), one for each level. Prints two counts for
each rule and shard. First, the pins of edges whose head the editors keep, and how many of these edges the editors cut.
Second, the pinned nodes that might be a root, and how many of these the editors make the root. If editors often break a
rule, the rule is too strict, or the parser is often wrong there. With --show, prints the pins that are broken, with
their sentences; with --words, only their words. --policy is that of the guard (default: sentence).
"""

import argparse
from collections import Counter
from pathlib import Path

import numpy as np

from laconic._core import NodePin
from laconic.guard import Policy, make_pins
from laconic.parse import Parses
from laconic.train.cache import load_shard
from laconic.tree import Forest


def main(shards: list[Path], policy: Policy, show: str | None, by_word: str | None) -> None:
    print(f"{'shard':<28}{'rule':<20}{'stays':>8}{'cut':>7}{'':>8}{'no root':>9}{'made one':>9}")
    for path in shards:
        shard = load_shard(path)
        forest, parses = shard.forest, shard.parses
        pins = make_pins(forest, policy)
        assert pins is not None
        first = np.repeat(forest.node_ptr[:-1], np.diff(forest.node_ptr))
        sentence = np.repeat(np.arange(len(forest)), np.diff(forest.node_ptr))
        inner = forest.parent >= 0
        parent = np.where(inner, forest.parent + first, 0)
        kept = shard.gold[forest.row].astype(bool)
        above = inner & kept[parent]
        stays = (pins.flags & NodePin.STAYS).astype(bool) & above
        no_root = (pins.flags & NodePin.NOT_ROOT).astype(bool) & inner & forest.root_edge.astype(bool)
        cut, promoted = stays & ~kept, no_root & kept & ~kept[parent]
        for number, rule in enumerate(pins.names):
            own, own_root = stays & (pins.stays_by == number), no_root & (pins.not_root_by == number)
            if not own.any() and not own_root.any():
                continue
            share = (own & cut).sum() / max(own.sum(), 1)
            share_root = (own_root & promoted).sum() / max(own_root.sum(), 1)
            print(
                f"{path.parent.name:<28}{rule:<20}{own.sum():>8}{(own & cut).sum():>7}{share:>8.1%}{own_root.sum():>9}"
                f"{(own_root & promoted).sum():>9}{share_root:>9.1%}"
            )
            texts = parses.texts()

            def word(
                row: int, i: int, texts: list[str] = texts, forest: Forest = forest, parses: Parses = parses
            ) -> str:
                return texts[forest.sentence_text[i]][parses.start[row] : parses.end[row]]

            if rule == by_word:
                lost = Counter(word(forest.row[n], sentence[n]).lower() for n in np.flatnonzero(own & cut))
                every = Counter(word(forest.row[n], sentence[n]).lower() for n in np.flatnonzero(own))
                print("   ", ", ".join(f"{each} {count}/{every[each]}" for each, count in lost.most_common(60)))
            if rule == show:
                for n in np.flatnonzero((own & cut) | (own_root & promoted)):
                    i = int(sentence[n])
                    rows = range(int(forest.sentence_first[i]), int(forest.sentence_last[i]))
                    gold = " ".join(word(row, i) for row in rows if shard.gold[row])
                    what = "cut" if (own & cut)[n] else "root"
                    above_it = word(forest.row[parent[n]], i)
                    print(
                        f"    {what}: {word(forest.row[n], i)} < {above_it} | {texts[forest.sentence_text[i]]} | {gold}"
                    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("shards", nargs="+", type=Path)
    parser.add_argument("--policy", type=Policy, default=Policy.SENTENCE)
    parser.add_argument("--show")
    parser.add_argument("--words")
    options = parser.parse_args()
    main(options.shards, options.policy, options.show, options.words)
