"""Soft preferences: what scores are like where a budget says how short, not the model.

Unlike the pins of the guard they forbid nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from laconic.language.grammar import RELATIVE_CLAUSE
from laconic.parse import scheme
from laconic.score.model import Model

if TYPE_CHECKING:
    from laconic.parse import Parses
    from laconic.score import EdgeScores

#: The threshold within a budget, where none is given: what the model would rather delete stays as long as there is room
#: (tuned on dev: `python bench/budget.py DATA --tune`).
BUDGET_RHO: Final = 0.9
#: p_ret of the dummy root's edge to a relative clause within a budget, at most: no word F1 is lost on dev.
_RELATIVE_ROOT: Final = np.float32(0.01)


def within_budget(
    edge_scores: EdgeScores, parses: Parses, rho: float | None = None, *, resolve_pronouns: bool = False
) -> tuple[EdgeScores, float]:
    """What scores edges within a budget, and the threshold to decode with, where none is given."""
    rho = BUDGET_RHO if rho is None else rho
    if resolve_pronouns:  # a relative pronoun is printed as its noun
        return edge_scores, rho
    return _prefer_main_clauses(parses, edge_scores), rho


def _prefer_main_clauses(parses: Parses, edge_scores: EdgeScores) -> EdgeScores:
    """With little room a relative clause may be all that the network would keep; without its noun it is no sentence."""
    if isinstance(edge_scores, Model):
        return edge_scores
    relative = parses.label == scheme.LABEL_ID[RELATIVE_CLAUSE]
    at_most = np.where(relative, _RELATIVE_ROOT, np.float32(1))
    return replace(edge_scores, root_retain=np.minimum(edge_scores.root_retain, at_most))
