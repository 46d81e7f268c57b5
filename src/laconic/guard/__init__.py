"""Guard: what a probability must not decide.

The stage between score and decode. From the trees of a batch it makes explicit `Pins`: this edge is not cut while its
head stays; this node is no root; these two go together. Decoders obey them, and explanations name the rule.
"""

from laconic.guard.pins import Pins
from laconic.guard.policies import make_pins
from laconic.guard.rule import Policy, Rule

__all__ = ["Pins", "Policy", "Rule", "make_pins"]
