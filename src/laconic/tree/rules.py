"""The tables of `laconic.language` in the form that the native core takes."""

from __future__ import annotations

import atexit
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic.language import coreference, grammar, word_lists
from laconic.parse import lemma_id, scheme


class Tables:
    """All knowledge of English that the transformation uses; the core reads the attributes by name."""

    def __init__(self) -> None:
        self.roles = _by_name(scheme.LABELS, grammar.ROLES, np.uint8)
        self.tags = _by_name(scheme.TAGS, grammar.TAGS, np.uint16)
        self.entities = _by_name(scheme.ENTITIES, grammar.ENTITIES, np.uint8)
        self.title_label = scheme.LABEL_ID[grammar.TITLE_LABEL]
        self.adverbial_label = scheme.LABEL_ID[grammar.ADVERBIAL_LABEL]
        self.expletive_label = scheme.LABEL_ID[grammar.EXPLETIVE_LABEL]
        self.complementizer = lemma_id(word_lists.COMPLEMENTIZER)
        self.copula = lemma_id(word_lists.COPULA)
        self.genitive = lemma_id(word_lists.GENITIVE)
        negations = word_lists.negations(word_lists.Denies.NODE)
        self.negations = np.array(sorted(map(lemma_id, negations)), dtype=np.uint64)
        self.plural_forms = word_lists.PLURAL_FORMS
        self.before_participles = word_lists.BEFORE_PARTICIPLES
        self.contracted_copulas = word_lists.CONTRACTED_COPULAS
        self.articles_before_consonant = word_lists.ARTICLES_BEFORE_CONSONANT
        self.articles_before_vowel = word_lists.ARTICLES_BEFORE_VOWEL
        self.vowel_letters = word_lists.VOWEL_LETTERS
        self.vowel_beginnings = word_lists.VOWEL_BEGINNINGS
        self.consonant_beginnings = word_lists.CONSONANT_BEGINNINGS
        self.personal_relatives = coreference.PERSONAL_RELATIVES
        self.impersonal_verbs = coreference.IMPERSONAL_VERBS
        self.noun_kinds = _by_name(scheme.TAGS, coreference.NOUNS, np.uint8)
        self.name_kinds = _by_name(scheme.ENTITIES, coreference.NAMES, np.uint8)
        self.carried_labels = _by_name(scheme.LABELS, dict.fromkeys(coreference.CARRIED, 1), np.uint8)
        known = sorted((lemma_id(word), int(kind)) for word, kind in coreference.WORDS.items())
        self.known_words = np.array([word for word, _ in known], dtype=np.uint64)
        self.word_kinds = np.array([kind for _, kind in known], dtype=np.uint8)

    def to_bytes(self) -> bytes:
        """The content of all tables, for a digest."""
        return b"\0".join(map(_bytes, vars(self).values()))


@lru_cache(maxsize=1)
def rules() -> _core.Rules:
    """The rules of English."""
    return _core.Rules(Tables())


def _by_name(names: Sequence[str], table: Mapping[str, int], dtype: type[np.generic]) -> NDArray[Any]:
    """The table's entry for each name, by the number of the name; 0 if there is none."""
    return np.array([table.get(name, 0) for name in names], dtype=dtype)


def _bytes(value: Any) -> bytes:
    return value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode()


atexit.register(rules.cache_clear)  # no object of the core may outlive the interpreter
