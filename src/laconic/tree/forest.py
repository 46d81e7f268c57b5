"""The trees of a batch, built once for all later stages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic._core import Forest
from laconic.tree.rules import rules

if TYPE_CHECKING:
    from laconic.parse import Parses


__all__ = ["Forest", "make_forest"]


def make_forest(parses: Parses) -> Forest:
    """The transformed trees of all sentences of a batch (paper §2.1)."""
    return Forest(parses, rules())
