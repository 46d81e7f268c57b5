"""Find sentences that repeat another: nearly the same terms, and no other number, name or denial.

Text that two documents have word for word is a repetition even if it is short or no sentence.

Not all pairs are compared: sets that share most of their terms share one of their few rarest ones (prefix filtering:
Chaudhuri, Ganti & Kaushik 2006).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from laconic.document.counted import Counted

#: The share of both sentences' terms that must be in common, and the minimum number of terms.
_ALIKE: Final = 0.8
_FEWEST: Final = 4
#: Terms that are among the rarest of more sentences than this are ignored as evidence.
_COMMON: Final = 64


def find_repeats(
    sentences: Iterable[Sequence[str]], firm: Iterable[Callable[[], frozenset[str]]]
) -> Iterator[tuple[int, int]]:
    """Pairs of sentences that say the same, the earlier one first; `firm` finds the terms that both must have.

    Sentences are given by their terms, and iterated over twice: there may be too many to store.
    """
    among: Counter[str] = Counter()
    for sentence in sentences:
        among.update(frozenset(sentence))
    having: dict[str, list[int]] = defaultdict(list)  # by term: the first few sentences that have it among their rarest
    kept: dict[int, tuple[frozenset[str], frozenset[str]]] = {}  # the terms of those sentences, by index
    for i, (sentence, find_firm) in enumerate(zip(sentences, firm, strict=True)):
        terms = frozenset(sentence)
        shared = sum(among[term] > 1 for term in terms)
        if len(terms) < _FEWEST or shared < _ALIKE * len(terms):  # no other sentence has enough of them
            continue
        own = find_firm()
        ordered = sorted(terms, key=lambda term: (among[term], term))
        rarest = ordered[: len(terms) - math.ceil(_ALIKE * len(terms)) + 1]
        for j in sorted({j for term in rarest for j in having[term]}):
            other, others = kept[j]
            both = len(terms & other)
            if both >= _ALIKE * (len(terms) + len(other) - both) and own == others:
                yield j, i
        for term in rarest:
            if len(having[term]) < _COMMON:
                having[term].append(i)
                kept[i] = (terms, own)


def find_copies(items: Iterable[Counted]) -> Iterator[tuple[int, int]]:
    """Pairs of what two documents have word for word, by number, the earlier one first; not of headings."""
    having: dict[str, tuple[int, int]] = {}  # the first item of a text: its number, and that of its document
    for i, item in enumerate(items):
        fewest = _FEWEST if item.sentence is None else _FEWEST // 2  # the same words in the same order say more
        if item.level or len(frozenset(item.terms)) < fewest:
            continue
        number, document = having.setdefault(item.text, (i, item.document))
        if document != item.document:
            yield number, i
