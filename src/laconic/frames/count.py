"""Count frames: how often the words of a parsed corpus occur with each set of filled slots."""

from __future__ import annotations

import atexit
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from laconic.frames.uses import ANYTHING, USES, Use, Uses, slot_id
from laconic.parse import lemma_id
from laconic.parse.masks import Masks
from laconic.parse.program import Numbers, Tape, giving

if TYPE_CHECKING:
    from laconic._core import Program
    from laconic.parse import Parses


class Word(NamedTuple):
    """A word in one of its uses."""

    lemma: int  # ids
    particle: int
    use: Use


@dataclass(slots=True)
class FrameCounts:
    """By word: how often it was seen with each set of filled slots (sorted ids)."""

    frames: dict[Word, Counter[tuple[int, ...]]] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)  # lemmas by id, if their base form was seen
    sentences: int = 0

    def add(self, parses: Parses) -> None:
        """Count the words of a batch."""
        self.sentences += len(parses)
        self._name(parses)
        governors, slots, anything, rows, particles, uses = _program().values(parses)
        filled: dict[int, set[int]] = {}
        for row, slot in zip(governors.tolist(), slots.view(np.uint64).tolist(), strict=True):
            filled.setdefault(row, set()).add(slot)
        for row in anything.tolist():
            filled[row].add(slot_id(ANYTHING))
        columns = (parses.lemma[rows].tolist(), particles.view(np.uint64).tolist(), uses.tolist(), rows.tolist())
        for lemma, particle, use, row in zip(*columns, strict=True):
            frames = self.frames.setdefault(Word(lemma, particle, USES[use]), Counter())
            frames[tuple(sorted(filled.get(row, ())))] += 1

    def add_all(self, batches: Iterable[Parses]) -> FrameCounts:
        """Count the words of batches."""
        for parses in batches:
            self.add(parses)
        return self

    def _name(self, parses: Parses) -> None:
        """Record the spelling of lemmas whose base form occurs in the text, since ids cannot be reversed."""
        text_of = np.repeat(np.arange(len(parses)), np.diff(parses.token_ptr)).tolist()
        texts, spans = parses.texts(), zip(parses.start.tolist(), parses.end.tolist(), strict=True)
        forms = {texts[text][start:end].lower() for text, (start, end) in zip(text_of, spans, strict=True)}
        lemmas = set(parses.lemma.tolist())
        ids = ((lemma_id(form), form) for form in forms if form.isalpha())
        self.names.update((lemma, form) for lemma, form in ids if lemma in lemmas)


@cache
def _program() -> Program:
    return giving(_find)


atexit.register(_program.cache_clear)  # no object of the core may outlive the interpreter


def _find(tape: Tape) -> tuple[Numbers, ...]:
    """Pairs of governors and slots; governors followed by anything; and all words with their particles and uses."""
    uses = Uses(Masks(tape))
    # Skip verbs whose complement may be elsewhere in the sentence.
    counted = (uses.use > 0) & ~(uses.used(Use.NO_OBJECT) & uses.extracted()) & ~uses.fronted()
    fillers = (uses.fills & counted[uses.head]).rows()
    anything = (uses.anything() & counted[uses.head]).rows()
    rows = counted.rows()
    return uses.head[fillers], uses.slot[fillers], uses.head[anything], rows, uses.particle[rows], uses.use[rows]
