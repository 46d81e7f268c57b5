"""Which rules hold: named policies, and who uses which."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from laconic.guard.clauses import pin_clauses
from laconic.guard.denials import pin_denials
from laconic.guard.frames import pin_frames
from laconic.guard.pins import PinBoard, Pins
from laconic.guard.words import Words

if TYPE_CHECKING:
    from laconic.tree import Forest


class Policy(StrEnum):
    """What the guard looks after."""

    NONE = "none"  # the paper as it is
    HEADLINE = "headline"  # a sentence is not turned into its opposite
    SENTENCE = "sentence"  # whoever trusts a compression believes nothing that the sentence does not say
    DOCUMENT = "document"  # nor is it, where nobody looks at it, cut within a clause


#: The rules of each policy; the first that pins a word names the pin.
_RULES: Final[dict[Policy, tuple[Callable[[Words, PinBoard], None], ...]]] = {
    Policy.NONE: (),
    Policy.HEADLINE: (pin_denials,),
    Policy.SENTENCE: (pin_denials, pin_frames),
    Policy.DOCUMENT: (pin_denials, pin_clauses, pin_frames),
}


def make_pins(forest: Forest, policy: Policy) -> Pins | None:
    """What the guard asks of the trees of a batch; None: nothing."""
    if not _RULES[policy]:
        return None
    words, board = Words(forest.parses), PinBoard(len(forest.parses.start))
    for pin in _RULES[policy]:
        pin(words, board)
    return board.pins(forest)
