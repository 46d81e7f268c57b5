"""Split many texts into batches that are processed together."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")


def batches(
    texts: Iterable[T], *, chars: int, count: int = sys.maxsize, size: Callable[[Any], int] = len
) -> Iterator[list[T]]:
    """Batches of up to `count` texts; a batch is closed by the text that brings it to `chars` characters.

    `size` gives the number of characters of an item; needed where items are not plain texts.
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
