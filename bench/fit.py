"""Time and memory of `laconic fit`, compared with `compress`: python bench/fit.py DATA [--largest BYTES] [KIND…]

Every kind of document is fitted to half of its characters, with 10 kB, 100 kB and so on, each in its own process, on
one core. Prose is sentences of the corpus in random order: in paragraphs under headings, in one paragraph, in a list,
and as notifications of two sentences each (`fit_batch`). Other kinds are tables, and Markdown that is made to be slow.

Prints seconds; the time per character, divided by that for a tenth of the size (1: linear); the time divided by that of
`compress` on the same sentences (up to 100 kB of them, in the same process); and the peak memory.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import laconic
from laconic.document.document import read_document
from laconic.timing import one_core

COMPRESSED = 100_000  # characters that `compress` is timed on
PROSE = ("prose", "paragraph", "list", "notifications")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("kinds", nargs="*", help="of documents", metavar="KIND")
    parser.add_argument("--largest", type=int, default=1_000_000, help="bytes of the largest documents")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)  # the size of the only document, in this process
    asked = parser.parse_intermixed_args()
    if asked.one:
        (kind,) = asked.kinds
        print(json.dumps(measure(kind, sentences(asked.data), asked.one)))
        return
    print(f"{'document':>15} {'kB':>7} {'seconds':>9} {'per character':>14} {'× compress':>11} {'MB at the peak':>15}")
    for kind in asked.kinds or [*PROSE, *MADE]:
        size, before = 10_000, None
        while size <= asked.largest:
            command = [sys.executable, __file__, str(asked.data), kind, "--one", str(size)]
            found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
            each = found["seconds"] / found["chars"]
            growth = "" if before is None else f"{each / before:.2f}"
            ratio = f"{found['ratio']:.2f}" if found["ratio"] else ""
            seconds, peak = found["seconds"], found["peak"]
            print(f"{kind:>15} {size // 1000:>7,} {seconds:>9.2f} {growth:>14} {ratio:>11} {peak:>15.0f}", flush=True)
            size, before = 10 * size, each


def measure(kind: str, corpus: list[str], size: int) -> dict[str, float]:
    compressor = laconic.load()
    notes = notifications(corpus, size) if kind == "notifications" else []
    text = "" if notes else document(kind, corpus, size)
    paragraphs = notes or [block.prose.plain for block in read_document(text, "markdown").blocks if block.prose]
    if kind not in PROSE:
        paragraphs = []
    compressor.fit("The cat slept on the mat. It rained.", max_chars=20)  # warm up
    with one_core():
        per_char = time_compress(compressor, paragraphs) if paragraphs else 0.0
        start = time.process_time()
        if notes:
            found = compressor.fit_batch(notes, max_chars=90, errors="return", threads=1)
            assert all(isinstance(one, laconic.LaconicError) or one.length <= 90 for one in found)
        else:
            assert one_length(compressor, text) <= len(text) / 2
        seconds = time.process_time() - start
    chars = sum(map(len, notes)) or len(text)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    ratio = seconds / (per_char * sum(map(len, paragraphs))) if per_char else 0.0
    return {"chars": chars, "seconds": seconds, "ratio": ratio, "peak": peak}


def one_length(compressor: laconic.Compressor, text: str) -> int:
    try:
        return compressor.fit(text, rate=0.5, threads=1).length
    except laconic.LaconicError as error:  # it is whole or nothing
        if "does not fit" not in str(error):
            raise
        return 0


def time_compress(compressor: laconic.Compressor, paragraphs: list[str]) -> float:
    """Seconds a character."""
    taken, total = [], 0
    for paragraph in paragraphs:
        taken.append(paragraph)
        total += len(paragraph)
        if total >= COMPRESSED:
            break
    start = time.process_time()
    for at in range(0, len(taken), 128):
        compressor.batch(taken[at : at + 128])
    return (time.process_time() - start) / total


def sentences(data: Path) -> list[str]:
    with gzip.open(data, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["text"] for _, line in zip(range(5000), lines, strict=False)]


def notifications(corpus: list[str], size: int) -> list[str]:
    rng = random.Random(size)
    found: list[str] = []
    total = 0
    while total < size:
        found.append(" ".join(rng.choices(corpus, k=2)))
        total += len(found[-1])
    return found


def document(kind: str, corpus: list[str], size: int) -> str:
    if kind in MADE:
        return MADE[kind](size)
    rng = random.Random(size)
    parts: list[str] = []
    total = 0
    while total < size:
        if kind == "prose" and rng.random() < 0.1:
            parts.append(f"## Part {len(parts)}")
        count = rng.randint(1, 6) if kind == "prose" else 1
        parts.append("- " * (kind == "list") + " ".join(rng.choices(corpus, k=count)))
        total += len(parts[-1]) + 2
    return {"prose": "\n\n", "paragraph": " ", "list": "\n"}[kind].join(parts) + "\n"


def repeated(unit: str) -> Callable[[int], str]:
    return lambda size: unit * (size // len(unit))


MADE: dict[str, Callable[[int], str]] = {
    "table": lambda size: "| a | b |\n|---|---|\n" + "| one two | three |\n" * (size // 20),
    "stars": lambda size: "a " + "*" * size + " b",
    "open emphasis": repeated("*a "),
    "open brackets": repeated("[a "),
    "open links": repeated("[a](b "),
    "open tags": repeated("<a "),
    "code signs": lambda size: "".join("`" * (i % 90) + " a " for i in range(size // 48)),
    "definitions": lambda size: (
        "".join(f"See [l{i}]. " for i in range(size // 26))
        + "\n\n"
        + "".join(f"[l{i}]: /x\n" for i in range(size // 26))
    ),
    "nested lists": lambda size: "".join("  " * (i % 9) + "- a b.\n" for i in range(size // 15)),
    "headings": lambda size: "".join(f"{'#' * (i % 6 + 1)} a\n" for i in range(size // 7)),
}


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
