"""Sentences that say again what another says: nearly the same terms, and no other number, name or denial.

Pairs are found without comparing all: sets that share most of their terms share one of the few rarest (prefix
filtering: Chaudhuri, Ganti & Kaushik 2006).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

#: Share of the terms of both that two sentences must have in common, and the fewest terms that can say the same.
_ALIKE: Final = 0.8
_FEWEST: Final = 4
#: A term that more sentences have among their rarest is no sign of a repetition.
_COMMON: Final = 64


def find_repeats(sentences: Sequence[Sequence[str]], firm: Sequence[frozenset[str]]) -> Iterator[tuple[int, int]]:
    """Pairs of sentences, the earlier one first, that say the same; `firm` are the terms that both must have.

    Sentences are given by their terms.
    """
    own = [frozenset(terms) for terms in sentences]
    among = Counter(term for terms in own for term in terms)
    having: dict[str, list[int]] = defaultdict(list)
    for i, terms in enumerate(own):
        if len(terms) < _FEWEST:
            continue
        ordered = sorted(terms, key=lambda term: (among[term], term))
        rarest = ordered[: len(terms) - math.ceil(_ALIKE * len(terms)) + 1]
        for j in sorted({j for term in rarest for j in having[term][:_COMMON]}):
            both = len(terms & own[j])
            if both >= _ALIKE * (len(terms) + len(own[j]) - both) and firm[i] == firm[j]:
                yield j, i
        for term in rarest:
            having[term].append(i)
