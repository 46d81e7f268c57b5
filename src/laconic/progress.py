"""Those who wait for long work: what they are told, and how far it has come."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

#: Is given a line about what is done.
Log: TypeAlias = Callable[[str], None]
#: Is given a number of steps: how many there will be, or how many more are done.
Advance: TypeAlias = Callable[[int], None]


def ignore(_: object) -> None:
    """Where nobody waits."""
