"""Settings that apply to all texts of a batch, other than limits."""

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
    """How texts are compressed; None stands for the scorer's default."""

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
        """The settings that `decode` takes, as keyword arguments."""
        return {"k": self.k, "method": self.method, "order": self.order, "resolve_pronouns": self.resolves}

    @property
    def planning(self) -> dict[str, Any]:
        """The settings that `make_plan` takes, as keyword arguments."""
        return {"level": self.level, "resolve_pronouns": self.resolves}

    def policy(self, scores: Model | LevelScores) -> Policy:
        """The guard's policy for a scorer."""
        return policy_for(scores, self.level, guarded=self.guarded)
