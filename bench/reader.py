"""What the reader is worth on a corpus with three compressions of each sentence: python bench/reader.py DATA [MODEL]

For its weight beside the scores (`laconic.score.level_scores.READING`), for half and twice of it, and for none: word
F1 within the editor's length, how many results differ from those without the reader, word F1 and rate of the levels
themselves. With --show N, so many results that differ, both ways. Last, the time of batches with the reader as a ratio
to that without, at the level medium and at half the length, by turns.
"""

import sys
import time
from pathlib import Path

import laconic
from laconic.corpus import read_corpus
from laconic.evaluate.evaluate import gold_length
from laconic.levels import NESTED
from laconic.metrics.overlap import word_f1, words
from laconic.score import level_scores

TIMES = (0.5, 1.0, 2.0)


def main(data: Path, model: str | None, shown: int) -> None:
    compressor = laconic.load(model, split=False)
    items = {level: list(read_corpus(data, level=level)) for level in NESTED}

    def compress(order: str) -> list[str]:
        """All sentences within the lengths of their three compressions, then at the three levels."""
        found = []
        for own in items.values():
            for item in own:
                result = compressor.batch([item.text], max_chars=gold_length(item), errors="return", order=order)[0]
                found.append("" if isinstance(result, laconic.LaconicError) else result[0][0].text)
        for level, own in items.items():
            results = compressor.batch([item.text for item in own], level=level, order=order)
            found += [result[0][0].text for result in results]
        return found

    golds = [item for own in items.values() for item in own] * 2
    plain = compress("score")
    report("none", plain, plain, golds)
    weight = level_scores.READING
    for times in TIMES:
        level_scores.READING = times * weight
        found = compress("reader")
        report(f"{times:g} times {weight:g}", found, plain, golds)
        if times == 1:
            differ = [i for i, (a, b) in enumerate(zip(plain, found, strict=True)) if a != b][:shown]
            for i in differ:
                print(f"  {golds[i].text}\n    - {plain[i]}\n    + {found[i]}")


def time_orders(data: Path, model: str | None, turns: int = 5) -> None:
    """The least of some turns for each order."""
    compressor = laconic.load(model, split=False)
    texts = [item.text for item in read_corpus(data, level=NESTED[0])]
    for name, options in (("medium", {"level": "medium"}), ("half the length", {"rate": 0.5, "nearest": True})):
        least = dict.fromkeys(("score", "reader"), float("inf"))
        for order in list(least) * turns:
            begun = time.process_time()
            compressor.batch(texts, order=order, **options)
            least[order] = min(least[order], time.process_time() - begun)
        each, ratio = least["score"] / len(texts) * 1000, least["reader"] / least["score"]
        print(f"{name}: {each:.2f} ms a sentence without the reader, {ratio:.2f} times that with it")


def report(name: str, found: list[str], plain: list[str], golds: list) -> None:
    part = len(found) // 6
    cells = []
    for begin in range(0, len(found), part):
        rows = range(begin, begin + part)
        f1 = sum(word_f1(words(found[i]), words(golds[i].compression)) for i in rows) / part
        rate = sum(len(found[i]) / len(golds[i].text) for i in rows) / part
        moved = sum(found[i] != plain[i] for i in rows) / part
        cells.append(f"{f1:.4f} {rate:.3f} {moved:>6.1%}")
    print(f"{name:<30}" + "  ".join(cells), flush=True)


if __name__ == "__main__":
    shown = int(sys.argv[sys.argv.index("--show") + 1]) if "--show" in sys.argv else 0
    given = sys.argv[1:]
    names = [each for i, each in enumerate(given) if not each.startswith("--") and (i == 0 or given[i - 1] != "--show")]
    print(f"{'weights':<30}within the editor's length: F1, rate, moved (light, medium, short); then without a budget")
    main(Path(names[0]), names[1] if len(names) > 1 else None, shown)
    time_orders(Path(names[0]), names[1] if len(names) > 1 else None)
