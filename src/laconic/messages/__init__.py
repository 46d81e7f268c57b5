"""Fit chat histories into a budget: the prose of old turns is shortened, everything else is left alone."""

from laconic.messages.fit_messages import fit_messages
from laconic.messages.fitted_messages import Fate, FittedMessages, MessageReport

__all__ = ["Fate", "FittedMessages", "MessageReport", "fit_messages"]
