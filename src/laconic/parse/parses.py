"""The result of parsing: plain arrays with one row per token, independent of any parser."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def lemma_id(lemma: str) -> int:
    """The 64-bit id of a lemma in a parse: MurmurHash64A of its UTF-8 bytes with seed 1; 0 for the empty string."""
    from laconic import _core  # imported here, so that training a network does not need the core

    return _core.hash_string(lemma) if lemma else 0


@dataclass(frozen=True, slots=True)
class Parses:
    """A batch of parsed texts as plain arrays, one row per token.

    Any parser that fills these columns can precede the later stages. Offsets count code points, as in Python, from the
    start of the token's text. Heads are token indices within the text; a root is its own head. Labels, tags and entity
    types are indices into the tuples of `laconic.parse.scheme`; lemmas are `lemma_id` values (0: unknown). The native
    core accesses the arrays by name.
    """

    chars: NDArray[np.uint32]  # the code points of all texts, end to end
    char_ptr: NDArray[np.int64]  # text i is chars[char_ptr[i]:char_ptr[i + 1]]
    token_ptr: NDArray[np.int64]  # text i has the tokens token_ptr[i]:token_ptr[i + 1]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    head: NDArray[np.int32]
    label: NDArray[np.uint8]
    tag: NDArray[np.uint8]
    lemma: NDArray[np.uint64]
    entity: NDArray[np.uint8]
    entity_start: NDArray[np.uint8]  # 1 on the first token of an entity
    sentence_start: NDArray[np.uint8]  # 1 on the first token of a sentence

    def __len__(self) -> int:
        """The number of texts."""
        return len(self.token_ptr) - 1

    def texts(self) -> list[str]:
        """The texts that were parsed."""
        joined = self.chars.tobytes().decode("utf-32-le")
        return [joined[start:end] for start, end in itertools.pairwise(self.char_ptr.tolist())]

    def sentences(self) -> list[tuple[int, int, int]]:
        """All sentences as (index of the text, first token, last token + 1), as rows of the arrays."""
        if not len(self.start):
            return []
        starts = self.sentence_start.astype(bool)
        starts[self.token_ptr[:-1][np.diff(self.token_ptr) > 0]] = True
        first = np.flatnonzero(starts)
        last = np.append(first[1:], len(self.start))
        text = np.searchsorted(self.token_ptr, first, side="right") - 1
        return list(zip(text.tolist(), first.tolist(), last.tolist(), strict=True))

    def sentence_lengths(self) -> NDArray[np.int64]:
        """The number of characters of every sentence, without surrounding white space."""
        texts = self.texts()
        spans = [(text, self.start[first], self.end[last - 1]) for text, first, last in self.sentences()]
        return np.array([len(texts[text][start:end].strip()) for text, start, end in spans], dtype=np.int64)

    @classmethod
    def concatenate(cls, parts: Sequence[Parses]) -> Parses:
        """Concatenate batches, in order."""
        if len(parts) == 1:
            return parts[0]
        columns: dict[str, NDArray[Any]] = {}
        for field in fields(cls):
            arrays = [getattr(part, field.name) for part in parts]
            if field.name.endswith("_ptr"):
                columns[field.name] = _join_pointers(arrays)
            else:
                columns[field.name] = np.concatenate(arrays)
        return cls(**columns)

    def take(self, texts: NDArray[np.int64]) -> tuple[Parses, NDArray[np.int64]]:
        """Some of the texts, and the rows of their tokens."""
        rows, chars = (_ranges(pointers, texts) for pointers in (self.token_ptr, self.char_ptr))
        columns: dict[str, NDArray[Any]] = {
            "chars": self.chars[chars],
            "char_ptr": np.concatenate([[0], np.cumsum(np.diff(self.char_ptr)[texts])]),
            "token_ptr": np.concatenate([[0], np.cumsum(np.diff(self.token_ptr)[texts])]),
        }
        for field in fields(self):
            if field.name not in columns:
                columns[field.name] = getattr(self, field.name)[rows]
        return Parses(**columns), rows

    def merge(self, counts: Sequence[int]) -> Parses:
        """Join each run of `counts[i]` successive texts, which must be contiguous parts of one text, into one."""
        if all(count == 1 for count in counts):
            return self
        text_of = np.repeat(np.arange(len(counts)), counts)
        first = np.concatenate([[0], np.cumsum(counts)])
        char_shift = self.char_ptr[:-1] - self.char_ptr[first[text_of]]
        token_shift = self.token_ptr[:-1] - self.token_ptr[first[text_of]]
        tokens = np.diff(self.token_ptr)
        chars_before = np.repeat(char_shift, tokens).astype(np.int32)
        return replace(
            self,
            char_ptr=self.char_ptr[first],
            token_ptr=self.token_ptr[first],
            start=self.start + chars_before,
            end=self.end + chars_before,
            head=self.head + np.repeat(token_shift, tokens).astype(np.int32),
        )

    def save(self, path: Path, **extra: NDArray[Any]) -> None:
        """Write the arrays and any extra ones to an uncompressed `.npz` file."""
        arrays = {field.name: getattr(self, field.name) for field in fields(self)}
        with path.open("wb") as file:
            np.savez(file, **arrays, **extra)  # type: ignore[arg-type]

    @classmethod
    def load(cls, path: Path) -> tuple[Parses, dict[str, NDArray[Any]]]:
        """Read what `save` wrote: the parses and the extra arrays."""
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        names = {field.name for field in fields(cls)}
        return cls(**{name: arrays[name] for name in names}), {
            name: array for name, array in arrays.items() if name not in names
        }


def code_points(texts: Iterable[str]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The code points of texts, end to end, and the start of each text (with the total as the last entry)."""
    texts = list(texts)
    joined = "".join(texts).encode("utf-32-le")
    pointers = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum([len(text) for text in texts], out=pointers[1:])
    return np.frombuffer(joined, dtype=np.uint32), pointers


def _ranges(pointers: NDArray[np.int64], numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows between the pointers of these numbers, end to end."""
    parts = [np.arange(pointers[number], pointers[number + 1]) for number in numbers.tolist()]
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])


def _join_pointers(pointers: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Concatenate row pointers, shifting each by the end of the one before."""
    joined = [np.zeros(1, dtype=np.int64)]
    for pointer in pointers:
        joined.append(pointer[1:] + joined[-1][-1])
    return np.concatenate(joined)
