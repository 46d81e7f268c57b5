"""The labelled feature rows of a corpus, on disk, for training the classifiers.

Rows are written as the shards stream by, so memory holds one shard and the feature index, whatever the size of the
corpus.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic.train.cache import Shard


@dataclass(frozen=True, slots=True)
class Examples:
    """Sparse rows of binary features, memory-mapped, with labels and the ids of the features."""

    ptr: NDArray[np.int64]
    columns: NDArray[np.int32]
    label: NDArray[np.uint8]
    ids: NDArray[np.uint32]

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.label)


def index_features(shards: Iterable[Shard], *, nodes: bool, least: int, min_f1: float) -> _core.FeatureIndex:
    """Assign indices to the features that occur at least `least` times."""
    index = _core.FeatureIndex()
    for shard in shards:
        _, ids, _ = _core.examples(shard.forest, shard.gold, nodes, min_f1)
        index.count(ids)
    index.prune(least)
    return index


def write_examples(
    shards: Iterable[Shard], index: _core.FeatureIndex, folder: Path, *, nodes: bool, min_f1: float
) -> Examples:
    """Write the rows of a corpus to `folder` and map them."""
    folder.mkdir(parents=True, exist_ok=True)
    end = 0
    with (
        (folder / "ptr").open("wb") as ptr_file,
        (folder / "columns").open("wb") as columns_file,
        (folder / "label").open("wb") as label_file,
    ):
        np.zeros(1, dtype=np.int64).tofile(ptr_file)
        for shard in shards:
            ptr, ids, label = _core.examples(shard.forest, shard.gold, nodes, min_f1)
            ptr, columns = index.number(ids, ptr)
            (ptr[1:] + end).tofile(ptr_file)
            columns.tofile(columns_file)
            label.tofile(label_file)
            end += len(columns)
    return Examples(
        _map(folder / "ptr", np.int64),
        _map(folder / "columns", np.int32),
        _map(folder / "label", np.uint8),
        index.ids(),
    )


def _map(path: Path, dtype: Any) -> NDArray[Any]:
    if path.stat().st_size == 0:
        return np.zeros(0, dtype=dtype)
    return np.memmap(path, dtype=dtype, mode="r")
