"""Subtitle files: locate the text of every cue, so that changed texts can be spliced in and nothing else changes.

pysubs2 reads the times. It does not preserve cue settings, STYLE and NOTE blocks, identifiers, numbering and unknown
tags. They are preserved because nothing is rewritten: the output is the input with some spans replaced.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from io import StringIO
from typing import TYPE_CHECKING, Final

from laconic.errors import LaconicError, shorten
from laconic.known_names import find_named

if TYPE_CHECKING:
    from pysubs2 import SSAFile
    from pysubs2.formats.base import FormatBase


class SubtitleFormat(StrEnum):
    """The supported formats."""

    SRT = "srt"
    VTT = "vtt"
    ASS = "ass"
    SSA = "ssa"


#: Byte order marks with their encodings, longer marks first.
_MARKS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
#: The encodings of files without a mark. Each restores the bytes that it decoded; the last one accepts any bytes.
_ENCODINGS: Final = ("utf-8", "cp1252", "latin-1")

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
_ARROW: Final = "-->"
_DIGITS: Final = re.compile(r"\s*\d+\s*")
#: The number of fields before the text in a SubStation event.
_FIELDS_BEFORE_TEXT: Final = 9
_EVENT: Final = re.compile(r"\s*(Dialogue|Comment):")


@dataclass(frozen=True, slots=True)
class SourceCue:
    """A cue as it stands in the file."""

    name: str  # its number or identifier in the file; without one, its position
    start: int  # milliseconds
    end: int
    span: tuple[int, int]  # of its text, in characters of the file


@dataclass(frozen=True, slots=True)
class SubtitleFile:
    """A file as text, with its cues in order."""

    text: str  # the whole file, with any byte order mark
    encoding: str
    format: SubtitleFormat
    cues: tuple[SourceCue, ...]

    @property
    def line_end(self) -> str:
        """The line break inside cues of this file."""
        if self.format in (SubtitleFormat.ASS, SubtitleFormat.SSA):
            return "\\N"
        found = re.search(r"\r\n|\r|\n", self.text)
        return found.group() if found else "\n"

    def replace(self, texts: Mapping[int, str]) -> SubtitleFile:
        """A copy of the file with other texts for some of its cues, given by index."""
        parts, at, cues, moved = [], 0, [], 0
        for place, cue in enumerate(self.cues):
            start, end = cue.span
            new = texts.get(place, self.text[start:end])
            parts += [self.text[at:start], new]
            at = end
            cues.append(SourceCue(cue.name, cue.start, cue.end, (start + moved, start + moved + len(new))))
            moved += len(new) - (end - start)
        return SubtitleFile("".join([*parts, self.text[at:]]), self.encoding, self.format, tuple(cues))

    def to_bytes(self) -> bytes:
        """The file as bytes; unchanged parts have their original bytes."""
        return self.text.encode(self.encoding)


def read_subtitles(given: str | bytes, format: str | None = None) -> SubtitleFile:  # noqa: A002
    """Read the cues of a file; by default, its format is detected."""
    try:
        import pysubs2  # noqa: F401
    except ImportError as error:
        raise LaconicError('subtitles need pysubs2: pip install "laconic[subtitles]"') from error
    text, encoding = (given, "utf-8") if isinstance(given, str) else _decode(given)
    if "\0" in text:
        raise LaconicError("this is no text: give a subtitle file in SRT, WebVTT, ASS or SSA")
    try:
        text.encode(encoding)
    except UnicodeEncodeError as error:
        raise LaconicError(
            f"character {error.start} of the text is a lone surrogate: give text that can be written as UTF-8"
        ) from None
    kind = _guess(text) if format is None else _check_format(format)
    cues = tuple(_events(text, kind) if kind in (SubtitleFormat.ASS, SubtitleFormat.SSA) else _blocks(text, kind))
    if not cues:
        raise LaconicError(
            f"there is no cue in this {kind.value} file: give a subtitle file in SRT, WebVTT, ASS or SSA"
        )
    return SubtitleFile(text, encoding, kind, cues)


def _check_format(format: str) -> SubtitleFormat:  # noqa: A002
    return find_named(SubtitleFormat, format, "format")


def _decode(data: bytes) -> tuple[str, str]:
    """The text of a file and its encoding, which restores the same bytes."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return data.decode(encoding), encoding
            except UnicodeDecodeError as error:
                raise LaconicError(
                    f"the file begins like {encoding.upper()}, but byte {error.start} is invalid: convert it to UTF-8"
                ) from error
    for encoding in _ENCODINGS:
        try:
            return data.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    raise AssertionError("latin-1 takes any bytes")


