"""Boilerplate of news pages: what is removed around the text, and what marks a pair as noise.

Tables of patterns, each with an example; for another kind of noise, add a row.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Final

from laconic.harvest.reasons import Reason
from laconic.language.detect import is_english

_MONTH: Final = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_DAY: Final = rf"(?:[A-Z][a-z]+day\b|{_MONTH} )"
_AGENCY: Final = r"\([A-Z][\w.]*(?:[ /][A-Z][\w.]*){0,2}\)"
_CITY: Final = "(?:New Delhi|Mumbai|Washington|London|Islamabad|Kathmandu|Bengaluru|Kolkata|Chennai|Hyderabad)"

#: Matches what precedes the first sentence of a report, in this order; it is removed.
_DATELINES: Final = tuple(
    re.compile(pattern)
    for pattern in [
        # (CNN) …, (Bloomberg) -- …
        rf"^{_AGENCY}[ \-–—:]*",
        # Washington [US], March 6 (ANI): …
        rf"^[A-Z][\w'.\- ]{{1,30}}\[[A-Z][\w. ]{{1,20}}\],? (?:{_MONTH} \d{{1,2}} )?\([A-Z]{{2,5}}\):? *",
        # LONDON (Reuters) - …
        rf"^[A-Z][\w'.\-, ]{{1,40}}{_AGENCY} *(?:[-–—:]+ *)?",
        # NEW DELHI: …, PARIS, May 3 -- …
        rf"^(?=[A-Z]{{3}})[A-Z'.\-, ]{{3,40}}(?:, {_MONTH} \d{{1,2}})? *(?:--|[–—]|-(?= )|:) *",
        # Beijing, March 4 China's …
        rf"^[A-Z][a-z]+(?: [A-Z][a-z]+)?, {_MONTH} \d{{1,2}}[:,]? (?=[A-Z])",
        # AUSTIN, Texas Austin Public Health …
        r"^[A-Z]{3,}(?: [A-Z]{3,})*, (?:[A-Z][a-z]+\.?|[A-Z]{2}) (?=[A-Z][a-z])",
        # Feb. 28, 2022 -- …
        rf"^{_MONTH} \d{{1,2}}, \d{{4}} *(?:--|[–—-]) *",
        # Washington: …
        rf"^{_CITY}: ",
        # India News: …
        r"^(?:[A-Z][a-z]+ )?News: ",
    ]
)

#: Matches a photo credit before the first sentence; it is removed if no other text comes with it.
_CREDIT: Final = re.compile(
    r"^image (?:copyright|source),? ?(?:Getty Images|PA Media|Reuters|EPA|AFP|PA|BBC)(?:, |(?= [A-Z]))", re.I
)

#: Characters around a headline that are not part of it.
_EDGES: Final = " \"“”'‘’`:;-–—"
#: Matches the name of the paper after a headline: at most four words after a bar or a spaced dash.
_SOURCE: Final = re.compile(r"\s[|–—\-](?:\s[\w.'’&!]+){1,4}\??$")
#: Matches a label before a headline.
_LABEL: Final = re.compile(
    r"^(?:watch|video|photos?|pics|exclusive|breaking(?: news)?|live|listen|report|update)\s*[:|]\s*", re.I
)

_NOISE: Final = (
    # <ol><li>…, https://…
    (Reason.MARKUP, r"</?[a-z][a-z0-9]*[ >/]|https?://|www\.|[{}]|\.(?:com|co\.uk)/"),
    # Image source, Family handout Image caption …; (Photo: Microsoft) …; FILE PHOTO
    (
        Reason.PHOTO_CREDIT,
        r"\b(?:image|media|picture|photo|video) ?(?:copyright|source|caption|credits?|courtesy|via)\b|"
        r"\b(?:image|picture|photo)s? by (?-i:[A-Z])|"
        r"\bimage ?copyright|\bgetty images\b|\bphoto(?:graph)?s?:|\bfile (?:photo|pic|image)|\(photo\b|"
        r"\b(?:AFP|Reuters|AP|EPA|PTI) (?:photo|image|file)|\bshutterstock\b|©",
    ),
    # By Ann Lee, 12 May …; Written by …; Last updated on …
    (
        Reason.BYLINE,
        rf"^by\s+(?!{_DAY})(?-i:(?:[A-Z][\w'’.\-]+\s+){{1,3}}[A-Z(|,@\d])|\b(?:staff|contributing) writer\b|"
        r"^(?:written|reported|posted|published|updated|last updated|reporting|edited|words|story)\s+(?:by|on|at)\b",
    ),
    # Read more …, Sign up …, Follow live …, Feb 02, 2021, 20:02 IST …, The latest Tweet by …
    (
        Reason.PAGE_TEXT,
        r"\b(?:read more|click here|sign ?up|subscribe|newsletter|watch live|live (?:updates|score|blog|stream)|"
        r"scroll down|share this|follow us|join us|all rights reserved|terms of use|privacy policy|"
        r"affiliate commission|earn a commission|ball by ball|check out|stay tuned|this (?:article|story|post) |"
        r"find out (?:more|how|all)|here(?:'|’)?s (?:how|what|why|everything|all)|"
        r"download (?:the|our)|image gallery|in pictures|horoscope|latest tweet)\b|"
        r"source: ?\w+\.\w+|\d:\d\d ?(?:[ap]m )?IST|"
        r"^(?:watch|see|listen|follow|read|catch|discover|find|learn|welcome|check|meet) "
        r"(?:the|a|an|our|all|how|what|why|as|highlights|to|out|live|more|your|every|some|(?-i:[A-Z]))",
    ),
)
_PATTERNS: Final = tuple((reason, re.compile(pattern, re.I)) for reason, pattern in _NOISE)

_UNFINISHED: Final = re.compile(
    r"\.\.\.$|…$|[^.!?\"'”’)\]]$|\b(?:No|Mr|Mrs|Ms|Dr|St|vs|Gov|Sen|Rep|Prof|Gen|Lt|Sgt)\.$|"  # told the No.
    r"\b(?:a|an|new) U\.[SK]\.$|^[^\w\"'“‘$£€(\[]*[a-z]+\b"  # says a new U.S.; have confirmed that …
)
_SENTENCE_END: Final = re.compile(r"[.!?][\"'”’)]*\s+(?=[A-Z\"“‘(])")
_LETTER: Final = re.compile(r"[^\W\d_]")


def readings(headline: str) -> list[str]:
    """The possible readings of a headline: all of it, or the part after a topic and a colon.

    Each is stripped of a label before it, the name of the paper after it, and quotation marks around it.
    """
    whole = _LABEL.sub("", _SOURCE.sub("", _plain(headline))).strip(_EDGES)
    _, colon, rest = whole.partition(": ")
    return [whole, rest.strip(_EDGES)] if colon else [whole]


def clean_text(text: str, headline: str = "") -> str:
    """A text without the headline, photo credit and dateline before its first sentence."""
    text = _plain(text)
    repeated = _plain(headline)
    # A sentence that merely begins like the headline continues in lower case.
    if repeated and text.lower().startswith(repeated.lower()) and text[len(repeated) :].lstrip()[:1].isupper():
        text = text[len(repeated) :].lstrip()
    text = _CREDIT.sub("", text, count=1)
    for pattern in _DATELINES:
        text = pattern.sub("", text, count=1)
    return text.strip()


def _plain(text: str) -> str:
    return " ".join(unescape(text).split())


def first_part(text: str) -> str:
    """A text up to the apparent end of its first sentence; the filters need no exact boundary."""
    end = _SENTENCE_END.search(text, 20)
    return text if end is None else text[: end.start() + 1]


def noise(sentence: str) -> Reason | None:
    """The kind of noise that a sentence is, or None."""
    for reason, pattern in _PATTERNS:
        if pattern.search(sentence):
            return reason
    words = [word for word in sentence.split() if word[0].isalpha()]
    if len(words) > 5 and sum(word[0].isupper() for word in words) > 0.75 * len(words):
        return Reason.TITLE
    letters = _LETTER.findall(sentence)
    latin = sum(letter < "\u0250" for letter in letters)
    return Reason.FOREIGN if not letters or latin < 0.9 * len(letters) or not is_english(sentence) else None


def noise_in_headline(headline: str) -> Reason | None:
    """The kind of noise that a headline is, or None; a headline may contain "read" or "watch"."""
    found = (reason for reason, pattern in _PATTERNS if reason is not Reason.PAGE_TEXT and pattern.search(headline))
    return next(found, None)


def is_unfinished(sentence: str) -> bool:
    """Whether a sentence is cut off at its beginning or end."""
    return _UNFINISHED.search(sentence) is not None
