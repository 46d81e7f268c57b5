"""The tables of `laconic.language` as the native core takes them."""

from __future__ import annotations

import atexit
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic.language import coreference, grammar, word_lists
from laconic.parse import lemma_id, scheme


@dataclass(frozen=True, slots=True)
class Tables:
    """Everything that the transformation knows of a language; the core reads the fields by their names."""

    roles: NDArray[np.uint8]  # by label
    tags: NDArray[np.uint16]  # by tag
    entities: NDArray[np.uint8]  # by entity type
    title_label: int
    adverbial_label: int
    expletive_label: int
    complementizer: int  # lemma ids
    copula: int
    genitive: int
    negations: NDArray[np.uint64]
    plural_forms: Sequence[str]
    before_participles: Sequence[str]
    contracted_copulas: Sequence[str]
    articles_before_consonant: Sequence[str]
    articles_before_vowel: Sequence[str]
    vowel_letters: Sequence[str]
    vowel_beginnings: Sequence[str]
    consonant_beginnings: Sequence[str]
    personal_relatives: Sequence[str]
    impersonal_verbs: Sequence[str]
    noun_kinds: NDArray[np.uint8]  # by tag
    name_kinds: NDArray[np.uint8]  # by entity type
    carried_labels: NDArray[np.uint8]  # by label
    known_words: NDArray[np.uint64]  # lemma ids
    word_kinds: NDArray[np.uint8]

    def to_bytes(self) -> bytes:
        """All that is in the tables, for a fingerprint of them."""
        return b"\0".join(_bytes(getattr(self, field.name)) for field in fields(self))


def make_tables() -> Tables:
    """The tables of English, indexed as in the scheme."""
    known = sorted((lemma_id(word), int(kind)) for word, kind in coreference.WORDS.items())
    return Tables(
        roles=_by_name(scheme.LABELS, grammar.ROLES, np.uint8),
        tags=_by_name(scheme.TAGS, grammar.TAGS, np.uint16),
        entities=_by_name(scheme.ENTITIES, grammar.ENTITIES, np.uint8),
        title_label=scheme.LABEL_ID[grammar.TITLE_LABEL],
        adverbial_label=scheme.LABEL_ID[grammar.ADVERBIAL_LABEL],
        expletive_label=scheme.LABEL_ID[grammar.EXPLETIVE_LABEL],
        complementizer=lemma_id(word_lists.COMPLEMENTIZER),
        copula=lemma_id(word_lists.COPULA),
        genitive=lemma_id(word_lists.GENITIVE),
        negations=np.array(sorted(map(lemma_id, word_lists.negations(word_lists.Denies.NODE))), dtype=np.uint64),
        plural_forms=word_lists.PLURAL_FORMS,
        before_participles=word_lists.BEFORE_PARTICIPLES,
        contracted_copulas=word_lists.CONTRACTED_COPULAS,
        articles_before_consonant=word_lists.ARTICLES_BEFORE_CONSONANT,
        articles_before_vowel=word_lists.ARTICLES_BEFORE_VOWEL,
        vowel_letters=word_lists.VOWEL_LETTERS,
        vowel_beginnings=word_lists.VOWEL_BEGINNINGS,
        consonant_beginnings=word_lists.CONSONANT_BEGINNINGS,
        personal_relatives=coreference.PERSONAL_RELATIVES,
        impersonal_verbs=coreference.IMPERSONAL_VERBS,
        noun_kinds=_by_name(scheme.TAGS, coreference.NOUNS, np.uint8),
        name_kinds=_by_name(scheme.ENTITIES, coreference.NAMES, np.uint8),
        carried_labels=_by_name(scheme.LABELS, dict.fromkeys(coreference.CARRIED, 1), np.uint8),
        known_words=np.array([word for word, _ in known], dtype=np.uint64),
        word_kinds=np.array([kind for _, kind in known], dtype=np.uint8),
    )


@lru_cache(maxsize=1)
def rules() -> _core.Rules:
    """The rules of English."""
    return _core.Rules(make_tables())


def _by_name(names: Sequence[str], table: Mapping[str, int], dtype: type[np.generic]) -> NDArray[Any]:
    return np.array([table.get(name, 0) for name in names], dtype=dtype)


def _bytes(value: Any) -> bytes:
    return value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode()


atexit.register(rules.cache_clear)  # no object of the core outlives the interpreter
