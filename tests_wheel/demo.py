"""The demo of the README with the laconic that is installed, on any system: what a user who has no sources can do.

Also says how long the first compression takes from the shell, from nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

EXAMPLE = "The police said the man who robbed a bank in Arizona was arrested at his home late Friday."
LACONIC = str(Path(sysconfig.get_path("scripts")) / "laconic")


def run(*arguments: str) -> str:
    """What a command prints."""
    done = subprocess.run([LACONIC, *arguments], check=True, capture_output=True, encoding="utf-8")
    print(done.stdout, end="")
    return done.stdout


def main() -> None:
    """Compress the example, show its tree, and check that nothing of it comes from a folder of sources."""
    sys.stdout.reconfigure(encoding="utf-8")  # Windows would not print a tree
    found = run("compress", "-k", "5", EXAMPLE).strip().splitlines()
    if len(found) != 5 or not found[0].endswith("The man who robbed a bank in Arizona was arrested."):
        sys.exit(f"the demo printed {found}")
    if "arrested" not in run("tree", EXAMPLE):
        sys.exit("there is no tree")
    import laconic

    installed = {Path(sysconfig.get_path(name)).resolve() for name in ("purelib", "platlib")}
    if not installed & set(Path(laconic.__file__).resolve().parents):
        sys.exit(f"this is another laconic: {laconic.__file__}")
    runs = [time_once() for _ in range(7)]
    wall, processor = (min(run[i] for run in runs) for i in (0, 1))
    print(f"laconic {laconic.__version__}, one command takes {wall:.2f} s, {processor:.2f} s of a processor")


def time_once() -> tuple[float, float]:
    """Seconds of one command by the clock, and of the processor, which says more where others use it too."""
    begun, before = time.perf_counter(), os.times()
    subprocess.run([LACONIC, "compress", EXAMPLE], check=True, capture_output=True)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - begun, used


if __name__ == "__main__":
    main()
