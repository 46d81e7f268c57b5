"""Parses of a corpus' items: from their own trees, or from a parser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic.corpus.read import Item, read_corpus
from laconic.corpus.trees import Trees, to_parses
from laconic.errors import LaconicError
from laconic.parse import Parser, Parses

#: The prefix of the parser's name for trees from the corpus: another parse of the same pipeline may differ.
_OWN: Final = "corpus/"


def parse_items(items: Sequence[Item], parser: Parser) -> Parses:
    """The parses of items, in order; items without a tree are parsed."""
    own = [item.tree is not None for item in items]
    if not any(own):
        return parser.parse(item.text for item in items)
    given = [(item.text, item.tree) for item in items if item.tree is not None]
    trees = to_parses([text for text, _ in given], [tree for _, tree in given])
    if all(own):
        return trees
    parsed = parser.parse(item.text for item in items if item.tree is None)
    # Parsed items come first in the batch, then those with trees, each in order: find the position of every item.
    places = np.argsort(np.argsort(own, kind="stable"))
    return _take(Parses.concatenate([parsed, trees]), places)


def _take(parses: Parses, order: NDArray[np.int64]) -> Parses:
    """The texts of a batch in another order."""
    columns: dict[str, NDArray[Any]] = {}
    tokens = _rows(parses.token_ptr, order)
    for field in fields(Parses):
        column = getattr(parses, field.name)
        if field.name.endswith("_ptr"):
            columns[field.name] = np.concatenate([[0], np.cumsum(np.diff(column)[order])])
        else:
            columns[field.name] = column[_rows(parses.char_ptr, order) if field.name == "chars" else tokens]
    return Parses(**columns)


def _rows(pointer: NDArray[np.int64], order: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([np.arange(pointer[i], pointer[i + 1]) for i in order])


def count_sources(items: Iterable[Item], parser: str) -> dict[str, int]:
    """The number of trees by the parser that made them; `parser` is the one used for items without a tree."""
    return dict(Counter(parser if item.tree is None else _OWN + item.tree.parser for item in items))


def name_sources(sources: Mapping[str, int]) -> str:
    """The source of the trees, as a word for signatures."""
    return ",".join(sorted(sources))


def describe_mixture(sources: Mapping[str, int]) -> str:
    """The number of items that have trees, in words, if only some of them have; otherwise ""."""
    own, total = sum(count for name, count in sources.items() if name.startswith(_OWN)), sum(sources.values())
    others = ", ".join(name for name in sources if not name.startswith(_OWN))
    return f"{own:,} of {total:,} items have trees, the others are parsed with {others}" if others else ""


def no_trees(paths: Sequence[Path]) -> LaconicError:
    """The error for files in which no item has a tree."""
    return LaconicError(
        f"no item of {', '.join(map(str, paths))} has a tree: give the official files of the Google corpus or items "
        "with the field tree (docs/training.md), or leave trees='corpus' out and have them parsed",
        trees="corpus",
    )


def check_some_tree(paths: Sequence[Path]) -> None:
    """Refuse files in which no item has a tree; reads up to the first one that has."""
    if not any(item.tree for path in paths for item in read_corpus(path, trees=Trees.CORPUS)):
        raise no_trees(paths)
