"""Levels of compression: how much of a sentence is kept where no budget says it."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from laconic.known_names import find_named


class Level(StrEnum):
    """The level asked for: one of an editor's three lengths, each contained in the longer one, or a headline."""

    LIGHT = "light"  # without the words that add least
    MEDIUM = "medium"  # the main point, and what matters most about it
    SHORT = "short"  # one plain statement
    HEADLINE = "headline"  # as short as the headlines of the paper's data, however long the sentence is


#: All levels, in the order of a network's outputs.
LEVELS: Final = tuple(Level)

#: The levels that an editor wrote for the same sentence, from the longest to the shortest.
NESTED: Final = (Level.LIGHT, Level.MEDIUM, Level.SHORT)


def check_level(level: Level | str) -> Level:
    """The level of that name."""
    return find_named(Level, level, "level")
