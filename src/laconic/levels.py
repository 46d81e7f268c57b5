"""How much of a sentence is left, where no budget says it."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from laconic.known_names import find_named


class Level(StrEnum):
    """What is asked for: an editor's three lengths, each within the one before, or a headline."""

    LIGHT = "light"  # what adds least is gone
    MEDIUM = "medium"  # the main point with what matters most about it
    SHORT = "short"  # one plain statement
    HEADLINE = "headline"  # what the paper's data teaches: headlines, whatever the sentence


#: The levels in the order of a network's outputs.
LEVELS: Final = tuple(Level)

#: Those that editors made of one sentence, from the longest to the shortest.
NESTED: Final = (Level.LIGHT, Level.MEDIUM, Level.SHORT)


def check_level(level: Level | str) -> Level:
    """The level of that name."""
    return find_named(Level, level, "level")
