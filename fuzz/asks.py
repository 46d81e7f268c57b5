"""Random options for texts: budgets, constraints, levels and all others, sometimes impossible ones."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

KINDS = ("names", "numbers", "quotes", "negations", "PERSON", "GPE", "DATE", "MONEY", "ORG", "CARDINAL")
#: What one of the options might be by mistake; none of it may do harm.
MISTAKES: dict[str, Sequence[Any]] = {
    "k": (0, -1, "3", 1.5, None, True, 10**30),
    "max_chars": (0, -5, "20", 1.5, 10**30, math.nan, True),
    "min_words": (-1, "x", 10**30),
    "rate": (0, -1, 1.5, math.nan, math.inf, "half", True),
    "min_rate": (2, math.nan),
    "level": ("", "tiny", 3),
    "rho": (-1, 2, math.nan, "x"),
    "order": ("best", 1),
    "method": ("magic", None),
    "keep": ([""], [(5, 2)], [(-1, 4)], [3], 7, [(0, 10**12)]),
    "drop": ([(1,)], [None]),
    "keep_all": (["PLACE"], 3, [""]),
    "protect": ("[[", ("[[", "[["), 5),
    "language": ("de", 1),
    "max_tokens": (5,),  # without a tokenizer
    "no_such_option": (1,),
}


def halves(text: str) -> int:
    """A tokenizer: two characters each."""
    return (len(text) + 1) // 2


def pieces(text: str) -> list[str]:
    """A tokenizer whose tokens do not add up over words."""
    return [text[at : at + 4] for at in range(0, len(text), 4)]


def odd(text: str) -> Any:
    """A tokenizer that gives what is no number."""
    return "many" if len(text) % 3 else -1


UNITS: dict[str, Callable[[str], int]] = {
    "chars": len,
    "words": lambda text: len(text.split()),
    "bytes": lambda text: len(text.encode("utf-8", "replace")),
    "utf16": lambda text: len(text.encode("utf-16-le", "surrogatepass")) // 2,
    "tokens": halves,
}


def count_with(tokenizer: Callable[[str], Any]) -> Callable[[str], int]:
    def count(text: str) -> int:
        found = tokenizer(text)
        return found if isinstance(found, int) else len(found)

    return count


def make_budget(rng: random.Random, text: str) -> dict[str, Any]:
    """A length that some texts like this one can have."""
    if rng.random() < 0.25:
        rate = round(rng.random(), 3) or 0.001
        return {"rate": rate} if rng.random() < 0.8 else {"rate": rate, "min_rate": rate * rng.random()}
    asked: dict[str, Any] = {}
    # Tokens are counted in Python, again for every candidate: they take as long as all else.
    known = sorted(UNITS) if rng.random() < 0.25 else sorted(UNITS.keys() - {"tokens"})
    units = rng.sample(known, 2 if rng.random() < 0.1 else 1)
    for unit in units:
        whole = max(UNITS[unit](text), 1)
        most = max(1, int(whole * rng.choice((0.1, 0.3, 0.5, 0.5, 0.7, 0.9, 1, 1.5)) + rng.randint(-1, 1)))
        if unit == "tokens":
            asked["tokenizer"] = odd if rng.random() < 0.02 else rng.choice((halves, pieces))
        if len(units) > 1 or rng.random() < 0.85:
            asked[f"max_{unit}"] = most
        if len(units) == 1 and (f"max_{unit}" not in asked or rng.random() < 0.2):
            asked[f"min_{unit}"] = rng.randrange(most + 1)
    return asked


def make_constraints(rng: random.Random, text: str) -> dict[str, Any]:
    words = text.split() or ["x"]
    asked: dict[str, Any] = {}
    for name in rng.sample(("keep", "drop", "keep_all", "drop_all"), rng.choice((1, 1, 2))):
        if name.endswith("all"):
            asked[name] = rng.sample(KINDS, rng.choice((1, 1, 2)))
        elif rng.random() < 0.15:
            start = rng.randrange(len(text) + 1)
            asked[name] = [(start, start + rng.randint(0, 12))]
        else:
            at = rng.randrange(len(words))
            phrase = " ".join(words[at : at + rng.choice((1, 1, 2))])
            asked[name] = [phrase if rng.random() < 0.3 else phrase.strip('.,;:!?()[]"“”') or "a"]
    return asked


def make_limits(rng: random.Random, text: str) -> dict[str, Any]:
    """Limits alone, as documents have them."""
    asked = make_budget(rng, text)
    if rng.random() < 0.25:
        asked |= make_constraints(rng, text)
    return asked


def make_options(rng: random.Random, text: str, *, plain: bool) -> dict[str, Any]:
    """Random options for texts; `plain` leaves out the method of the paper."""
    asked: dict[str, Any] = {"k": rng.choice((1, 1, 1, 2, 5, 20))}
    if rng.random() < 0.6:
        asked |= make_budget(rng, text)
        if rng.random() < 0.3:
            asked["nearest"] = True
        if rng.random() < 0.2:
            asked["each_sentence"] = True
    if rng.random() < 0.3:
        asked |= make_constraints(rng, text)
    if rng.random() < 0.4:
        asked["level"] = rng.choice(("light", "medium", "short", "headline"))
    for name, share, values in (
        ("guard", 0.15, (False,)),
        ("resolve_pronouns", 0.15, (True,)),
        ("explain", 0.15, (True,)),
        ("language", 0.5, ("any",)),
        ("order", 0.1, ("score", "expected-f1")),
        ("rho", 0.05, (0, 0.3, 0.6, 0.95, 1)),
        ("protect", 0.05, (("[[", "]]"),)),
    ):
        if rng.random() < share:
            asked[name] = rng.choice(values)
    if not plain and rng.random() < 0.3:
        asked["method"] = "nss"
    if rng.random() < 0.02:
        name = rng.choice(sorted(MISTAKES))
        asked[name] = rng.choice(MISTAKES[name])
    return asked
