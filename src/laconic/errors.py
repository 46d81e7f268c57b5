"""The one exception type that laconic raises for anything a user can mend."""

from __future__ import annotations


class LaconicError(ValueError):
    """An input, option or file that laconic cannot work with; the message names it and the remedy."""
