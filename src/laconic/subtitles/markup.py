"""The text of a cue as displayed characters, with the tags between them, which are not displayed."""

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

#: By format: tags, which are not displayed; codes displayed as another character; line breaks.
_TAGS: Final = {
    SubtitleFormat.SRT: re.compile(f"(?P<tag>{_HTML}|{_BRACES})|(?P<break>{_BREAK})"),
    SubtitleFormat.VTT: re.compile(
        rf"(?P<tag></?[A-Za-z][^<>]*>|<[\d:.]+>|</>)|(?P<entity>&(?:amp|lt|gt|nbsp|lrm|rlm|#\d+);)|(?P<break>{_BREAK})"
    ),
    SubtitleFormat.ASS: re.compile(r"(?P<tag>\{[^{}]*\})|(?P<entity>\\h)|(?P<break>[ \t]*\\[Nn][ \t]*)"),
}
_TAGS[SubtitleFormat.SSA] = _TAGS[SubtitleFormat.ASS]

#: Matches closing tags, which stay next to what precedes them.
_CLOSING: Final = re.compile(r"</.*>|\{(?:\\(?:[ibus]0|r|fs|c))+\}")
#: Matches drawings, which are not text.
_DRAWING: Final = re.compile(r"\{[^{}]*\\p[1-9][^{}]*\}")


class Glyph(NamedTuple):
    """A displayed character or line break, with its span in the source of its cue."""

    char: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Markup:
    """The parsed source of a cue."""

    source: str
    glyphs: tuple[Glyph, ...]
    tags: tuple[tuple[int, str], ...]  # with their offsets

    @property
    def text(self) -> str:
        """What is displayed, with line breaks."""
        return "".join(glyph.char for glyph in self.glyphs)


#: A printed character, and the cue's glyph that it is (-1: not a glyph of the cue).
Printed = tuple[str, int]


def read_markup(source: str, format: SubtitleFormat) -> Markup:  # noqa: A002
    """Parse the source of a cue into glyphs and tags."""
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
    """The number of displayed characters of a cue: code points, including spaces, excluding line breaks."""
    return len(text) - text.count("\n")


def write_markup(markup: Markup, printed: Sequence[Printed], line_end: str) -> str:
    """The source of a cue that displays `printed`; every tag is kept, around what it marked."""
    parts: list[str] = []
    waiting = list(markup.tags)
    gap = ""  # a pending space or line break: opening tags are written after it

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
