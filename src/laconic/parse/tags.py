"""HTML tags in a text: paired tags around words are tokens of their own, and brackets for the core.

The network reads a quotation mark in place of each tag, so models do not depend on this module.
"""

from __future__ import annotations

import re
from typing import Final

#: Tags whose pairs are inline markup; other tags are blocks or images, or are treated as text.
PAIRED_TAGS: Final = frozenset(
    "a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q s samp small span strong sub sup time tt u "
    "var".split()
)
#: The maximum number of characters of a tag.
_LONGEST: Final = 1000
_TAG: Final = re.compile(rf"<(/?)([A-Za-z][A-Za-z0-9-]*)(\s[^<>]{{0,{_LONGEST}}})?>")

#: Matches a word with tags around a part of it: "H<sub>2</sub>O", "m<sup>2</sup>".
_TAGGED_WORD: Final = re.compile(rf"\w*<({'|'.join(sorted(PAIRED_TAGS))})>\w+</\1>\w*")


def find_tags(text: str) -> list[tuple[int, int]]:
    """The spans of the paired tags around words in a text, in order; none if any tag is unpaired.

    Tags around a part of a word, as in "H<sub>2</sub>O", are not included.
    """
    found: set[tuple[int, int]] = set()
    opened: list[tuple[str, tuple[int, int]]] = []
    for tag in _TAG.finditer(text):
        name, span = tag[2].lower(), tag.span()
        if name not in PAIRED_TAGS:
            continue
        if not tag[1]:
            opened.append((name, span))
            continue
        if not opened or opened[-1][0] != name:
            return []
        _, opening = opened.pop()
        inside_word = text[max(opening[0] - 1, 0) : opening[0]].isalnum() or text[span[1] : span[1] + 1].isalnum()
        found |= set() if inside_word else {opening, span}
    return [] if opened else sorted(found)


def is_tag(word: str) -> bool:
    """Whether a word of a text is a tag."""
    return len(word) > 2 and word[0] == "<" and word[-1] == ">"


def is_tagged_word(word: str) -> bool:
    """Whether a word has tags around a part of it."""
    return "</" in word and _TAGGED_WORD.fullmatch(word) is not None
