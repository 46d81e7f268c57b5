"""One entry to all decoders: the k best compressions of a batch of parses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from laconic import _core
from laconic.decode.decoded import Decoded
from laconic.decode.options import (
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
from laconic.limits.budget import BUDGET_RHO
from laconic.parse import Parses, scheme
from laconic.score import Model, Probabilities
from laconic.tree.rules import make_rules

if TYPE_CHECKING:
    from laconic.limits.limits import BoundLimits

#: p_ret of the dummy root's edge to a relative clause within a budget, at most: no word F1 is lost on dev.
_RELATIVE_ROOT: Final = np.float32(0.01)


def decode(
    parses: Parses,
    scorer: Model | Probabilities,
    *,
    k: int = 1,
    method: Method | str = Method.TOPDOWN,
    objective: Objective | str | None = None,
    order: Order | str | None = None,
    rho: float | None = None,
    beam: int | None = None,
    limits: BoundLimits | None = None,
    resolve_pronouns: bool = False,
    advance: Callable[[int], None] = lambda _: None,
) -> Decoded:
    """The k best compressions of every sentence of a batch.

    Top-down, with or without the node subset scorer, is one call of the native core. What is left out – `objective`,
    `order`, `rho`, `beam` – is as the scorer has it; with the order `expected-f1`, and within limits, the objective is
    `joint`, and with a maximum the threshold is `BUDGET_RHO` and a relative clause hardly ever the root. A sentence
    that nothing fits for has no result. With `resolve_pronouns` a pronoun is printed as its antecedent where that is
    not kept. `advance` is told of sentences that are done.
    """
    check_k(k)
    method = check_method(method)
    check_limits(None if limits is None else limits.limits, method, resolve_pronouns)
    if rho is None and limits is not None and limits.limits.budget.has_maximum:
        rho = BUDGET_RHO
        if not resolve_pronouns:
            scorer = _prefer_main_clauses(parses, scorer)
    rho = check_rho(scorer.rho if rho is None else rho)
    if method is Method.ILP:
        from laconic.decode.ilp import decode_ilp

        for name, value in (("objective", objective), ("order", order)):
            if value is not None:
                raise LaconicError(f"{name} does not go with the method ilp: leave it out, or use the method topdown")
        model = _need_model(scorer, method)
        most = None if limits is None else limits.limits.budget.most
        max_chars = most if isinstance(most, int) else None
        return decode_ilp(parses, model, k=k, max_chars=max_chars, resolve_pronouns=resolve_pronouns, advance=advance)
    if objective is None:
        # The scores of the joint objective alone are log-probabilities, which an expectation needs.
        expects = method is Method.TOPDOWN and order is not None and check_order(order) is Order.EXPECTED_F1
        objective = Objective.JOINT if expects or limits is not None else scorer.objective
    objective = check_objective(objective)
    order = check_order(scorer.order if order is None else order)
    if order is Order.EXPECTED_F1 and objective is not Objective.JOINT:
        raise LaconicError(
            "the order expected-f1 needs log-probabilities, which the objective joint alone gives: use the method "
            "topdown with that objective, or the order score"
        )
    if limits is not None and objective is not Objective.JOINT:
        raise LaconicError("limits go with the objective joint, whose scores add up over the tree: leave out mean")
    width = 0
    if method is Method.NSS:
        model = _need_model(scorer, method)
        width = model.beam if beam is None else beam
        if objective is Objective.JOINT:
            raise LaconicError("the objective joint does not go with the method nss: use the objective mean or topdown")
    decoded = Decoded(
        *_core.compress(
            _core.Parses(*parses.columns()),
            make_rules(),
            (scorer if isinstance(scorer, Model) else scorer.at(rho)).core,
            k=k,
            rho=rho,
            beam=width,
            joint=objective is Objective.JOINT,
            candidates=check_candidates(scorer.candidates) if order is Order.EXPECTED_F1 else 0,
            temperature=check_temperature(scorer.temperature),
            resolve=resolve_pronouns,
            limits=None if limits is None else limits.core,
        )
    )
    advance(len(decoded.sentence_text))
    return decoded


def _prefer_main_clauses(parses: Parses, scorer: Model | Probabilities) -> Model | Probabilities:
    """With little room a relative clause may be all that the network would keep; without its noun it is no sentence."""
    if isinstance(scorer, Model):
        return scorer
    relative = parses.label == scheme.LABEL_ID["relcl"]
    capped = np.where(relative, np.minimum(scorer.root_retain, _RELATIVE_ROOT), scorer.root_retain)
    return replace(scorer, root_retain=capped)


def _need_model(scorer: Model | Probabilities, method: Method) -> Model:
    if not isinstance(scorer, Model):
        raise LaconicError(f"the method {method} needs the maximum entropy scorer: use scorer='maxent'")
    return scorer
