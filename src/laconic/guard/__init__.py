"""Guard: the decisions that are not left to probabilities.

The stage between score and decode. From the trees of a batch it computes explicit `Pins`: an edge that may not be cut
while its head is kept, a node that may not be a root, or two nodes that must be kept together. Decoders obey them, and
explanations name the rule.
"""

from laconic.guard.pins import Pins
from laconic.guard.policies import make_pins
from laconic.guard.rule import Policy, Rule

__all__ = ["Pins", "Policy", "Rule", "make_pins"]
