"""Passages: what is said in successive cues joined for reading, and where each of its characters comes from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from laconic.subtitles.cues import Cue

#: Where a sentence has ended for sure.
_ENDED: Final = re.compile(r"(?:[.!?]|(?<!-)--|—)[\"'”’)\]]*$")
#: What goes on though it seems to have ended: "and then…", "…he left".
_OPEN: Final = re.compile(r"(?:…|\.\.\.|--|—|-)$")
#: A silence of so many milliseconds ends what was said.
_SILENCE: Final = 3000


@dataclass(slots=True)
class Passage:
    """Speech of one speaker over successive cues. What is taken out of it stays out: `text` is what is left."""

    cue: list[int] = field(default_factory=list)  # by character: its cue; of the space between two, the later one
    glyph: list[int] = field(default_factory=list)  # by character: its glyph in the cue, or -1
    chars: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What is said."""
        return "".join(self.chars)

    def take_out(self, start: int, end: int, *, capital: bool) -> None:
        """Take characters out; with `capital`, the next letter becomes one."""
        del self.cue[start:end], self.glyph[start:end], self.chars[start:end]
        if capital:
            at = next((i for i in range(start, len(self.chars)) if self.chars[i].isalnum()), None)
            if at is not None and len(upper := self.chars[at].upper()) == 1:
                self.chars[at] = upper

    def cues(self) -> list[int]:
        """The cues that it has characters in, in order."""
        return sorted({cue for cue, char in zip(self.cue, self.chars, strict=True) if not char.isspace()})


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
                passage.cue.append(number)
                passage.glyph.append(-1)
                passage.chars.append(" ")
            for glyph in turn.speech:
                char = cue.markup.glyphs[glyph].char
                passage.cue.append(number)
                passage.glyph.append(glyph)
                passage.chars.append(" " if char.isspace() else char)
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
