"""Run a network with ONNX Runtime: from the words of sentences to the outputs for arcs, labels and words."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic import compatibility
from laconic.errors import LaconicError
from laconic.model_folders import GRAPH_NAME, HEADER_NAME, VOCABULARY_NAME
from laconic.network.pieces import CLS, MAX_PIECES_OF_WORD, SEP, Pieces
from laconic.network.session import Session, damaged
from laconic.network.shape import MAX_PIECES
from laconic.score.level_scores import Decoding

FORMAT_VERSION: Final = 5

#: Sentences are padded to a multiple of this, whatever their batch: equal shapes give equal results.
STEP: Final = 2

#: The maximum number of pieces in a batch: more would not be faster, and take more memory.
BATCH_PIECES: Final = 1024

_OUTPUTS: Final = ("arc", "label", "word")

#: The score added to pieces that do not begin a word.
_NEVER: Final = -1e4

#: The pieces of a word and its case class, as returned by `Pieces.read`.
Word = tuple[tuple[int, ...], int]


@dataclass(frozen=True, slots=True)
class Batch:
    """The outputs of the network for some padded sentences, with their numbers and the positions of their words."""

    numbers: list[int]
    first: list[list[int]]  # by sentence: the position of the first piece of each word
    arc: NDArray[np.float32]
    label: NDArray[np.float32]
    word: NDArray[np.float32]


class Network:
    """A network. `threads` share the work of one batch.

    The graph is opened in the background, until `wait` or its first use.
    """

    def __init__(self, folder: Path, *, threads: int = 1) -> None:
        if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
            raise LaconicError(f"threads is {threads!r}: give a whole number, 1 or more")
        self.header = _read_header(folder)
        self._session = Session(folder / GRAPH_NAME, self.header, threads)
        self.decoding = Decoding.from_dict(self.header["decoding"])
        self.pieces = Pieces(folder / VOCABULARY_NAME, sha256=self.header["vocabulary_sha256"])

    @property
    def description(self) -> str:
        """Name, version and a hash of the graph, as written into caches, signatures and cards."""
        return f"{self.header['name']}+{self.header['sha256'][:8]}"

    def wait(self) -> None:
        """Wait until the graph is open; refuses an invalid one."""
        self._session.wait()

    def run(self, sentences: Sequence[Sequence[Word]]) -> Iterator[Batch]:
        """Run sentences of at most `MAX_PIECES` pieces, batched by padded length; batches come in any order."""
        buckets: dict[int, list[int]] = {}
        for i, words in enumerate(sentences):
            pieces = sum([len(own) for own, _ in words])
            buckets.setdefault(math.ceil((pieces + 2) / STEP) * STEP, []).append(i)
        for length, numbers in sorted(buckets.items()):
            size = max(1, BATCH_PIECES // length)
            for start in range(0, len(numbers), size):
                own = numbers[start : start + size]
                yield self._run([sentences[i] for i in own], own, length)

    def _run(self, sentences: list[Sequence[Word]], numbers: list[int], length: int) -> Batch:
        shape = (len(sentences), length)
        pieces, cases, mask = (np.zeros(shape, dtype=np.int32) for _ in range(3))
        not_a_word = np.full(shape, _NEVER, dtype=np.float32)
        first = []
        for i, words in enumerate(sentences):
            row, written, begins = [CLS], [0], []
            for own, case in words:
                begins.append(len(row))
                row += own
                written += [case] * len(own)
            row.append(SEP)
            pieces[i, : len(row)] = row
            cases[i, : len(written)] = written
            mask[i, : len(row)] = 1
            not_a_word[i, begins] = 0
            first.append(begins)
        inputs = {"pieces": pieces, "cases": cases, "mask": mask, "not_a_word": not_a_word}
        return Batch(numbers, first, *self._session.run(_OUTPUTS, inputs))


def windows(words: Sequence[Word], most: int = MAX_PIECES) -> list[tuple[int, int]]:
    """The parts in which a sentence is read; a single one if it has at most `most` pieces."""
    if len(words) * MAX_PIECES_OF_WORD <= most:
        return [(0, len(words))]
    found, start, filled = [], 0, 0
    for i, (own, _) in enumerate(words):
        if filled + len(own) > most:
            found.append((start, i))
            start, filled = i, 0
        filled += len(own)
    return [*found, (start, len(words))]


def _read_header(folder: Path) -> dict[str, Any]:
    path = folder / HEADER_NAME
    try:
        header: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        version = header["format"]
        whole = version != FORMAT_VERSION or _is_whole(header)
    except FileNotFoundError:
        raise LaconicError(
            f"there is no network at {folder}: give a folder that `laconic train-network` wrote"
        ) from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise LaconicError(damaged(path)) from error
    if version != FORMAT_VERSION:
        raise LaconicError(
            f"the network {path} has format {version} and this laconic reads {FORMAT_VERSION}: train it again, or use "
            "the version of laconic that made it"
        )
    if not whole:
        raise LaconicError(damaged(path))
    remedy = "train it again with `laconic train-network`, or use the version of laconic that made it"
    compatibility.check(header["compatibility"], f"the network {path}", remedy)
    return header


def _is_whole(header: dict[str, Any]) -> bool:
    """Whether a header has all fields that running its network and decoding need."""
    Decoding.from_dict(header["decoding"])
    return (
        isinstance(header["name"], str)
        and isinstance(header["sha256"], str)
        and isinstance(header["vocabulary_sha256"], str)
        and isinstance(header["compatibility"], dict)
    )
