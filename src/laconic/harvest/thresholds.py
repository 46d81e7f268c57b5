"""The thresholds of the harvest; the defaults are the paper's values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from laconic.options.option import Option, check_fields


@dataclass(frozen=True, slots=True)
class Settings:
    """The requirements for a pair (Filippova & Altun 2013, §3)."""

    min_words: Annotated[int, Option("Fewest words of headline and sentence.", least=1, most=1000, metavar="N")] = 4
    #: The same maximum as in `laconic train`.
    max_words: Annotated[int, Option("Most words of a sentence.", least=1, most=1000, metavar="N")] = 200
    min_ratio: Annotated[
        float, Option("Least words of the sentence / words of the headline.", least=0, most=100, metavar="R")
    ] = 1.5
    max_length: Annotated[
        float,
        Option("Most characters of the compression / characters of the headline.", least=0, most=100, metavar="R"),
    ] = 1.5
    max_missing: Annotated[
        int, Option("Content words of the headline that the sentence may lack.", least=0, most=100, metavar="N")
    ] = 0
    in_order: Annotated[
        bool,
        Option(
            "Content words come in the same order in both.",
            no="Take pairs whose content words come in another order.",
            flag="--any-order",
        ),
    ] = True

    def __post_init__(self) -> None:
        check_fields(self)
