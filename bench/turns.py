"""Two versions of laconic side by side: the same work in turn, in separate processes, on one core.

Usage: python bench/turns.py OLD_PYTHON NEW_PYTHON DATA [ROUNDS] (the interpreters of two virtual environments; DATA: a
corpus). Prints the median time of each task for both, new / old as median and range of the rounds' ratios, and how long
explanations and documents take compared with plain compression.
"""

from __future__ import annotations

import gzip
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

WORKER = """
import json, sys, time
import laconic
texts = json.load(open(sys.argv[1]))
document = "\\n\\n".join(texts)
def timed(run):
    start = time.perf_counter()
    run()
    return (time.perf_counter() - start) * 1e3 / len(texts)
def batches(compressor, **options):
    for first in range(0, len(texts), 128):
        compressor.batch(texts[first:first + 128], **options)
found = {}
for model in ("default", "small"):
    c = laconic.load(model)
    c.batch(texts[:64], 5, explain=True)
    c.fit("Rain fell on Monday.", max_chars=20)
    tasks = {
        "compress": lambda: batches(c),
        "compress, one text a call": lambda: [c.batch([text]) for text in texts],
        "compress, k = 5": lambda: batches(c, k=5),
        "explain, k = 5": lambda: batches(c, k=5, explain=True),
        "budget, k = 5": lambda: batches(c, k=5, rate=0.5, nearest=True),
        "explain, budget, k = 5": lambda: batches(c, k=5, rate=0.5, nearest=True, explain=True),
        "fit": lambda: c.fit(document, format="text", rate=0.5),
    }
    for name, run in tasks.items():
        found[f"{model}: {name}"] = timed(run)
m = laconic.load(scorer="maxent")
found["maxent: compress, k = 5"] = timed(lambda: batches(m, k=5))
found["maxent: nss, k = 5"] = timed(lambda: batches(m, k=5, method="nss"))
print(json.dumps(found))
"""
#: Tasks, and the task that the time of each is compared with.
BESIDE = {
    "explain, k = 5": "compress, k = 5",
    "explain, budget, k = 5": "budget, k = 5",
    "fit": "compress",
}
SENTENCES = 400


def main(old: str, new: str, data: Path, rounds: int) -> None:
    with gzip.open(data, "rt") as file:
        texts = [json.loads(line).get("sentence") or json.loads(line)["text"] for line in file][:SENTENCES]
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    times: dict[str, list[dict[str, float]]] = {old: [], new: []}
    starts: dict[str, list[float]] = {old: [], new: []}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.json"
        path.write_text(json.dumps(texts))
        for number in range(rounds):
            for python in (old, new) if number % 2 else (new, old):
                run = subprocess.run([python, "-c", WORKER, str(path)], check=True, capture_output=True, text=True)
                times[python].append(json.loads(run.stdout))
                starts[python].append(_start(python))
    print(f"ms a sentence, {len(texts)} sentences, one core, medians of {rounds} rounds by turns")
    print(f"{'':<36}{'old':>9}{'new':>9}{'new / old':>11}  range")
    for name in times[new][0]:
        _row(name, [each[name] for each in times[old]], [each[name] for each in times[new]])
    _row("compress, from the shell, processor", starts[old], starts[new])
    print(f"\n{'beside plain compression, new':<36}{'median':>9}  range")
    for model in ("default", "small"):
        for name, other in BESIDE.items():
            ratios = [each[f"{model}: {name}"] / each[f"{model}: {other}"] for each in times[new]]
            print(f"{f'{model}: {name}':<36}{statistics.median(ratios):>9.3f}  {min(ratios):.3f}–{max(ratios):.3f}")


def _start(python: str) -> float:
    """Milliseconds of the processor that one command takes."""
    command = [python, "-m", "laconic", "compress", "Two men were arrested on Friday, police in Leeds said."]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e3


def _row(name: str, old: list[float], new: list[float]) -> None:
    ratios = [b / a for a, b in zip(old, new, strict=True)]
    print(
        f"{name:<36}{statistics.median(old):>9.3f}{statistics.median(new):>9.3f}{statistics.median(ratios):>11.3f}  "
        f"{min(ratios):.3f}–{max(ratios):.3f}"
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 5)
