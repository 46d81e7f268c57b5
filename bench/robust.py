"""Word F1 on text that is not edited prose: python bench/robust.py dev.jsonl.gz

The sentences of a corpus are changed in ways that keep every character in its place, so that the gold compression stays
valid: capitals, lower case, capitals as in a headline, no punctuation, and characters misread as by OCR.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import laconic
from laconic.corpus import Item, gold_tokens, read_corpus
from laconic.decode import decode
from laconic.evaluate import Gold, compare_with_gold
from laconic.levels import Level
from laconic.plan import make_plan, policy_for

SYSTEMS = {
    "default": {},
    "small": {"model": "small"},
    "spaCy sm, maxent": {"parser": "spacy", "scorer": "maxent"},
}
MISREAD = {"l": "1", "O": "0", "o": "0", "e": "c", "m": "n", "i": "l", "S": "5", "h": "b", "t": "f", "a": "o"}


def same_length(change: Callable[[str], str]) -> Callable[[str], str]:
    """Character by character, so that nothing moves."""
    return lambda text: "".join(c if len(change(c)) != 1 else change(c) for c in text)


def misread(text: str) -> str:
    rng = random.Random(text)
    return "".join(MISREAD.get(c, c) if rng.random() < 0.03 else c for c in text)


CHANGES: dict[str, Callable[[str], str]] = {
    "as it is": lambda text: text,
    "CAPITALS": same_length(str.upper),
    "lower case": same_length(str.lower),
    "As A Headline": lambda text: re.sub(r"\b[a-z]", lambda m: m[0].upper(), text),
    "no punctuation": lambda text: re.sub(r"[.,;:!?\"“”()–—]|``|''", lambda m: " " * len(m[0]), text),
    "misread characters, 3%": misread,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    items = list(read_corpus(parser.parse_args().data))
    compressors = {name: laconic.load(split=False, **options) for name, options in SYSTEMS.items()}
    print(f"word F1 and rate, {len(items):,} sentences")
    print(f"{'':<26}" + "".join(f"{name:>22}" for name in SYSTEMS))
    for name, change in CHANGES.items():
        changed = [replace(item, text=change(item.text)) for item in items]
        cells = [measure(compressor, changed) for compressor in compressors.values()]
        print(f"{name:<26}" + "".join(f"{f1:>15.4f} {rate:.3f} " for f1, rate in cells), flush=True)


def measure(compressor: laconic.Compressor, items: list[Item]) -> tuple[float, float]:
    forest, scores = compressor.read([item.text for item in items])
    keep = gold_tokens(forest.parses, items)
    gold = Gold.make(forest, keep, parser=compressor.parser.description, tokens=compressor.parser.tokens)
    plan = make_plan(forest, scores, level=Level.HEADLINE, policy=policy_for(scores, Level.HEADLINE))
    found = compare_with_gold(gold, decode(forest, plan.edge_scores, **plan.how), 1).scores()
    return found.word_f1, found.rate


if __name__ == "__main__":
    main()
