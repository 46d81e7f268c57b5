"""Run the reader: how likely it is, of everything that could be printed, that nobody misses anything."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic.errors import LaconicError
from laconic.model_folders import VOCABULARY_NAME, model_folder
from laconic.network.pieces import CLS, SEP, Pieces
from laconic.network.runtime import BATCH_PIECES, STEP, open_session
from laconic.network.shape import MAX_PIECES

if TYPE_CHECKING:
    from laconic.decode import Decoded
    from laconic.tree import Forest

#: The files of a reader besides its vocabulary, and the folder of the one that comes with laconic.
HEADER_NAME: Final = "reader.json"
GRAPH_NAME: Final = "reader.onnx"
FOLDER_NAME: Final = "reader"

FORMAT_VERSION: Final = 1

#: Taken off the logits: what may or may not be noticed, as the end of any short sentence, is not held against a print.
SURE: Final = 1.0


@cache
def shipped_reader(threads: int = 1) -> Reader:
    """The reader that comes with laconic, opened once."""
    return Reader(model_folder().parent / FOLDER_NAME, threads=threads)


class Reader:
    """A reader, ready to run."""

    def __init__(self, folder: Path, *, threads: int = 1) -> None:
        self.header = _read_header(folder)
        self.pieces = Pieces(folder / VOCABULARY_NAME, sha256=self.header["vocabulary_sha256"])
        self._session = open_session(folder / GRAPH_NAME, self.header, threads)

    def read(self, forest: Forest, decoded: Decoded, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """The log-probability that nobody misses anything in the results of these numbers, as they are printed.

        It is a sum over the places where words have gone. What has lost nothing, or is too long to be read, has 0.
        """
        gaps = _core.find_gaps(forest, decoded, rows)
        token_ptr, ends = gaps.token_ptr.tolist(), gaps.ends.tolist()
        tokens, missing = gaps.token.tolist(), gaps.missing.tolist()
        words = self._words(forest, gaps.token)
        found = np.zeros(len(rows))
        by_length: dict[int, list[tuple[int, list[int], list[int]]]] = {}
        for number in range(len(rows)):
            pieces, asked = [CLS], []
            for at in range(token_ptr[number], token_ptr[number + 1]):
                if missing[at]:
                    asked.append(len(pieces))
                pieces += words[tokens[at]]
            if ends[number]:
                asked.append(len(pieces))
            pieces.append(SEP)
            if asked and len(pieces) <= MAX_PIECES + 2:
                by_length.setdefault(-(-len(pieces) // STEP) * STEP, []).append((number, pieces, asked))
        for length, prints in sorted(by_length.items()):
            size = max(1, BATCH_PIECES // length)
            for begin in range(0, len(prints), size):
                self._read(prints[begin : begin + size], length, found)
        return found

    def _words(self, forest: Forest, tokens: NDArray[np.int64]) -> dict[int, tuple[int, ...]]:
        """The pieces of tokens, by their rows."""
        parses, texts = forest.parses, forest.parses.texts()
        rows = np.unique(tokens)
        text = np.searchsorted(parses.token_ptr, rows, side="right") - 1
        spans = zip(text.tolist(), parses.start[rows].tolist(), parses.end[rows].tolist(), strict=True)
        read = self.pieces.read([texts[number][start:end] for number, start, end in spans])
        return {row: pieces for row, (pieces, _) in zip(rows.tolist(), read, strict=True)}

    def _read(self, prints: list[tuple[int, list[int], list[int]]], length: int, found: NDArray[np.float64]) -> None:
        pieces, mask = (np.zeros((len(prints), length), np.int32) for _ in range(2))
        for row, (_, own, _) in enumerate(prints):
            pieces[row, : len(own)] = own
            mask[row, : len(own)] = 1
        (logits,) = self._session.run(["missing"], {"pieces": pieces, "mask": mask})
        noticed = np.logaddexp(0.0, logits[..., 0].astype(np.float64) - SURE)  # -log(1 - p) of every place
        for row, (number, _, asked) in enumerate(prints):
            found[number] = -noticed[row, asked].sum()


def _read_header(folder: Path) -> dict[str, Any]:
    path = folder / HEADER_NAME
    try:
        header: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        right = header["format"] == FORMAT_VERSION and {"name", "sha256", "vocabulary_sha256"} <= header.keys()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LaconicError(f"cannot read the reader {path}: reinstall laconic") from error
    if not right:
        raise LaconicError(f"the reader {path} is not one that this laconic reads: reinstall laconic")
    return header
