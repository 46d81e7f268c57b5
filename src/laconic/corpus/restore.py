"""Restore text that a parser can read from the tokens of a lossy corpus.

The most accessible copy of the Google corpus is lower-cased, and has `##` for every token with a digit and `<unk>` for
rare words. Case is restored from tags; numbers and rare words are replaced by placeholders of the right shape.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from laconic.language.word_lists import ACRONYMS

Span = tuple[int, int]

#: Tokens without a space before them.
_CLOSING: Final = frozenset(
    [".", ",", ";", ":", "?", "!", ")", "]", "}", "''", "'s", "'m", "'re", "'ve", "'ll", "'d", "n't", "%", "...", "®",
     "™", "'t", "-", "/"]
)  # fmt: skip
#: Tokens without a space after them.
_OPENING: Final = frozenset(["(", "[", "{", "``", "$", "£", "€", "#", "-", "/", "¥"])

#: Stems of made-up names, which are not mistaken for other words.
_STEMS: Final = ("dravel", "torvin", "mendak", "korsel", "balten", "ravik", "selmor", "gandel", "perrin", "lorvak")
_SUFFIX: Final = {
    "NNS": "s", "NNPS": "s", "VBZ": "s", "VBD": "ed", "VBN": "ed", "VBG": "ing", "JJ": "ish", "RB": "ly", "JJS": "est",
    "JJR": "er",
}  # fmt: skip
_NUMBER: Final = {"CD": "12", "JJ": "12-year-old", "NNP": "B12", "NN": "B12", "NNS": "1990s", "NNPS": "B12s"}
_INITIALS: Final = re.compile(r"^(?:[a-z]\.)+[a-z]?$")
_VOWELLESS: Final = re.compile(r"^[bcdfghjklmnpqrstvwxz]{2,5}$")


def restore(tokens: Sequence[str], tags: Sequence[str], labels: Sequence[str]) -> tuple[str, list[Span], list[Span]]:
    """The text, the span of every token in it, and the spans of placeholders for unknown words."""
    parts: list[str] = []
    spans: list[Span] = []
    unknown: list[Span] = []
    length = 0
    glue = True  # whether no space precedes the next token
    for i, (token, tag) in enumerate(zip(tokens, tags, strict=True)):
        word = _word(tokens, tags, labels, i)
        closing_quote = token == "'" and tag in ("''", "POS")
        if not glue and token not in _CLOSING and not closing_quote:
            parts.append(" ")
            length += 1
        parts.append(word)
        spans.append((length, length + len(word)))
        if token == "<unk>":
            unknown.append(spans[-1])
        length += len(word)
        glue = token in _OPENING or (token == "'" and tag == "``")
    return "".join(parts), spans, unknown


def _word(tokens: Sequence[str], tags: Sequence[str], labels: Sequence[str], i: int) -> str:
    token, tag = tokens[i], tags[i]
    proper = tag in ("NNP", "NNPS")
    if token == "<unk>":
        word = _STEMS[(7 * i + len(tokens)) % len(_STEMS)] + _SUFFIX.get(tag, "")
    elif token == "##":
        word = "2012" if labels[i] == "pobj" and i > 0 and tokens[i - 1] == "in" else _NUMBER.get(tag, "12")
    elif proper and (token in ACRONYMS or _INITIALS.match(token) or _VOWELLESS.match(token)):
        return token.upper()
    else:
        word = token
    if word == "i" and tag == "PRP":
        return "I"
    if (proper or i == 0) and word[0].isalpha():
        return word[0].upper() + word[1:]
    return word
