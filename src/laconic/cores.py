"""How many cores there are to work with."""

from __future__ import annotations

import os
from typing import Final

#: A worker process has one core; numpy would start a thread for every core of the machine in each of them.
ONE_THREAD: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
