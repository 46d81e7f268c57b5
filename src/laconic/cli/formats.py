"""Formats of what commands print."""

from __future__ import annotations

from collections.abc import Sequence

from laconic.known_names import unknown_name


def check_format(name: str, known: Sequence[str]) -> str:
    """The output format of that name."""
    if name not in known:
        raise unknown_name("format", name, known)
    return name
