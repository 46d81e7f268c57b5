"""Settings that a service is started with; requests cannot change them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from laconic.cores import cores
from laconic.errors import LaconicError

#: The environment variable with the key that every request to /v1 and /metrics then needs.
KEY_VARIABLE: Final = "LACONIC_API_KEY"
#: The built-in tokenizer: the word pieces that the network reads.
WORDPIECE: Final = "wordpiece"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a service: models and tokenizers by name, workers, and limits."""

    models: Mapping[str, str] = field(default_factory=lambda: {"default": "default"})  # the first one is the default
    tokenizers: Mapping[str, str] = field(default_factory=dict)
    workers: int = field(default_factory=cores)
    max_body: int = 1 << 20  # bytes of a request
    max_texts: int = 1000  # texts or documents of a request
    max_k: int = 100
    max_results: int = 2_000_000  # k times the characters of a request's texts: bounds the answer
    seconds: float = 30.0  # from the last byte of a request to its answer
    read_seconds: float = 10.0  # for a request to arrive, and for a response to be read
    max_waiting: int = 512  # requests that wait for a worker
    max_waiting_bytes: int = 16 << 20
    max_arriving_bytes: int = 64 << 20  # of all requests that are arriving
    max_connections: int = 4096
    key: str | None = field(default=None, repr=False)
    hosts: tuple[str, ...] = ()  # additional host names; "*" is any

    def __post_init__(self) -> None:
        if not self.models:
            raise LaconicError("a service needs a model: give at least one")
        for name in ("workers", "max_body", "max_texts", "max_k", "max_results", "max_waiting", "max_connections"):
            if getattr(self, name) < 1:
                raise LaconicError(f"{name} is {getattr(self, name)}: give 1 or more")
        for name in ("seconds", "read_seconds"):
            if not 0 < getattr(self, name) < 86_400:
                raise LaconicError(f"{name} is {getattr(self, name)}: give a number of seconds above 0, up to a day")
        if WORDPIECE in self.tokenizers:
            raise LaconicError(f"the name {WORDPIECE} is reserved for the built-in tokenizer: give another")
        if self.key is not None and len(self.key) < 16:
            raise LaconicError(f"the key in {KEY_VARIABLE} is short enough to be guessed: give 16 characters or more")


def key_from_environment() -> str | None:
    """The key that clients must send, if there is one."""
    return os.environ.get(KEY_VARIABLE) or None


def named(given: Iterable[str], what: str) -> dict[str, str]:
    """Models or tokenizers by name, from NAME or NAME=PATH; a path without a name is named by its last component."""
    found: dict[str, str] = {}
    for each in given:
        name, equals, path = each.partition("=")
        if not equals:
            name, path = Path(each).name.removesuffix(".json") or each, each
        if not name or not path:
            raise LaconicError(f"the {what} {each!r} has no name or no path: give NAME or NAME=PATH")
        if name in found:
            raise LaconicError(f"two {what}s are called {name!r}: give each a name of its own, as in NAME=PATH")
        found[name] = path
    return found
