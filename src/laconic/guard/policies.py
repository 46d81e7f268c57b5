"""Which rules hold: named policies, and who uses which."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Final

from laconic.guard.bounds import pin_bounds
from laconic.guard.clauses import pin_clauses
from laconic.guard.comparisons import pin_comparisons
from laconic.guard.conditions import pin_conditions
from laconic.guard.contrasts import pin_contrasts
from laconic.guard.denials import pin_denials
from laconic.guard.frames import pin_frames
from laconic.guard.hedges import pin_hedges
from laconic.guard.instructions import pin_instructions
from laconic.guard.owners import pin_owners
from laconic.guard.pins import PinBoard, Pins, run_rules
from laconic.guard.promotion import pin_promotions
from laconic.guard.restrictions import pin_restrictions
from laconic.guard.words import Words
from laconic.parse.program import Tape

if TYPE_CHECKING:
    from laconic._core import Program
    from laconic.tree import Forest


class Policy(StrEnum):
    """What the guard looks after."""

    NONE = "none"  # the paper as it is
    HEADLINE = "headline"  # a sentence is not turned into its opposite
    SENTENCE = "sentence"  # whoever trusts a compression believes nothing that the sentence does not say
    DOCUMENT = "document"  # nor is it, where nobody looks at it, cut within a clause


#: What changes the truth of a sentence.
_TRUTH: Final = (
    pin_denials, pin_conditions, pin_owners, pin_promotions, pin_hedges, pin_bounds, pin_comparisons, pin_restrictions,
    pin_instructions, pin_contrasts,
)  # fmt: skip

#: The rules of each policy; the first that pins a word names the pin.
_RULES: Final[dict[Policy, tuple[Callable[[Words, PinBoard], None], ...]]] = {
    Policy.NONE: (),
    Policy.HEADLINE: (pin_denials,),
    Policy.SENTENCE: (*_TRUTH, pin_frames),
    Policy.DOCUMENT: (*_TRUTH, pin_clauses, pin_frames),
}


def make_pins(forest: Forest, policy: Policy) -> Pins | None:
    """What the guard asks of the trees of a batch; None: nothing."""
    return run_rules(_program(policy), forest) if _RULES[policy] else None


@cache
def _program(policy: Policy) -> Program:
    """The rules of a policy, written down."""
    tape = Tape()
    words, board = Words(tape), PinBoard(tape)
    for pin in _RULES[policy]:
        pin(words, board)
    return tape.program()


atexit.register(_program.cache_clear)  # no object of the core outlives the interpreter
