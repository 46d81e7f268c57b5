"""Budgets at the level headline, on a corpus: python bench/budget.py DATA [--tune]

Every sentence is compressed at five budgets: a fifth to four fifths of its characters, and the length of the corpus'
own compression. Prints
- the time of the five best, compared with that without a budget, on one core, without parsing;
- whether any result is too long, and whether the best are the best of all results, where these can be enumerated.
With --tune: word F1 at the corpus' own lengths, by threshold (BUDGET_RHO was chosen from this).
"""

import sys
from functools import partial
from pathlib import Path

import numpy as np

import laconic
from laconic._core import Unit
from laconic.corpus import gold_tokens
from laconic.decode import decode
from laconic.evaluate.comparison import compare_with_gold
from laconic.evaluate.evaluate import gold_length, parse_items
from laconic.evaluate.gold_subtrees import Gold
from laconic.guard import Policy, make_pins
from laconic.limits import Budget, Limits
from laconic.realise import realise
from laconic.score.preferences import within_budget
from laconic.timing import one_core, time_runs
from laconic.tree import make_forest

#: Sentences with more compressions than this are not enumerated.
MOST = 20_000
K = 5


def main() -> None:
    data = Path(sys.argv[1])
    compressor = laconic.load(split=False)
    items, parses = parse_items(data, compressor.parser)
    gold_lengths = np.array([gold_length(item) for item in items], dtype=np.int64)
    lengths = np.array([len(item.text) for item in items], dtype=np.int64)
    budgets = {f"{share:.0%} of the characters": np.floor(lengths * share) for share in (0.2, 0.4, 0.6, 0.8)}
    budgets["as long as the gold"] = gold_lengths
    forest = make_forest(parses)
    bound = {
        name: Limits(Budget(Unit.CHARS, most=np.maximum(most, 1).astype(np.int64))).bind(forest)
        for name, most in budgets.items()
    }
    edge_scores = compressor.score(parses).headline()
    if "--tune" in sys.argv:
        tune(forest, edge_scores, items, bound["as long as the gold"])
        return
    with one_core():
        measure_time(forest, {"network": edge_scores, "maxent": compressor.model}, bound)
    check(forest, edge_scores, bound)


def measure_time(forest, by_name, bound) -> None:
    print(f"µs for the five best of a sentence, parsing excluded: mean, and beside no budget ({len(forest)} sentences)")
    for name, edge_scores in by_name.items():
        # In turn, so that what else the machine does falls on all of them alike.
        pins = make_pins(forest, Policy.HEADLINE if name == "network" else Policy.NONE)
        used, rho = within_budget(edge_scores, forest.parses)
        runs = {"no budget": partial(decode, forest, edge_scores, pins=pins, k=K)}
        runs |= {
            what: partial(decode, forest, used, pins=pins, k=K, rho=rho, limits=each) for what, each in bound.items()
        }
        rounds = {what: [] for what in runs}
        for _ in range(7):
            for what, run in runs.items():
                rounds[what].append(time_runs(run, 1).stages.sum(axis=1).mean())
        free = np.median(rounds["no budget"])
        for what, times in rounds.items():
            print(f"  {name:<8} {what:<24} {np.median(times):>8.1f} {np.median(times) / free:>6.2f}")


def check(forest, edge_scores, bound) -> None:
    """By score, with the threshold of budgets throughout: prints within a budget against all prints."""
    pins = make_pins(forest, Policy.HEADLINE)
    edge_scores, rho = within_budget(edge_scores, forest.parses)
    how = {"order": "score", "rho": rho, "pins": pins}
    wide = Limits(Budget(Unit.CHARS, most=10**6)).bind(forest)
    free = decode(forest, edge_scores, k=MOST + 1, limits=wide, **how)
    counts = np.diff(free.result_ptr)
    printed = [result.sentences[0].compressions for result in realise(forest, free)]
    everything = [[(each.score, len(each.text)) for each in own] for own in printed]
    feasible = [i for i in range(len(forest)) if counts[i] <= MOST]
    print(f"\nenumerated: {len(feasible)} of {len(forest)} sentences, {sum(counts[i] for i in feasible):,} prints")
    for what, limits in bound.items():
        found = decode(forest, edge_scores, k=K, limits=limits, **how)
        over = misses = unfit = 0
        for i, result in enumerate(realise(forest, found)):
            fitting = [each for each in everything[i] if each[1] <= limits.most[i]][:K]
            if found.problem[i]:
                unfit += 1
                misses += bool(fitting) or int(found.shortest[i]) != min(length for _, length in everything[i])
                continue
            own = [(each.score, len(each.text)) for each in result.sentences[0].compressions]
            over += any(length > limits.most[i] for _, length in own)
            if counts[i] <= MOST:
                misses += len(own) != len(fitting) or not np.allclose([s for s, _ in own], [s for s, _ in fitting])
        print(
            f"  {what:<24} too long: {over}, not the best: {misses}, nothing fits, and the shortest is named: {unfit}, "
            f"searches cut short: {int((found.exact == 0).sum())}"
        )


def tune(forest, edge_scores, items, limits) -> None:
    gold = Gold.make(forest, gold_tokens(forest.parses, items), parser="bench")
    pins = make_pins(forest, Policy.HEADLINE)
    used, _ = within_budget(edge_scores, forest.parses)
    for rho in (edge_scores.rho, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95):
        found = decode(forest, used, pins=pins, k=K, rho=rho, limits=limits)
        scores = compare_with_gold(gold, found, K).scores()
        print(f"rho {rho:.2f}: word F1 {scores.word_f1:.4f}, rate {scores.rate:.3f}")


if __name__ == "__main__":
    main()
