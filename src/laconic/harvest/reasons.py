"""Why a pair of headline and text becomes no training item, in the order in which the filters are asked."""

from __future__ import annotations

from enum import StrEnum

from laconic.bulk import rows


class Reason(StrEnum):
    """One for each filter; the text is what the table and `--explain` print."""

    # of the input
    UNREADABLE = rows.UNREADABLE
    TOO_LONG = rows.TOO_LONG
    DUPLICATE = rows.DUPLICATE
    EMPTY = "headline or text empty"
    # of the page around the text
    MARKUP = "markup or address"
    PHOTO_CREDIT = "photo credit"
    BYLINE = "byline"
    PAGE_TEXT = "page text (read more, sign up, live updates)"
    FOREIGN = "not English"
    TITLE = "title, not a sentence"
    # of the two lengths
    QUESTION = "headline is a question"
    SHORT_HEADLINE = "headline too short"
    SHORT_SENTENCE = "sentence too short"
    LONG_SENTENCE = "sentence too long"
    UNFINISHED = "sentence cut off"
    RATIO = "sentence not longer enough than headline"
    # of the words
    MISSING = "content word of the headline missing"
    NO_VERB = "headline has no verb"
    STARTS_WITH_VERB = "headline starts with a verb"
    ORDER = "content words in another order"
    # of the tree
    DISCONNECTED = "no subtree covers the headline"
    AMBIGUOUS = "too many ways to cover the headline"
    DANGLING = "relative clause without its noun"
    NO_SUBJECT = "verb without its subject"
    BARE_VERB = "verb without its object"
    NEGATION = "negation only in one of the two"
    LONG_COMPRESSION = "compression too long"


class UnfitError(Exception):
    """Ends the way of a pair through the filters."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail
