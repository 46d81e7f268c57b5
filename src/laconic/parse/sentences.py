"""Sentences: where they begin, by rules over the words of a text.

A sentence ends at a full stop, exclamation or question mark or ellipsis, with the closing quotes and brackets after it,
if what follows looks like a beginning. After an abbreviation or initial that takes a word that often begins a sentence
("in the U.S. The president"), after a title nothing does. In a text without capitals a full stop alone decides.

Lines: a blank line and a list item always begin a sentence. Else a line break does if the line before ends in final
punctuation, or if it was ended on purpose: the next line begins with no small letter and either its first word would
have fitted into the line, measured by the longest line around it, or lines that long (under 40 or over 120
characters) are not what an editor wraps. So hard-wrapped prose stays whole, and headlines, one a line, are cut apart,
but of two headlines the first of which is the longer the second looks like a continuation and is taken as one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Final

#: Abbreviations before a name: no sentence ends there.
TITLES: Final = frozenset(
    "adm ald amb assoc asst atty brig capt cf cllr cmdr col comdr cpl cpt det dr e.g fr gen gov hon i.e insp "
    "lt maj messrs mlle mme mr mrs ms mx ofc pfc pres prof pte pvt rep reps rev rt sen sens sgt supt v ven viz "
    "vs".split()
)

#: Abbreviations before a number.
NUMBERED: Final = frozenset("approx art ca ch circa est fig figs no nos op p para pp rs sec ver vol".split())

#: Abbreviations, as they are written, after which only a word that often begins a sentence does;
#: after one in small letters, any in capitals.
ABBREVIATIONS: Final = frozenset(
    "St Ft Mt Inc Corp Ltd Co Bros Jr Sr Jnr Snr Esq Ph.D Assn Dept Univ Inst Intl Natl Ave Blvd Rd Hwy Mfg Cos LLC "
    "Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Tues Thur Thurs "
    "Ala Ariz Ark Calif Colo Conn Del Fla Ga Ia Ida Ill Ind Kan Kans Ky La Mass Md Mich Minn Miss Mo Mont Neb Nebr Nev "
    "Okla Ore Pa Penn Tenn Tex Va Vt Wash Wis Wyo Ont Que Alta Sask etc al et seq incl excl max min resp tel ext inc "
    "ltd corp misc jan feb apr aug sept oct nov dec dept hrs mins".split()
)

#: Words that often begin a sentence and seldom go on with a name.
STARTERS: Final = frozenset(
    "a after all also although an and another are as at because before both but by can despite did do does during "
    "each even every following for from had has have he he's her here his how however i i'm if in instead is it it's "
    "its just last later like many meanwhile more moreover most my no not now officials on once one only or other our "
    "over people perhaps police she should since so some such than that that's the their then there these they this "
    "those though to today under until was we were what when where whether which while who why with would yet "
    "you your".split()
)

#: What may follow the hour in "at 5 p.m. Monday".
AFTER_HOURS: Final = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun january "
    "february march april may june july august september october november december jan feb mar apr jun jul aug sept "
    "sep oct nov dec est edt et cst cdt ct mst mdt mt pst pdt pt gmt bst utc cet ist aest eastern central mountain "
    "pacific london local".split()
)

#: Verbs of speech: "“Stop!” Ann said" goes on.
SPEECH: Final = frozenset(
    "added adds announced asked asks continued cried exclaimed explained joked recalled replied said say says shouted "
    "tells told tweeted writes wrote".split()
)

_FINAL: Final = frozenset(".!?…。！？｡")
_WIDE: Final = frozenset("。！？｡")
_GOING_ON: Final = _FINAL | frozenset(",;:-–—|/&%)]}")
_CLOSERS: Final = frozenset("\"'”’»)]}」』）】")
_OPENERS: Final = frozenset("\"'“‘«([{「『（【„‚`¡¿*_")
_LETTERS: Final = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_NOT_ME: Final = re.compile(r"I\w|\wI")
_HOURS: Final = frozenset({"a.m", "p.m"})
_NUMBER: Final = re.compile(r"[#№$£€]?\d|[IVXLC]+\b")
_NEWLINE: Final = re.compile(r"[\n\r\v\f\x85\u2028\u2029]")
_PARAGRAPH: Final = re.compile(r"\u2029|(?:\r\n|[\n\r\v\f\x85\u2028])[^\S\n\r\v\f\x85\u2028]*[\n\r\v\f\x85\u2028]")
_ITEM: Final = re.compile(r"(?:[-*•‣⁃◦▪–—·+]|\(?(?:\d{1,3}|[a-zA-Z])[.)])\s")
_WRAP: Final = range(40, 121)
_LOOK_AHEAD: Final = 4


def sentence_starts(text: str, starts: Sequence[int], ends: Sequence[int]) -> list[int]:
    """The numbers of the words that begin a sentence, in order; the first word always does.

    `starts` and `ends` are the spans of the words of `text`, as `laconic.parse.words` finds them.
    """
    if not starts:
        return []
    words = _Words(text, starts, ends)
    found = [0]
    at, count = 0, len(starts)
    while at < count:
        if text[ends[at] - 1] not in _FINAL:
            at += 1
            continue
        after = words.after_closers(at + 1)
        if after < count and words.begins(at, after, found[-1]):
            found.append(after)
        at = after
    if _NEWLINE.search(text):
        return sorted({*found, *words.line_starts()})
    return found


class _Words:
    """The words of a text, and what the rules ask about them."""

    def __init__(self, text: str, starts: Sequence[int], ends: Sequence[int]) -> None:
        self.text = text
        self.starts = starts
        self.ends = ends

    def word(self, at: int) -> str:
        return self.text[self.starts[at] : self.ends[at]] if 0 <= at < len(self.starts) else ""

    def spaced(self, at: int) -> bool:
        """Whether white space stands before a word."""
        return at == 0 or self.ends[at - 1] < self.starts[at]

    @cached_property
    def cased(self) -> bool:
        """Whether the text has capitals, apart from the word "I"."""
        return any(char.isupper() and char != "I" for char in self.text) or bool(_NOT_ME.search(self.text))

    def after_closers(self, at: int) -> int:
        """The first word that is neither a closing sign nor final punctuation in the same run."""
        while at < len(self.starts) and not self.spaced(at):
            word = self.word(at)
            if word[0] not in _CLOSERS and not (word[0] in _FINAL and word[-1] in _FINAL):
                break
            at += 1
        return at

    def begins(self, last: int, after: int, first: int) -> bool:
        """Whether a sentence begins with word `after`; `last` is final punctuation of the one that began at `first`."""
        mark = self.word(last)
        if mark[-1] in _WIDE:
            return True
        opening = after
        while opening < min(after + _LOOK_AHEAD, len(self.starts)) - 1 and self.word(opening)[0] in _OPENERS:
            opening += 1
        word = self.word(opening)
        glued = not self.spaced(after) and not (word[0].isupper() and self.word(last - 1)[-1:].islower())
        if glued or word[0] in _GOING_ON:  # "Yahoo!-owned", ". . .", "“Go!” – Ann Lee"
            return False
        if mark[-1] == ".":
            return self._after_stop(last, after, word, first)
        lower = self._small(after, word)
        if mark[-1] == "…":
            return not lower
        if after > last + 1 and self.text[self.ends[after - 1] - 1] not in _FINAL and self._speech(after):
            return False
        return not lower or not self.cased

    def _after_stop(self, last: int, after: int, word: str, first: int) -> bool:
        """Whether a full stop, which may belong to an abbreviation, ends a sentence before `word`."""
        mark = self.word(last)
        name = mark[:-1] if len(mark) > 1 else "" if self.spaced(last) else self.word(last - 1)
        lower = self._small(after, word)
        if name.endswith("."):  # an ellipsis
            return not lower
        key = name.lower()
        if after == last + 1:  # no closing sign after it
            if key in TITLES or (key in NUMBERED and _NUMBER.match(word)):
                return False
            if name.isdigit() and len(name) < 4 and (last - 1 == first or self._newline(last - 1)):  # "1. The point"
                return False
        if key in _HOURS:
            return word[0].isupper() and word.lower() not in AFTER_HOURS
        known = name in ABBREVIATIONS or (name.isupper() and name.capitalize() in ABBREVIATIONS)
        if known or (_LETTERS.fullmatch(name) and (len(name) > 1 or name.isupper())):
            small = known and name.islower()
            return (word[0].isupper() or not self.cased) and (word.lower() in STARTERS or (small and self.cased))
        unsure = key in NUMBERED or not name or (name[0].isupper() and len(name) < 5)
        return not (lower and unsure and self.cased)

    def _small(self, after: int, word: str) -> bool:
        """Whether a word is in small letters, which on a new line means nothing, and unlike "iPhone"."""
        return word.islower() and not self._newline(after)

    def _newline(self, at: int) -> bool:
        """Whether a word begins a line."""
        return at == 0 or bool(_NEWLINE.search(self.text, self.ends[at - 1], self.starts[at]))

    def _speech(self, at: int) -> bool:
        """Whether someone is said to have spoken: "Ann Lee said"."""
        following = [self.word(i) for i in range(at, at + _LOOK_AHEAD)]
        verb = next((i for i, word in enumerate(following) if word.lower() in SPEECH), None)
        return verb is not None and all(word[:1].isupper() or word.lower() in STARTERS for word in following[:verb])

    def line_starts(self) -> list[int]:
        """Words that begin a line that begins a sentence."""
        found: list[int] = []
        block: list[int] = [0]  # first words of the lines of a paragraph
        for at in range(1, len(self.starts)):
            gap = self.text[self.ends[at - 1] : self.starts[at]]
            if gap in ("", " ") or not _NEWLINE.search(gap):
                continue
            if _PARAGRAPH.search(gap):
                found += [at, *self._lines(block, at)]
                block = []
            block.append(at)
        return found + self._lines(block, len(self.starts))

    def _lines(self, block: Sequence[int], end: int) -> list[int]:
        """Lines of a paragraph that begin a sentence; `block` has the first word of each, `end` is after the last."""
        if len(block) < 2:
            return []
        lasts = [at - 1 for at in (*block[1:], end)]
        widths = [self.ends[last] - self.starts[at] for at, last in zip(block, lasts, strict=True)]
        widest = max(widths)
        wrapped = widest in _WRAP
        found: list[int] = []
        capital = [not self.word(at)[0].islower() for at in block]
        early = [width + 1 + len(self.word(at)) <= widest for width, at in zip(widths, block[1:], strict=False)]
        listed = all(capital) and any(early)
        for line in range(1, len(block)):
            at = block[line]
            tail = self.text[self.ends[at - 1] - 1]
            chosen = capital[line] and tail not in ",-–—" and (not wrapped or early[line - 1] or listed)
            if chosen or _ITEM.match(self.text, self.starts[at]):
                found.append(at)
        return found
