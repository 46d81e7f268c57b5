"""Sentence boundaries, by rules over the words of a text.

A sentence ends at a full stop, exclamation mark, question mark or ellipsis, with the closing quotes and brackets after
it, if what follows looks like a beginning. After an abbreviation or initial, only a word that often begins a sentence
does ("in the U.S. The president"); after a title, no sentence begins. In a text without capitals, a full stop alone
ends a sentence. Reference marks, smileys and closing quotes surrounded by spaces belong to the sentence before them
("It rained. [1] Then"). No sentence ends inside a word, so names of programs, files, hosts and versions are not split
(`laconic.parse.words`).

Lines: a sentence always begins after a blank line and at a list item. At another line break, one begins if the previous
line ends in final punctuation, or if the break is intended. It is intended if the next line does not begin with a
lower-case letter, and either the first word of that line would have fitted (into the longest line nearby), or lines are
shorter or longer than editors wrap them (under 40 or over 120 characters). So hard-wrapped prose stays together, and
headlines, one a line, are separated; but a headline after a longer one is taken for its continuation.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from typing import Final

from laconic.language.word_set import word_set
from laconic.parse.tags import is_tag
from laconic.parse.texts import Spans, is_inside

#: Abbreviations before a name; no sentence ends after them.
TITLES: Final = word_set("""
    adm ald amb assoc asst ass't atty brig capt cdr cf cllr cmdr col comdr cpl cpt det dr e.g fr gen gov hon i.e insp
    lieut lt maj messrs mgr mlle mme mr mrs ms msgr mx ofc pfc pres prof pte pvt rep reps rev rt sen sens sgt supt v
    ven viz vs
""")

#: Abbreviations before a number.
NUMBERED: Final = word_set("""
    approx art c ca ch chap circa eq eqs est fig figs no nos nr op p par para pop pp ref refs rs sec sect tab ver vol
    vols
""")

#: Abbreviations after a number; no sentence ends after them before a lower-case word or a number.
MEASURES: Final = word_set("cu ft hr hrs in lb lbs mi min mins oz pt pts qt sec secs sq tbsp tsp yd yds")

#: Abbreviations, case-sensitive, after which only a word that often begins a sentence does; after lower-case ones, any
#: capitalised word does.
ABBREVIATIONS: Final = word_set("""
    St Ft Mt Inc Corp Ltd Co Bros Jr Sr Jnr Snr Esq Ph.D Assn Dept Univ Inst Intl Natl Ave Blvd Rd Hwy Mfg Cos LLC
    Apt Bldg Ct Ln Pkwy Pl Plc Pty Sq Ste M.Sc B.Sc M.Phil D.Phil Ed.D
    Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri Sat
    Ala Ariz Ark Calif Colo Conn Del Fla Ga Ia Ida Ill Ind Kan Kans Ky La Mass Md Mich Minn Miss Mo Mont Neb Nebr Nev
    Okla Ore Pa Penn Tenn Tex Va Vt Wash Wis Wyo Ont Que Alta Sask etc al et seq incl excl max min resp tel ext inc
    ltd corp misc jan feb apr aug sept oct nov dec dept govt ed eds hrs mins
""")

#: Words that often begin a sentence and seldom continue a name.
STARTERS: Final = word_set("""
    a after all also although an and another are as at because before both but by can despite did do does during
    each even every following for from had has have he he's her here his how however i i'm if in instead is it it's
    its just last later like many meanwhile more moreover most my next no not now officials on once one only or
    other our over people perhaps please police she should since so some such than that that's the their then there
    these they this those though to today under until was we were what when where whether which while who why with
    would yet  you your
""")

#: Words that may follow the hour in "at 5 p.m. Monday".
AFTER_HOURS: Final = word_set("""
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun january
    february march april may june july august september october november december jan feb mar apr jun jul aug sept
    sep oct nov dec est edt et cst cdt ct mst mdt mt pst pdt pt gmt bst utc cet ist aest eastern central mountain
    pacific london local
""")

#: Verbs of speech: the sentence continues in "“Stop!” Ann said".
SPEECH: Final = word_set("""
    added adds announced asked asks continued cried exclaimed explained joked recalled replied said say says shouted
    tells told tweeted writes wrote
