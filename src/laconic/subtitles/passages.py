"""Passages: what is said in successive cues joined for reading, and where each of its characters comes from."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from laconic.realise import capitalise
from laconic.subtitles.cues import Cue

#: Where a sentence has ended for sure.
_ENDED: Final = re.compile(r"(?:[.!?]|(?<!-)--|—)[\"'”’)\]]*$")
#: What goes on though it seems to have ended: "and then…", "…he left".
_OPEN: Final = re.compile(r"(?:…|\.\.\.|--|—|-)$")
#: A silence of so many milliseconds ends what was said.
_SILENCE: Final = 3000


class Passage:
    """Speech of one speaker over successive cues. What is taken out of it stays out: `text` is what is left."""

    def __init__(self) -> None:
        self.cue: list[int] = []  # by character: its cue; of the space between two, the later one
        self.glyph: list[int] = []  # by character: its glyph in the cue, or -1
        self.text = ""

    def add(self, cue: int, chars: str, glyphs: Sequence[int]) -> None:
        """Go on in a cue."""
        self.cue += [cue] * len(chars)
        self.glyph += glyphs
        self.text += chars

    def take_out(self, start: int, end: int, *, capital: bool) -> None:
        """Take characters out; with `capital`, the next letter becomes one."""
        del self.cue[start:end], self.glyph[start:end]
        rest = self.text[end:]
        self.text = self.text[:start] + (capitalise(rest) if capital else rest)

    def cues(self) -> list[int]:
        """The cues that it has characters in, in order."""
        return sorted(set(self.cue))

    def within(self, cue: int) -> tuple[int, int]:
        """Its first character in a cue, and the one after its last."""
        return bisect_left(self.cue, cue), bisect_right(self.cue, cue)


def read_passages(cues: Sequence[Cue]) -> list[Passage]:
    """What is said in all cues, in passages."""
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
            end = None  # a caption comes between
    return found


def _goes_on(passage: Passage, cue: Cue, speech: Sequence[int], end: int) -> bool:
    """Whether a cue goes on with what was said before."""
    if cue.start - end > _SILENCE:
        return False
    before = passage.text.rstrip()
    first = cue.markup.glyphs[speech[0]].char
    if _OPEN.search(before):
        return first.islower() or first in "….-"
    return not _ENDED.search(before)
