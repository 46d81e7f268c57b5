"""The exceptions that laconic raises for anything a user can mend, and its warnings."""

from __future__ import annotations

import sys
import warnings
from typing import TextIO


class LaconicError(ValueError):
    """An input, option or file that laconic cannot work with; the message names it and the remedy."""


class MisfitError(LaconicError):
    """Nothing is within a budget; where that is known, with the lengths that there are, in the budget's unit."""

    shortest: int | None = None
    longest: int | None = None


class LaconicWarning(UserWarning):
    """Something that a user should know of a result, which is there all the same."""


class LanguageWarning(LaconicWarning):
    """A text is not English, and left as it is."""


def shorten(text: str) -> str:
    """A text as messages quote it."""
    return text if len(text) <= 60 else text[:59] + "…"


def warn_in_a_line() -> None:
    """Have warnings of this process shown as the command line shows errors."""
    warnings.showwarning = _show


def _show(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    if issubclass(category, LaconicWarning):
        print(f"laconic: warning: {message}", file=sys.stderr)
