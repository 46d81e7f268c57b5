"""The definition of a guard rule: a function that pins words, and the policies that include it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from laconic.guard.pins import PinBoard
    from laconic.guard.rule_words import Words


class Policy(StrEnum):
    """What the guard protects."""

    NONE = "none"  # nothing: the paper's system
    HEADLINE = "headline"  # the sense of the sentence: it is not turned into its opposite
    SENTENCE = "sentence"  # the truth: a compression claims nothing that the sentence does not say
    DOCUMENT = "document"  # also the form: nothing is cut within a clause, as nobody checks each sentence


#: The policies that protect the truth of a sentence.
TRUTH: Final = (Policy.SENTENCE, Policy.DOCUMENT)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the guard; its module in `laconic.guard.rules` declares it under the name `RULE`.

    The function is called once for each policy, not for every batch: what it does with masks is recorded as a program.
    """

    pin: Callable[[Words, PinBoard], None]
    policies: tuple[Policy, ...] = TRUTH
    #: Rules with lower numbers run first. If several rules pin a word, the first one gives the pin its name.
    order: int = 1000
