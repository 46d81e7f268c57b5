"""Batches of texts that are worked on together."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")


def batches(
    texts: Iterable[T], *, chars: int, count: int = sys.maxsize, size: Callable[[Any], int] = len
) -> Iterator[list[T]]:
    """Texts in batches of up to `count`; the text that brings a batch to `chars` characters is its last.

    `size` says how many characters one has, where it comes with something else.
    """
    batch: list[T] = []
    total = 0
    for text in texts:
        batch.append(text)
        total += size(text)
        if len(batch) == count or total >= chars:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch
