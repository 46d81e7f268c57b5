"""Examples as padded tensors on a device, in batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import torch
from torch import Tensor

from laconic.network.examples import Examples
from laconic.network.pieces import CLS, LOWER, MIXED, SEP, TITLE, UPPER

#: Columns with what is known of every word, from a teacher's trees and a gold compression.
TARGETS: Final = ("head", "label", "tag", "entity", "keep", "retain", "need", "root", "alone")

#: Sentences are sorted by length within this many batches: little padding, but different batches every time.
_SORTED_BATCHES: Final = 50

#: The share of sentences that are shown in capitals; the same share is shown in lower case, and in title case.
_OTHER_CASE: Final = 0.04


class Batches:
    """All examples on a device, from which batches are cut."""

    def __init__(self, examples: Examples, device: torch.device) -> None:
        lengths = np.diff(examples.piece_ptr)
        self.length = lengths
        self.labelled = examples.labelled
        sentence = np.repeat(np.arange(len(examples)), np.diff(examples.word_ptr))
        first = np.flatnonzero(examples.word_start) - examples.piece_ptr[sentence]
        word_of_piece = np.cumsum(examples.word_start) - 1
        self._piece_ptr = torch.from_numpy(examples.piece_ptr).to(device)
        self._word_ptr = torch.from_numpy(examples.word_ptr).to(device)
        self._piece = _padded(examples.piece.astype(np.int32), device)
        self._case = _padded(examples.case[word_of_piece], device)
        self._first = _padded(first.astype(np.int32), device)
        names = TARGETS if self.labelled else ()
        self._level = torch.from_numpy(examples.level).to(device)
        self._targets = {name: _padded(getattr(examples, name), device) for name in names}
        self._device = device

    def plan(self, pieces: int, seed: int) -> list[Tensor]:
        """The sentence numbers of every batch, in random order; a batch has about `pieces` pieces."""
        rng = np.random.default_rng(seed)
        order = rng.permutation(len(self.length))
        size = max(1, _SORTED_BATCHES * pieces // max(int(self.length.mean() if len(self.length) else 1), 1))
        plan = []
        for start in range(0, len(order), size):
            part = order[start : start + size]
            part = part[np.argsort(self.length[part], kind="stable")]
            filled = np.cumsum(self.length[part] + 2)
            plan += np.split(part, np.flatnonzero(np.diff(filled // pieces)) + 1)
        return [torch.from_numpy(plan[i]).to(self._device) for i in rng.permutation(len(plan))]

    def batch(self, numbers: Tensor) -> dict[str, Tensor]:
        """The sentences with these numbers, padded."""
        at, length = self._piece_ptr[numbers], self._piece_ptr[numbers + 1] - self._piece_ptr[numbers]
        place = torch.arange(int(length.max()) + 2, device=self._device)[None, :]
        inside = (place > 0) & (place <= length[:, None])
        rows = torch.where(inside, at[:, None] + place - 1, -1)
        pieces = self._piece[rows].long()
        pieces = torch.where(place == 0, CLS, torch.where(place == length[:, None] + 1, SEP, pieces))
        found = {"pieces": pieces, "cases": self._case[rows].long(), "mask": place <= length[:, None] + 1}
        word_at = self._word_ptr[numbers]
        count = self._word_ptr[numbers + 1] - word_at
        place = torch.arange(int(count.max()), device=self._device)[None, :]
        found["words"] = place < count[:, None]
        rows = torch.where(found["words"], word_at[:, None] + place, -1)
        found["first"] = torch.where(found["words"], self._first[rows].long() + 1, 0)
        if self.labelled:
            found["level"] = self._level[numbers].long()
        for name, column in self._targets.items():
            found[name] = column[rows].long()
        return found

    def __iter__(self) -> Iterator[dict[str, Tensor]]:
        """Batches with every sentence once, in order of length."""
        order = np.argsort(self.length, kind="stable")
        for start in range(0, len(order), 200):
            yield self.batch(torch.from_numpy(order[start : start + 200]).to(self._device))


def change_case(cases: Tensor, generator: torch.Generator) -> Tensor:
    """Change the case of some sentences: to upper case, to lower case, to title case."""
    draw = torch.rand(cases.shape[0], 1, device=cases.device, generator=generator)
    letters = (cases >= LOWER) & (cases <= MIXED)
    for i, case in enumerate((UPPER, LOWER, TITLE)):
        chosen = (draw >= i * _OTHER_CASE) & (draw < (i + 1) * _OTHER_CASE)
        cases = torch.where(chosen & letters, case, cases)
    return cases


def _padded(column: np.ndarray, device: torch.device) -> Tensor:
    """A column with a zero appended, which is the value of row -1."""
    return torch.from_numpy(np.append(column, np.zeros(1, column.dtype))).to(device)
