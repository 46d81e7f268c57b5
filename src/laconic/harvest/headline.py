"""A parsed headline, and the filters that need no parse."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from laconic.harvest.boilerplate import first_part, noise, noise_in_headline
from laconic.harvest.headline_words import NEGATIONS, Lemmas, is_content, is_optional, normalise
from laconic.harvest.reasons import Reason, UnfitError
from laconic.harvest.thresholds import Settings
from laconic.language.word_lists import QUESTION_WORDS

#: Matches lower-case and capitalised question words, but not "WHO", which is a name.
_QUESTION_WORDS: Final = "|".join(f"[{word[0].upper()}{word[0]}]{word[1:]}" for word in QUESTION_WORDS)
_QUESTION: Final = re.compile(rf"\?|^(?:{_QUESTION_WORDS})\b")
_WORD: Final = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A word of the headline that the compression must contain, with its possible lemmas."""

    form: str
    lemmas: frozenset[str]
    content: bool  # False: a number or similar, needed only if the sentence has it in the same position


@dataclass(frozen=True, slots=True)
class Headline:
    """A cleaned headline and its words."""

    text: str
    wanted: tuple[Wanted, ...]
    negated: bool


def read_headline(text: str, tokens: Sequence[str], lemmas: Lemmas) -> Headline:
    """The relevant words of a headline, which is already cleaned and tokenised."""
    wanted = []
    negated = False
    shouted = text.isupper()  # case then carries no information
    for token in tokens:
        word = normalise(token.lower() if shouted else token)
        negated |= word in NEGATIONS
        if is_content(word) or is_optional(word):
            wanted.append(Wanted(token, lemmas.of(token), is_content(word)))
    return Headline(text, tuple(wanted), negated)


def screen(headline: str, text: str, settings: Settings) -> None:
    """Refuse a cleaned pair that is unfit judging by its characters alone."""
    if not headline or not text:
        raise UnfitError(Reason.EMPTY)
    found = noise(first_part(text)) or noise_in_headline(headline)
    if found:
        raise UnfitError(found)
    if _QUESTION.search(headline):
        raise UnfitError(Reason.QUESTION)
    words = count_words(headline)
    if words < settings.min_words:
        raise UnfitError(Reason.SHORT_HEADLINE, f"{words} words")
    check_lengths(words, text, settings)


def check_lengths(headline_words: int, sentence: str, settings: Settings) -> None:
    """Refuse a sentence that is too short for its headline."""
    words = count_words(sentence)
    if words < settings.min_words:
        raise UnfitError(Reason.SHORT_SENTENCE, f"{words} words")
    if words < settings.min_ratio * headline_words:
        raise UnfitError(Reason.RATIO, f"{words} / {headline_words} words")


def check_missing(missing: list[str], settings: Settings) -> None:
    """Refuse a sentence that lacks too many content words of the headline."""
    if len(missing) > settings.max_missing:
        raise UnfitError(Reason.MISSING, ", ".join(missing))


def count_words(text: str) -> int:
    """The number of words that contain a letter or a digit."""
    return sum(_WORD.search(word) is not None for word in text.split())
