"""Time and memory of `laconic fit` for documents of many lengths: python bench/fit.py DATA

The documents are sentences of the corpus, again and again in random order, in paragraphs of one to six under headings.
Each is fitted in a process of its own, at half of its characters and into 600 of them.
"""

import random
import resource
import subprocess
import sys
import time
from pathlib import Path

import laconic
from laconic.corpus import read_corpus
from laconic.document import fit as module
from laconic.timing import one_core

SENTENCES = (1000, 2000, 5000, 10_000)


def main() -> None:
    if len(sys.argv) > 2:
        measure(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
        return
    print(f"{'sentences':>10} {'budget':>12} {'seconds':>9} {'ms each':>9} {'choice, ms':>11} {'MB at the peak':>15}")
    for budget in ("half", "600 chars"):
        for count in SENTENCES:
            subprocess.run([sys.executable, __file__, sys.argv[1], str(count), budget], check=True)


def measure(data: Path, count: int, budget: str) -> None:
    text = document([item.text for item in read_corpus(data)], count)
    compressor = laconic.load()
    compressor.fit("The cat slept on the mat.", max_chars=20)  # warm up
    choose, spent = module.choose, []

    def timed(*arguments):
        start = time.perf_counter()
        found = choose(*arguments)
        spent.append(time.perf_counter() - start)
        return found

    module.choose = timed
    with one_core():
        start = time.perf_counter()
        found = compressor.fit(text, rate=0.5) if budget == "half" else compressor.fit(text, max_chars=600)
        seconds = time.perf_counter() - start
    assert len(found.text) <= found.most
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{len(found.sentences):>10,} {budget:>12} {seconds:>9.2f} {seconds / count * 1e3:>9.2f} "
        f"{max(spent) * 1e3:>11.1f} {peak:>15.0f}",
        flush=True,
    )


def document(sentences: list[str], count: int) -> str:
    rng = random.Random(count)
    blocks = []
    while count:
        if rng.random() < 0.1:
            blocks.append(f"## Part {len(blocks)}")
        size = min(rng.randint(1, 6), count)
        blocks.append(" ".join(rng.choices(sentences, k=size)))
        count -= size
    return "\n\n".join(blocks)


if __name__ == "__main__":
    main()
