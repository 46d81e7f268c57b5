"""Dataclasses that are written as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, cast


class JsonRecord:
    """A dataclass that is written as JSON with all its fields."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON-ready data."""
        return asdict(cast(Any, self))
