"""Words: split raw text into word spans like spaCy's English tokeniser.

A text is split at white space, and each chunk by rules: punctuation is split off at both ends, sign by sign, until the
rest is a known form ("don't", "U.S.", ":-)") or has none; then the rest is split at hyphens and similar signs inside
it. The result depends on the chunk alone, so it is cached.

Intended differences from spaCy: contractions in capitals are split ("DO|N'T": a negation must not hide in a word); the
noun "wed", the day "Wed." and "5G" are not split; a full stop after a final single capital or unit is a word
("SpaceX|.", "5|m|."); an emoji stays whole with its skin tone, joiner and flag letters. A full stop between a
lower-case letter and a capital is split off if a space is missing ("over|.|The"), which only a word that often begins a
sentence shows, but not in the name of a program ("pandas.DataFrame"). A reference mark stays with what it is attached
to ("rain[2]", "fell|.[1]"), and paired HTML tags are words ("<b>|rain|</b>").
"""

from __future__ import annotations

import re
import unicodedata
from itertools import product
from typing import Final

from laconic.parse.runs import has_many_words, piece_size
from laconic.parse.sentences import often_begins
from laconic.parse.tags import find_tags, is_tagged_word

#: The name of this tokeniser in the signatures of scores.
TOKENS: Final = "laconic-en"

#: Unbroken runs of characters are split at this length, to bound the work for one chunk.
RUN: Final = 400

#: The maximum number of cached chunks, and their maximum length.
CACHE_CHUNKS: Final = 50_000
CACHE_CHARS: Final = 48

#: Abbreviations that keep their full stop.
ABBREVIATIONS: Final = frozenset(
    "Adm. Bros. Co. co. Corp. D.C. Dr. Gen. Gov. Inc. Jr. Ltd. Messrs. Mr. Mrs. Ms. Mt. Ph.D. Prof. Rep. Rev. Sen. "
    "St. vs. v.s. "  # titles and firms
    "Jan. Feb. Mar. Apr. Jun. Jul. Aug. Sep. Sept. Oct. Nov. Dec. "
    "Ala. Ariz. Ark. Calif. Colo. Conn. Del. Fla. Ga. Ia. Id. Ill. Ind. Kan. Kans. Ky. La. Mass. Md. Mich. Minn. Miss. "
    "Mo. Mont. N.C. N.D. N.H. N.J. N.M. N.Y. Neb. Nebr. Nev. Okla. Ore. Pa. S.C. Tenn. Va. Wash. Wis.".split()
)

#: Other forms that are not split, though a rule would split them.
WHOLE: Final = frozenset(
    "and/or w/o C++ '' 'em 'bout 'cause 'Cause 'nuff 's 'S 're 've 'll 'd 'm ol' Ol' doin' goin' havin' lovin' nothin' "
    "somethin' ’em ’bout ’cause ’Cause ’nuff ’s ’S ’re ’ve ’ll ’d ’m ol’ Ol’ doin’ goin’ havin’ lovin’ nothin’".split()
)

#: Words before "n't", where "can", "will" and "shall" are shortened.
NEGATED: Final = (
    "ai are ca could dare did do does had has have is might must need ought sha should was were wo would".split()
)

#: Words before "'s", "'re" and so on, with the endings that may follow.
CONTRACTED: Final = {
    "i": "m ve ll d",
    "you we they": "re ve ll d",
    "he she it": "s ll d",
    "who what when where why how there": "s re ve ll d",
    "that this": "s ll d",
    "these those": "re ll",
    "could might must should would not": "ve",
}

#: Contractions without an apostrophe that are also other words.
HOMOGRAPHS: Final = frozenset("hell id ill its shed shell wed well were whore thatd thisd thiss thisll notve".split())

#: Two words written as one, with the length of the second.
MERGED: Final = {"cannot": 3, "gonna": 2, "gotta": 2, "c'mon": 2, "c’mon": 2, "y'all": 3, "y’all": 3, "yall": 3}

#: Units and signs that are split off after a number.
UNITS: Final = frozenset(
    "m km cm mm dm nm µm km² m² cm² km³ m³ cm³ ft in yd ha g kg mg µg t lb oz mph kmh km/h m/s M K Pa hPa mbar "
    "mb kb gb tb MB KB GB TB % + $ £ € ¥ ₹ ₽ ₩".split()
)
_LONGEST_UNIT: Final = max(map(len, UNITS))