def _guess(text: str) -> SubtitleFormat:
    bare = text.removeprefix("\ufeff").lstrip()
    if bare.startswith("WEBVTT"):
        return SubtitleFormat.VTT
    if re.search(r"V4\+ Styles", text, re.IGNORECASE):
        return SubtitleFormat.ASS
    if re.search(r"V4 Styles", text, re.IGNORECASE):
        return SubtitleFormat.SSA
    if re.search(r"^Dialogue:", text, re.MULTILINE):
        return SubtitleFormat.ASS
    if _ARROW in text:
        return SubtitleFormat.SRT
    raise LaconicError(
        f"{shorten(' '.join(text.split()))!r} is not in a subtitle format that can be detected: give a file in SRT, "
        "WebVTT, ASS or SSA, or name the format"
    )


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text, with their offsets; all three kinds of line ends are recognised."""
    for match in _LINE.finditer(text):
        if match.group():
            yield match.start(), match.group()


def _blocks(text: str, kind: SubtitleFormat) -> Iterator[SourceCue]:
    """The cues of SRT and WebVTT: the text below a line with two times."""
    from pysubs2.formats.subrip import SubripFormat
    from pysubs2.formats.webvtt import WebVTTFormat

    reader = WebVTTFormat if kind is SubtitleFormat.VTT else SubripFormat
    lines = list(_lines(text))
    stamped = [i for i, (_, line) in enumerate(lines) if len(reader.TIMESTAMP.findall(line)) == 2]
    events = _read(lines, kind, reader)
    times = {i: (event.start, event.end) for i, event in zip(stamped, events, strict=True)}
    timing = [i for i, (_, line) in enumerate(lines) if _ARROW in line and not _in_note(lines, i, kind)]
    for number, i in enumerate(timing, 1):
        if i not in times:
            raise LaconicError(
                f"line {i + 1} has no two times around {_ARROW!r} ({shorten(lines[i][1].strip())!r}): fix it, as in "
                f"{_example(kind)!r}"
            )
        last = timing[number] if number < len(timing) else len(lines)
        own = list(range(i + 1, last))
        if kind is SubtitleFormat.VTT:  # a blank line ends a cue; comments and identifiers may follow
            own = own[: next((n for n, j in enumerate(own) if not lines[j][1].strip()), len(own))]
        elif number < len(timing) and own and _DIGITS.fullmatch(lines[own[-1]][1]):
            own.pop()  # the number of the next cue
        while own and not lines[own[-1]][1].strip():
            own.pop()
        while own and not lines[own[0]][1].strip():
            own.pop(0)
        if own:
            ending = lines[own[-1]][1]
            span = (lines[own[0]][0], lines[own[-1]][0] + len(ending.rstrip("\r\n")))
        else:
            span = (lines[i][0] + len(lines[i][1]),) * 2
        above = lines[i - 1][1].strip("\ufeff \t\r\n") if i else ""
        named = bool(above) and (kind is SubtitleFormat.VTT or _DIGITS.fullmatch(above) is not None)
        yield SourceCue(above if named else str(number), *times[i], span)


def _in_note(lines: list[tuple[int, str]], i: int, kind: SubtitleFormat) -> bool:
    """Whether a line belongs to a WebVTT comment, where an arrow has no meaning."""
    if kind is not SubtitleFormat.VTT:
        return False
    first = i
    while first and lines[first - 1][1].strip():
        first -= 1
    return lines[first][1].startswith("NOTE")


def _read(lines: list[tuple[int, str]], kind: SubtitleFormat, reader: type[FormatBase]) -> SSAFile:
    """Parse a file with pysubs2."""
    from pysubs2 import SSAFile

    found = SSAFile()
    reader.from_file(found, StringIO("".join(line.rstrip("\r\n") + "\n" for _, line in lines)), format_=kind.value)
    return found


def _events(text: str, kind: SubtitleFormat) -> Iterator[SourceCue]:
    """The cues of SubStation files: lines with fields."""
    from pysubs2.formats.substation import SubstationFormat

    lines = list(_lines(text))
    rows = [(start, line) for start, line in lines if _EVENT.match(line)]
    for _, line in rows:
        if line.count(",") < _FIELDS_BEFORE_TEXT:
            raise LaconicError(
                f"an event has less than {_FIELDS_BEFORE_TEXT + 1} fields ({shorten(line.strip())!r}): fix it, as in "
                f"{_example(kind)!r}"
            )
    try:
        events = _read([(start, line) for start, line in rows], kind, SubstationFormat)
    except ValueError as error:
        raise LaconicError(f"an event cannot be read ({error}): fix it, as in {_example(kind)!r}") from error
    number = 0
    for (start, line), event in zip(rows, events, strict=True):
        if event.is_comment:
            continue
        number += 1
        at = 0
        for _ in range(_FIELDS_BEFORE_TEXT):
            at = line.index(",", at) + 1
        yield SourceCue(str(number), event.start, event.end, (start + at, start + len(line.rstrip("\r\n"))))


def _example(kind: SubtitleFormat) -> str:
    return {
        SubtitleFormat.SRT: "00:00:01,000 --> 00:00:02,500",
        SubtitleFormat.VTT: "00:01.000 --> 00:02.500",
    }.get(kind, "Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,Text")
