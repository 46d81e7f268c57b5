"""Subtitles condensed to reading speed, in the speaker's own words, with natural line breaks."""

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
    """Condense subtitles to a reading speed and a line length, deleting as little as possible.

    `text` is a file in SRT, WebVTT, ASS or SSA, as a text or as bytes. Every word stays in its cue. Everything that is
    not shortened is unchanged, byte by byte: times, tags, settings, numbering. `cps` is the maximum number of
    characters per second, `line` of characters per line, `lines` of lines per cue. With `rebreak`, all cues are broken
    into lines again. The result has the file as `text` and as `data`, a report on each of its `cues`, and the cues that
    are still `over` the limits because no faithful deletion makes them fit.
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
    """Report on subtitles as `condense` does, but without changing anything."""
    asked = complete("subtitles", options)
    return check_subtitles(text, Rules(asked["cps"], asked["line"], asked["lines"]), asked["format"])
