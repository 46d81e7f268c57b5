"""The result of fitting a chat history."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from laconic.document.fit import Fitted


class Fate(StrEnum):
    """What was done with a message."""

    ALONE = "left alone"
    WHOLE = "whole"  # unchanged, though it could have been shortened
    SHORTENED = "shortened"
    LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class MessageReport:
    """What was done with a message: its lengths before and after, and the results of its texts."""

    index: int  # among the given messages
    role: str
    fate: Fate
    why: str | None  # why it is left alone
    before: int
    after: int
    texts: tuple[Fitted, ...] = ()  # the texts that could be shortened

    def __str__(self) -> str:
        length = f"{self.before:,}" if self.before == self.after else f"{self.before:,} → {self.after:,}"
        return f"{self.index} {self.role}: {self.fate}{f' ({self.why})' if self.why else ''}, {length}"


@dataclass(frozen=True, slots=True)
class FittedMessages:
    """A fitted chat history: its messages, their length, and a report on each given message."""

    messages: list[dict[str, Any]]
    length: int
    most: int  # the budget
    reports: tuple[MessageReport, ...]

    def count(self, fate: Fate) -> int:
        """The number of messages with this fate."""
        return sum(report.fate is fate for report in self.reports)

    def __str__(self) -> str:
        return "\n".join([f"{self.length:,} of {self.most:,}", *map(str, self.reports)])
