"""Which rules hold: named policies, and who uses which."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from laconic.guard.bounds import pin_bounds
from laconic.guard.clauses import pin_clauses
from laconic.guard.comparisons import pin_comparisons
from laconic.guard.conditions import pin_conditions
from laconic.guard.contrasts import pin_contrasts
from laconic.guard.denials import pin_denials
from laconic.guard.hedges import pin_hedges
from laconic.guard.instructions import pin_instructions
from laconic.guard.owners import pin_owners
from laconic.guard.pins import PinBoard, Pins
from laconic.guard.promotion import pin_promotions
from laconic.guard.restrictions import pin_restrictions
from laconic.guard.words import Words
from laconic.score import Model, Probabilities

if TYPE_CHECKING:
    from laconic.tree import Forest


class Policy(StrEnum):
    """What the guard looks after."""

    NONE = "none"  # the paper as it is
    SENTENCE = "sentence"  # what changes the truth of a sentence stays
    DOCUMENT = "document"  # nor is it, where nobody looks at it, cut within a clause


#: What changes the truth of a sentence.
_TRUTH: Final = (
    pin_denials, pin_conditions, pin_owners, pin_promotions, pin_hedges, pin_bounds, pin_comparisons, pin_restrictions,
    pin_instructions, pin_contrasts,
)  # fmt: skip

#: The rules of each policy; the first that pins a word names the pin.
_RULES: Final[dict[Policy, tuple[Callable[[Words, PinBoard], None], ...]]] = {
    Policy.NONE: (),
    Policy.SENTENCE: _TRUTH,
    Policy.DOCUMENT: (*_TRUTH, pin_clauses),
}

#: Who uses which: by what scores the edges, for sentences and for documents.
_POLICIES: Final[dict[type, tuple[Policy, Policy]]] = {
    Probabilities: (Policy.SENTENCE, Policy.DOCUMENT),  # a network
    Model: (Policy.NONE, Policy.DOCUMENT),  # the paper's: top-down, NSS, ILP, reproduce
}


def policy_for(scorer: Model | Probabilities, *, document: bool = False) -> Policy:
    """The policy that goes with a scorer."""
    return next(policies for kind, policies in _POLICIES.items() if isinstance(scorer, kind))[document]


def guard(forest: Forest, scorer: Model | Probabilities, *, document: bool = False) -> Pins | None:
    """What the guard asks of the trees of a batch, by the policy that goes with their scorer; None: nothing."""
    return make_pins(forest, policy_for(scorer, document=document))


def make_pins(forest: Forest, policy: Policy) -> Pins | None:
    """What the guard asks of the trees of a batch; None: nothing."""
    if not _RULES[policy]:
        return None
    words, board = Words(forest.parses), PinBoard(len(forest.parses.start))
    for pin in _RULES[policy]:
        pin(words, board)
    return board.pins(forest)
