"""Peak memory of a command and all its processes: python bench/peak.py COMMAND…

The memory is read five times a second from /proc (Linux). Memory that processes share is counted once (Pss).
"""

import subprocess
import sys
import threading
import time
from pathlib import Path


def main() -> None:
    child = subprocess.Popen(sys.argv[1:])
    peak = processes = 0
    done = threading.Event()

    def watch() -> None:
        nonlocal peak, processes
        while not done.wait(0.2):
            own = [memory for pid in tree(child.pid) if (memory := pss(pid))]
            if sum(own) > peak:
                peak, processes = sum(own), len(own)

    start = time.monotonic()
    watcher = threading.Thread(target=watch)
    watcher.start()
    status = child.wait()
    done.set()
    watcher.join()
    print(
        f"{peak / 1024:,.0f} MB at the peak, in {processes} processes; {time.monotonic() - start:.1f} s",
        file=sys.stderr,
    )
    sys.exit(status)


def tree(root: int) -> list[int]:
    """A process and those that it started, and they."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        parents[int(path.parent.name)] = int(fields[1])
    found = [root]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


def pss(pid: int) -> int:
    """Memory of a process in kB."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


if __name__ == "__main__":
    main()