_OPEN_CLOSE: Final = ",:;!?()[]{}<>_#&*\"'`´‘’“”«»‚„…–—¡¿·§،؛؟٪۔।。、！，：；？～（）「」『』《》〈〉【】〔〕⟦⟧〈〉"
_CURRENCY: Final = "$£€¥฿₠₡₢₣₤₥₦₧₨₩₪₫₭₮₯₰₱₲₳₴₵₶₷₸₹₺₻₼₽₾₿"
_BULLETS: Final = "•‣⁃"
_PREFIXES: Final = frozenset(_OPEN_CLOSE + _CURRENCY + _BULLETS + "%=")
_SUFFIXES: Final = frozenset(_OPEN_CLOSE.replace("§", "") + _BULLETS)
_APOSTROPHES: Final = "'’"
_QUOTES: Final = frozenset("\"'‘’“”«»„`´")

_DOTS: Final = re.compile(r"\.{2,}")
_DOLLARS: Final = re.compile(r"(?:US|A|C)\$")
_EMOTICON: Final = re.compile(
    r"[<>]?[:;=][-'o^]?(?:\)+|\(+|\]|\[|[DPpOo3|/\\*])|[xX]D+|<[/\\]?3+|\^_+\^|-_+-|[oO0]_+[oO0]|¯\\\(ツ\)/¯|\(-?[:;=]"
)
_SMILE_AT_END: Final = re.compile(r"[:;=]-?[()]\Z")
_HOUR: Final = re.compile(r"(1[0-2]|[1-9])(?:[ap]m|[ap]\.m\.)")
_LETTERS: Final = re.compile(r"(?:[^\W\d_]\.)+")  # "J.", "U.S.", "i.e."
_URL: Final = re.compile(
    r"(?:[a-z][a-z0-9+]{1,9}://|www\.|mailto:)\S+"  # explicit addresses
    r"|(?:[\w.%+-]+@)?(?:[\w-]+\.)+[a-z]{2,}(?::\d{1,5})?(?:[/?#]\S*)?",  # a host, optionally with user and path
)
_INFIX: Final = re.compile(r"\.{2,}|…|-{1,3}|—{1,2}|[–~.,:<>=/+*^。！？｡]")

_CAPITAL: Final = re.compile(r"[A-Z][a-z]*(?:['’][a-z]{1,2})?(?!\.?[\w(\[/:@=-])")  # a word, not a part of a name
_REFERENCE: Final = re.compile(
    r"(?:(?<=[\w.,;:!?…”’)»%])|(?<=[\w.,!?…)][\"']))(?:\[(?=[^\[\]\s]*\w)[^\[\]\s]{1,24}\])+"
)

_EXTENDER: Final = re.compile("[\u00ad\u0300-\u036f\u200b-\u200f\u2060-\u2064\u20d0-\u20f0\ufe00-\ufe0f\ufeff🏻-🏿]")
_FLAG: Final = re.compile("[🇦-🇿]{2}")
_ZWJ: Final = "\u200d"


def _contractions() -> dict[str, tuple[int, ...]]:
    """Every contraction of the tables, with the offsets at which it is split."""
    pairs: list[tuple[str, str]] = []
    for mark in ("'", "’", ""):
        have = f"{mark}ve"
        for word in NEGATED:
            pairs += [(word, f"n{mark}t"), (f"{word}|n{mark}t", have)]
        for words, ends in CONTRACTED.items():
            for word, end in product(words.split(), ends.split()):
                pairs.append((word, mark + end))
                if end == "d":
                    pairs.append((f"{word}|{mark}d", have))
    pairs += [("let", "'s"), ("let", "’s")]
    known: dict[str, tuple[int, ...]] = {form: (len(form) - cut,) for form, cut in MERGED.items()}
    for first, last in pairs:
        marked = f"{first}|{last}"
        form = marked.replace("|", "")
        if form not in HOMOGRAPHS:
            bars = [at for at, char in enumerate(marked) if char == "|"]
            known[form] = tuple(bar - before for before, bar in enumerate(bars))
    for form, cuts in list(known.items()):
        known[form.capitalize()] = cuts
        if not form.isalpha() or form in MERGED:
            known[form.upper()] = cuts
    known["Id"] = (1,)
    return known