""")

#: Nouns before a single letter that is a name, not an initial: "vitamin C. Doctors", "Plan B. Nobody".
LETTERED: Final = word_set("""
    appendix block category class factor figure gate grade group hepatitis item level line option part plan point
    section table team type vitamin zone
""")

#: Words before "I" as a pronoun, not an initial: "So did I. Nobody asked."
BEFORE_ME: Final = word_set("""
    am as can could did do does had have may might must nor should than was were will would
""")

#: Nouns before a number at the beginning of a title, where the full stop belongs to the number: "Figure 3. The valley".
LABELS: Final = word_set("""
    appendix article box chapter example exhibit exercise fig figure item lemma part section step table
    theorem
""")

#: Remarks in square brackets after a sentence, apart from numbers.
REMARKS: Final = word_set("""
    applause better citation clarification dubious inaudible laughing laughs laughter note pause sic smiles
""")

_FINAL: Final = frozenset(".!?…。！？｡")
_UNSURE: Final = frozenset("]0123456789()D")  # words that end in one of these may contain final punctuation
_WIDE: Final = frozenset("。！？｡")
_JOINING: Final = frozenset({"and", "or", "but"})
_DASHES: Final = frozenset("-–—")
_GOING_ON: Final = _FINAL | frozenset(",;:-–—|/&%)]}")
_CLOSERS: Final = frozenset("\"'”’»)]}」』）】")
_OPENERS: Final = frozenset("\"'“‘«([{「『（【„‚`¡¿*_")
_QUOTES: Final = frozenset("\"'")  # the same sign opens and closes
_LETTERS: Final = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_SMILE: Final = re.compile(r"[:;=]['^o-]?[()\]DPp3/|]+|<3+|\(-?[:;]")
_MARKED: Final = re.compile(r"[.!?…](?=\[)|[a-z]{4}[.!?](?=\d{1,3}\Z)")  # before a mark inside the word
_REFERENCE: Final = re.compile(r"\^?\d{1,4}(?:[,–-]\d{1,4})*|[a-z]")
_MARKER: Final = re.compile(r"\d{1,3}(?:\.\d{1,3})*|[a-zA-Z]|[ivx]{2,4}|[IVX]{2,4}")
_NOT_ME: Final = re.compile(r"I\w|\wI")
_HOURS: Final = frozenset({"a.m", "p.m"})
_NUMBER: Final = re.compile(r"[#№$£€]?\d|[IVXLC]+\b")
_NEWLINE: Final = re.compile(r"[\n\r\v\f\x85\u2028\u2029]")
_PARAGRAPH: Final = re.compile(
    r"\u2029|(?:\r\n|\r(?!\n)|[\n\v\f\x85\u2028])[^\S\n\r\v\f\x85\u2028]*[\n\r\v\f\x85\u2028]"
)
_ITEM: Final = re.compile(r"(?:[-*•‣⁃◦▪–—·+]|\(?(?:\d{1,3}|[a-zA-Z])[.)])\s")
_WRAP: Final = range(40, 121)
_LOOK_AHEAD: Final = 4


def sentence_starts(text: str, starts: Sequence[int], ends: Sequence[int], whole: Spans = ()) -> list[int]:
    """The indices of the words that begin a sentence, in order; the first word always does.

    `starts` and `ends` are the spans of the words of `text`, as found by `laconic.parse.words`. No sentence begins
    inside the spans in `whole`.
    """
    if not starts:
        return []
    words = _Words(text, starts, ends)
    found = [0]
    at, count = 0, len(starts)
    while at < count:
        last = text[ends[at] - 1]
        if last not in _FINAL and not (last in _UNSURE and words.mark(at)):
            at += 1
            continue
        after = words.after_closers(at + 1, found[-1])
        if after < count and words.begins(at, after, found[-1]):
            found.append(after)
        at = after
    if _NEWLINE.search(text):
        found = sorted({*found, *words.line_starts()})
    return [at for at in found if not is_inside(starts[at], whole)] if whole else found


def often_begins(word: str) -> bool:
    """Whether a word often begins a sentence, so that even a missing space before it may be a sentence boundary."""
    return word.lower() in STARTERS


class _Words:
    """The words of a text, with the tests that the rules need."""

    def __init__(self, text: str, starts: Sequence[int], ends: Sequence[int]) -> None:
        self.text = text
        self.starts = starts
        self.ends = ends

    def word(self, at: int) -> str:
        """A word; HTML tags are read as brackets."""
        found = self.text[self.starts[at] : self.ends[at]] if 0 <= at < len(self.starts) else ""
        return found if not is_tag(found) else ")" if found[1] == "/" else "("

    def spaced(self, at: int) -> bool:
        """Whether white space, or nothing, precedes a word."""
        return at in (0, len(self.starts)) or self.ends[at - 1] < self.starts[at]

    @cached_property
    def cased(self) -> bool:
        """Whether the text has capitals, apart from the word "I"."""
        return any(char.isupper() and char != "I" for char in self.text) or bool(_NOT_ME.search(self.text))

    @cached_property
    def quotes(self) -> dict[str, list[int]]:
        """The indices of words that are quotation marks whose opening and closing forms are equal."""
        found: dict[str, list[int]] = {quote: [] for quote in _QUOTES}
        for at, start in enumerate(self.starts):
            if self.ends[at] == start + 1 and self.text[start] in found:
                found[self.text[start]].append(at)
        return found

    def mark(self, at: int) -> str:
        """A word up to its final punctuation, which a reference mark may follow ("fell.[1]"); or a smiley; else ""."""
        word = self.word(at)
        if word[-1] in _FINAL:
            return word
        marked = _MARKED.search(word)
        return word[: marked.end()] if marked else word if _SMILE.fullmatch(word) else ""

    def after_closers(self, at: int, first: int) -> int:
        """The first word after everything that belongs to the end of the sentence that began at `first`.

        That is closing signs and final punctuation in the same run, and separate reference marks, remarks and the like.
        """
        while at < len(self.starts):
            word = self.word(at)
            closer = word[0] in _CLOSERS and not word[-1].isalnum()  # not all of "”$5.3"
            closing = not self.spaced(at) and (closer or (word[0] in _FINAL and word[-1] in _FINAL))
            following = at + 1 if closing else self._after_apart(at, first)
            if following == at:
                break
            at = following
        return at

    def _after_apart(self, at: int, first: int) -> int:
        """The word after a separate sign that belongs to the sentence before it; `at` itself if there is none."""
        word = self.word(at)
        if word[0].isalnum() or self._newline(at):
            return at
        if word == "[":
            end = next((end for end in range(at + 2, at + _LOOK_AHEAD + 2) if self.word(end)[:1] == "]"), at - 1)
            inside = self.word(at + 1)
            looks_back = _REFERENCE.fullmatch(inside) or inside.lower() in REMARKS
            return end + 1 if looks_back and (self.spaced(end + 1) or self.word(end + 1) == "[") else at
        if not self.spaced(at) or not self.spaced(at + 1):
            return at
        if word in _QUOTES:
            own = self.quotes[word]
            since_text = bisect_left(own, at)
            is_open = since_text % 2 or (since_text - bisect_left(own, first)) % 2  # open in text or sentence
            return at + 1 if is_open or at + 1 == len(self.starts) else at
        icon = unicodedata.category(word[0]) == "So"
        return at + (icon or word in _CLOSERS or _SMILE.fullmatch(word) is not None)

    def begins(self, last: int, after: int, first: int) -> bool:
        """Whether a sentence begins with word `after`; `last` is the end mark of the sentence that began at `first`."""
        mark = self.mark(last)
        if mark[-1] in _WIDE:
            return True
        opening = after
        while opening < min(after + _LOOK_AHEAD, len(self.starts)) - 1 and self.word(opening)[0] in _OPENERS:
            opening += 1
        word = self.word(opening)
        glued = (
            not self.spaced(after)
            and (
                self.text[self.starts[after] - 1].isalnum()  # "Friday.3M"
                or not (word[0].isupper() and self.word(last - 1)[-1:].islower())
            )
        )
        dash = mark == "." and after == last + 1 and word in _DASHES and self._begins_behind(opening + 1)
        if glued or (word[0] in _GOING_ON and not dash):  # "Yahoo!-owned", ". . .", "“Go!” – Ann Lee"
            return False
        match mark[-1]:
            case ".":
                return self._after_stop(last, after, word, first)
            case "…":
                return not self._small(after, word)
            case "!" | "?":
                return self._after_cry(last, after, word)
            case _:  # a smiley
                return word[0].isupper() and often_begins(word)

    def _begins_behind(self, at: int) -> bool:
        """Whether the dash before this word begins a list item, and does not introduce the source of a quotation."""
        word = self.word(at)
        return self.spaced(at) and (word[:1].islower() or often_begins(word))

    def _after_cry(self, last: int, after: int, word: str) -> bool:
        """Whether an exclamation or question mark ends a sentence before `word`."""
        if after > last + 1 and self.text[self.ends[after - 1] - 1] not in _FINAL and self._speech(after):
            return False
        if self._small(after, word) and self.cased:  # not "Yahoo! shares", or "“Go!” he said"
            return after == last + 1 and self.word(last - 1)[:1].islower() and word not in _JOINING
        return True

    def _after_stop(self, last: int, after: int, word: str, first: int) -> bool:
        """Whether a full stop, which may belong to an abbreviation, ends a sentence before `word`."""
        mark = self.mark(last)
        before = last - 1 if len(mark) == 1 else last  # index of the word that the stop belongs to
        name = mark[:-1] if len(mark) > 1 else "" if self.spaced(last) else self.word(before)
        lower = self._small(after, word)
        if name.endswith("."):  # an ellipsis
            return not lower
        key = name.lower()
        if after == last + 1 and (key in TITLES or self._is_numbered(name, before, word, first)):
            return False
        if key in _HOURS:
            return word[0].isupper() and word.lower() not in AFTER_HOURS
        known = name in ABBREVIATIONS or (name.isupper() and name.capitalize() in ABBREVIATIONS)
        if known or (_LETTERS.fullmatch(name) and (len(name) > 1 or name.isupper())):
            small = known and name.islower()
            starts = word[0].isupper() or not self.cased
            sure = often_begins(word) or (small and self.cased) or (not known and self._is_no_initial(name, before))
            return starts and sure
        if key in MEASURES and self.word(before - 1)[:1].isdigit() and (lower or word[0].isdigit()):
            return False
        unsure = key in NUMBERED or not name or name.isdigit() or (name[0].isupper() and len(name) < 5)
        return not (lower and unsure and self.cased)

    def _is_numbered(self, name: str, at: int, word: str, first: int) -> bool:
        """Whether the stop after a name precedes a number ("No. 5") or follows one ("1. The point", "Figure 3. A")."""
        if name.lower() in NUMBERED and _NUMBER.match(word):
            return True
        labelled = at == first + 1 and self.word(first).lower() in LABELS
        return (at == first or labelled or self._newline(at)) and _MARKER.fullmatch(name) is not None

    def _is_no_initial(self, letter: str, at: int) -> bool:
        """Whether a letter is not an initial, but a name ("vitamin C") or the pronoun ("so did I")."""
        before = self.word(at - 1).lower()
        return len(letter) == 1 and (before in LETTERED or (letter == "I" and before in BEFORE_ME))

    def _small(self, after: int, word: str) -> bool:
        """Whether a word is all lower case, unlike "iPhone", and not the first of a line, where case means nothing."""
        return word.islower() and not self._newline(after)

    def _newline(self, at: int) -> bool:
        """Whether a word begins a line."""
        return at == 0 or bool(_NEWLINE.search(self.text, self.ends[at - 1], self.starts[at]))

    def _speech(self, at: int) -> bool:
        """Whether the words name a speaker and a verb of speech: "Ann Lee said"."""
        following = [self.word(i) for i in range(at, at + _LOOK_AHEAD)]
        verb = next((i for i, word in enumerate(following) if word.lower() in SPEECH), None)
        return verb is not None and all(word[:1].isupper() or word.lower() in STARTERS for word in following[:verb])

    def line_starts(self) -> list[int]:
        """The first words of lines that begin a sentence."""
        found: list[int] = []
        block: list[int] = [0]  # first words of the lines of the current paragraph
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
        """Lines of a paragraph that begin a sentence; `block` has the first words of lines, `end` is after the last."""
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
