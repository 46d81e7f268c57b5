"""The text of a cue as it is displayed: its characters, and the tags between them, which are not."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from laconic.subtitles.formats import SubtitleFormat

_HTML: Final = r"</?[A-Za-z][^<>]*>"
_BRACES: Final = r"\{\\[^{}]*\}"
_BREAK: Final = r"[ \t]*(?:\r\n|\r|\n)[ \t]*"

#: What is not displayed, by format: tags; what is displayed as another character; line breaks.
_TAGS: Final = {
    SubtitleFormat.SRT: re.compile(f"(?P<tag>{_HTML}|{_BRACES})|(?P<break>{_BREAK})"),
    SubtitleFormat.VTT: re.compile(
        rf"(?P<tag></?[A-Za-z][^<>]*>|<[\d:.]+>|</>)|(?P<entity>&(?:amp|lt|gt|nbsp|lrm|rlm|#\d+);)|(?P<break>{_BREAK})"
    ),
    SubtitleFormat.ASS: re.compile(r"(?P<tag>\{[^{}]*\})|(?P<entity>\\h)|(?P<break>[ \t]*\\[Nn][ \t]*)"),
}
_TAGS[SubtitleFormat.SSA] = _TAGS[SubtitleFormat.ASS]

#: Tags that end something: they stand close to what is before them.
_CLOSING: Final = re.compile(r"</.*>|\{(?:\\(?:[ibus]0|r|fs|c))+\}")
#: A drawing, not text.
_DRAWING: Final = re.compile(r"\{[^{}]*\\p[1-9][^{}]*\}")


class Glyph(NamedTuple):
    """A character that is displayed, or a line break, with where it stands in the source of its cue."""

    char: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Markup:
    """The source of a cue taken apart."""

    source: str
    glyphs: tuple[Glyph, ...]
    tags: tuple[tuple[int, str], ...]  # with where they stand

    @property
    def text(self) -> str:
        """What is displayed, lines and all."""
        return "".join(glyph.char for glyph in self.glyphs)


#: What is printed in the place of a cue: a character, and the glyph of the cue that it is (-1: none of its own).
Printed = tuple[str, int]


def read_markup(source: str, format: SubtitleFormat) -> Markup:  # noqa: A002
    """The source of a cue as glyphs and tags."""
    if format in (SubtitleFormat.ASS, SubtitleFormat.SSA) and _DRAWING.search(source):
        return Markup(source, (), ((0, source),))
    glyphs: list[Glyph] = []
    tags: list[tuple[int, str]] = []
    at = 0
    for match in _TAGS[format].finditer(source):
        glyphs += [Glyph(source[i], i, i + 1) for i in range(at, match.start())]
        at = match.end()
        kind, found = match.lastgroup, match.group()
        if kind == "tag":
            tags.append((match.start(), found))
        elif kind == "break":
            glyphs.append(Glyph("\n", match.start(), at))
        else:
            char = " " if found == "\\h" else html.unescape(found)
            glyphs.append(Glyph(char, match.start(), at))
    glyphs += [Glyph(source[i], i, i + 1) for i in range(at, len(source))]
    return Markup(source, tuple(glyphs), tuple(tags))


def displayed(text: str) -> int:
    """How many characters of a cue are displayed: code points, spaces included, line breaks not."""
    return len(text) - text.count("\n")


def write_markup(markup: Markup, printed: Sequence[Printed], line_end: str) -> str:
    """The source of a cue of which this is displayed; every tag is there, around what it marked."""
    parts: list[str] = []
    waiting = list(markup.tags)
    gap = ""  # a space or a line break that is not written yet: tags that begin something come after it

    def write_tags(before: int | None) -> list[str]:
        own = []
        while waiting and (before is None or waiting[0][0] < before):
            own.append(waiting.pop(0)[1])
        return own

    for char, place in printed:
        if char.isspace() and (place < 0 or char == "\n" or markup.glyphs[place].char.isspace()):
            gap = line_end if char == "\n" else " "
            continue
        tags = write_tags(markup.glyphs[place].start) if place >= 0 else []
        ending = next((i for i, tag in enumerate(tags) if not _CLOSING.fullmatch(tag)), len(tags)) if gap else len(tags)
        parts += [*tags[:ending], gap, *tags[ending:]]
        gap = ""
        own = markup.source[markup.glyphs[place].start : markup.glyphs[place].end] if place >= 0 else ""
        parts.append(own if place >= 0 and markup.glyphs[place].char == char else char)
    return "".join([*parts, *write_tags(None)])
