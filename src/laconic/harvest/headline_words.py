"""Words of headlines: which must be found in the sentence, and which words of the sentence match them.

Headlines are hard to tag, so no word class is assigned: words that are neither numbers nor in the closed list are
content words (nouns, verbs, adjectives, adverbs). Two words match if they share a lemma in any of these classes, by the
rules and exceptions of the parser's own lemmatiser: "says" and "said", "feet" and "foot".
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from laconic.errors import LaconicError
from laconic.language.word_lists import CLOSED, DEGREES, HEADLINE_ACRONYMS, NUMBERS, Denies, negations

if TYPE_CHECKING:
    from spacy.language import Language

_CLASSES: Final = ("noun", "verb", "adj", "adv")

#: A headline and its sentence must both have one of these, or neither.
NEGATIONS: Final = negations(Denies.HEADLINE)


def normalise(form: str) -> str:
    """A word in lower case, with straight apostrophes and no full stops; "US", "U.S." and "WHO" keep their capitals."""
    bare = form.replace(".", "") or form
    word = bare.lower().replace("’", "'")
    return bare if bare in HEADLINE_ACRONYMS else word


def is_optional(word: str) -> bool:
    """Whether a word is needed only if the sentence has it: a number ("3", "5m") or a word of degree."""
    return word.lstrip("$£€#-+")[:1].isdigit() or word in NUMBERS or word in DEGREES


def is_content(word: str) -> bool:
    """Whether a normalised word is a content word."""
    return word not in CLOSED and not is_optional(word) and any(char.isalpha() for char in word)


class Lemmas:
    """All lemmas that a word may have in any class, by the tables of a spaCy pipeline's lemmatiser."""

    def __init__(self, nlp: Language) -> None:
        try:
            lookups: Any = nlp.get_pipe("lemmatizer").lookups  # type: ignore[attr-defined]
            tables = [lookups.get_table(f"lemma_{name}") for name in ("rules", "exc", "index")]
        except (KeyError, AttributeError) as error:
            raise LaconicError(
                f"the parser {nlp.meta.get('name')!r} has no lemmatiser with rules, which harvesting needs: "
                "use a pipeline that has one, like en_core_web_sm"
            ) from error
        self._rules, self._exceptions, self._index = tables
        self.of = lru_cache(maxsize=1 << 17)(self._of)

    def _of(self, form: str) -> frozenset[str]:
        word = normalise(form)
        found = {NUMBERS.get(word, word)}
        for name in _CLASSES:
            found.update(self._exceptions.get(name, {}).get(word, ()))
            index = self._index.get(name, {})
            for old, new in self._rules.get(name, ()):
                lemma = word[: len(word) - len(old)] + new
                if word.endswith(old) and lemma in index:
                    found.add(lemma)
        return frozenset(found if len(found) > 1 else found | _stems(word))


def _stems(word: str) -> set[str]:
    """Possible stems of a word that is not in the tables: "rebrands", "rebranded", "gutted"."""
    found = set()
    for suffix in ("s", "es", "ed", "d", "ing"):
        stem = word.removesuffix(suffix)
        if len(stem) < len(word) and len(stem) > 2 and any(char in "aeiouy" for char in stem):
            found.add(stem)
            if stem[-1] == stem[-2]:
                found.add(stem[:-1])
    return found
