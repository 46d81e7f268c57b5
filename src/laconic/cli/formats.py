"""Formats of what commands print."""

from __future__ import annotations

from collections.abc import Sequence

from laconic.errors import LaconicError


def check_format(name: str, known: Sequence[str]) -> str:
    """The output format of that name."""
    if name not in known:
        raise LaconicError(f"unknown format {name!r}: use one of {', '.join(known)}")
    return name