#: Forms that are looked up instead of split by rules, with the offsets at which they are split.
_KNOWN: Final = dict.fromkeys(ABBREVIATIONS | WHOLE, ()) | _contractions()
_LONGEST_KNOWN: Final = max(map(len, _KNOWN))


class WordTokeniser:
    """Splits texts into words, and caches the results for chunks."""

    def __init__(self) -> None:
        self._cache: dict[str, tuple[int, ...]] = {}

    def spans(self, text: str) -> tuple[list[int], list[int]]:
        """The starts and ends of a text's words, in code points; white space belongs to no word."""
        starts: list[int] = []
        ends: list[int] = []
        if "</" not in text:
            self._add_words(text, 0, starts, ends)
            return starts, ends
        at = 0
        for start, end in find_tags(text):
            self._add_words(text[at:start], at, starts, ends)
            starts.append(start)
            ends.append(end)
            at = end
        self._add_words(text[at:], at, starts, ends)
        return starts, ends

    def _add_words(self, text: str, base: int, starts: list[int], ends: list[int]) -> None:
        """Append the starts and ends of the words of a part of a text that begins at `base`."""
        cache = self._cache
        found = 0
        for chunk in text.split():
            found = text.index(chunk, found)
            at = base + found
            cuts = cache.get(chunk)
            if cuts is None:
                cuts = self._cut(chunk)
            starts.append(at)
            if cuts:
                inner = [at + cut for cut in cuts]
                starts += inner
                ends += inner
            found += len(chunk)
            ends.append(at + len(chunk))

    def _cut(self, chunk: str) -> tuple[int, ...]:
        """Split a chunk that is not in the cache."""
        if len(chunk) > RUN:
            return tuple(_cut_run(chunk))
        cuts = _KNOWN.get(chunk, ()) if chunk.isalpha() else tuple(_cut_chunk(chunk))
        if len(chunk) <= CACHE_CHARS:
            if len(self._cache) >= CACHE_CHUNKS:
                self._cache.clear()
            self._cache[chunk] = cuts
        return cuts


def _cut_run(run: str) -> list[int]:
    """Split an unbroken run of any length, piece by piece."""
    cuts: list[int] = []
    whole = has_many_words(run[:RUN])
    at = 0
    while at < len(run):
        size = piece_size(run, at, RUN)
        cuts += [at, *(() if whole else (at + cut for cut in _cut_chunk(run[at : at + size])))]
        at += size
    return cuts[1:]


def _cut_chunk(chunk: str) -> list[int]:
    """The offsets at which a chunk is split; reference marks and zero-width characters stay with what precedes them."""
    referring = "[" in chunk and _REFERENCE.search(chunk)
    if not referring and (chunk.isascii() or not (_EXTENDER.search(chunk) or _FLAG.search(chunk))):
        return _cut_plain(chunk)
    marks = {at for match in _REFERENCE.finditer(chunk) for at in range(*match.span())}
    places = [at for at, char in enumerate(chunk) if at not in marks and not _EXTENDER.match(char)]
    plain = "".join([chunk[at] for at in places])
    inside = {match.start() + 1 for match in _FLAG.finditer(chunk)}
    cuts = [places[cut] for cut in _cut_plain(plain)]
    return [cut for cut in cuts if cut not in inside and chunk[cut - 1] != _ZWJ]


def _cut_plain(chunk: str) -> list[int]:
    """Split signs off both ends until a known form or a word is left, and split that."""
    low, high = 0, len(chunk)
    left: list[int] = []
    right: list[int] = []
    middle: list[int] = []
    while low < high and not is_tagged_word(chunk[low:high]):
        known = _known(chunk, low, high)
        if known is not None:
            middle = [low + cut for cut in known]
            break
        if taken := _prefix(chunk, low, high):
            low += taken
            left.append(low)
        elif taken := _suffix(chunk, low, high):
            high -= taken
            right.append(high)
        else:
            middle = _cut_inside(chunk, low, high)
            break
    return sorted({cut for cut in left + middle + right if 0 < cut < len(chunk)})


def _known(chunk: str, low: int, high: int) -> tuple[int, ...] | None:
    """The offsets at which a known form is split; None if it is not a known form."""
    if high - low > _LONGEST_KNOWN:
        return None
    form = chunk[low:high]
    if form in _KNOWN:
        return _KNOWN[form]
    if form[-1] == "." and _LETTERS.fullmatch(form):
        return ()
    if hour := _HOUR.fullmatch(form):
        return (hour.end(1),)
    return () if _EMOTICON.fullmatch(form) else None


