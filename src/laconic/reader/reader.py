"""Run the reader: how likely it is, of each result, that an editor would undo none of its deletions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic._core import WordState
from laconic.errors import LaconicError
from laconic.network.runtime import BATCH_PIECES, STEP
from laconic.network.session import Session
from laconic.network.shape import MAX_PIECES

if TYPE_CHECKING:
    from laconic.decode import Decoded
    from laconic.tree import Forest

#: The files of a reader, in the folder of the network whose vectors it is given.
HEADER_NAME: Final = "reader.json"
GRAPH_NAME: Final = "reader.onnx"

FORMAT_VERSION: Final = 2


class Reader:
    """A reader, ready to run."""

    def __init__(self, folder: Path, *, network: str, threads: int = 1) -> None:
        """Open the reader of a folder; `network` is the hash of the network that it must have learned with."""
        self.header = _read_header(folder, network)
        self._session = Session(folder / GRAPH_NAME, self.header, threads)

    def read(
        self, vectors: NDArray[np.uint8], forest: Forest, decoded: Decoded, rows: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """The log-probability that an editor would undo nothing in the results of these numbers.

        `vectors` are the network's, a row a token. It is a sum over all that was cut, and over a clause that was taken
        out of its sentence. What has lost nothing, or is too long to be read, has 0.
        """
        cuts = _core.find_cuts(forest, decoded, rows)
        sentence = np.searchsorted(decoded.result_ptr, rows, side="right") - 1
        first = forest.sentence_first[sentence]
        length = np.diff(cuts.token_ptr)
        asked = (cuts.state == WordState.CUT) | (cuts.state == WordState.PROMOTED)
        number = np.repeat(np.arange(len(rows)), length)
        some = (np.bincount(number[asked], minlength=len(rows)) > 0) & (length <= MAX_PIECES)
        found = np.zeros(len(rows))
        padded = -(-length // STEP) * STEP
        for size in np.unique(padded[some]).tolist():
            own = np.flatnonzero(some & (padded == size))
            step = max(1, BATCH_PIECES // size)
            for begin in range(0, len(own), step):
                chosen = own[begin : begin + step]
                place = np.arange(size)
                real = place < length[chosen][:, None]
                at = np.where(real, cuts.token_ptr[chosen][:, None] + place, 0)
                inputs: dict[str, NDArray[Any]] = {
                    "vectors": vectors[np.where(real, first[chosen][:, None] + place, 0)],
                    "states": np.where(real, cuts.state[at], 0).astype(np.int32),
                    "mask": real.astype(np.int32),
                }
                (logits,) = self._session.run(["fault"], inputs)
                undone = np.logaddexp(0.0, logits[..., 0].astype(np.float64))  # -log(1 - p)
                found[chosen] = -np.where(real & asked[at], undone, 0.0).sum(axis=1)
        return found


@dataclass(frozen=True, slots=True)
class Seen:
    """A reader with the vectors of a batch, a row a token."""

    reader: Reader
    vectors: NDArray[np.uint8]

    def read(self, forest: Forest, decoded: Decoded, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """See `Reader.read`."""
        return self.reader.read(self.vectors, forest, decoded, rows)

    def take(self, rows: NDArray[np.int64]) -> Seen:
        """With the vectors of some tokens."""
        return Seen(self.reader, self.vectors[rows])


def has_reader(folder: Path) -> bool:
    """Whether the network of a folder has a reader."""
    return (folder / HEADER_NAME).exists()


def _read_header(folder: Path, network: str) -> dict[str, Any]:
    path = folder / HEADER_NAME
    try:
        header: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        right = header["format"] == FORMAT_VERSION and {"name", "sha256"} <= header.keys()
        own = header.get("network_sha256") == network
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LaconicError(f"cannot read the reader {path}: reinstall laconic") from error
    if not right:
        raise LaconicError(f"the reader {path} is not one that this laconic reads: reinstall laconic")
    if not own:
        raise LaconicError(f"the reader {path} learned with another network: train it again, or delete it")
    return header
