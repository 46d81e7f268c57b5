"""What a network may waive: pins on edges of which it is sure that nobody needs them.

A rule knows words and labels, and asks for more than most sentences need: "if you have questions" decides nothing, "if
the light is red" does. A network that has learned from editors' verdicts can tell the two apart more often than not. So
a rule proposes a pin, and the network may waive it, some rules' pins sooner than others'.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from laconic._core import NodePin
from laconic.guard.pins import NO_RULE

if TYPE_CHECKING:
    from laconic.guard.pins import Pins

#: By the name of a pin: where the network's p(needed) is less than this, the pin does not hold. Others always do.
WAIVED_BELOW: Final[dict[str, float]] = {}

_STAYS: Final = np.uint8(NodePin.STAYS | NodePin.OR_NEXT)


def waive(pins: Pins, needed: NDArray[np.float32]) -> Pins:
    """The pins that are left; `needed` is by node the probability that an editor would undo it, were its edge cut."""
    least = np.array([WAIVED_BELOW.get(name, 0.0) for name in pins.names] + [0.0], dtype=np.float32)
    rule = np.where(pins.stays_by == NO_RULE, len(pins.names), pins.stays_by)
    gone = needed < least[rule]
    return replace(
        pins,
        flags=np.where(gone, pins.flags & ~_STAYS, pins.flags).astype(np.uint8),
        stays_by=np.where(gone, NO_RULE, pins.stays_by).astype(np.uint8),
    )
