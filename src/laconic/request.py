"""What is asked of all texts of a batch, besides their limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from laconic.decode import Method
from laconic.plan import policy_for

if TYPE_CHECKING:
    from laconic.decode import Order
    from laconic.guard import Policy
    from laconic.levels import Level
    from laconic.score import LevelScores, Model


@dataclass(frozen=True, slots=True)
class Request:
    """How texts are compressed; what is None is as the scorer has it."""

    k: int = 1
    method: Method = Method.TOPDOWN
    level: Level | None = None
    rho: float | None = None
    order: Order | str | None = None
    guarded: bool = True
    resolves: bool = False
    explains: bool = False

    @property
    def decoding(self) -> dict[str, Any]:
        """The same as arguments of `decode`."""
        return {"k": self.k, "method": self.method, "order": self.order, "resolve_pronouns": self.resolves}

    @property
    def planning(self) -> dict[str, Any]:
        """The same as arguments of `make_plan`."""
        return {"level": self.level, "resolve_pronouns": self.resolves}

    def policy(self, scores: Model | LevelScores) -> Policy:
        """The guard's policy for a scorer."""
        return policy_for(scores, self.level, guarded=self.guarded)
