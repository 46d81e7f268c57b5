"""The exceptions that laconic raises for problems that a user can solve, and its warnings."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import TextIO


class LaconicError(ValueError):
    """An input, option or file that laconic cannot work with; the message names it and the remedy.

    `options` are the options that the message recommends or names: `nearest=True` recommends a value, None as the value
    only names the option. The command line appends the corresponding flags to the message.
    """

    def __init__(self, message: str = "", **options: object) -> None:
        super().__init__(message)
        self.options = options


class MisfitError(LaconicError):
    """No result is within the budget; `shortest` and `longest` possible lengths in the budget's unit, if known."""

    shortest: int | None = None
    longest: int | None = None


class LaconicWarning(UserWarning):
    """Something that a user should know about a result; `options` as in `LaconicError`."""

    def __init__(self, message: str = "", **options: object) -> None:
        super().__init__(message)
        self.options = options


class LanguageWarning(LaconicWarning):
    """A text is not English, so it is left unchanged."""


class DeprecatedWarning(LaconicWarning, DeprecationWarning):
    """A deprecated way of asking for something is used (docs/compatibility.md)."""


def shorten(text: str) -> str:
    """Truncate a text for quoting it in a message."""
    return text if len(text) <= 60 else text[:59] + "…"


def warn_in_a_line(tell: Callable[[LaconicWarning], str] = str) -> None:
    """Print laconic's warnings as single lines, as the command line prints errors; `tell` words them."""

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
    warnings.filterwarnings("default", category=DeprecatedWarning)  # by default, Python hides deprecation warnings
