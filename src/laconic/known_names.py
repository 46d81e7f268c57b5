"""Look up choices that users make by name, and word the error for unknown names."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

from laconic.errors import LaconicError

_Choice = TypeVar("_Choice", bound=StrEnum)


def find_named(choices: type[_Choice], name: str, what: str) -> _Choice:
    """The member of an enumeration with that name; `what` is the word for such a choice in messages: "level"."""
    try:
        return choices(name)
    except ValueError:
        raise unknown_name(what, name, choices) from None


def unknown_name(what: str, name: object, known: Iterable[str]) -> LaconicError:
    """The error for a name that is not among the known ones."""
    return LaconicError(f"unknown {what} {name!r}: use one of {', '.join(known)}")
