"""The entry point of all decoders: the k best compressions of a batch of trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic import _core
from laconic._core import Decoded
from laconic.decode.choices import (
    Method,
    Objective,
    Order,
    check_candidates,
    check_k,
    check_limits,
    check_method,
    check_objective,
    check_order,
    check_rho,
    check_temperature,
)
from laconic.errors import LaconicError
from laconic.progress import Advance, ignore
from laconic.score import EdgeScores, Model

if TYPE_CHECKING:
    from laconic.guard import Pins
    from laconic.limits.limits import BoundLimits
    from laconic.tree import Forest


def decode(
    forest: Forest,
    edge_scores: EdgeScores,
    *,
    pins: Pins | None = None,
    k: int = 1,
    method: Method | str = Method.TOPDOWN,
    objective: Objective | str | None = None,
    order: Order | str | None = None,
    rho: float | None = None,
    beam: int | None = None,
    limits: BoundLimits | None = None,
    resolve_pronouns: bool = False,
    advance: Advance = ignore,
) -> Decoded:
    """The k best compressions of every sentence of a batch.

    Top-down decoding, with or without the node subset scorer, is one call of the native core. Arguments that are None
    (`objective`, `order`, `rho`, `beam`) default to the settings of the edge scores; with the order `expected-f1` or
    with limits, the default objective is `joint` where that of the scores is `mean`. The `pins` of the guard hold in
    every result, except where a constraint demands a deletion. All results of a sentence have different texts; a
    sentence has none if nothing fits. With `resolve_pronouns`, a pronoun whose antecedent is deleted is printed as its
    antecedent. `advance` is called with the number of finished sentences.
    """
    check_k(k)
    method = check_method(method)
    check_limits(None if limits is None else limits.limits, method, resolve_pronouns)
    if pins is not None and method is not Method.TOPDOWN:
        raise LaconicError(f"pins go with the method topdown: leave out the pins or the method {method}")
    rho = check_rho(edge_scores.rho if rho is None else rho)
    if method is Method.ILP:
        from laconic.decode.ilp import decode_ilp

        for name, value in (("objective", objective), ("order", order)):
            if value is not None:
                raise LaconicError(f"{name} does not go with the method ilp: leave it out, or use the method topdown")
        model = _need_model(edge_scores, method)
        most = None if limits is None else limits.limits.budget.most
        max_chars = most if isinstance(most, int) else None
        return decode_ilp(forest, model, k=k, max_chars=max_chars, resolve_pronouns=resolve_pronouns, advance=advance)
    if objective is None:
        # The expectation needs log-probabilities, which the objective mean does not give.
        expects = method is Method.TOPDOWN and order is not None and check_order(order) is Order.EXPECTED_F1
        own = check_objective(edge_scores.objective)
        objective = Objective.JOINT if own is Objective.MEAN and (expects or limits is not None) else own
    objective = check_objective(objective)
    order = check_order(edge_scores.order if order is None else order)
    if order is Order.EXPECTED_F1 and objective is Objective.MEAN:
        raise LaconicError(
            "the order expected-f1 needs log-probabilities, which the objective mean does not give: use the method "
            "topdown with the objective joint, or the order score"
        )
    if limits is not None and objective is Objective.MEAN:
        raise LaconicError("limits go with the objective joint, whose scores add up over the tree: leave out mean")
    width = 0
    if method is Method.NSS:
        model = _need_model(edge_scores, method)
        width = model.beam if beam is None else beam
        if objective is not Objective.MEAN:
            raise LaconicError("the objective joint does not go with the method nss: use the objective mean or topdown")
    decoded = _core.compress(
        forest,
        (edge_scores if isinstance(edge_scores, Model) else edge_scores.at(rho)).core,
        guard=None if pins is None else pins.flags,
        k=k,
        rho=rho,
        beam=width,
        joint=objective is not Objective.MEAN,
        words=objective is Objective.WORDS,
        candidates=check_candidates(edge_scores.candidates) if order is Order.EXPECTED_F1 else 0,
        temperature=check_temperature(edge_scores.temperature),
        resolve=resolve_pronouns,
        limits=None if limits is None else limits.core,
    )
    advance(len(forest))
    return decoded


def _need_model(edge_scores: EdgeScores, method: Method) -> Model:
    if not isinstance(edge_scores, Model):
        raise LaconicError(f"the method {method} needs the maximum entropy scorer: use scorer='maxent'")
    return edge_scores
