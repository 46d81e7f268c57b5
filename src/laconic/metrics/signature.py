"""The signature of a score: everything that could change the number, in one line.

No score is printed without its signature, and two scores are compared only if their signatures are equal:

    word_f1|words:multiset|case:lower|punct:no|tokens:laconic-en|gold:kept|avg:macro|n:1000|v:0.1.0
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from laconic.errors import LaconicError
from laconic.parse.words import TOKENS

#: The gold's words: those of the sentence that it keeps, or those that it prints. They differ if an antecedent is
#: printed in place of its pronoun.
GOLDS: Final = ("kept", "text")

_VALUE: Final = re.compile(r"[^\s|:]+")


def signature(metric: str, /, *, n: int, k: int = 1, **settings: str) -> str:
    """The signature of a metric with its settings, in order.

    `n` is the number of sentences; `k` the number of results per sentence, the best of which counts.
    """
    parts = {**settings, **({"k": str(k)} if k > 1 else {}), "n": str(n), "v": _version()}
    for value in (metric, *parts, *parts.values()):
        if not _VALUE.fullmatch(value):
            raise LaconicError(f"{value!r} cannot stand in a signature: use a word without spaces, | and :")
    return "|".join([f"best_of_{k}_{metric}" if k > 1 else metric, *(f"{key}:{value}" for key, value in parts.items())])


def word_f1_signature(*, n: int, types: bool = False, k: int = 1, tokens: str = TOKENS, gold: str = GOLDS[0]) -> str:
    """The signature of word F1, lower-cased and without punctuation; `types`: each different word counts once."""
    kind = "types" if types else "multiset"
    return signature("word_f1", n=n, k=k, words=kind, case="lower", punct="no", tokens=tokens, gold=gold, avg="macro")


def exact_signature(*, n: int, tokens: str = TOKENS, gold: str = GOLDS[0]) -> str:
    """The signature of the share of outputs whose words equal the gold's, including order."""
    return signature("exact", n=n, case="lower", punct="no", tokens=tokens, gold=gold, avg="macro")


def rate_signature(*, n: int, micro: bool = False) -> str:
    """The signature of the compression rate."""
    return signature("rate", n=n, unit="chars", avg="micro" if micro else "macro")


def room_signature(*, n: int) -> str:
    """The signature of the share of the allowed characters that is used."""
    return signature("room", n=n, unit="chars", most="1", avg="macro")


def tree_f1_signature(*, n: int, trees: str, k: int = 1, rank: int = 1) -> str:
    """The signature of the F1 of edges in the transformed tree. `trees` names the parser and the rules of the trees."""
    settings = {"edges": "unlabelled", "root": "yes", "gold": "closest-subtree", "trees": trees, "avg": "macro"}
    return signature("tree_f1", n=n, k=k, **settings, **({"rank": str(rank)} if rank > 1 else {}))


def interval_signature(base: str, *, samples: int, seed: int) -> str:
    """The signature of a score with its bootstrap interval."""
    return f"{base}|bs:{samples}|seed:{seed}"


def comparison_signature(base: str, *, trials: int, samples: int, seed: int) -> str:
    """The signature of a difference with its approximate randomisation test and bootstrap interval."""
    return f"{base}|ar:{trials}|bs:{samples}|seed:{seed}"


@lru_cache(maxsize=1)
def _version() -> str:
    from importlib.metadata import version

    return version("laconic")
