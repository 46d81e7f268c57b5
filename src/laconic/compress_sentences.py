"""The k best compressions of every sentence of a batch, each within the limits: trees in, results out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from laconic.decode import Decoded, Method, decode
from laconic.decode.choices import Objective
from laconic.plan import make_plan
from laconic.realise import realise
from laconic.refused import refuse_longer
from laconic.score import Model

if TYPE_CHECKING:
    from laconic.explanation import Explainer
    from laconic.limits import Limits
    from laconic.limits.limits import BoundLimits
    from laconic.plan import Plan
    from laconic.refused import Refused
    from laconic.request import Request
    from laconic.results import Result
    from laconic.score import LevelScores
    from laconic.tree import Forest


def compress_sentences(
    forest: Forest, scores: Model | LevelScores, limits: Limits, request: Request
) -> tuple[list[Result], Refused]:
    """The results of the texts, and the errors of refused texts by text index."""
    bound = limits.bind(forest, resolves=request.resolves) if limits else None
    plan = make_plan(forest, scores, limits=bound, policy=request.policy(scores), rho=request.rho, **request.planning)
    decoded = decode(forest, plan.edge_scores, limits=bound, **request.decoding, **plan.how)
    refused: Refused = {}
    if bound is not None:
        refused = bound.refused(decoded)
        bound.warn(decoded, refused)
    explainer = make_explainer(forest, scores, plan, decoded, bound, request) if request.explains else None
    whole = None
    if plan.whole is not None:  # the first result of these is the whole sentence; others, if any, are shorter
        whole = np.full(len(decoded.score), False)
        whole[decoded.result_ptr[:-1][plan.whole & (np.diff(decoded.result_ptr) > 0)]] = True
    results = realise(forest, decoded, limits.protected, bound, explainer, whole)
    if request.method is Method.ILP and isinstance(limits.budget.most, int):
        refused = refuse_longer(results, limits.budget.most) | refused
    return results, refused


def make_explainer(
    forest: Forest,
    scores: Model | LevelScores,
    plan: Plan,
    decoded: Decoded,
    bound: BoundLimits | None,
    request: Request,
) -> Explainer:
    """An explainer, which compares the results with those of decoding with fewer restrictions, all else being equal."""
    from laconic.explanation import Comparisons, Explainer  # imported here: few calls ask for explanations

    how: dict[str, Any] = {**request.decoding, **plan.how}
    free = unbudgeted = None
    if bound is not None:
        pins = plan.pins
        if not (request.level is None and bound.limits.budget.has_maximum):
            # Decode without limits at every level: a shorter level is searched within the result of the longer one.
            pins = make_plan(forest, scores, policy=request.policy(scores), **request.planning).pins
        # Limits change the objective; use theirs here too, or every difference would be attributed to the limits.
        if request.method is Method.TOPDOWN and plan.edge_scores.objective == Objective.MEAN:
            how = {**how, "objective": Objective.JOINT}
        free = decode(forest, plan.edge_scores, **{**how, "pins": pins})
        if bound.limits.budget.unit and bound.reasons:
            unbudgeted = decode(forest, plan.edge_scores, limits=bound.without_budget(), **how)
    guarded = plan.pins is not None and bool(plan.pins.flags.any())
    unguarded = decode(forest, plan.edge_scores, **{**how, "k": 1, "pins": None}) if guarded else None
    within = None
    if guarded and bound is not None and bound.limits.budget.has_maximum:
        within = decode(forest, plan.edge_scores, limits=bound, **{**how, "k": 1, "pins": None})
    compared = Comparisons(unguarded, within, free, unbudgeted)
    shown = plan.edge_scores
    if plan.places is not None and not isinstance(scores, Model):
        shown = scores.shown(forest, plan.places)
    return Explainer(forest, shown, plan.pins, decoded, bound, compared)
