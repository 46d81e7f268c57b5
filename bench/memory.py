"""Peak memory of `laconic compress` over inputs of different sizes: it must not grow with the number of lines.

    python bench/memory.py [LINES …]

Every line of the output is one run in a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

LINE = "The storm hit the coast of Spain on Monday, and officials in the capital said {} people were without power.\n"


def main() -> None:
    print(f"{'lines':>8} {'peak MB':>8} {'seconds':>8}")
    for count in [int(argument) for argument in sys.argv[1:]] or [100, 1000, 10_000]:
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.writelines(LINE.format(i) for i in range(count))
            file.flush()
            start = time.monotonic()
            command = [sys.executable, "-m", "laconic", "compress", "-k", "5", "--format", "jsonl", "-f", file.name]
            child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            _, _, usage = os.wait4(child.pid, 0)  # of this child alone
            print(f"{count:>8} {usage.ru_maxrss / 1024:>8.0f} {time.monotonic() - start:>8.1f}", flush=True)


if __name__ == "__main__":
    main()
