"""What became of the messages of a chat history."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from laconic.document.fit import Fitted


class Fate(StrEnum):
    """What became of a message."""

    ALONE = "left alone"
    WHOLE = "whole"  # it could have been shortened
    SHORTENED = "shortened"
    LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class MessageReport:
    """What became of one message: its length as it was and as it is, and what became of its texts."""

    index: int  # among the messages that were given
    role: str
    fate: Fate
    why: str | None  # it is left alone
    before: int
    after: int
    texts: tuple[Fitted, ...] = ()  # those that were shortened, sentence by sentence

    def __str__(self) -> str:
        length = f"{self.before:,}" if self.before == self.after else f"{self.before:,} → {self.after:,}"
        return f"{self.index} {self.role}: {self.fate}{f' ({self.why})' if self.why else ''}, {length}"


@dataclass(frozen=True, slots=True)
class FittedMessages:
    """A chat history that fits: its messages, how long they are, and what became of each that was given."""

    messages: list[dict[str, Any]]
    length: int
    most: int  # the budget
    reports: tuple[MessageReport, ...]

    def count(self, fate: Fate) -> int:
        """How many messages had this fate."""
        return sum(report.fate is fate for report in self.reports)

    def __str__(self) -> str:
        return "\n".join([f"{self.length:,} of {self.most:,}", *map(str, self.reports)])
