"""Batches of texts that are worked on together."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator


def batches(texts: Iterable[str], *, chars: int, count: int = sys.maxsize) -> Iterator[list[str]]:
    """Texts in batches of up to `count`; the text that brings a batch to `chars` characters is its last."""
    batch: list[str] = []
    total = 0
    for text in texts:
        batch.append(text)
        total += len(text)
        if len(batch) == count or total >= chars:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch
