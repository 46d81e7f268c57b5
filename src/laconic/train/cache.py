"""Parse a corpus once, or read its trees, and cache the result on disk.

A cached corpus is a folder of shards, each an uncompressed `.npz` with the arrays of `Parses` and the gold. Shards are
written by worker processes and moved into place when complete, so an interrupted run can be resumed. All later stages
stream over the shards.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import multiprocessing
import os
import time
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from laconic import compatibility
from laconic.corpus import Item, Trees, gold_tokens, read_corpus, read_plain
from laconic.corpus.parse import count_sources, parse_items
from laconic.errors import LaconicError
from laconic.parent import leave_with_parent
from laconic.parse import Parser, Parses, load_parser
from laconic.tree import Forest, make_forest

SHARD_ITEMS: Final = 4096
#: Incremented when the arrays of a shard change, or the items that corpus readers make.
CACHE_VERSION: Final = 2
#: Incremented when a corpus' trees are read differently.
TREES_VERSION: Final = 1


@dataclass(frozen=True)
class Shard:
    """Some parsed items with their gold: 1 for every token that the compression keeps."""

    parses: Parses
    gold: NDArray[np.uint8]

    @cached_property
    def forest(self) -> Forest:
        """The trees of the items."""
        return make_forest(self.parses)


@dataclass(frozen=True, slots=True)
class ParsedCorpus:
    """A corpus as a sequence of shards on disk."""

    path: Path  # of the corpus
    shard_paths: tuple[Path, ...]
    seconds: float  # time of parsing, whenever it was done
    sources: Mapping[str, int]  # number of trees by source; empty if all were parsed

    def __iter__(self) -> Iterator[Shard]:
        return map(load_shard, self.shard_paths)


def load_shard(path: Path) -> Shard:
    """Read a shard from disk."""
    try:
        parses, extra = Parses.load(path)
        return Shard(parses, extra["gold"])
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise LaconicError(_damaged(path)) from error


def parse_corpus(
    path: Path,
    *,
    cache: Path,
    parser: str | None = None,
    trees: Trees = Trees.PARSER,
    level: str | None = None,
    plain: bool = False,
    workers: int | None = None,
) -> ParsedCorpus:
    """Parse a corpus into `cache`, or find it there. `workers` processes share the work (default: all cores).

    With `Trees.CORPUS`, only items without a tree are parsed. Of a corpus with three compressions, the gold is that of
    the `level`; a `plain` corpus has texts only, without gold.
    """
    description = load_parser(parser, split=False).description
    folder = cache / _key(path, description, trees, level, plain)
    folder.mkdir(parents=True, exist_ok=True)
    manifest = folder / "manifest.json"
    if not manifest.exists():
        start = time.monotonic()
        try:
            items = read_plain(path) if plain else read_corpus(path, trees=trees, level=level)
            count, sources = _parse_shards(items, folder, parser, description, trees, workers or os.cpu_count() or 1)
        except BrokenProcessPool as error:
            raise LaconicError(
                f"a process that parsed {path} was killed, perhaps for lack of memory: start again to resume"
            ) from error
        seconds = round(time.monotonic() - start, 1)
        facts = {"corpus": path.name, "shards": count, "seconds": seconds, "sources": sources}
        manifest.write_text(json.dumps(facts))
    try:
        facts = json.loads(manifest.read_text())
        paths = tuple(_shard_path(folder, i) for i in range(facts["shards"]))
        return ParsedCorpus(path, paths, facts["seconds"], dict(facts.get("sources", {})))
    except (ValueError, KeyError, TypeError) as error:
        raise LaconicError(_damaged(manifest)) from error


def _damaged(path: Path) -> str:
    return f"the cached parse {path} is damaged: delete the folder {path.parent} and start again"


def _key(path: Path, parser: str, trees: Trees, level: str | None, plain: bool) -> str:
    own = f"{trees} {TREES_VERSION}:" if trees is Trees.CORPUS else ""
    own += f"{level or ''}:{'plain' if plain else ''}:"
    digest = hashlib.sha256(f"{CACHE_VERSION}:{parser}:{own}:{compatibility.of_parses()}".encode())
    try:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError as error:
        raise LaconicError(f"cannot read the corpus {path} ({error.strerror}): check the path") from error
    return f"{path.name.split('.')[0]}-{digest.hexdigest()[:16]}"


def _shard_path(folder: Path, index: int) -> Path:
    return folder / f"{index:05d}.npz"


def _parse_shards(
    items: Iterator[Item], folder: Path, parser: str | None, description: str, trees: Trees, workers: int
) -> tuple[int, dict[str, int]]:
    """The number of shards, and the number of trees by source."""
    batches = iter(lambda: list(itertools.islice(items, SHARD_ITEMS)), [])
    count = 0
    sources: Counter[str] = Counter()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_start_worker, initargs=(parser,)) as pool:
        waiting = set()
        for index, batch in enumerate(batches):
            count += 1
            if trees is Trees.CORPUS:
                sources.update(count_sources(batch, description))
            if not _shard_path(folder, index).exists():
                waiting.add(pool.submit(_parse_shard, batch, _shard_path(folder, index)))
            while len(waiting) > 2 * workers:  # bounds the memory, whatever the size of the corpus
                done = next(iter(waiting))
                done.result()
                waiting.remove(done)
        for future in waiting:
            future.result()
    return count, dict(sources)


_worker_parser: Parser | None = None


def _start_worker(parser: str | None) -> None:
    global _worker_parser  # noqa: PLW0603 - one parser for each worker process
    _worker_parser = load_parser(parser, split=False)
    leave_with_parent()


def _parse_shard(items: list[Item], path: Path) -> None:
    assert _worker_parser is not None
    parses = parse_items(items, _worker_parser)
    for i, item in enumerate(items):
        rows = slice(int(parses.token_ptr[i]), int(parses.token_ptr[i + 1]))
        for start, end in item.unknown:
            inside = (parses.start[rows] >= start) & (parses.end[rows] <= end)
            parses.lemma[rows][inside] = 0  # placeholders have no meaningful lemma
    part = path.with_suffix(f".{os.getpid()}.part")
    parses.save(part, gold=gold_tokens(parses, items))
    part.replace(path)
