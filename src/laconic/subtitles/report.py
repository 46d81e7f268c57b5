"""Reports on cues before and after condensing, with their speeds, as a table or as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from laconic.subtitles.cues import Rules
from laconic.subtitles.formats import SubtitleFile


@dataclass(frozen=True, slots=True)
class CueReport:
    """A cue before and after."""

    name: str  # its number or identifier in the file
    start: float  # seconds
    end: float
    before: str  # as displayed
    after: str
    chars: int  # displayed, after condensing
    chars_before: int
    allowed: int  # characters that its duration allows
    cps: float | None  # characters per second, after condensing; None: no duration
    cps_before: float | None
    over: bool  # whether it still has too many characters, too many lines, or lines that are too long
    reason: str = ""  # why it is over, if it is
    #: If it is over: the minimum number of characters after faithful deletions, if known.
    least: int | None = None

    @property
    def changed(self) -> bool:
        """Whether something was deleted or lines were broken elsewhere."""
        return self.before != self.after

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON-ready data."""
        return {
            "cue": self.name,
            "start": self.start,
            "end": self.end,
            "before": self.before,
            "after": self.after,
            "chars_before": self.chars_before,
            "chars": self.chars,
            "allowed": self.allowed,
            "cps_before": _rounded(self.cps_before),
            "cps": _rounded(self.cps),
            "changed": self.changed,
            "over": self.over,
            **({"reason": self.reason} if self.over else {}),
            **({"least": self.least} if self.least is not None else {}),
        }


@dataclass(frozen=True, slots=True)
class Condensed:
    """Subtitles after condensing, with a report on every cue."""

    file: SubtitleFile
    cues: tuple[CueReport, ...]
    rules: Rules

    @property
    def text(self) -> str:
        """The file as a text."""
        return self.file.text

    @property
    def data(self) -> bytes:
        """The file as bytes, in its original encoding."""
        return self.file.to_bytes()

    @property
    def over(self) -> tuple[CueReport, ...]:
        """The cues that are still over the limits."""
        return tuple(cue for cue in self.cues if cue.over)

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON-ready data."""
        limits = {"cps": self.rules.cps, "line": self.rules.line, "lines": self.rules.lines}
        return {"limits": limits, "over": len(self.over), "cues": [cue.to_dict() for cue in self.cues]}


def to_table(reports: Sequence[CueReport], rules: Rules) -> str:
    """The changed cues and those over the limits, in columns, and a summary line."""
    rows = [("cue", "time", "chars", "cps", "", "text")]
    for each in reports:
        if not each.changed and not each.over:
            continue
        chars = f"{each.chars_before}→{each.chars}" if each.changed else str(each.chars)
        speed = f"{_speed(each.cps_before)}→{_speed(each.cps)}" if each.changed else _speed(each.cps)
        rows.append((each.name, _clock(each.start), chars, speed, "over" if each.over else "", _flat(each.after)))
        if each.over:
            rows.append(("", "", "", "", "", f"  {each.reason}"))
    widths = [max(len(row[i]) for row in rows) for i in range(5)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[5]]) for row in rows
    ]
    return "\n".join([*(line.rstrip() for line in lines[1 if len(rows) == 1 else 0 :]), to_line(reports, rules)])


def to_line(reports: Sequence[CueReport], rules: Rules) -> str:
    """A summary of all cues in a line."""
    changed, over = sum(each.changed for each in reports), sum(each.over for each in reports)
    limits = f"{rules.cps:g} characters a second, {rules.lines} lines of {rules.line}"
    return f"{len(reports):,} cues: {changed:,} changed, {over:,} over the limits ({limits})"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _speed(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"{int(minutes) // 60}:{int(minutes) % 60:02}:{rest:04.1f}"


def _flat(text: str) -> str:
    return " | ".join(text.split("\n"))
