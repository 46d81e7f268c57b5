"""Soft preferences: adjusted scores for use within a budget, where the budget decides how much is kept.

Unlike the pins of the guard, they forbid nothing.
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

#: The default threshold within a budget: words that the model would delete are kept while there is room (tuned on dev:
#: `python bench/budget.py DATA --tune`).
BUDGET_RHO: Final = 0.9
#: The maximum p_ret of the dummy root's edge to a relative clause within a budget; costs no word F1 on dev.
_RELATIVE_ROOT: Final = np.float32(0.01)


def within_budget(
    edge_scores: EdgeScores, parses: Parses, rho: float | None = None, *, resolve_pronouns: bool = False
) -> tuple[EdgeScores, float]:
    """The scores to use within a budget, and the threshold to decode with."""
    rho = BUDGET_RHO if rho is None else rho
    if resolve_pronouns:  # its pronoun is printed as the noun, so it can stand alone
        return edge_scores, rho
    return _prefer_main_clauses(parses, edge_scores), rho


def _prefer_main_clauses(parses: Parses, edge_scores: EdgeScores) -> EdgeScores:
    """Make relative clauses unlikely as roots: one could win a tight budget, but is no sentence without its noun."""
    if isinstance(edge_scores, Model):
        return edge_scores
    relative = parses.label == scheme.LABEL_ID[RELATIVE_CLAUSE]
    at_most = np.where(relative, _RELATIVE_ROOT, np.float32(1))
    return replace(edge_scores, root_retain=np.minimum(edge_scores.root_retain, at_most))
