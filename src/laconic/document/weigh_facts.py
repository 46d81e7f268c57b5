"""How much sentences count without a question: by their place, and by what the documents are about.

The first sentence of a paragraph, which says what it is about, counts more than those after it, and so does a sentence
with the terms that the document is about: those of its headings, and the most frequent ones (Luhn 1958).
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable
from heapq import nsmallest
from typing import Final

from laconic.document.counted import AllCounted

#: What a character of a block that cannot be shortened is worth, where a reader sees it, and what a word that is a fact
#: for certain is: so that a character of a sentence is worth as much, on average.
_AS_IT_IS: Final = 0.4
_FACT: Final = 20.0
#: How much less a sentence counts than the one before it in its paragraph.
_LATER: Final = 0.1
#: How much more a sentence counts that has more of what the document is about than any other, and how many terms are
#: what it is about, besides those of its headings.
_ABOUT: Final = 0.3
_CENTRAL: Final = 12
#: Tags and addresses, which nobody sees, and how a block begins that may have some: badges, HTML, rows; code has none.
_UNSEEN: Final = re.compile(r"<[^<>]*>|\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_MARKED: Final = ("<", "[", "!", "|")


def weigh_by_facts(items: AllCounted) -> array[float]:
    """What each counts for where nothing is asked."""
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
    """The terms that the documents are about, and how much; given is how much has each term, and those of headings."""
    frequent = nsmallest(_CENTRAL, among, key=lambda term: (-among[term], term))
    central = {term: among[term] for term in frequent if among[term] > 1}
    for heading in headings:
        central[heading] = central.get(heading, 1) + 1
    return central
