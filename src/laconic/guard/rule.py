"""What a rule of the guard is: a function that pins words, and the policies that it belongs to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from laconic.guard.pins import PinBoard
    from laconic.guard.rule_words import Words


class Policy(StrEnum):
    """What the guard looks after."""

    NONE = "none"  # the paper as it is
    HEADLINE = "headline"  # a sentence is not turned into its opposite
    SENTENCE = "sentence"  # whoever trusts a compression believes nothing that the sentence does not say
    DOCUMENT = "document"  # nor is it, where nobody looks at it, cut within a clause


#: The policies of what changes the truth of a sentence.
TRUTH: Final = (Policy.SENTENCE, Policy.DOCUMENT)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule, as its module in `laconic.guard.rules` declares it under the name `RULE`.

    The function is called once for a policy, not for every batch: what it does with masks becomes a program.
    """

    pin: Callable[[Words, PinBoard], None]
    policies: tuple[Policy, ...] = TRUTH
    #: Rules with lower numbers come first. Where several pin a word, the first one names the pin.
    order: int = 1000
