"""The Google sentence compression corpus as it was released: `sent-comp.trainNN.json.gz`, `comp-data.eval.json.gz`.

A file is a sequence of pretty-printed JSON objects with a blank line after each. Of a record's keys these are used:

- `graph` and `source_tree`: the transformed and the original tree, each with `sentence`, and `node`, a list of
  `{"word": [{"id", "form", "tag"}, …], "head_word_index"}`. Word ids are in the order of the sentence (not always from
  0, and not always without gaps); a node's id is that of its head word; the dummy root's word has the id -1.
- `compression` and `compression_untransformed`: `text`, and `edge`, a list of `{"parent_id", "child_id"}` between
  nodes of the one or the other tree.
- where trees are asked for, of `source_tree` also `edge` (`{"parent_id", "child_id", "label"}`) and `entity_mention`
  (`laconic.corpus.source_tree`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from laconic.corpus.restore import restore
from laconic.corpus.source_tree import read_source_tree
from laconic.corpus.trees import ItemTree
from laconic.errors import LaconicError

#: The maximum number of characters in a record; a sentence of a thousand words takes half a million.
MAX_CHARS: Final = 1 << 23

_REMEDY: Final = (
    "a record is a pretty-printed JSON object with graph (sentence, node) and compression (text, edge), "
    "as in the released files: get a whole copy of the file, or delete this record"
)

_TREES: Final = ("graph", "source_tree")


@dataclass(frozen=True, slots=True)
class Sentence:
    """The sentence and compression of a record."""

    text: str
    compression: str
    tokens: list[str]
    keep: list[int]  # by token: 1 if its node is in the compression's tree
    tree: ItemTree | None  # the original tree, if requested and complete


def read_sentences(file: IO[str], path: Path, line: int, *, trees: bool = False) -> Iterator[Sentence]:
    """The sentences of a file whose first `{`, in line `line`, has just been read; reads a record at a time."""
    for start, text in _records(file, path, line):
        try:
            sentence = _sentence(json.loads(text), trees)
        except KeyError as error:
            raise _refusal(path, start, f"it has no {error}") from error
        except (ValueError, TypeError, IndexError, AttributeError, RecursionError) as error:
            raise _refusal(path, start, str(error)) from error
        yield sentence


def _records(file: IO[str], path: Path, line: int) -> Iterator[tuple[int, str]]:
    """The text of each record and its first line. Records begin and end with braces that are not indented."""
    start, lines, size = line, ["{\n"], 0
    while part := file.readline(MAX_CHARS + 1):
        line += 1
        bare = part.rstrip()
        if not lines:
            if not bare:
                continue
            if bare != "{":
                raise _refusal(path, line, f"it begins with {bare[:20]!r}, not with a brace on a line of its own")
            start, size = line, 0
        elif bare == "{":
            raise _refusal(path, start, f"it is broken off: the next one begins in line {line}")
        lines.append(part)
        size += len(part)
        if size > MAX_CHARS:
            raise _refusal(path, start, f"it has more than {MAX_CHARS >> 20} MB")
        if bare == "}":
            yield start, "".join(lines)
            lines = []
    if lines:
        raise _refusal(path, start, "it is broken off: the file ends before its closing brace")


def _refusal(path: Path, line: int, reason: str) -> LaconicError:
    return LaconicError(f"{path}:{line}: not a record of the corpus ({reason}): {_REMEDY}")


def _sentence(record: dict[str, Any], trees: bool) -> Sentence:
    compression = record["compression"]["text"]
    words, keep = _kept_words(record)
    tokens = [word["form"] for word in words]
    text = next((record[tree]["sentence"] for tree in _TREES if "sentence" in (record.get(tree) or {})), None)
    if text is None:
        if not tokens:
            raise KeyError("graph.sentence")
        text, spans, _ = restore(tokens, [word.get("tag", "") for word in words], [""] * len(tokens))
        tokens = [text[start:end] for start, end in spans]
    if not all(isinstance(each, str) for each in (text, compression, *tokens)):
        raise TypeError("a sentence, form or text is not a string")
    tree = read_source_tree(record.get("source_tree"), text) if trees else None
    return Sentence(text, compression, tokens, keep, tree)


def _kept_words(record: dict[str, Any]) -> tuple[list[dict[str, Any]], list[int]]:
    """The words of the sentence, with a flag for each: whether its node is in the compression's tree.

    The flags come from the original tree, by word, or, if a record lacks it, from the transformed tree, by its larger
    nodes. The words of a node are kept or deleted together in both.
    """
    words: dict[int, dict[str, Any]] = {}
    kept: set[int] = set()
    for tree, compression in (("source_tree", "compression_untransformed"), ("graph", "compression")):
        nodes, edges = (record.get(tree) or {}).get("node"), (record.get(compression) or {}).get("edge")
        if not nodes or not edges:
            continue
        ends = {edge[end] for edge in edges for end in ("parent_id", "child_id")}
        for node in nodes:
            own = {word["id"]: word for word in node["word"] if word["id"] >= 0}
            words.update(own)
            if node["word"][node.get("head_word_index", 0)]["id"] in ends:
                kept.update(own)
        break
    return [words[i] for i in sorted(words)], [int(i in kept) for i in sorted(words)]