def _prefix(chunk: str, low: int, high: int) -> int:
    """The number of characters to split off at the start."""
    char = chunk[low]
    if char in _PREFIXES:
        return 2 if char == "'" and chunk.startswith("''", low, high) else 1
    if dots := _DOTS.match(chunk, low, high):
        return len(dots.group())
    if char == "+":
        return 0 if chunk[low + 1 : min(low + 2, high)].isdigit() else 1
    if match := _DOLLARS.match(chunk, low, high):
        return len(match.group())
    return int(_is_icon(char))


def _suffix(chunk: str, low: int, high: int) -> int:
    """The number of characters to split off at the end."""
    last = chunk[high - 1]
    before = chunk[high - 2] if high - low > 1 else ""
    if last == ".":
        return _full_stop(chunk, low, high)
    if last in _SUFFIXES:
        if last in "()" and (smile := _SMILE_AT_END.search(chunk, max(low, high - 3), high)):
            return len(smile.group()) if "(" not in chunk[:low] else 1
        return 2 if last == before == "'" else 1
    if last in "sS" and before and before in _APOSTROPHES:
        return 2
    sizes = range(min(_LONGEST_UNIT, high - low - 1), 0, -1)
    unit = (n for n in sizes if chunk[high - n - 1].isdigit() and chunk[high - n : high] in UNITS)
    return next(unit, int(_is_icon(last)))


def _full_stop(chunk: str, low: int, high: int) -> int:
    """The number of full stops to split off at the end: all of several; one, unless part of "J.-P.", "D-Calif."."""
    at = low + len(chunk[low:high].rstrip("."))
    if high - at > 1 or at == low:
        return high - at
    initial = chunk[at - 1].isupper() and not (at - 1 > low and chunk[at - 2].isalnum())
    word = chunk[chunk.rfind("-", low, high) + 1 : high]  # "D-Calif."
    return 0 if initial or word in ABBREVIATIONS else 1


def _cut_inside(chunk: str, low: int, high: int) -> list[int]:
    """Split between the parts of a word: at hyphens, dashes, slashes, icons, full stops without a space."""
    if _URL.fullmatch(chunk, low, high) or has_many_words(chunk[low:high]):
        return []
    cuts: list[int] = []
    for match in _INFIX.finditer(chunk, low + 1, high - 1):
        start, end = match.span()
        if match.group() == "." and chunk[start - 1].islower() and chunk[end].isupper():
            divides = _lacks_space(chunk, low, start)
        else:
            divides = _divides(match.group(), chunk[start - 1], chunk[end])
        if divides:
            abbreviation = match.group() == "." and chunk[low:end] in ABBREVIATIONS
            cuts += [end] if abbreviation else [start, end]
        elif match.group() == "." and chunk[end] == "[":  # as in "so.[citation needed]"
            cuts += [start, end, end + 1]
    if not chunk.isascii():
        for at in range(low, high):
            if _is_icon(chunk[at]):
                cuts += [at, at + 1]
    return cuts


def _lacks_space(chunk: str, low: int, stop: int) -> bool:
    """Whether the full stop before a capital ends a sentence or an abbreviation, rather than being part of a name."""
    if chunk[low : stop + 1] in ABBREVIATIONS:
        return True
    capital = _CAPITAL.match(chunk, stop + 1)
    return capital is not None and often_begins(capital.group()) and chunk[low:stop].isalpha()


def _divides(sign: str, before: str, after: str) -> bool:
    """Whether a sign inside a word splits it, given its neighbours."""
    kind = sign[0]
    if kind in "…。！？｡" or (kind == "." and len(sign) > 1):
        return True
    if kind == ".":
        return (before.islower() and after in _QUOTES) or (before in _QUOTES and (after.isupper() or after in _QUOTES))
    if kind == ",":
        return before.isalpha() and after.isalpha()
    if kind in "+*^" or (sign == "-" and not after.isalpha()):
        return before.isdigit() and (after.isdigit() or after == "-")
    return before.isalnum() and after.isalpha()


def _is_icon(char: str) -> bool:
    """Whether a character is a pictogram or symbol, such as ☂ or ™."""
    return char > "\x7f" and unicodedata.category(char) == "So"
