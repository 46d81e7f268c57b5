"""What a likely answer is not understood without: who it speaks of, and what it announces."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Final

from laconic.document.counted import Counted

#: A sentence that counts at least this share of what the best one does may be the answer to a question, and where it
#: speaks of "her", the sentence that says who she is counts so much of it, at least.
LIKELY: Final = 0.3
_NAMING: Final = 0.1
#: What a likely answer announces with a colon counts so much of it, at least: code, a table, the items of a list.
_ANNOUNCED: Final = 0.3


def raise_antecedents(items: Iterable[Counted], weights: array[float]) -> None:
    """Makes the sentence count that names what a likely answer begins with a pronoun for: the nearest without one."""
    most = max(weights, default=0.0)
    naming = -1  # the last sentence of this paragraph that begins with no pronoun
    for i, item in enumerate(items):
        if not item.place:
            naming = -1
        if item.sentence is None or not item.sentence.refers:
            naming = i
        elif naming >= 0 and weights[i] >= LIKELY * most:
            weights[naming] = max(weights[naming], _NAMING * weights[i])


def raise_announced(items: Iterable[Counted], weights: array[float]) -> None:
    """Makes what a likely answer announces count: "Tests can be run with:", and what follows is code, or a list."""
    most = max(weights, default=0.0)
    announcing: list[tuple[int, Counted, Counted]] = []  # likely answers, with their numbers and what comes next
    last: tuple[int, Counted] | None = None  # such a one, where it is just before
    for i, item in enumerate(items):
        if last is not None:
            announcing.append((*last, item))
        announcing = [each for each in announcing if _is_announced(item, *each[1:])]
        for number, _, _ in announcing:
            weights[i] = max(weights[i], _ANNOUNCED * weights[number])
        is_likely = item.sentence is not None and item.text.endswith(":") and weights[i] >= LIKELY * most
        last = (i, item) if is_likely else None


def _is_announced(item: Counted, by: Counted, following: Counted) -> bool:
    """Whether something is part of what is announced: `following` is what comes next after what announces it."""
    if item.document != by.document or item.block == by.block:
        return False
    is_code = item.sentence is None and item.block == following.block
    return is_code or not (item.group < 0 or item.group != following.group or item.group == by.group)
