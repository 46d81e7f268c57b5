"""What the compressor returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Compression:
    """One compression of a sentence."""

    text: str
    score: float  # higher is better; equations 4–9 of the paper, 0 at most; of the ILP: the sum of edge weights
    rank: int  # 1 is the best
    rate: float  # characters of the compression / characters of the sentence
    spans: tuple[tuple[int, int], ...]  # character offsets into the input text of what was kept

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the input with its compressions, best first."""

    text: str
    start: int  # character offsets into the input text
    end: int
    compressions: tuple[Compression, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """An input text with its sentences."""

    text: str
    sentences: tuple[Sentence, ...]

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON-ready data."""
        return {
            "text": self.text,
            "sentences": [
                {
                    "text": sentence.text,
                    "start": sentence.start,
                    "end": sentence.end,
                    "compressions": [
                        {
                            "text": compression.text,
                            "score": compression.score,
                            "rank": compression.rank,
                            "rate": compression.rate,
                            "spans": [list(span) for span in compression.spans],
                        }
                        for compression in sentence.compressions
                    ],
                }
                for sentence in self.sentences
            ],
        }
