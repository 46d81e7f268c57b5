"""Cues: how long each is displayed, which part of it is speech, and who speaks.

Speech may be shortened. Dashes and labels of speakers, captions of sounds, and music notes are displayed and count, but
are kept. A turn is what one speaker says in a cue; it begins with a dash or a label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from laconic.subtitles.formats import SubtitleFile
from laconic.subtitles.markup import Markup, displayed, read_markup

#: A speaker's dash at the beginning of a line.
_DASH: Final = r"^[ \t]*(?:[-‐–—]|>>+)(?![-‐–—])[ \t]*"
#: A speaker's label, in capitals: "JOHN:", "MRS. LEE (on phone):", "MAN 2:".
_LABEL: Final = (
    r"(?:(?<=^)|(?<=[-‐–—>] )|(?<=[-‐–—>]))[ \t]*[A-Z][A-Z0-9.'’&# /-]*[A-Z0-9.](?: ?\([^()\n]*\))?:(?=\s|$)[ \t]*"
)
#: A caption of a sound, in square brackets; in parentheses only at the beginning of a line.
_CAPTION: Final = r"\[[^\[\]]*\]:?|(?:^|(?<=[-‐–—♪♫:] ))[ \t]*\([^()]*\):?"
_MUSIC: Final = r"[♪♫🎵🎶]+|^[ \t]*#(?=[ ])|(?<=[ ])#[ \t]*$"
_FIXED: Final = re.compile(
    f"(?P<dash>{_DASH})|(?P<label>{_LABEL})|(?P<caption>{_CAPTION})|(?P<music>{_MUSIC})", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker says in a cue: the glyphs that are speech, in order; line breaks among them count as spaces."""

    speech: tuple[int, ...]
    begins: bool  # with a dash, label or note, so it does not continue earlier speech


@dataclass(frozen=True, slots=True)
class Cue:
    """A cue in a form that can be shortened."""

    name: str
    start: int
    end: int
    markup: Markup
    text: str  # what is displayed, with line breaks
    turns: tuple[Turn, ...]
    breaks: frozenset[int]  # glyphs that are permanent line breaks: turns and captions have lines of their own

    @property
    def fixed(self) -> list[int]:
        """The glyphs that are neither speech nor spaces."""
        speech = {glyph for turn in self.turns for glyph in turn.speech}
        return [i for i, char in enumerate(self.text) if i not in speech and not char.isspace()]

    @property
    def seconds(self) -> float:
        """The duration of display."""
        return max(self.end - self.start, 0) / 1000

    @property
    def chars(self) -> int:
        """The number of displayed characters."""
        return displayed(self.text)


@dataclass(frozen=True, slots=True)
class Rules:
    """The limits of a cue."""

    cps: float = 17.0
    line: int = 42
    lines: int = 2

    def allowed(self, cue: Cue) -> int:
        """The number of characters that the duration of a cue allows."""
        return int(cue.seconds * self.cps + 1e-9)

    def is_over(self, cue: Cue) -> bool:
        """Whether a cue has too many characters for its duration, too many lines, or a line that is too long."""
        return cue.chars > self.allowed(cue) or not self.holds(cue.text)

    def holds(self, text: str) -> bool:
        """Whether the lines of a text are within the limits."""
        lines = text.split("\n")
        return len(lines) <= self.lines and all(len(line) <= self.line for line in lines)


def read_cues(file: SubtitleFile) -> list[Cue]:
    """The cues of a file, parsed."""
    markups = [read_markup(file.text[cue.span[0] : cue.span[1]], file.format) for cue in file.cues]
    texts = [markup.text for markup in markups]
    # If most cues have lower-case letters, a cue without any is a title or a sign.
    has_small = [any(map(str.islower, text)) for text in texts]
    signs = 2 * sum(has_small) > len(texts)
    found = []
    for cue, markup, text, small in zip(file.cues, markups, texts, has_small, strict=True):
        turns, breaks = _turns(text)
        is_sign = signs and not small and any(map(str.isupper, text)) and len(text.split()) > 1
        found.append(Cue(cue.name, cue.start, cue.end, markup, text, () if is_sign else turns, breaks))
    return found


def _turns(text: str) -> tuple[tuple[Turn, ...], frozenset[int]]:
    """The turns of a cue, and its permanent line breaks."""
    fixed = [(match.lastgroup or "", match.start(), match.end()) for match in _FIXED.finditer(text)]
    is_fixed = [False] * len(text)
    begins: set[int] = set()
    breaks: set[int] = set()
    for kind, start, end in fixed:
        is_fixed[start:end] = [True] * (end - start)
        if kind in ("dash", "label"):
            begins.add(start)
        first = _line_start(text, start)
        # A speaker's line, or one with only a caption, is not joined with other lines.
        if kind in ("dash", "label") and first and not text[first:start].strip():
            breaks.add(first - 1)
        if kind == "caption":
            last = text.find("\n", end)
            if not text[first:start].strip() and not text[end : len(text) if last < 0 else last].strip():
                breaks |= {at for at in (first - 1, last) if at >= 0}
    turns = []
    edges = [0, *sorted(begins - {0}), len(text)]
    for start, end in pairwise(edges):
        speech = tuple(_squeezed(text, [i for i in range(start, end) if not is_fixed[i]]))
        if any(text[i].isalnum() for i in speech):
            note = any(kind == "music" and start <= at < end for kind, at, _ in fixed)
            turns.append(Turn(speech, start in begins or note))
    return tuple(turns), frozenset(breaks)


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _squeezed(text: str, places: Sequence[int]) -> Iterator[int]:
    """The positions of a text without surrounding white space, and with one position per run of white space inside."""
    blank = True
    held: int | None = None
    for i in places:
        if text[i].isspace():
            held = i if not blank and held is None else held
            continue
        if held is not None:
            yield held
            held = None
        blank = False
        yield i
