"""Callbacks that report the progress of long work."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

#: Called with a line about what is done.
Log: TypeAlias = Callable[[str], None]
#: Called with a number of steps: the total, or how many more are done.
Advance: TypeAlias = Callable[[int], None]


def ignore(_: object) -> None:
    """Ignore a report of progress."""
