"""The table of frames, as a text file and as arrays for lookups by the guard.

A row of the file is a word in one of its uses: how often it was seen; the slots that it seldom lacks; and the slots of
which it seldom lacks all ("put it in, on, there"), which may include anything that follows. Each slot has its count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from laconic.errors import LaconicError
from laconic.frames.lexicon import lexicon_rows
from laconic.frames.uses import (
    ANYTHING,
    DETERMINER,
    OBJECT,
    SLOTS,
    USES,
    Use,
    key_ids,
    pair_ids,
    slot_id,
)

if TYPE_CHECKING:
    from laconic.frames.count import FrameCounts, Word

#: The minimum number of occurrences of a word; below, the number of unfilled occurrences added for smoothing.
LEAST: Final = 8
SMOOTH: Final = 4
#: The minimum share of a word's occurrences in which a slot is filled for the word to need it; below, the share in
#: which any of several slots is. Tuned on editors' deletions.
NEEDS: Final[Mapping[Use, float]] = {
    Use.OBJECT: 0.40, Use.NO_OBJECT: 0.50, Use.PASSIVE: 0.45, Use.PARTICIPLE: 0.30, Use.A: 0.40, Use.THE: 0.50,
    Use.SINGULAR: 0.45, Use.PLURAL: 0.45, Use.PART: 0.50, Use.ADJECTIVE: 0.30, Use.ADVERB: 0.60,
}  # fmt: skip
NEEDS_ONE: Final[Mapping[Use, float]] = {
    Use.OBJECT: 0.50, Use.NO_OBJECT: 0.65, Use.PASSIVE: 0.72, Use.PARTICIPLE: 0.60, Use.A: 0.60, Use.THE: 0.60,
    Use.SINGULAR: 0.60, Use.PLURAL: 0.60, Use.PART: 0.65, Use.ADJECTIVE: 0.50, Use.ADVERB: 0.70,
}  # fmt: skip
#: The minimum share for clauses, which little else can replace.
NEEDS_CLAUSE: Final[Mapping[Use, float]] = {Use.OBJECT: 0.20, Use.NO_OBJECT: 0.10, Use.PASSIVE: 0.10}
_CLAUSES: Final = ("xcomp", "ccomp")
#: The minimum share for a word to need anything that follows.
NEEDS_ANYTHING: Final[Mapping[Use, float]] = {
    Use.OBJECT: 0.80, Use.NO_OBJECT: 0.82, Use.PASSIVE: 0.88, Use.PARTICIPLE: 0.80, Use.A: 0.85, Use.THE: 0.85,
    Use.SINGULAR: 0.85, Use.PLURAL: 0.85, Use.PART: 0.85, Use.ADJECTIVE: 0.80, Use.ADVERB: 0.90,
}  # fmt: skip
#: The minimum share for a slot to count as sure: the word is never printed without it. Lexicon entries are sure.
SURE: Final = 0.80
#: The minimum share for slots of which one is needed to count as sure; higher, as only one of them is kept.
SURE_OF_ONE: Final = 0.90
#: The minimum share of a word's occurrences in which a slot is filled, for it to be one of those slots.
TYPICAL: Final = 0.08
#: A noun needs a determiner if it has an article or other determiner in at least this share of its occurrences.
NEEDS_DETERMINER: Final = 0.75
#: Slots that do not complete a word: "gave [him] a book" is complete without it.
_NOT_TYPICAL: Final = ("dative", OBJECT, DETERMINER, ANYTHING)
#: Slots that are never needed on their own, as they are loosely attached.
_LOOSE: Final = ("dative", "relcl", "acl", "npadvmod", DETERMINER, ANYTHING)
#: Slots that every verb needs if they are filled; they are not listed in rows.
ALWAYS: Final = (OBJECT, "acomp", "oprd", "attr")

_FILE: Final = "frames.tsv"
_COLUMNS: Final = ("word", "use", "seen", "needs", "needs one of")


@dataclass(frozen=True, slots=True)
class Frame:
    """The frame of a word in one of its uses: slots with their counts."""

    word: str  # with its particle
    use: Use
    seen: int
    needs: Mapping[str, int]
    needs_one: Mapping[str, int]


def make_frames(counts: FrameCounts) -> list[Frame]:
    """The frames that differ from the frame of unknown words."""
    frames = [_frame(word, filled, counts) for word, filled in counts.frames.items()]
    known = [frame for frame in frames if frame is not None]
    return sorted(known, key=lambda frame: (frame.word, USES.index(frame.use)))


def _frame(word: Word, filled: Counter[tuple[int, ...]], counts: FrameCounts) -> Frame | None:
    """The frame of a word, or None if it needs nothing."""
    seen, names = filled.total(), counts.names
    if seen < LEAST or word.lemma not in names or (word.particle and word.particle not in names):
        return None
    by_slot: Counter[int] = Counter()
    for slots, count in filled.items():
        by_slot.update(dict.fromkeys(slots, count))
    slot_name = {slot_id(name): name for name in SLOTS}
    named = {each: name for each, _ in by_slot.most_common() if (name := slot_name.get(each) or names.get(each))}
    all_seen = seen + SMOOTH
    needs = {
        name: by_slot[each]
        for each, name in named.items()
        if by_slot[each] / all_seen >= _threshold(word.use, name) and name not in (*_LOOSE, *ALWAYS)
    }
    if word.use is Use.SINGULAR:
        with_a = counts.frames.get(word._replace(use=Use.A), Counter()).total()
        determined = by_slot[slot_id(DETERMINER)]
        if (determined + with_a) / (all_seen + with_a) >= NEEDS_DETERMINER:
            needs[DETERMINER] = determined
    typical = {each for each, name in named.items() if by_slot[each] / seen >= TYPICAL and name not in _NOT_TYPICAL}
    with_one = sum(count for slots, count in filled.items() if typical.intersection(slots))
    needs_one = {named[each]: by_slot[each] for each in named if each in typical}
    if with_one / all_seen < NEEDS_ONE[word.use] or set(needs_one) <= set(needs):
        needs_one = {}
    if (something := by_slot[slot_id(ANYTHING)]) / all_seen >= NEEDS_ANYTHING[word.use]:
        needs_one[ANYTHING] = something
    if not (needs or needs_one):
        return None
    spelled = names[word.lemma] + (f" {names[word.particle]}" if word.particle else "")
    return Frame(spelled, word.use, seen, needs, needs_one)


def _threshold(use: Use, slot: str) -> float:
    return NEEDS_CLAUSE.get(use, NEEDS[use]) if slot in _CLAUSES else NEEDS[use]


def write_frames(frames: Iterable[Frame], path: Path, source: str) -> None:
    """Write the file; `source` describes the corpus and the command."""
    lines = [f"# {line}" for line in source.splitlines()]
    lines.append("\t".join(_COLUMNS))
    for frame in frames:
        slots = (_spell(each) for each in (frame.needs, frame.needs_one))
        lines.append("\t".join((frame.word, frame.use, str(frame.seen), *slots)).rstrip("\t"))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _spell(slots: Mapping[str, int]) -> str:
    return " ".join(f"{name}={count}" for name, count in slots.items())


@dataclass(frozen=True, slots=True)
class FrameTable:
    """The frames as sorted ids of pairs: a word in its use, and a slot."""

    needs: NDArray[np.uint64]
    sure: NDArray[np.bool_]  # by pair of `needs`: whether the slot is sure
    needs_one: NDArray[np.uint64]
    weight: NDArray[np.int64]  # by pair of `needs_one`: its count
    sure_of_one: NDArray[np.bool_]  # by pair of `needs_one`: whether the slots are sure


@lru_cache(maxsize=1)
def shipped_frames() -> FrameTable:
    """The frames that are shipped: counted ones, and those of the lexicon."""
    folder = Path(__file__).parents[1] / "language"  # importlib.resources would take longer than reading the file
    counted = (folder / _FILE).read_text(encoding="utf-8")
    return read_frames("\n".join((counted, *lexicon_rows())), _FILE)


def read_frames(text: str, name: str) -> FrameTable:
    """Parse the frames of a file."""
    use_number = {str(use): number for number, use in enumerate(USES)}
    no_row = ("#", _COLUMNS[0] + "\t")
    lemmas: list[str] = []
    particles: list[str] = []
    uses: list[int] = []
    seen: list[int] = []
    slots: tuple[list[str], list[str]] = ([], [])  # by list: the slots of every word, not yet split
    try:
        for line in text.splitlines():
            if line and not line.startswith(no_row):
                word, use, count, needed, one_needed = f"{line}\t\t".split("\t")[: len(_COLUMNS)]
                lemma, _, particle = word.partition(" ")
                lemmas.append(lemma)
                particles.append(particle)
                uses.append(use_number[use])
                seen.append(int(count))
                slots[0].append(needed)
                slots[1].append(one_needed)
        key = key_ids(_ids(lemmas), _ids(particles), np.array(uses, np.uint64))
        (needs, counts, of_word), (needs_one, weight, of_one) = (_sorted_pairs(key, own) for own in slots)
    except (ValueError, KeyError) as error:
        raise LaconicError(f"the table of frames {name} is damaged: make it again (laconic count-frames)") from error
    total = np.array(seen, np.int64) + SMOOTH
    sure = (counts >= SURE * total[of_word]) | (total[of_word] == SMOOTH)
    return FrameTable(needs, sure, needs_one, weight, weight >= SURE_OF_ONE * total[of_one])


def _sorted_pairs(
    key: NDArray[np.uint64], listed: Sequence[str]
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
    """The sorted ids of pairs, their counts, and the indices of their words; `listed` has the slots of each word."""
    own = [each.split() for each in listed]
    slots = [pair.split("=") for pairs in own for pair in pairs]
    of_word = np.repeat(np.arange(len(own)), [len(pairs) for pairs in own])
    ids = pair_ids(key[of_word], _ids([slot for slot, _ in slots]))
    # Lexicon entries come last and override counts.
    ids, order = np.unique(ids[::-1], return_index=True)
    order = len(slots) - 1 - order
    return ids, np.array([int(count) for _, count in slots], np.int64)[order], of_word[order]


def _ids(names: Sequence[str]) -> NDArray[np.uint64]:
    """The ids of slots or lemmas, each looked up once."""
    number_of = {name: slot_id(name) for name in set(names)}
    return np.array([number_of[name] for name in names], np.uint64)
