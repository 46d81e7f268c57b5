"""Names that users give to choose one of a few things: what a name stands for, and the error of an unknown one."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

from laconic.errors import LaconicError

_Choice = TypeVar("_Choice", bound=StrEnum)


def find_named(choices: type[_Choice], name: str, what: str) -> _Choice:
    """The one of the choices that has a name; `what` is what messages call such a choice: "level"."""
    try:
        return choices(name)
    except ValueError:
        raise unknown_name(what, name, choices) from None


def unknown_name(what: str, name: object, known: Iterable[str]) -> LaconicError:
    """The error of a name that is none of those known."""
    return LaconicError(f"unknown {what} {name!r}: use one of {', '.join(known)}")
