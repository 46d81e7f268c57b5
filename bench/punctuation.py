"""An editor's own words, printed by laconic and compared with the editor's text.

    python bench/punctuation.py DATA [PARSER] [SHOWN]

DATA has three compressions of each sentence (`laconic.corpus.read`). If the words of one are a subtree of the
sentence's tree, laconic prints the subtree, and the result is compared with what the editor wrote: the share that is
identical, also ignoring case; and which marks are missing, superfluous or different, and between which words. PARSER is
`network` (default) or a spaCy pipeline. With SHOWN, that many differences of each kind are printed.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from laconic import _core
from laconic.corpus import gold_tokens, read_corpus
from laconic.corpus.read import Item
from laconic.levels import NESTED
from laconic.parse import Parses, load_parser
from laconic.realise import print_pieces
from laconic.tree import Forest, make_forest

_ROOM = 2**62
_WORD = re.compile(r"[^\W_]+(?:[^\w\s]+[^\W_]+)*")


def main(data: Path, parser: str | None, shown: int) -> None:
    levels = {level: list(read_corpus(data, level=level)) for level in NESTED}
    parses: Parses | None = None
    texts: list[str] = []
    kinds: Counter[str] = Counter()
    examples: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    print(f"{'':<8}{'subtrees':>10}{'of':>7}{'identical':>11}{'but case':>10}{'but marks':>11}{'µs':>7}")
    for level, items in levels.items():
        if texts != [item.text for item in items]:
            texts = [item.text for item in items]
            parses = load_parser(parser, split=False).parse(texts)
        assert parses is not None
        forest = make_forest(parses)
        printed, microseconds = print_gold(forest, items)
        same = cased = words = 0
        for i, ours in printed:
            theirs = " ".join(items[i].compression.split())
            same += ours == theirs
            cased += ours.lower() == theirs.lower()
            words += _WORD.findall(ours.lower()) == _WORD.findall(theirs.lower())
            for kind in set(differences(ours, theirs)):
                kinds[kind] += 1
                examples[kind].append((items[i].text, theirs, ours))
        count = max(len(printed), 1)
        print(
            f"{level:<8}{len(printed):>10}{len(items):>7}{same / count:>11.3f}{cased / count:>10.3f}"
            f"{words / count:>11.3f}{microseconds:>7.2f}"
        )
    for kind, number in kinds.most_common():
        print(f"{number:>6}  {kind}")
        for text, theirs, ours in examples[kind][:shown]:
            print(f"          {text}\n        - {theirs}\n        + {ours}")


def print_gold(forest: Forest, items: list[Item]) -> tuple[list[tuple[int, str]], float]:
    """The print of each item whose gold is a subtree, with the item's number; and microseconds for each."""
    parses = forest.parses
    subtrees = _core.GoldSubtrees(forest, gold_tokens(parses, items))
    node_ptr, kept = forest.node_ptr, subtrees.kept
    printer = _core.Printer(forest, False)
    numbers: list[int] = []
    for i in np.flatnonzero((subtrees.root >= 0) & (subtrees.f1 == 1)).tolist():
        nodes = np.flatnonzero(kept[node_ptr[i] : node_ptr[i + 1]]).tolist()
        printer.begin(i)
        printer.add(0.0, nodes, _ROOM)
        printer.end()
        numbers.append(i)
    decoded = printer.finish()
    found = []
    for row, i in enumerate(numbers):
        number = int(forest.sentence_text[i])
        pieces = slice(int(decoded.piece_ptr[row]), int(decoded.piece_ptr[row + 1]))
        columns = (decoded.piece_start, decoded.piece_end, decoded.piece_space)
        first = int(forest.sentence_first[i])
        printed, _ = print_pieces(parses, items[number].text, first, *(column[pieces].tolist() for column in columns))
        found.append((number, printed))
    return found, timed(forest, numbers, kept, node_ptr)


def timed(forest: Forest, numbers: list[int], kept: np.ndarray, node_ptr: np.ndarray) -> float:
    """Microseconds that a print takes, with the call from Python: the least of some rounds."""
    sets = [(i, np.flatnonzero(kept[node_ptr[i] : node_ptr[i + 1]]).tolist()) for i in numbers]
    best = float("inf")
    for _ in range(5):
        printer = _core.Printer(forest, False)
        start = time.perf_counter()
        for i, nodes in sets:
            printer.begin(i)
            printer.add(0.0, nodes, _ROOM)
            printer.end()
        best = min(best, time.perf_counter() - start)
    return best / max(len(sets), 1) * 1e6


def differences(ours: str, theirs: str) -> list[str]:
    """What differs between two prints of the same words, gap by gap."""
    a, b = split(ours), split(theirs)
    if a[0] != b[0]:
        return ["other words"]
    found = []
    for i, (x, y) in enumerate(zip(a[1], b[1], strict=True)):
        if x == y:
            continue
        place = "front" if i == 0 else "end" if i == len(a[1]) - 1 else "inside"
        own, wanted = x.replace(" ", ""), y.replace(" ", "")
        if own == wanted:
            found.append(f"{place}: space")
        elif not own:
            found.append(f"{place}: missing {wanted}")
        elif not wanted:
            found.append(f"{place}: extra {own}")
        else:
            found.append(f"{place}: {own} for {wanted}")
    return found or (["case"] if ours != theirs else [])


def split(text: str) -> tuple[list[str], list[str]]:
    """The words, and what stands before, between and after them."""
    words = _WORD.findall(text.lower())
    return words, _WORD.split(text)


if __name__ == "__main__":
    named = sys.argv[2] if len(sys.argv) > 2 and sys.argv[2] != "network" else None
    main(Path(sys.argv[1]), named, int(sys.argv[3]) if len(sys.argv) > 3 else 0)
