"""The reasons for rejecting a pair of headline and text, in the order of the filters."""

from __future__ import annotations

from enum import StrEnum

from laconic.bulk import rows


class Reason(StrEnum):
    """A reason for each filter; its value is printed by the table and by `--explain`."""

    # concerning the input
    UNREADABLE = rows.UNREADABLE
    TOO_LONG = rows.TOO_LONG
    DUPLICATE = rows.DUPLICATE
    EMPTY = "headline or text empty"
    # concerning the page around the text
    MARKUP = "markup or address"
    PHOTO_CREDIT = "photo credit"
    BYLINE = "byline"
    PAGE_TEXT = "page text (read more, sign up, live updates)"
    FOREIGN = "not English"
    TITLE = "title, not a sentence"
    # concerning the two lengths
    QUESTION = "headline is a question"
    SHORT_HEADLINE = "headline too short"
    SHORT_SENTENCE = "sentence too short"
    LONG_SENTENCE = "sentence too long"
    UNFINISHED = "sentence cut off"
    RATIO = "sentence not longer enough than headline"
    # concerning the words
    MISSING = "content word of the headline missing"
    NO_VERB = "headline has no verb"
    STARTS_WITH_VERB = "headline starts with a verb"
    ORDER = "content words in another order"
    # concerning the tree
    DISCONNECTED = "no subtree covers the headline"
    AMBIGUOUS = "too many ways to cover the headline"
    DANGLING = "relative clause without its noun"
    NO_SUBJECT = "verb without its subject"
    BARE_VERB = "verb without its object"
    NEGATION = "negation only in one of the two"
    LONG_COMPRESSION = "compression too long"


class UnfitError(Exception):
    """Raised by a filter that rejects a pair."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail
