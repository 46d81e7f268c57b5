"""Measure compressions against a gold: tree F1, word F1, exact match, compression rate, best of k, tree ceiling.

- **tree F1**: edges of the output's subtree against edges of the gold's, in the transformed tree, root edge included,
  unlabelled, mean over sentences. The gold's subtree is the one whose words come closest to the gold's
  (`native/gold.hpp`).
- **word F1**: printed words against the gold's words, lower-cased multisets, punctuation left out, mean over sentences.
- **exact**: share of sentences whose printed words are the gold's, in order.
- **rate**: characters of the printed compression / characters of the sentence, mean over sentences.
- **best of k**: the highest word F1 (tree F1) among the k results of a sentence, mean over sentences.
- **ceiling**: word F1 of the gold's subtree, about the most that any decoder can reach; **connected**: share of golds
  that are exactly the words of one subtree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic.compressor import realise
from laconic.corpus import gold_tokens, read_corpus
from laconic.decode import Decoded, Method, decode
from laconic.errors import LaconicError
from laconic.parse import Parses, SpacyParser
from laconic.score import Model
from laconic.tree.rules import make_rules


@dataclass(frozen=True, slots=True)
class Scores:
    """The measures of one method on one corpus; see the module's text for how each is computed."""

    sentences: int
    tree_f1: float
    word_f1: float
    exact: float
    rate: float
    best_of_k_word_f1: float
    best_of_k_tree_f1: float
    ceiling: float
    connected: float

    def to_dict(self) -> dict[str, Any]:
        """The scores as JSON-ready data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Gold:
    """A parsed corpus with its gold subtrees."""

    parses: Parses
    keep: NDArray[np.uint8]  # by token: kept by the gold
    is_word: NDArray[np.uint8]  # by token
    parent: NDArray[np.int32]  # by node
    node_ptr: NDArray[np.int64]  # nodes of a sentence
    kept: NDArray[np.uint8]  # by node: in the gold's subtree
    root: NDArray[np.int32]  # of the gold's subtree, by sentence
    f1: NDArray[np.float64]  # word F1 of the gold's subtree, by sentence

    @classmethod
    def make(cls, parses: Parses, keep: NDArray[np.uint8]) -> Gold:
        """Find the gold subtrees of parsed sentences."""
        core_parses, rules = _core.Parses(*parses.columns()), make_rules()
        f1, root, node_ptr, kept, is_word = _core.gold(core_parses, rules, keep)
        parent = _core.trees(core_parses, rules, None)[2]
        return cls(parses, keep, is_word, parent, node_ptr, kept, root, f1)


def evaluate(
    data: Path,
    model: Model,
    *,
    parser: SpacyParser,
    k: int = 5,
    method: Method | str = Method.TOPDOWN,
    rho: float | None = None,
) -> Scores:
    """Compress the sentences of a corpus and compare with its compressions."""
    items = list(read_corpus(data))
    if not items:
        raise LaconicError(f"{data} has no usable item: see the documentation for the format of a corpus")
    parses = parser.parse(item.text for item in items)
    return score(Gold.make(parses, gold_tokens(parses, items)), decode(parses, model, k=k, method=method, rho=rho))


def score(gold: Gold, decoded: Decoded) -> Scores:
    """Compare decoded results with the gold."""
    parses = gold.parses
    rates = [s.compressions[0].rate for result in realise(parses, decoded) for s in result.sentences]
    texts = parses.texts()
    rows = []
    for i, number in enumerate(decoded.sentence_text.tolist()):
        tokens = range(int(decoded.sentence_first[i]), int(decoded.sentence_last[i]))
        text = texts[number]
        wanted = [text[parses.start[t] : parses.end[t]].lower() for t in tokens if gold.keep[t] and gold.is_word[t]]
        nodes = slice(int(gold.node_ptr[i]), int(gold.node_ptr[i + 1]))
        parent = gold.parent[nodes].tolist()
        gold_edges = _edges(np.flatnonzero(gold.kept[nodes]).tolist(), parent)
        results = range(int(decoded.result_ptr[i]), int(decoded.result_ptr[i + 1]))
        tree, word, exact = [], [], []
        for r in results:
            own = decoded.node[decoded.node_ptr[r] : decoded.node_ptr[r + 1]].tolist()
            printed = _words(text, decoded, r)
            tree.append(_f1(Counter(_edges(own, parent)), Counter(gold_edges)))
            word.append(_f1(Counter(printed), Counter(wanted)))
            exact.append(printed == wanted)
        if tree:
            rows.append((tree[0], word[0], exact[0], max(word), max(tree)))
    tree_f1, word_f1, exact_share, best_word, best_tree = np.array(rows, dtype=np.float64).mean(axis=0).tolist()
    return Scores(
        sentences=len(rows),
        tree_f1=tree_f1,
        word_f1=word_f1,
        exact=exact_share,
        rate=float(np.mean(rates)),
        best_of_k_word_f1=best_word,
        best_of_k_tree_f1=best_tree,
        ceiling=float(gold.f1.mean()),
        connected=float((gold.f1 > 1 - 1e-9).mean()),
    )


def _words(text: str, decoded: Decoded, result: int) -> list[str]:
    pieces = slice(int(decoded.piece_ptr[result]), int(decoded.piece_ptr[result + 1]))
    words = [
        text[start:end].lower()
        for start, end, word in zip(
            decoded.piece_start[pieces], decoded.piece_end[pieces], decoded.piece_word[pieces], strict=True
        )
        if word
    ]
    return [word for word in words if any(char.isalnum() for char in word)]


def _edges(nodes: list[int], parent: list[int]) -> set[tuple[int, bool]]:
    """The edges of a subtree: every node stands for the edge into it; True marks the dummy root's."""
    members = set(nodes)
    return {(node, parent[node] not in members) for node in nodes}


def _f1(output: Counter[Any], gold: Counter[Any]) -> float:
    total = output.total() + gold.total()
    return 2 * (output & gold).total() / total if total else 1.0


def as_table(rows: Iterable[tuple[str, Scores]], k: int) -> str:
    """Scores as aligned text, one method a row."""
    head = f"{'method':<9}{'tree F1':>9}{'word F1':>9}{'exact':>7}{'rate':>7}"
    head += f"{f'best of {k}: word':>17}{'tree':>7}{'ceiling':>9}{'connected':>11}{'sentences':>11}"
    lines = [head]
    lines += [
        f"{name:<9}{s.tree_f1:>9.4f}{s.word_f1:>9.4f}{s.exact:>7.3f}{s.rate:>7.3f}{s.best_of_k_word_f1:>17.4f}"
        f"{s.best_of_k_tree_f1:>7.4f}{s.ceiling:>9.4f}{s.connected:>11.3f}{s.sentences:>11}"
        for name, s in rows
    ]
    return "\n".join(lines)
