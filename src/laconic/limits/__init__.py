"""Limits on a compression: its length, and words that must be kept or deleted."""

from laconic.limits.budget import Budget
from laconic.limits.constraints import Constraint
from laconic.limits.limits import Limits

__all__ = ["Budget", "Constraint", "Limits"]
