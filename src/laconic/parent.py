"""A worker process ends with the process that started it, however that ends."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import threading
from multiprocessing.connection import Connection, wait


def leave_with_parent() -> None:
    """In a worker: end at once when its parent has gone, since it would wait, or work, for nobody."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    at_work, end_of_work = multiprocessing.Pipe(duplex=False)
    watch = threading.Thread(target=_watch, args=(parent.sentinel, at_work), daemon=True)
    watch.start()

    def stop() -> None:
        end_of_work.close()
        watch.join()

    # A thread that is still there at the end keeps what its process was started with: no object of the core may outlive
    # the interpreter.
    atexit.register(stop)


def _watch(parent: int, at_work: Connection) -> None:
    if parent in wait([parent, at_work]):
        os._exit(1)
