"""Weights of sentences without a question: by their position, and by the topics of the documents.

The first sentence of a paragraph, which states its topic, counts more than those after it. So does a sentence with
terms of the document's topics: terms of headings, and the most frequent terms (Luhn 1958).
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable
from heapq import nsmallest
from typing import Final

from laconic.document.counted import AllCounted

#: The value of a character of a block that cannot be shortened, and the weight of a sentence's certain fact; chosen so
#: that characters of both have the same value on average.
_AS_IT_IS: Final = 0.4
_FACT: Final = 20.0
#: The discount of a sentence for each sentence before it in its paragraph.
_LATER: Final = 0.05
#: The maximum bonus of a sentence for topic terms, and the number of frequent terms that are topics in addition to
#: those of headings.
_ABOUT: Final = 0.3
_CENTRAL: Final = 12
#: Tags and addresses, which nobody sees, and how a block begins that may have some: badges, HTML, rows; code has none.
_UNSEEN: Final = re.compile(r"<[^<>]*>|\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_MARKED: Final = ("<", "[", "!", "|")


def weigh_by_facts(items: AllCounted) -> array[float]:
    """The weight of each item without a question."""
    weights, is_sentence = array("d"), bytearray()
    among: Counter[str] = Counter()
    headings: set[str] = set()
    for item in items:
        is_sentence.append(item.sentence is not None)
        weights.append(_FACT / (1 + _LATER * item.place) if is_sentence[-1] else _AS_IT_IS * _seen(item.text))
        terms = set(item.terms)
        among.update(terms)
        if item.level:
            headings |= terms
    central = _central(among, headings)
    about = array("d", (float(sum(central[term] for term in central.keys() & item.terms)) for item in items))
    most = max(about, default=0.0) or 1.0
    for i, own in enumerate(about):
        if is_sentence[i]:
            weights[i] *= 1 + _ABOUT * own / most
    return weights


def _seen(text: str) -> int:
    """How many characters of a block a reader sees."""
    return len(_UNSEEN.sub("", text) if text.lstrip().startswith(_MARKED) else text)


def _central(among: Counter[str], headings: Iterable[str]) -> dict[str, int]:
    """Topic terms with their weights, from the number of items that contain each term and the terms of headings."""
    several = [term for term, count in among.items() if count > 1]
    central = {term: among[term] for term in nsmallest(_CENTRAL, several, key=lambda term: (-among[term], term))}
    for heading in headings:
        central[heading] = central.get(heading, 1) + 1
    return central
