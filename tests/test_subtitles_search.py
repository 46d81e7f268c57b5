"""The choice of versions with a limit for every cue, beside all there are."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

import laconic
from laconic.decode import decode
from laconic.subtitles import search
from laconic.subtitles.search import find_versions
from laconic.subtitles.sentence_versions import Need, Reading

#: By what is saved in each cue.
Versions = dict[tuple[int, ...], float]

SENTENCES = (
    "The old man who lived next door told me that the house was sold last week.",
    "She left early because her train was late.",
    "I wanted to see the big red boat before it sailed, but the harbour was closed on Sunday.",
    "We never found the letter that he had sent us from the island.",
    "In the evening the children, who were tired, went quietly to bed.",
    "Please call the office in the morning if you cannot come.",
    "The new bridge over the river will be opened by the mayor in spring.",
)


def read(compressor: laconic.Compressor, text: str, edges: list[int]) -> Reading:
    """A text whose cues begin at these characters."""
    forest, scores = compressor.read([text])
    cells = np.searchsorted(edges, np.arange(len(text)), side="right").astype(np.int32)
    return Reading(forest, scores, (cells,), np.arange(len(edges) + 1, dtype=np.int32))


def cut(text: str, cues: int) -> list[int]:
    """Where so many cues of a text begin, without the first: between words."""
    spaces = [i + 1 for i, char in enumerate(text) if char == " "]
    return [min(spaces, key=lambda at: abs(at - len(text) * n // cues)) for n in range(1, cues)]


def all_versions(reading: Reading, needs: list[Need]) -> list[tuple[Versions, list[int]]]:
    """Of every sentence the best score of all versions that save the same in each cue, and its characters by cue.

    A sentence that no need is about stays as it is.
    """
    found_by = search.Search(reading, needs, frozenset())
    view = found_by._view([0])
    forest, text = reading.forest, reading.forest.parses.texts()[0]
    decoded = decode(forest, view.probabilities, pins=view.pins, k=50_000, limits=view.limits, order="score")
    assert np.diff(decoded.result_ptr).max() < 50_000, "too many to judge by"
    found = []
    cues = len(reading.cue)
    for i, (_, first, last) in enumerate(forest.parses.sentences()):
        start, end = int(forest.parses.start[first]), int(forest.parses.end[last - 1])
        full = [0] * cues
        for cue in range(cues):
            full[cue] = len(
                "".join(c for c, n in zip(text[start:end], reading.cell[0][start:end], strict=True) if n == cue).strip()
            )
        versions: dict[tuple[int, ...], float] = {}
        for row in range(int(decoded.result_ptr[i]), int(decoded.result_ptr[i + 1])):
            printed = [""] * cues
            last_cue = -1
            for p in range(int(decoded.piece_ptr[row]), int(decoded.piece_ptr[row + 1])):
                a, b = int(decoded.piece_start[p]), int(decoded.piece_end[p])
                cue = int(reading.cell[0][a])
                if not decoded.piece_word[p] and cue != last_cue:
                    later = range(p + 1, int(decoded.piece_ptr[row + 1]))
                    same = any(decoded.piece_word[q] and reading.cell[0][decoded.piece_start[q]] == cue for q in later)
                    cue = cue if same or last_cue < 0 else last_cue
                printed[cue] += (" " if decoded.piece_space[p] and printed[cue] else "") + text[a:b]
                last_cue = cue
            saved = tuple(full[c] - len(printed[c]) + (not printed[c] and full[c] > 0) for c in range(cues))
            versions[saved] = max(versions.get(saved, -1e9), float(decoded.score[row]))
        touched = any(full[cell] for need in needs for cell in need.cells)
        found.append((versions if touched else {(0,) * cues: 0.0}, full))
    return found


def best_by_hand(found: list[tuple[Versions, list[int]]], needs: list[Need], cues: int) -> float | None:
    """The best sum of scores within the needs, no cue empty."""
    others = {
        cue: [i for i, (_, full) in enumerate(found) if full[cue] and sum(map(bool, full)) == 1] for cue in range(cues)
    }
    best = None
    for choice in itertools.product(*(versions.items() for versions, _ in found)):
        saved = np.sum([each for each, _ in choice], axis=0)
        if any(saved[list(need.cells)].sum() < need.chars for need in needs):
            continue
        emptied = any(
            full[cue] and each[cue] > full[cue] and not [o for o in others[cue] if o != i]
            for i, ((each, _), (_, full)) in enumerate(zip(choice, found, strict=True))
            for cue in range(cues)
        )
        if not emptied:
            score = sum(score for _, score in choice)
            best = score if best is None else max(best, score)
    return best


@pytest.mark.parametrize("number", range(48))
def test_no_choice_within_the_limits_is_better(compressor: laconic.Compressor, number: int) -> None:
    chance = random.Random(number)
    text = " ".join(chance.sample(SENTENCES, 1 + number % 2))
    edges = cut(text, 1 + number % 3)
    reading = read(compressor, text, edges)
    lengths = [len(part) for part in np.split(np.array(list(text)), edges)]
    cues = len(lengths)
    needs = [
        Need(frozenset({cue}), max(1, int(lengths[cue] * chance.uniform(0.1, 0.45))))
        for cue in range(cues)
        if cues == 1 or chance.random() < 0.8
    ] or [Need(frozenset({0}), 8)]
    by_hand = best_by_hand(all_versions(reading, needs), needs, cues)
    choices = find_versions(reading, needs)
    assert all(choice.exact for choice in choices)
    missing = {need: short for choice in choices for need, short in choice.missing.items()}
    if by_hand is None:
        assert missing
    else:
        assert not missing
        assert sum(choice.score for choice in choices) >= by_hand - 1e-3
