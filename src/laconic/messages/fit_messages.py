"""Fit a chat history into a budget: old turns are shortened, and what a model needs verbatim is left alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, cast

from laconic.cores import cores
from laconic.document.fit import Fitted
from laconic.document.question import read_question
from laconic.document.terms import unparsed_terms
from laconic.errors import LaconicError, MisfitError
from laconic.foreign import Language
from laconic.limits import Budget, Limits
from laconic.messages.chat_form import (
    Message,
    Place,
    begin_turns,
    check_messages,
    counted_texts,
    find_places,
    is_users,
    put_texts,
    role_of,
    why_alone,
)
from laconic.messages.fitted_messages import Fate, FittedMessages, MessageReport
from laconic.messages.message_texts import choose_prints, read_texts
from laconic.messages.turns import Given
from laconic.options import LimitOptions, MessageOptions, complete, fields

if TYPE_CHECKING:
    from laconic.compressor import Compressor
    from laconic.messages.message_texts import Text

#: The number of tokens of a message besides its texts: delimiters, role, a line break.
MESSAGE_TOKENS: Final = 4


def fit_messages(compressor: Compressor, messages: Sequence[Message], options: MessageOptions) -> FittedMessages:
    """A chat history within one budget: see `Compressor.fit_messages`."""
    given = check_messages(messages)
    asked = complete("messages", options)
    limits = _make_limits(asked)
    question = read_question(compressor, asked["query"], asked["relevance"])
    history = _History(given, limits.budget, asked["overhead"])
    most = int(limits.budget.most or 0)
    history.check_phrases(limits)
    if history.total <= most and all(constraint.keep for constraint in limits.constraints):
        return history.result({}, most)
    texts = read_texts(
        compressor,
        history.shortenable(),
        limits,
        question=question,
        relevance=asked["relevance"],
        leaves_foreign=asked["language"] is not Language.ANY,
        threads=min(asked["threads"] or cores(), cores()),
    )
    dropped = history.drop_turns(texts, most) if asked["drop_turns"] else frozenset()
    left = [text for text in texts if text.place.message not in dropped]
    spent = history.total - sum(history.lengths[i] for i in dropped) - sum(text.whole for text in left)
    least = spent + sum(text.shortest for text in left)
    if least > most:
        remedy = "" if asked["drop_turns"] else ", or drop the oldest turns (drop_turns=True)"
        error = MisfitError(
            f"the messages do not fit into {most} {limits.budget.plural}: the shortest possible result, with what is "
            f"left alone, has {least}; allow at least that many{remedy}"
        )
        error.shortest = least
        raise error
    ways = choose_prints(left, most - spent)
    fitted = {text.place: text.fitted(way) for text, way in zip(left, ways, strict=True)}
    return history.result(fitted, most, dropped)


def _make_limits(asked: Mapping[str, Any]) -> Limits:
    """The limits of a history: one maximum, and words to keep or drop."""
    limits = Limits.of(**cast(LimitOptions, {name: asked[name] for name in fields(LimitOptions) if name in asked}))
    if limits.budget.parts or limits.budget.most is None or limits.budget.rate is not None:
        raise LaconicError("messages have one maximum: give max_tokens with a tokenizer, or one like max_chars")
    if any(constraint.span is not None for constraint in limits.constraints):
        raise LaconicError("spans do not go with messages: name words that must stay or go")
    return limits


class _History:
    """The messages of a history, with their lengths."""

    def __init__(
        self, messages: list[Message], budget: Budget, overhead: int | Callable[[Message], int] | None
    ) -> None:
        self.messages = messages
        self.budget = budget
        if overhead is None:
            overhead = MESSAGE_TOKENS if budget.kind == "tokens" else 0
        self._overhead = overhead
        self.lengths = [self.length(message) for message in messages]
        self.total = sum(self.lengths)
        self.turns = begin_turns(messages)
        self.alone = [
            why_alone(message) or ("newest turn" if i >= self.turns[-1] else None) for i, message in enumerate(messages)
        ]

    def length(self, message: Message) -> int:
        """The length of a message: its overhead, and its texts one by one."""
        own = self._overhead(message) if callable(self._overhead) else self._overhead
        return own + sum(self.budget.length(text) for text in counted_texts(message))

    def check_phrases(self, limits: Limits) -> None:
        """Refuse a phrase to keep that occurs in no message."""
        texts = [text for message in self.messages for text in counted_texts(message)]
        for constraint in limits.constraints:
            if constraint.keep and constraint.phrase is not None and not any(map(constraint.is_in, texts)):
                raise LaconicError(f"{constraint} cannot hold: no message has these words; check their spelling")

    def shortenable(self) -> list[Given]:
        """The texts of messages that are not left alone."""
        later = {
            term: i
            for i, message in enumerate(self.messages)
            for text in counted_texts(message)
            for term in unparsed_terms(text)
        }
        found = []
        for i, message in enumerate(self.messages):
            if self.alone[i] is None:
                age = sum(begin > i for begin in self.turns)  # number of later turns
                found += [Given(place, text, age, is_users(message), later) for place, text in find_places(i, message)]
        return found

    def drop_turns(self, texts: Sequence[Text], most: int) -> frozenset[int]:
        """The messages of the oldest turns that must be dropped, with tool calls and results."""
        least = list(self.lengths)
        for text in texts:
            least[text.place.message] -= text.whole - text.shortest
        dropped: set[int] = set()
        for first, last in pairwise(self.turns):
            if sum(least) - sum(least[i] for i in dropped) <= most:
                break
            dropped.update(i for i in range(first, last) if self.alone[i] != "system")
        return frozenset(dropped)

    def result(
        self, fitted: Mapping[Place, Fitted], most: int, dropped: frozenset[int] = frozenset()
    ) -> FittedMessages:
        """The history with these texts in their positions, without the dropped messages."""
        found, reports = [], []
        for i, message in enumerate(self.messages):
            own = {place.part: text for place, text in fitted.items() if place.message == i}
            changed = put_texts(message, {part: text.text for part, text in own.items()})
            before = after = self.lengths[i]
            fate = Fate.ALONE if self.alone[i] else Fate.WHOLE
            if i in dropped:
                fate, after = Fate.LEFT_OUT, 0
            else:
                if changed != message:
                    fate, after = Fate.SHORTENED, self.length(changed)
                found.append(changed)
            why = self.alone[i] if fate is Fate.ALONE else None
            reports.append(MessageReport(i, role_of(message), fate, why, before, after, tuple(own.values())))
        return FittedMessages(found, sum(report.after for report in reports), most, tuple(reports))
