"""The exceptions that laconic raises for anything a user can mend, and its warnings."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import TextIO


class LaconicError(ValueError):
    """An input, option or file that laconic cannot work with; the message names it and the remedy.

    `options` are those that the message speaks of, with the value that it asks for: it has them as `nearest=True`, or
    by the name alone where the value is None. The command line adds its flags.
    """

    def __init__(self, message: str = "", **options: object) -> None:
        super().__init__(message)
        self.options = options


class MisfitError(LaconicError):
    """Nothing is within a budget; where that is known, with the lengths that there are, in the budget's unit."""

    shortest: int | None = None
    longest: int | None = None


class LaconicWarning(UserWarning):
    """Something that a user should know of a result, which is there all the same; `options` as those of an error."""

    def __init__(self, message: str = "", **options: object) -> None:
        super().__init__(message)
        self.options = options


class LanguageWarning(LaconicWarning):
    """A text is not English, and left as it is."""


class DeprecatedWarning(LaconicWarning, DeprecationWarning):
    """Something is asked for in a way that will be gone (docs/compatibility.md)."""


def shorten(text: str) -> str:
    """A text as messages quote it."""
    return text if len(text) <= 60 else text[:59] + "…"


def warn_in_a_line(tell: Callable[[LaconicWarning], str] = str) -> None:
    """Have warnings of this process shown as the command line shows errors; `tell` says it in its words."""

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if isinstance(message, LaconicWarning):
            print(f"laconic: warning: {tell(message)}", file=sys.stderr)

    warnings.showwarning = show
    warnings.filterwarnings("default", category=DeprecatedWarning)  # Python itself shows them to nobody
