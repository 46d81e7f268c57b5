"""Passages: the speech in successive cues, joined for parsing, with the origin of each character."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from laconic.realise import capitalise
from laconic.subtitles.cues import Cue

#: Matches text after which a sentence has certainly ended.
_ENDED: Final = re.compile(r"(?:[.!?]|(?<!-)--|—)[\"'”’)\]]*$")
#: Matches signs of continuation: "and then…", "…he left".
_OPEN: Final = re.compile(r"(?:…|\.\.\.|--|—|-)$")
#: A silence of at least this many milliseconds ends a passage.
_SILENCE: Final = 3000


class Passage:
    """Speech of one speaker in successive cues. `text` is what is left of it after fillers have been removed."""

    def __init__(self) -> None:
        self.cue: list[int] = []  # by character: its cue; for a space between two cues, the later one
        self.glyph: list[int] = []  # by character: its glyph in the cue, or -1
        self.text = ""

    def add(self, cue: int, chars: str, glyphs: Sequence[int]) -> None:
        """Append the speech of a cue."""
        self.cue += [cue] * len(chars)
        self.glyph += glyphs
        self.text += chars

    def take_out(self, start: int, end: int, *, capital: bool) -> None:
        """Remove characters; with `capital`, the next letter is capitalised."""
        del self.cue[start:end], self.glyph[start:end]
        rest = self.text[end:]
        self.text = self.text[:start] + (capitalise(rest) if capital else rest)

    def cues(self) -> list[int]:
        """The cues that contain some of its characters, in order."""
        return sorted(set(self.cue))

    def within(self, cue: int) -> tuple[int, int]:
        """The offset of its first character in a cue, and the offset after its last one."""
        return bisect_left(self.cue, cue), bisect_right(self.cue, cue)


def read_passages(cues: Sequence[Cue]) -> list[Passage]:
    """The speech of all cues, in passages."""
    found: list[Passage] = []
    end: int | None = None
    for number, cue in enumerate(cues):
        for place, turn in enumerate(cue.turns):
            goes_on = end is not None and not place and not turn.begins and _goes_on(found[-1], cue, turn.speech, end)
            if not goes_on:
                found.append(Passage())
            passage = found[-1]
            if goes_on:
                passage.add(number, " ", [-1])
            chars = (cue.markup.glyphs[glyph].char for glyph in turn.speech)
            passage.add(number, "".join(" " if char.isspace() else char for char in chars), turn.speech)
        if cue.turns:
            end = cue.end
        elif cue.text.strip():
            end = None  # interrupted by a caption
    return found


def _goes_on(passage: Passage, cue: Cue, speech: Sequence[int], end: int) -> bool:
    """Whether a cue continues what was said before."""
    if cue.start - end > _SILENCE:
        return False
    before = passage.text.rstrip()
    first = cue.markup.glyphs[speech[0]].char
    if _OPEN.search(before):
        return first.islower() or first in "….-"
    return not _ENDED.search(before)
