"""The number of cores that this process may use."""

from __future__ import annotations

import os
from typing import Final

#: Environment variables that give a worker one thread: numpy would start one per core of the machine in each worker.
ONE_THREAD: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
