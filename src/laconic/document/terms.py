"""Terms: normalised content words, for which related words are equal ("found", "founder")."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from laconic.language.questions import STOP_WORDS
from laconic.parse import scheme
from laconic.parse.lemmas import lemma

if TYPE_CHECKING:
    from laconic.parse import Parses

#: Endings that distinguish words of one family; the longest one that leaves a stem is removed.
_ENDINGS: Final = tuple(
    sorted(
        """
        ization isation ations ation ments ment ness ingly ings ing edly ed ies ive ity ers er ors or ians ian ans an
        ist ism al ly es s e y ion ions ional ance ances ence ences ant ants ent ents able ible ous ic ical ically ize
        ise ized izing ate ates ated ary ery ual ially ful less ship hood
        """.split(),
        key=lambda ending: (-len(ending), ending),
    )
)
_STEM: Final = 4

_WORD: Final = re.compile(r"\w+")
_NOUN: Final = scheme.TAG_ID["NNS"]


@lru_cache(maxsize=200_000)
def term(form: str, tag: int) -> str:
    """The term of a word with a tag (index in the scheme); empty for function words."""
    word = lemma(form, scheme.TAGS[tag]).lower()
    if word in STOP_WORDS or not any(map(str.isalnum, word)):
        return ""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM:
            return word[: -len(ending)]
    return word


def terms(parses: Parses, text: str, first: int, last: int) -> list[str]:
    """The terms of tokens of a text, in order; empty strings for function words."""
    columns = (parses.start, parses.end, parses.tag)
    starts, ends, tags = (column[first:last].tolist() for column in columns)
    return [term(text[start:end], tag) for start, end, tag in zip(starts, ends, tags, strict=True)]


def unparsed_terms(source: str) -> list[str]:
    """The terms of text that is not parsed: a heading, code, a table, a message that is left unchanged."""
    found = (term(word, _NOUN) for word in _WORD.findall(source))
    return [each for each in found if each]
