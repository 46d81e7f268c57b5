"""Read training and evaluation corpora: sentences, and the words that their compressions keep.

A corpus is JSON Lines, plain or gzipped. An item has `sentence` and `compression` (plain text), or `tokens` and `keep`
(1: in the compression), or all four. Items with only tokens are turned back into text, so that every item goes through
the same tokeniser and parser as users' texts.

The released files of the Google corpus are also read (`laconic.corpus.official`); they are recognised by a first line
that is a single brace.

An item with `sentence` may also have `tree` (`laconic.corpus.trees`), as the records of the Google corpus do. Trees are
read on request.

An item may have three nested compressions: `text` with `light`, `medium` and `short`, and optionally `genre`. The
reader of such a corpus chooses which one is the gold.
"""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from laconic.corpus.align import align_compression, align_tokens, prints_antecedent
from laconic.corpus.official import Sentence, read_sentences
from laconic.corpus.restore import restore
from laconic.corpus.trees import ItemTree, Trees, check_trees
from laconic.errors import LaconicError
from laconic.levels import NESTED

#: The maximum number of tokens in a training sentence; the corpora's few longer "sentences" are lists and broken pages.
MAX_TOKENS: Final = 200

#: Formats that a harvest can write but corpora cannot have.
_TABLES: Final = {".csv": "CSV", ".tsv": "TSV", ".parquet": "Parquet"}
_REMEDY: Final = "a corpus is JSON Lines, as laconic harvest writes it to items.jsonl"


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence and its gold compression, as character spans."""

    text: str
    kept: tuple[tuple[int, int], ...]  # spans of the kept words
    unknown: tuple[tuple[int, int], ...] = ()  # spans of placeholders for words that the corpus lost
    compression: str = ""
    tree: ItemTree | None = None  # from the corpus
    genre: str = ""  # if the corpus names it


def read_corpus(path: Path, *, trees: Trees | str = Trees.PARSER, level: str | None = None) -> Iterator[Item]:
    """The usable items of a corpus file, one at a time; with `Trees.CORPUS`, with their trees if they have any.

    For items with three compressions, the one of the `level` is used. Skipped are items marked `suspect` (whose labels
    may be shifted), empty ones, and those over `MAX_TOKENS` tokens.
    """
    with opened(path) as file:
        yield from (item for item in read_records(file, path, trees=trees, level=level) if item is not None)


def read_plain(path: Path) -> Iterator[Item]:
    """The distinct texts of a file without compressions, JSON Lines with `text` or `lead`, as items without gold."""
    seen: set[int] = set()
    with opened(path) as file, io.TextIOWrapper(file, encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, 1):
            text = _plain_text(line, f"{path}:{number}")
            if len(text.split()) <= MAX_TOKENS and hash(text) not in seen:
                seen.add(hash(text))
                yield Item(text, ())


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a corpus file; errors are raised with a remedy."""
    try:
        with open_binary(path) as file:
            table = _TABLES.get(Path(path.name.lower().removesuffix(".gz")).suffix)
            if table is not None:
                raise LaconicError(f"cannot read the corpus {path} ({table} by its name): {_REMEDY}")
            yield file
    except UnicodeDecodeError as error:
        raise LaconicError(f"cannot read the corpus {path} (no UTF-8: {error.reason}): {_REMEDY}") from error
    except (OSError, EOFError, zlib.error) as error:
        raise LaconicError(
            f"cannot read the corpus {path} ({error}): check that the file is there and whole"
        ) from error


def _plain_text(line: str, where: str) -> str:
    try:
        record = json.loads(line)
        text = record["text"] if "text" in record else record["lead"]
    except (ValueError, KeyError, TypeError):
        text = None
    if not isinstance(text, str):
        raise LaconicError(f"{where}: no JSON object with a text in the field text or lead: give JSON Lines of them")
    return text


def open_binary(path: Path) -> BinaryIO:
    """Open a file, decompressed if its name ends in .gz."""
    return cast(BinaryIO, gzip.open(path)) if path.suffix.lower() == ".gz" else path.open("rb")


def read_records(
    file: BinaryIO, path: Path, *, trees: Trees | str = Trees.PARSER, level: str | None = None
) -> Iterator[Item | None]:
    """Every record of an open corpus file, in order: its item, or None if it is skipped. Closes the file."""
    with_trees = check_trees(trees) is Trees.CORPUS
    check_nested(level)
    with io.TextIOWrapper(file, encoding="utf-8-sig") as text:
        started = False
        for number, line in enumerate(text, 1):
            if not line.strip():
                continue
            if not started and line.rstrip() == "{":
                yield from map(_from_official, read_sentences(text, path, number, trees=with_trees))
                return
            started = True
            yield _item(line, f"{path}:{number}", with_trees, level)


