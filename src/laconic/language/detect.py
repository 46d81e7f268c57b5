"""Detect whether a text is English, by its script and its function words.

A text is English unless there is evidence against it: names, code, lists and headings are. Evidence is a script other
than Latin; or function words of one other language, several of them and more than English ones; or words with letters
that English does not use.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from functools import lru_cache
from typing import Final

from laconic.language.languages import ENGLISH, FOREIGN, LOANS, NAME_PARTS

#: The number of characters at the beginning of a text that are examined.
_LOOKED_AT: Final = 4000
#: If this share of the words is found only in English, that suffices: no other language has so many of them.
_SURELY: Final = 0.2
#: The minimum evidence for another language, and the minimum number of distinct words; below, the minimum evidence per
#: English word, and per word of the text.
_LEAST: Final = 1.5
_DIFFERENT: Final = 2
_RATIO: Final = 1.5
_SHARE: Final = 0.15
#: The evidence of a word that also occurs in names, and of one with letters that English does not use.
_WEAK: Final = 0.5
#: Without a known language: the minimum share of words with such letters, and the minimum number of distinct ones.
_STRANGE: Final = 0.25
_STRANGE_LEAST: Final = 3
#: The minimum number of letters in another script.
_LETTERS: Final = 2

_WORD: Final = re.compile(r"[^\W\d_]+")

#: Matches addresses, paths and identifiers, whose parts are not words.
_ADDRESS: Final = re.compile(r"\S*[/@\\_]\S*|\w+(?:\.\w+)+")

#: Turns all ASCII characters but letters into spaces: faster than matching words.
_SPACED: Final = {code: " " for code in range(128) if not chr(code).isalpha()}

_ONLY_ENGLISH: Final = ENGLISH.difference(*FOREIGN.values())


def _by_word() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for code, words in FOREIGN.items():
        for word in words:
            found.setdefault(word, []).append(code)
    return found


#: The languages that each word occurs in.
_LANGUAGES: Final = _by_word()

#: Words that are evidence of another language, and not only of names.
_SURE: Final = frozenset(_LANGUAGES) - ENGLISH - NAME_PARTS

#: Matches letters that belong to no language: mathematical and phonetic symbols, full-width Latin letters.
_NO_SCRIPT: Final = re.compile("[\u00aa\u00b5\u00ba\u0250-\u02ff\u2100-\u214f\uff21-\uff5a\U0001d400-\U0001d7ff]")


def is_english(text: str) -> bool:
    """Whether there is no evidence that a text is in a language other than English."""
    return find_language(text) is None


def find_language(text: str) -> str | None:
    """The language of a text that is not English: a code, `other`, or the name of a script; None: it may be English.

    Only English is told apart reliably: of similar languages, the code may be that of any.
    """
    text = text[:_LOOKED_AT]
    if not text.isascii() and (script := _other_script(text)) is not None:
        return script
    ascii_only = text.isascii()
    lower = text.lower().translate(_SPACED).split() if ascii_only else _WORD.findall(text.lower())
    if ascii_only and _SURE.isdisjoint(lower):
        return None  # the usual case: no word is evidence enough (see `_other_language`)
    if len(_ONLY_ENGLISH.intersection(lower)) >= _SURELY * len(lower):
        return None
    words = _WORD.findall(_ADDRESS.sub(" ", text))
    lower = [word.lower() for word in words]
    if sum(word in _ONLY_ENGLISH for word in lower) >= _SURELY * len(words):
        return None
    # Capitalised words may be names ("Los Angeles"), unless most of the text is in capitals.
    if sum(word.isupper() for word in words) * 2 < len(words):
        lower = [low for i, (low, word) in enumerate(zip(lower, words, strict=True)) if low == word or not i]
    return _other_language(Counter(lower), len(words))


def _other_script(text: str) -> str | None:
    """The script of most letters, if it is not Latin."""
    # Ignore single letters, which may be symbols in a formula.
    words = [word for word in _WORD.findall(_NO_SCRIPT.sub("", text)) if len(word) > 1]
    letters = Counter(map(_script, "".join(words)))
    total = letters.total()
    if total < _LETTERS or letters["Latin"] * 2 > total:
        return None
    script, _ = letters.most_common(1)[0]
    return None if script == "Latin" else script


@lru_cache(maxsize=4096)
def _script(char: str) -> str:
    return "Latin" if _is_latin(char) else unicodedata.name(char, "other").split()[0].capitalize()


def _other_language(words: Counter[str], total: int) -> str | None:
    """The language with the most evidence, if there is enough."""
    strange = {word: count for word, count in words.items() if _is_strange(word)}
    evidence: defaultdict[str, float] = defaultdict(float)
    different: Counter[str] = Counter()
    sure: set[str] = set()  # languages with a word that does not occur in names
    for word, count in words.items():
        for code in _LANGUAGES.get(word, ()):
            evidence[code] += _WEAK * count if word in ENGLISH or word in NAME_PARTS else count
            different[code] += word not in ENGLISH
            sure |= {code} if word not in ENGLISH and word not in NAME_PARTS else set()
    for code in sorted(sure, key=lambda each: (-evidence[each], each)):
        # Words of both languages are no evidence.
        english = sum(count for word, count in words.items() if word in ENGLISH and word not in FOREIGN[code])
        found = evidence[code] + _WEAK * sum(count for word, count in strange.items() if word not in FOREIGN[code])
        kinds = different[code] + len(strange)
        if kinds >= _DIFFERENT and found >= max(_LEAST, _RATIO * english, _SHARE * total):
            return code
    english = sum(count for word, count in words.items() if word in ENGLISH)
    count = sum(strange.values())
    enough = len(strange) >= _STRANGE_LEAST and count >= max(_RATIO * english, _STRANGE * total)
    return "other" if enough else None


@lru_cache(maxsize=4096)
def _is_strange(word: str) -> bool:
    """Whether a word is in Latin script with letters that English does not use."""
    return not word.isascii() and word not in LOANS and all(map(_is_latin, word))


def _is_latin(char: str) -> bool:
    return char < "\u0250" or "\u1e00" <= char <= "\u1eff"
