"""Sentences that must not lose what decides their truth, and what breaks their rules.

An item of the suite has `id`, `kind`, `genre`, `text` and `rules`: where all words of `if` are printed, all words of
every phrase in `then` must be. Phrases stand once in the text; what is printed is known by its characters, not by its
words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from laconic import Compression, Compressor

#: The sentences that the rules of the guard were made with, those of writers who had seen neither, and those of later
#: writers, on two thirds of which rules were corrected afterwards.
SUITES = {
    name: Path(__file__).parent / "data" / f"{file}.jsonl"
    for name, file in (("known", "faithful"), ("fresh", "faithful_fresh"), ("later", "faithful_later"))
}

#: No budget, and shares of the characters.
LENGTHS = (None, 0.8, 0.6, 0.4, 0.25)


@dataclass(frozen=True)
class Item:
    """A sentence of the suite."""

    id: str
    kind: str
    genre: str
    text: str
    rules: Sequence[dict]

    def broken_by(self, compression: Compression) -> list[dict]:
        """The rules that a compression breaks."""
        return [
            rule
            for rule in self.rules
            if self._prints(compression, rule["if"])
            and not all(self._prints(compression, each) for each in rule["then"])
        ]

    def places(self, phrase: str) -> list[tuple[int, int]]:
        """Where a phrase stands, as whole words."""
        return [match.span() for match in re.finditer(rf"(?<!\w){re.escape(phrase)}(?!\w)", self.text)]

    def _prints(self, compression: Compression, phrase: str) -> bool:
        ((first, last),) = self.places(phrase)
        words = [match.span() for match in re.finditer(r"[\w'’]+", self.text[first:last])]
        return all(any(start <= first + a and first + b <= end for start, end in compression.spans) for a, b in words)


def load_suite(name: str = "known") -> list[Item]:
    """All sentences of a suite."""
    return [Item(**json.loads(line)) for line in SUITES[name].read_text(encoding="utf-8").splitlines()]


def compress_at(compressor: Compressor, items: Sequence[Item], rate: float | None) -> list[Compression]:
    """The best compression of every sentence within a share of its characters, or the nearest to that."""
    limits = {} if rate is None else {"rate": rate, "nearest": True}
    results = compressor.batch([item.text for item in items], **limits)
    return [result[0][0] for result in results]
