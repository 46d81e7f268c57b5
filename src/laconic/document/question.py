"""The question asked of a document: its terms, and the kinds of words that would answer it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from laconic.document.terms import terms
from laconic.errors import LaconicError
from laconic.language.questions import BY_NOUN, BY_WORD, HOW, NAMING
from laconic.parse import scheme
from laconic.parse.lemmas import lemma

if TYPE_CHECKING:
    from laconic.compressor import Compressor
    from laconic.document.relevance import Relevance


@dataclass(frozen=True, slots=True)
class Question:
    """A question in terms that can be compared with those of sentences."""

    text: str
    terms: frozenset[str]
    kinds: frozenset[int]  # indices of entity types that answer it; empty: any words may
    verbs: frozenset[str] = frozenset()  # its terms that are verbs
    nouns: frozenset[str] = frozenset()  # its terms that are nouns, without names

    @classmethod
    def read(cls, compressor: Compressor, text: str) -> Question:
        """Parse a question or keywords, as given by the option `query`."""
        parses = compressor.parser.parse([text])
        columns = (parses.start, parses.end, parses.tag)
        words = [
            (text[start:end], tag) for start, end, tag in zip(*(column.tolist() for column in columns), strict=True)
        ]
        lemmas = [lemma(form, scheme.TAGS[tag]).lower() for form, tag in words]
        tags = [scheme.TAGS[tag] for _, tag in words]
        own = [(term, tag) for term, tag in zip(terms(parses, text, 0, len(words)), tags, strict=True) if term]
        return cls(
            text,
            frozenset(term for term, _ in own),
            frozenset(scheme.ENTITY_ID[kind] for kind in _kinds(lemmas, tags)),
            verbs=frozenset(term for term, tag in own if tag.startswith("VB")),
            nouns=frozenset(term for term, tag in own if tag in ("NN", "NNS")),
        )


def read_question(compressor: Compressor, query: str | None, relevance: Relevance | None = None) -> Question | None:
    """The question, if one is asked; refuses `relevance` without a query."""
    if query is None:
        if relevance is not None:
            raise LaconicError("relevance scores sentences for a query: give a query, or leave out relevance")
        return None
    return Question.read(compressor, query)


def _kinds(lemmas: list[str], tags: list[str]) -> tuple[str, ...]:
    """The entity types that answer the question, by its first word that asks for any."""
    for i, word in enumerate(lemmas):
        after = lemmas[i + 1] if i + 1 < len(lemmas) else ""
        if word in BY_WORD:
            return BY_WORD[word]
        if word == "how" and after in HOW:
            return HOW[after]
        if word in ("what", "which"):
            return BY_NOUN.get(_asked_noun(lemmas[i + 1 :], tags[i + 1 :]), ())
    return ()


def _asked_noun(lemmas: list[str], tags: list[str]) -> str:
    """The noun of "what noun", "what is the noun", "what is the name of the noun": the last of adjacent nouns."""
    found = ""
    for word, tag in zip(lemmas, tags, strict=True):
        if tag.startswith("NN"):
            found = "" if word in NAMING else word
        elif tag != "POS" and (found or (tag.startswith(("VB", "MD")) and word != "be")):
            break
    return found
