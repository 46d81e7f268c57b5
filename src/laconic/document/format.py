"""The formats of documents."""

from __future__ import annotations

from enum import StrEnum


class Format(StrEnum):
    """The format of a document."""

    MARKDOWN = "markdown"
    TEXT = "text"
