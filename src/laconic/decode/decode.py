"""One entry to all decoders: the k best compressions of a batch of parses."""

from __future__ import annotations

from collections.abc import Callable

from laconic import _core
from laconic.decode.decoded import Decoded
from laconic.decode.options import Method, check_k, check_max_chars, check_method, check_resolve_pronouns, check_rho
from laconic.parse import Parses
from laconic.score import Model
from laconic.tree.rules import make_rules


def decode(
    parses: Parses,
    model: Model,
    *,
    k: int = 1,
    method: Method | str = Method.TOPDOWN,
    rho: float | None = None,
    beam: int | None = None,
    max_chars: int | None = None,
    resolve_pronouns: bool = False,
    advance: Callable[[int], None] = lambda _: None,
) -> Decoded:
    """The k best compressions of every sentence of a batch.

    Top-down, with or without the node subset scorer, is one call of the native core. The ILP takes `max_chars`; a
    sentence without a compression that fits has no result. With `resolve_pronouns` a pronoun is printed as its
    antecedent where that is not kept. `advance` is told of sentences that are done.
    """
    check_k(k)
    method = check_method(method)
    check_max_chars(max_chars, method)
    check_resolve_pronouns(resolve_pronouns, max_chars)
    rho = model.rho if rho is None else check_rho(rho)
    if method is Method.ILP:
        from laconic.decode.ilp import decode_ilp

        return decode_ilp(parses, model, k=k, max_chars=max_chars, resolve_pronouns=resolve_pronouns, advance=advance)
    width = (model.beam if beam is None else beam) if method is Method.NSS else 0
    core_parses = _core.Parses(*parses.columns())
    decoded = Decoded(*_core.compress(core_parses, make_rules(), model.core, k, rho, width, resolve_pronouns))
    advance(len(decoded.sentence_text))
    return decoded
