"""Turn the requested level or budget into probabilities and pins for the decoder.

Without a budget, the level decides how much is deleted. Each level is searched within the best result of the next
longer one, so that short is contained in medium, and medium in light. With a budget and no level, the probabilities are
interpolated between two levels, according to the share of the sentence that the budget allows, and shifted so that the
budget is used up. With both, the shorter of the two applies. A sentence that is within its budget already is left
unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from laconic.decode import decode
from laconic.errors import LaconicError
from laconic.guard import Pins, Policy, make_pins
from laconic.guard.rules.antecedents import ANTECEDENT
from laconic.levels import NESTED, Level, check_level
from laconic.score import EdgeScores, LevelScores, Model, Probabilities
from laconic.score.level_scores import place_of
from laconic.score.preferences import within_budget

if TYPE_CHECKING:
    from laconic.limits.limits import BoundLimits
    from laconic.tree import Forest


@dataclass(frozen=True, slots=True)
class Plan:
    """The input of the decoder."""

    edge_scores: EdgeScores
    pins: Pins | None
    rho: float | None = None  # None: the edge scores' own
    whole: NDArray[np.bool_] | None = None  # by sentence: whether it is printed unchanged
    places: NDArray[np.float64] | None = None  # of sentences on the line of levels; None: headlines

    @property
    def how(self) -> dict[str, Any]:
        """The pins and rho as keyword arguments of `decode`."""
        return {"pins": self.pins, **({} if self.rho is None else {"rho": self.rho})}


def level_for(scores: Model | LevelScores, level: Level | str | None, *, rho: float | None = None) -> Level | None:
    """The level to decode at, or None for the default, which a budget replaces; refuses invalid combinations.

    The maximum entropy model is trained on headlines only, and the threshold `rho` is tuned for them.
    """
    asked = None if level is None else check_level(level)
    if isinstance(scores, Model):
        if asked not in (None, Level.HEADLINE):
            raise LaconicError(
                f"the maximum entropy model writes headlines only: leave out the level {asked}, or use a network"
            )
        return Level.HEADLINE
    if rho is not None and asked is not Level.HEADLINE:
        raise LaconicError(
            "rho belongs to the level headline: add level='headline', or leave out rho", level=Level.HEADLINE.value
        )
    return asked


def policy_for(scores: Model | LevelScores, level: Level | None, *, guarded: bool = True) -> Policy:
    """The guard's policy for a scorer and a level."""
    if not guarded or isinstance(scores, Model):
        return Policy.NONE
    return Policy.HEADLINE if level is Level.HEADLINE else Policy.SENTENCE


def make_plan(
    forest: Forest,
    scores: Model | LevelScores,
    *,
    level: Level | None = None,
    limits: BoundLimits | None = None,
    policy: Policy = Policy.NONE,
    pins: Pins | None = None,
    rho: float | None = None,
    resolve_pronouns: bool = False,
) -> Plan:
    """The decoder's input for a level, a budget or both; without either, the level is medium.

    `pins` are the policy's pins if they have been computed already: they are the same for every budget.
    """
    pins = make_pins(forest, policy) if pins is None else pins
    budget = limits is not None and limits.limits.budget.has_maximum
    if pins is not None and (resolve_pronouns or (budget and level is None)):
        # The antecedent is printed; or else a pronoun without one is better than no result within the budget.
        pins = pins.releasing(ANTECEDENT)
    if isinstance(scores, Model) or level is Level.HEADLINE:
        edge_scores = scores if isinstance(scores, Model) else scores.headline()
        if not budget:
            return Plan(edge_scores, pins, rho)
        edge_scores, threshold = within_budget(edge_scores, forest.parses, rho, resolve_pronouns=resolve_pronouns)
        return Plan(edge_scores, pins, threshold)
    if level is None and not budget:
        level = Level.MEDIUM
    free = None if limits is None else limits.without_maximum()
    if level is not None:
        # Each level is searched within the longer one, whatever the budget allows.
        for longer in NESTED[: NESTED.index(level)]:
            edge_scores = _prefer(scores.at(forest, longer), forest, pins)
            found = decode(forest, edge_scores, pins=pins, limits=free, resolve_pronouns=resolve_pronouns)
            pins = (pins or Pins.none(forest)).within(forest, found)
    if not budget:
        assert level is not None
        places = np.full(len(forest), 1.0 + NESTED.index(level))
        return Plan(_prefer(scores.between(forest, places), forest, pins), pins, places=places)
    assert limits is not None
    shares = limits.shares()
    places = place_of(shares)
    own = 1.0 if level is None else 1.0 + NESTED.index(level)
    fills = np.full(len(places), True) if level is None else places > own
    whole = None
    if level is None and (fits := limits.unasked(shares >= 1)).any():
        whole, pins = fits, (pins or Pins.none(forest)).whole(forest, fits)
    places = np.maximum(places, own)
    return Plan(_prefer(scores.between(forest, places, fills), forest, pins), pins, whole=whole, places=places)


def _prefer(edge_scores: Probabilities, forest: Forest, pins: Pins | None) -> Probabilities:
    """Raise p_ret of the words that the guard prefers to keep but does not pin."""
    return edge_scores if pins is None or pins.preferred is None else edge_scores.preferring(forest.row[pins.preferred])
