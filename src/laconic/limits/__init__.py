"""What is asked of a compression besides a good score: a length, and words that must stay or go."""

from laconic.limits.budget import Budget
from laconic.limits.constraints import Constraint
from laconic.limits.limits import Limits

__all__ = ["Budget", "Constraint", "Limits"]
