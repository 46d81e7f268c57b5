"""The thresholds of the harvest, with the paper's values as defaults."""

from __future__ import annotations

from dataclasses import dataclass

from laconic.errors import LaconicError


@dataclass(frozen=True, slots=True)
class Settings:
    """What a pair must fulfil (Filippova & Altun 2013, §3)."""

    min_words: int = 4  # of headline and sentence
    max_words: int = 200  # of the sentence: as many as `laconic train` takes
    min_ratio: float = 1.5  # words of the sentence / words of the headline
    max_length: float = 1.5  # characters of the compression / characters of the headline
    max_missing: int = 0  # content words of the headline that the sentence may lack
    in_order: bool = True  # content words come in the same order in both

    def __post_init__(self) -> None:
        for name, least, most in [
            ("min_words", 1, 1000), ("max_words", 1, 1000), ("min_ratio", 0, 100), ("max_length", 0, 100),
            ("max_missing", 0, 100),
        ]:  # fmt: skip
            value = getattr(self, name)
            if not least <= value <= most:
                raise LaconicError(f"{name} is {value}: give a number from {least} to {most}")
