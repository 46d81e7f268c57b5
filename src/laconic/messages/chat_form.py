"""The common forms of chat messages: roles, positions of texts, and which messages are left alone.

A message is a mapping with a role and a content, which is a text or a list of parts. Chat completions have tool calls
beside the content, and results in separate messages; Anthropic's messages have both among the parts; the Responses API
has items of other types between messages.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from laconic.errors import LaconicError

Message: TypeAlias = Mapping[str, Any]

_USERS: Final = frozenset({"user", "human"})
_ASSISTANTS: Final = frozenset({"assistant", "ai", "model"})
_SYSTEM: Final = frozenset({"system", "developer"})
_TOOLS: Final = frozenset({"tool", "function"})

_TEXT_PARTS: Final = frozenset({"text", "input_text", "output_text"})
#: Suffixes of the types of parts that are tool calls or results: tool_use, server_tool_use, mcp_tool_result, ….
_CALL_ENDS: Final = ("tool_use", "tool_call", "function_call")
_RESULT_ENDS: Final = ("tool_result", "function_call_output")
#: Fields that a message may have in place of a content.
_OTHER_CONTENT: Final = ("tool_calls", "function_call", "refusal", "audio", "type")
#: Fields of parts, calls and results that a model reads, which are therefore counted.
_COUNTED: Final = (
    "name", "content", "text", "thinking", "refusal", "function", "tool_calls", "function_call", "arguments", "input",
    "output",
)  # fmt: skip


class Place(NamedTuple):
    """The position of a text: its message, and its part; None: the content itself."""

    message: int
    part: int | None


def check_messages(messages: Sequence[Message]) -> list[Message]:
    """Check the messages; refuses invalid ones and unknown forms."""
    if isinstance(messages, str | Mapping) or not isinstance(messages, Sequence):
        raise LaconicError("the messages are not a list: give a list of messages, each with a role and a content")
    if not messages:
        raise LaconicError("there are no messages: give at least one")
    for number, message in enumerate(messages):
        if not isinstance(message, Mapping):
            raise LaconicError(f"message {number} is {message!r:.60}: give a mapping with a role and a content")
        if "content" not in message and not any(name in message for name in _OTHER_CONTENT):
            raise LaconicError(f"message {number} has no content: give messages with a role and a content")
        content = message.get("content")
        if not isinstance(content, str | None) and not (
            isinstance(content, Sequence) and all(isinstance(part, str | Mapping) for part in content)
        ):
            raise LaconicError(f"the content of message {number} is {content!r:.60}: give a text, or a list of parts")
    return list(messages)


def role_of(message: Message) -> str:
    """The role of a message or, for an item without a role, its type."""
    return str(message.get("role") or message.get("type") or "")


def is_users(message: Message) -> bool:
    """Whether it is a message of the user."""
    return message.get("role") in _USERS


def find_places(number: int, message: Message) -> Iterator[tuple[Place, str]]:
    """The texts of a message, with their positions."""
    content = message.get("content")
    if isinstance(content, str):
        yield Place(number, None), content
        return
    for i, part in enumerate(content or ()):
        if isinstance(part, str):
            yield Place(number, i), part
        elif part.get("type") in _TEXT_PARTS and isinstance(part.get("text"), str):
            yield Place(number, i), part["text"]


def put_texts(message: Message, texts: Mapping[int | None, str]) -> dict[str, Any]:
    """A copy of the message with other texts, given by part."""
    found = dict(message)
    if None in texts:
        found["content"] = texts[None]
    elif texts:
        parts = list(message["content"])
        for i, text in texts.items():
            assert i is not None
            parts[i] = text if isinstance(parts[i], str) else {**parts[i], "text": text}
        found["content"] = parts
    return found


def begin_turns(messages: Sequence[Message]) -> list[int]:
    """The indices of the messages that begin turns: messages of the user that are not tool results."""
    begins = [i for i, message in enumerate(messages) if is_users(message) and not has_results(message)]
    return begins if begins and begins[0] == 0 else [0, *begins]


def why_alone(message: Message) -> str | None:
    """Why a message is left alone, regardless of its position; None: its prose may be shortened."""
    role = message.get("role")
    if role in _SYSTEM:
        return "system"
    if role in _TOOLS or has_results(message):
        return "tool result"
    if _calls(message):
        return "tool call"
    return None if role in _USERS or role in _ASSISTANTS else "not a turn of a user or an assistant"


def has_results(message: Message) -> bool:
    """Whether a message contains tool results."""
    return any(_type(part).endswith(_RESULT_ENDS) for part in (message, *_parts(message)))


def _calls(message: Message) -> bool:
    named = bool(message.get("tool_calls") or message.get("function_call"))
    return named or any(_type(part).endswith(_CALL_ENDS) for part in (message, *_parts(message)))


def _parts(message: Message) -> list[Message]:
    content = message.get("content")
    return [] if isinstance(content, str | None) else [part for part in content if isinstance(part, Mapping)]


def _type(part: Message) -> str:
    return str(part.get("type", ""))


def counted_texts(message: Message) -> Iterator[str]:
    """All texts of a message that a model reads: content, calls and results; no images, files, ids or signatures."""
    for name in _COUNTED:
        value = message.get(name)
        if isinstance(value, str):
            yield value
        elif name in ("input", "arguments") and value is not None:
            yield json.dumps(value, ensure_ascii=False, default=str)
        elif isinstance(value, Mapping):
            yield from counted_texts(value)
        elif isinstance(value, Sequence):
            for part in value:
                if isinstance(part, str):
                    yield part
                elif isinstance(part, Mapping):
                    yield from counted_texts(part)
