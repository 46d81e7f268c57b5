"""Score the outputs of any program against references: word F1, exact match, rate, best of k.

References are a corpus (in any form that `laconic.corpus.read_corpus` accepts) or plain text, one reference a line. For
a corpus, the references are the printed compressions, or the words of the sentence that they keep. Outputs are plain
text, one a line, or JSON Lines, where a line is

- a string, or a list of strings, best first;
- an object with `compression`, or with `compressions`, best first: strings, or objects with `text`;
- an output of `laconic compress --format jsonl`; results of several sentences are joined, rank by rank.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, cast

from laconic.corpus.read import Item, open_binary, read_records
from laconic.errors import LaconicError
from laconic.known_names import unknown_name
from laconic.metrics.measures import rate_series, word_series
from laconic.metrics.overlap import kept_words, words
from laconic.metrics.series import Series
from laconic.metrics.signature import GOLDS

_JSON_SUFFIXES: Final = (".jsonl", ".ndjson", ".json")
_UNREADABLE: Final = (OSError, EOFError, UnicodeDecodeError, zlib.error)
_PEEK: Final = 1 << 12


@dataclass(frozen=True, slots=True)
class References:
    """Reference compressions, with their sentences if known."""

    path: Path
    golds: tuple[list[str], ...]  # words
    sentences: tuple[str, ...] | None
    numbers: tuple[int, ...]  # indices among the records of the file
    records: int  # number of records in the file, including skipped ones

    def select(self, lines: Sequence[str], path: Path) -> Sequence[int]:
        """The indices of the lines that belong to the references.

        A file has a line for each reference, or one for each record of the corpus, including skipped ones. Blank lines
        at the end count only if there would be too few lines without them.
        """
        least = len(lines)
        while least and not lines[least - 1].strip():
            least -= 1
        if least <= len(self.golds) <= len(lines):
            return range(len(self.golds))
        if least <= self.records <= len(lines):
            return self.numbers
        wanted = f"{len(self.golds)} references"
        if self.records > len(self.golds):
            wanted = f"{len(self.golds)} usable references in {self.records} records"
        raise LaconicError(
            f"{path} has {least} lines but {self.path} has {wanted}: "
            "write one line for each, in their order, and an empty one where there is no output"
        )


def score_outputs(
    references: Path,
    outputs: Sequence[Path],
    *,
    sources: Path | None = None,
    gold: str = "text",
    types: bool = False,
) -> list[tuple[str, list[Series]]]:
    """The scores of each file of outputs, with its name: word F1, exact match, rate (macro, micro), best of k.

    `sources` has the sentences of plain-text references, one a line; without it and without a corpus, there is no rate.
    `gold` is "text" for a corpus' printed compressions, or "kept" for the words that they keep of the sentence, as in
    `laconic evaluate`. With `types`, word F1 counts each different word once. `make_table` tabulates the result.
    """
    wanted = read_references(references, sources, gold=gold)
    scored = []
    for path in outputs:
        found = _read_outputs(path, wanted)
        results = [[words(text) for text in own] for own in found]
        series = word_series(results, wanted.golds, k=max(map(len, found)), types=types, gold=gold)
        if wanted.sentences is not None:
            whole = [len(sentence.strip()) for sentence in wanted.sentences]
            series[2:2] = rate_series([len(own[0].strip()) for own in found], whole)
        scored.append((str(path), series))
    return scored


def read_references(path: Path, sources: Path | None = None, *, gold: str = "text") -> References:
    """References from a corpus, or from plain text, with its sentences from another file."""
    if gold not in GOLDS:
        raise unknown_name("gold", gold, GOLDS)
    found, lines = _read_corpus_or_lines(path)
    if found:
        if sources is not None:
            raise LaconicError(f"{path} is a corpus and has the sentences itself: leave out the sources {sources}")
        items = {i: item for i, item in enumerate(found) if item is not None}
        if not items:
            raise LaconicError(f"{path} has no usable item: see the documentation for the format of a corpus")
        golds = tuple(_gold_words(item, gold) for item in items.values())
        return References(path, golds, tuple(item.text for item in items.values()), tuple(items), len(found))
    if gold == "kept":
        raise LaconicError(f"{path} is plain text and does not say what is kept: give a corpus, or take the gold text")
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines:
        raise LaconicError(f"{path} is empty: give a corpus, or plain text with one reference a line")
    plain = References(path, tuple(words(line) for line in lines), None, tuple(range(len(lines))), len(lines))
    if sources is None:
        return plain
    lines = _read_lines(sources)
    sentences = [lines[number] for number in plain.select(lines, sources)]
    for number, sentence in enumerate(sentences, 1):
        if not sentence.strip():
            raise LaconicError(f"{sources}:{number}: no sentence: an empty line has no rate; give the sentence")
    return replace(plain, sentences=tuple(sentences))


def _gold_words(item: Item, gold: str) -> list[str]:
    if gold == "text" and item.compression:
        return words(item.compression)
    return kept_words(item.text, item.kept)


def _read_corpus_or_lines(path: Path) -> tuple[list[Item | None], list[str]]:
    """The records of a corpus, which begins with a brace, or the lines of any other file."""
    try:
        with open_binary(path) as file:
            peekable = cast(Any, file)  # both file types have peek, but their common type does not
            if peekable.peek(_PEEK).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
                return list(read_records(file, path)), []
            return [], _split(file.read(), path)
    except _UNREADABLE as error:
        raise _unreadable(path, error) from error


def _read_lines(path: Path) -> list[str]:
    try:
        with open_binary(path) as file:
            return _split(file.read(), path)
    except _UNREADABLE as error:
        raise _unreadable(path, error) from error


def _split(data: bytes, path: Path) -> list[str]:
    """The lines of a text file, including a last line without a newline."""
    # Only a newline ends a line: texts may contain the other separators of `str.splitlines`.
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    return [_decode(line, path, number) for number, line in enumerate(lines if lines[-1] else lines[:-1], 1)]


def _decode(line: bytes, path: Path, number: int) -> str:
    try:
        return line.decode("utf-8").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise LaconicError(f"{path}:{number}: not UTF-8 ({error.reason}): convert the file to UTF-8") from error


def _unreadable(path: Path, error: Exception) -> LaconicError:
    return LaconicError(f"cannot read {path} ({error}): check that the file is there and whole")


def _read_outputs(path: Path, references: References) -> list[list[str]]:
    """The outputs for each reference, best first, at least one."""
    lines = _read_lines(path)
    selected = references.select(lines, path)
    if not _is_json(path, lines):
        return [[lines[number]] for number in selected]
    outputs = []
    for number in selected:
        try:
            outputs.append(_texts(json.loads(lines[number])) or [""])
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            reason = f"it has no {error}" if isinstance(error, KeyError) else error
            raise LaconicError(
                f"{path}:{number + 1}: not an output ({reason}): a line is a JSON string (empty where there is none), "
                "a list of strings, an object with compression or compressions, or one from laconic compress"
            ) from error
    return outputs


def _is_json(path: Path, lines: Sequence[str]) -> bool:
    """Whether a file is JSON Lines, by its name or its content.

    A sentence in quotation marks is also a JSON string. So without such a name, a file whose first line is one counts
    as JSON only if all lines are valid.
    """
    if path.with_suffix("" if path.suffix == ".gz" else path.suffix).suffix in _JSON_SUFFIXES:
        return True
    first = next((line.strip() for line in lines if line.strip()), "")
    if first.startswith("{"):
        return True
    return first.startswith(("[", '"')) and all(
        _parses(line) for line in ([first] if first.startswith("[") else lines) if line.strip()
    )


def _parses(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _texts(value: Any) -> list[str]:
    """The outputs in a JSON value, best first."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [_text(each) for each in value]
    if not isinstance(value, dict):
        raise TypeError(f"{value!r} is no output")
    if "sentences" in value:
        ranked = [[_text(each) for each in sentence["compressions"]] for sentence in value["sentences"]]
        ranked = [own for own in ranked if own]
        # A sentence with fewer results than others repeats its last one.
        ranks = range(max(map(len, ranked), default=0))
        return [" ".join(own[min(rank, len(own) - 1)] for own in ranked) for rank in ranks]
    if "compressions" in value:
        return [_text(each) for each in value["compressions"]]
    return [_text(value["compression"])]


def _text(value: Any) -> str:
    text = value["text"] if isinstance(value, dict) else value
    if not isinstance(text, str):
        raise TypeError(f"{str(text)[:40]} is no text")
    return text
