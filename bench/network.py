"""The networks compared with spaCy and the maximum entropy model: speed, startup and memory, in one run on one core.

    python bench/network.py dev.jsonl.gz        # and the folders of more networks: --model DIR …

Measures the time from raw text to the five best, in batches of 128 and one by one. All systems are measured in turn, in
several rounds, and the median round counts. Then measures the time of one `laconic compress` from a fresh process, by
the clock and of the processor, and the memory of a process that has compressed.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

import laconic
from laconic.bench import read_texts
from laconic.timing import one_core

BATCH = 128
SYSTEMS = {
    "spaCy sm, maxent": {"parser": "spacy", "scorer": "maxent"},
    "default": {},
    "small": {"model": "small"},
    "default's trees, maxent": {"scorer": "maxent"},
}
BASELINE = next(iter(SYSTEMS))
SENTENCE = "The police said the man who robbed a bank in Arizona was arrested at his home late Friday."
MEMORY = """
import sys, laconic
from pathlib import Path
compressor = laconic.load({options})
texts = open(sys.argv[1], encoding="utf-8").read().splitlines()
compressor.batch(texts, 5)
status = Path("/proc/self/status").read_text().split()
print(int(status[status.index("VmHWM:") + 1]) / 1024)
print(*sorted({{"spacy", "torch"}} & set(sys.modules)))
"""


def time_batches(compressor: laconic.Compressor, texts: list[str], size: int) -> float:
    """Milliseconds a sentence."""
    start = time.perf_counter()
    for at in range(0, len(texts), size):
        compressor.batch(texts[at : at + size], 5)
    return (time.perf_counter() - start) * 1e3 / len(texts)


def speeds(texts: list[str], rounds: int) -> None:
    with one_core():
        systems = {name: laconic.load(split=False, **options) for name, options in SYSTEMS.items()}
        for compressor in systems.values():
            compressor.batch(texts[:BATCH], 5)  # warm up
        for label, size, own in (("batches of 128", BATCH, texts), ("one by one", 1, texts[:200])):
            times: dict[str, list[float]] = {name: [] for name in systems}
            for _ in range(rounds):
                for name, compressor in systems.items():
                    times[name].append(time_batches(compressor, own, size))
            base = statistics.median(times[BASELINE])
            print(f"\n{label}, ms a sentence     median      min      max   times as fast")
            for name, own_times in times.items():
                ratios = [b / t for b, t in zip(times[BASELINE], own_times, strict=True)]
                print(
                    f"{name:<26}{statistics.median(own_times):>8.3f} {min(own_times):>8.3f} {max(own_times):>8.3f}"
                    f"{base / statistics.median(own_times):>10.2f} ({min(ratios):.2f}–{max(ratios):.2f})"
                )


def starts(rounds: int) -> None:
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in SYSTEMS}
    for number in range(rounds + 1):
        for name, options in SYSTEMS.items():
            seconds = time_start(options)
            if number:  # the first one compiles what is not compiled yet
                times[name].append(seconds)
    print("\none `laconic compress` in a fresh process, s     median      min      max")
    for name, own in times.items():
        for label, values in zip(("by the clock", "of the processor"), zip(*own, strict=True), strict=True):
            print(f"{name:<26}{label:<18}{statistics.median(values):>8.3f} {min(values):>8.3f} {max(values):>8.3f}")


def time_start(options: dict[str, str]) -> tuple[float, float]:
    """Seconds of one command by the clock, and of the processor, which says more where others use it too."""
    given = [part for key, value in options.items() for part in (f"--{key}", value)]
    command = [sys.executable, "-m", "laconic", "compress", *given, SENTENCE]
    compiled = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=compiled)
    elapsed, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return elapsed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def memory(texts: list[str]) -> None:
    lines = Path(os.environ.get("TMPDIR", "/tmp")) / f"laconic-{os.getpid()}.txt"
    lines.write_text("\n".join(texts), encoding="utf-8")
    print(f"\npeak memory after compressing {len(texts):,} sentences, MB; which of spacy and torch were imported")
    try:
        for name, options in SYSTEMS.items():
            code = MEMORY.format(options=", ".join(f"{key}={value!r}" for key, value in options.items()))
            done = subprocess.run([sys.executable, "-c", code, lines], check=True, capture_output=True, text=True)
            peak, imported, *_ = [*done.stdout.splitlines(), ""]
            print(f"{name:<26}{float(peak):>8.0f}   {imported or 'none'}")
    finally:
        lines.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="corpus, or text file with one sentence a line")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--model", nargs="*", default=[], help="folders of more networks to measure")
    given = parser.parse_args()
    SYSTEMS.update({Path(folder).name: {"model": folder} for folder in given.model})
    texts = read_texts(given.data)
    print(f"{len(texts):,} sentences, {sum(len(text.split()) for text in texts) / len(texts):.1f} words each, one core")
    speeds(texts, given.rounds)
    starts(given.rounds)
    memory(texts)


if __name__ == "__main__":
    main()
