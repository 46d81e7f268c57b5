"""Raise the weights of what likely answers need: sentences that name their referents, and what they announce."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Final

from laconic.document.counted import Counted

#: A sentence with at least this share of the highest weight is a likely answer. If it begins with a pronoun, the
#: sentence that names the antecedent gets at least the following share of its weight.
LIKELY: Final = 0.3
_NAMING: Final = 0.1
#: Code, tables or list items that a likely answer announces with a colon get at least this share of its weight.
_ANNOUNCED: Final = 0.3


def raise_antecedents(items: Iterable[Counted], weights: array[float]) -> None:
    """If a likely answer begins with a pronoun, raise the weight of the nearest earlier sentence that does not."""
    most = max(weights, default=0.0)
    naming = -1  # the last sentence of this paragraph that does not begin with a pronoun
    for i, item in enumerate(items):
        if not item.place:
            naming = -1
        if item.sentence is None or not item.sentence.refers:
            naming = i
        elif naming >= 0 and weights[i] >= LIKELY * most:
            weights[naming] = max(weights[naming], _NAMING * weights[i])


def raise_announced(items: Iterable[Counted], weights: array[float]) -> None:
    """Raise the weights of code or list items that a likely answer announces: "Tests can be run with:"."""
    most = max(weights, default=0.0)
    announcing: list[tuple[int, Counted, Counted]] = []  # likely answers that announce: index, item, next item
    last: tuple[int, Counted] | None = None  # the previous item, if it is such an answer
    for i, item in enumerate(items):
        if last is not None:
            announcing.append((*last, item))
        announcing = [each for each in announcing if _is_announced(item, *each[1:])]
        for number, _, _ in announcing:
            weights[i] = max(weights[i], _ANNOUNCED * weights[number])
        is_likely = item.sentence is not None and item.text.endswith(":") and weights[i] >= LIKELY * most
        last = (i, item) if is_likely else None


def _is_announced(item: Counted, by: Counted, following: Counted) -> bool:
    """Whether an item belongs to what `by` announces; `following` is the item right after `by`."""
    if item.document != by.document or item.block == by.block:
        return False
    is_code = item.sentence is None and item.block == following.block
    return is_code or not (item.group < 0 or item.group != following.group or item.group == by.group)
