"""Compose a cue from what is kept of its sentences and from what is displayed besides speech."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from laconic.subtitles.cues import Cue
from laconic.subtitles.markup import Printed


class Atom(NamedTuple):
    """A displayed character of a cue."""

    glyph: int  # its glyph of the cue or, if it comes from another cue, the glyph that it follows
    char: str
    space: bool | None = None  # whether a space precedes it; None: as in the cue
    own: bool = True  # whether it is this glyph


def compose(cue: Cue, atoms: Iterable[Atom]) -> list[Printed]:
    """What is displayed of a cue if these atoms are kept of its speech; on one line, except for permanent breaks."""
    text = cue.text
    entries = [Atom(i, text[i]) for i in cue.fixed]
    entries += [atom for atom in atoms if not atom.char.isspace()]
    entries.sort(key=lambda atom: atom.glyph)
    found: list[Printed] = []
    last: int | None = None
    for atom in entries:
        if last is not None and (atom.glyph != last + 1 or not atom.own):
            between = range(last + 1, atom.glyph)
            if not cue.breaks.isdisjoint(between):
                found.append(("\n", -1))
            elif atom.space if atom.space is not None else any(text[i].isspace() for i in between):
                found.append((" ", -1))
        found.append((atom.char, atom.glyph if atom.own else -1))
        last = atom.glyph
    return found


def shown(printed: Sequence[Printed]) -> str:
    """The displayed text."""
    return "".join(char for char, _ in printed)
