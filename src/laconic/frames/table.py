"""What words cannot do without, as a file of plain text and as the arrays that the guard looks up.

A row of the file is a word in one of its uses: how often it was seen; the slots that it seldom stands without; and the
slots of which it seldom stands without any ("put it in, on, there"), where that may be anything that follows. Each slot
has its count behind it.
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

#: A word is known from this many occurrences on; what is seldom seen is smoothed as if seen so often more, without.
LEAST: Final = 8
SMOOTH: Final = 4
#: From which share of its occurrences on a word needs a slot, and one of several. Tuned on what editors cut.
NEEDS: Final[Mapping[Use, float]] = {
    Use.OBJECT: 0.40, Use.NO_OBJECT: 0.50, Use.PASSIVE: 0.45, Use.PARTICIPLE: 0.30, Use.A: 0.40, Use.THE: 0.50,
    Use.SINGULAR: 0.45, Use.PLURAL: 0.45, Use.PART: 0.50, Use.ADJECTIVE: 0.30, Use.ADVERB: 0.60,
}  # fmt: skip
NEEDS_ONE: Final[Mapping[Use, float]] = {
    Use.OBJECT: 0.50, Use.NO_OBJECT: 0.65, Use.PASSIVE: 0.72, Use.PARTICIPLE: 0.60, Use.A: 0.60, Use.THE: 0.60,
    Use.SINGULAR: 0.60, Use.PLURAL: 0.60, Use.PART: 0.65, Use.ADJECTIVE: 0.50, Use.ADVERB: 0.70,
}  # fmt: skip
#: A clause is what a verb needs from this share on, since little else can stand in its place.
NEEDS_CLAUSE: Final[Mapping[Use, float]] = {Use.OBJECT: 0.20, Use.NO_OBJECT: 0.10, Use.PASSIVE: 0.10}
_CLAUSES: Final = ("xcomp", "ccomp")
#: From which share on it needs at least something to follow.
NEEDS_ANYTHING: Final[Mapping[Use, float]] = {
    Use.OBJECT: 0.80, Use.NO_OBJECT: 0.82, Use.PASSIVE: 0.88, Use.PARTICIPLE: 0.80, Use.A: 0.85, Use.THE: 0.85,
    Use.SINGULAR: 0.85, Use.PLURAL: 0.85, Use.PART: 0.85, Use.ADJECTIVE: 0.80, Use.ADVERB: 0.90,
}  # fmt: skip
#: From which share on nobody would print the word without the slot. What dictionaries say is as sure.
SURE: Final = 0.80
#: The same of a word and whatever follows it: more, since of several only one is kept.
SURE_OF_ONE: Final = 0.90
#: A slot is one of those of which a word needs one when it is filled in this share of the word's occurrences.
TYPICAL: Final = 0.08
#: A noun that stands without an article or what takes its place no oftener than this cannot do without.
NEEDS_DETERMINER: Final = 0.75
#: Slots that are no part of what completes a word: "gave [him] a book" loses nothing that it needs.
_NOT_TYPICAL: Final = ("dative", OBJECT, DETERMINER, ANYTHING)
#: Slots that are needed with others or not at all: what fills them is loosely joined.
_LOOSE: Final = ("dative", "relcl", "acl", "npadvmod", DETERMINER, ANYTHING)
#: Slots that every verb needs where it has them: in no row.
ALWAYS: Final = (OBJECT, "acomp", "oprd", "attr")

_FILE: Final = "frames.tsv"
_COLUMNS: Final = ("word", "use", "seen", "needs", "needs one of")


@dataclass(frozen=True, slots=True)
class Frame:
    """What is known of a word in one of its uses: slots with how often they were filled."""

    word: str  # with its particle
    use: Use
    seen: int
    needs: Mapping[str, int]
    needs_one: Mapping[str, int]


def make_frames(counts: FrameCounts) -> list[Frame]:
    """What of the counts is worth knowing: the frames that differ from those of unknown words."""
    frames = [_frame(word, filled, counts) for word, filled in counts.frames.items()]
    known = [frame for frame in frames if frame is not None]
    return sorted(known, key=lambda frame: (frame.word, USES.index(frame.use)))


def _frame(word: Word, filled: Counter[tuple[int, ...]], counts: FrameCounts) -> Frame | None:
    """What is worth knowing of a word; None: nothing."""
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
    """Write the file; `source` says what was counted, and how."""
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
    sure: NDArray[np.bool_]  # by pair of `needs`: the word is hardly ever seen without it
    needs_one: NDArray[np.uint64]
    weight: NDArray[np.int64]  # by pair of `needs_one`: how often it was seen
    sure_of_one: NDArray[np.bool_]  # by pair of `needs_one`: the word is hardly ever seen without it


@lru_cache(maxsize=1)
def shipped_frames() -> FrameTable:
    """The frames that laconic has of English: what was counted, and what dictionaries say."""
    folder = Path(__file__).parents[1] / "language"  # importlib.resources would take longer than the file
    counted = (folder / _FILE).read_text(encoding="utf-8")
    return read_frames("\n".join((counted, *lexicon_rows())), _FILE)


def read_frames(text: str, name: str) -> FrameTable:
    """The frames of a file."""
    use_number = {str(use): number for number, use in enumerate(USES)}
    no_row = ("#", _COLUMNS[0] + "\t")
    lemmas: list[str] = []
    particles: list[str] = []
    uses: list[int] = []
    seen: list[int] = []
    slots: tuple[list[str], list[str]] = ([], [])  # by list: those of every word, as they are written
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
    """The ids of pairs, sorted, their counts, and the numbers of their words; `listed` are the slots of each word."""
    own = [each.split() for each in listed]
    slots = [pair.split("=") for pairs in own for pair in pairs]
    of_word = np.repeat(np.arange(len(own)), [len(pairs) for pairs in own])
    ids = pair_ids(key[of_word], _ids([slot for slot, _ in slots]))
    # What dictionaries say comes last, and counts.
    ids, order = np.unique(ids[::-1], return_index=True)
    order = len(slots) - 1 - order
    return ids, np.array([int(count) for _, count in slots], np.int64)[order], of_word[order]


def _ids(names: Sequence[str]) -> NDArray[np.uint64]:
    """The ids of slots or lemmas, each looked up once."""
    number_of = {name: slot_id(name) for name in set(names)}
    return np.array([number_of[name] for name in names], np.uint64)