def check_nested(level: str | None) -> None:
    """Refuse a level for which items have no compression."""
    if level is not None and level not in NESTED:
        raise LaconicError(f"no item has the level {level!r}: use one of {', '.join(NESTED)}")


def _item(line: str, where: str, with_tree: bool, level: str | None) -> Item | None:
    try:
        record: dict[str, Any] = json.loads(line)
        if not isinstance(record, dict):
            raise TypeError("not an object")
        if record.get("suspect"):
            return None
        tokens, keep = record.get("tokens", []), record.get("keep", [])
        if len(tokens) != len(keep):
            raise ValueError(f"{len(tokens)} tokens but {len(keep)} keep flags")
        if all(name in record for name in NESTED):
            return _from_levels(record, level)
        if level is not None:
            raise LaconicError(f"the item has no {', '.join(NESTED)}: leave the level out, or give such a corpus")
        if "sentences" in record:
            return _from_result(record)
        if "sentence" in record:
            text = record["sentence"]
            tree = ItemTree.from_dict(record["tree"], text) if with_tree and record.get("tree") is not None else None
            return _from_text(text, record.get("compression", ""), tokens, keep, tree)
        if not tokens or len(tokens) > MAX_TOKENS:
            return None
        if record.get("last_forced"):
            keep = [*keep[:-1], 0]  # the corpus' authors marked it as kept in every compression
        return _from_tokens(tokens, record["tag"], record.get("dep", [""] * len(tokens)), keep)
    except LaconicError as error:
        raise LaconicError(f"{where}: {error}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise LaconicError(
            f"{where}: not an item of a compression corpus ({error!r}): "
            "a line is a JSON object with sentence and compression, with tokens, tag and keep, or a result of "
            "laconic compress"
        ) from error


def _from_levels(record: dict[str, Any], level: str | None) -> Item | None:
    """One of the three compressions of a sentence."""
    if level is None:
        raise LaconicError(f"the item has three compressions: say which, level is one of {', '.join(NESTED)}")
    item = _from_text(record["text"], record[level], [], [], None)
    return None if item is None else replace(item, genre=str(record.get("genre", "")))


def _from_text(text: str, compression: str, tokens: list[str], keep: list[int], tree: ItemTree | None) -> Item | None:
    """Choose the reliable one of two forms of a gold compression.

    In a few items, `keep` is shifted because date tokens were lost: then the printed compression is right. In others,
    an antecedent is printed in place of its pronoun: then `keep` is the subtree.
    """
    if len(tokens or text.split()) > MAX_TOKENS:
        return None
    flagged = align_tokens(text, tokens, keep)
    printed = align_compression(text, compression, flagged)
    words = [token for token, kept in zip(tokens, keep, strict=True) if kept]
    kept = flagged if printed is None or prints_antecedent(words, compression) else printed
    return Item(text, tuple(kept), compression=compression, tree=tree) if kept else None


def _from_result(record: dict[str, Any]) -> Item | None:
    """An item from a result of `laconic compress --format jsonl`, with its best compression as the gold.

    Texts of several sentences are skipped, as an item is one sentence.
    """
    if len(record["sentences"]) != 1 or len(record["text"].split()) > MAX_TOKENS:
        return None
    (sentence,) = record["sentences"]
    text, shift = sentence["text"], sentence["start"]
    if not sentence["compressions"]:
        return None
    best = sentence["compressions"][0]
    kept = tuple(sorted((start - shift, end - shift) for start, end in best["spans"]))
    if any(not 0 <= start < end <= len(text) for start, end in kept):
        raise ValueError(f"spans {best['spans']} outside the sentence")
    return Item(text, kept, compression=best["text"])


def _from_tokens(tokens: list[str], tags: list[str], labels: list[str], keep: list[int]) -> Item | None:
    text, spans, unknown = restore(tokens, tags, labels)
    kept = tuple(span for span, kept in zip(spans, keep, strict=True) if kept)
    return Item(text, kept, unknown=tuple(unknown)) if kept else None


def _from_official(sentence: Sentence) -> Item | None:
    return _from_text(sentence.text, sentence.compression, sentence.tokens, sentence.keep, sentence.tree)
