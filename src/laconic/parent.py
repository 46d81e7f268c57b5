"""Make worker processes end when the process that started them ends, for whatever reason."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import threading
from multiprocessing.connection import Connection, wait


def leave_with_parent() -> None:
    """In a worker: watch the parent, and exit at once when it is gone."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    at_work, end_of_work = multiprocessing.Pipe(duplex=False)
    watch = threading.Thread(target=_watch, args=(parent.sentinel, at_work), daemon=True)
    watch.start()

    def stop() -> None:
        end_of_work.close()
        watch.join()

    # Join the thread before exit: a thread that still runs then keeps the process's arguments alive, and no object of
    # the core may outlive the interpreter.
    atexit.register(stop)


def _watch(parent: int, at_work: Connection) -> None:
    if parent in wait([parent, at_work]):
        os._exit(1)
