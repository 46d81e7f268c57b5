"""Verdicts: which of laconic's deletions an editor would undo, and which are fine.

A file of verdicts is JSON Lines, plain or gzipped. A record has: the `text` of one sentence; the `deleted` spans; in
`fine` and `faulty`, the starts of the head words of what was cut; and, if a clause was printed without the rest of its
sentence, the start of its head word (`root`), and whether that is an error (`root_faulty`). All positions are character
offsets.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from laconic.corpus.read import opened
from laconic.errors import LaconicError


@dataclass(frozen=True, slots=True)
class Verdict:
    """An editor's verdict on one compression of a sentence."""

    deleted: tuple[tuple[int, int], ...]
    cut: Mapping[int, int]  # by start of the head word of what was cut: 1 an error, 0 fine
    root: Mapping[int, int]  # the same for a clause that was taken out of its sentence

    @property
    def faulty(self) -> dict[int, int]:
        """All verdicts together."""
        return {**self.cut, **self.root}


def read_verdicts(*paths: Path) -> dict[str, list[Verdict]]:
    """Read the verdicts of some files, by text."""
    found: dict[str, list[Verdict]] = {}
    for path in paths:
        _read(path, found)
    return found


def _read(path: Path, found: dict[str, list[Verdict]]) -> None:
    with opened(path) as file, io.TextIOWrapper(file, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                record = json.loads(line)
                cut = {int(at): faulty for faulty, name in enumerate(("fine", "faulty")) for at in record[name]}
                root = {int(record["root"]): int(record["root_faulty"])} if "root" in record else {}
                deleted = tuple((int(start), int(end)) for start, end in record["deleted"])
                found.setdefault(str(record["text"]), []).append(Verdict(deleted, cut, root))
            except (ValueError, KeyError, TypeError) as error:
                raise LaconicError(
                    f"{path}:{number}: no verdict ({error!r}): give JSON objects with text, deleted, fine and faulty"
                ) from error
