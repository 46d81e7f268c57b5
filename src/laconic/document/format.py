"""How a document is written."""

from __future__ import annotations

from enum import StrEnum


class Format(StrEnum):
    """How a document is written."""

    MARKDOWN = "markdown"
    TEXT = "text"
