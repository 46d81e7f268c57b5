"""Subtitles condensed to reading speed, on the speaker's own words, and broken where a reader would."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from laconic.options import SubtitleOptions, complete
from laconic.subtitles.condense import check_subtitles, condense_subtitles
from laconic.subtitles.cues import Rules
from laconic.subtitles.formats import SubtitleFormat
from laconic.subtitles.report import Condensed, CueReport

if TYPE_CHECKING:
    from laconic.compressor import Compressor

__all__ = ["Condensed", "CueReport", "Rules", "SubtitleFormat", "check", "condense"]


def condense(
    text: str | bytes, *, compressor: Compressor | None = None, **options: Unpack[SubtitleOptions]
) -> Condensed:
    """Subtitles within a reading speed, and within lines: as little goes as that asks, and every word is in its cue.

    `text` is a file in SRT, WebVTT, ASS or SSA, as a text or as its bytes. What is not shortened is unchanged to the
    byte: times, tags, settings, numbering. `cps` are characters a second, `line` those of a line, `lines` those of a
    cue. With `rebreak` the lines of all cues are set anew. The result has the file as `text` and as `data`, a report on
    each of its `cues`, and those that are still `over`: no faithful deletion brings them within the limits.
    """
    asked = complete("subtitles", options)
    if compressor is None:
        from laconic.default import _default_compressor

        compressor = _default_compressor()
    rules = Rules(asked["cps"], asked["line"], asked["lines"])
    return condense_subtitles(
        compressor,
        text,
        rules,
        asked["format"],
        rebreak=asked["rebreak"],
        any_language=asked["language"] == "any",
    )


def check(text: str | bytes, **options: Unpack[SubtitleOptions]) -> Condensed:
    """The same report on subtitles as they are: nothing is changed."""
    asked = complete("subtitles", options)
    return check_subtitles(text, Rules(asked["cps"], asked["line"], asked["lines"]), asked["format"])
