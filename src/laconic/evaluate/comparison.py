"""The results of a method on a corpus, and their similarity to the gold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic.decode import Decoded
from laconic.evaluate.gold_subtrees import Gold
from laconic.metrics import Series, f1, is_word, rate_series, room_series, tree_series, word_series
from laconic.parse.words import TOKENS
from laconic.realise import join_pieces
from laconic.records import JsonRecord


@dataclass(frozen=True, slots=True)
class Scores(JsonRecord):
    """The scores of one method on one corpus."""

    sentences: int
    tree_f1: float
    word_f1: float
    exact: float
    rate: float
    best_of_k_word_f1: float
    best_of_k_tree_f1: float
    ceiling: float
    connected: float


@dataclass(frozen=True, slots=True)
class Outputs:
    """The results of one method, by sentence and rank, with the gold; an empty one if nothing was found."""

    k: int
    trees: str  # their source: parser and rules
    sentences: list[str]
    gold_words: list[list[str]]  # by sentence
    texts: list[list[str]]  # by sentence and rank, best first
    words: list[list[list[str]]]  # of the texts, lower-cased, without punctuation
    tree_f1: list[list[float]]  # by sentence and rank
    ceiling: NDArray[np.float64]  # word F1 of the gold's subtree, by sentence
    tokens: str = TOKENS  # the tokeniser of the sentences
    allowed: list[int] | None = None  # by sentence: the maximum number of characters, if there was one

    def series(self, *, types: bool = False) -> list[Series]:
        """Every metric by sentence, with its signature."""
        trees = tree_series(self.tree_f1, trees=self.trees, k=self.k)
        words = word_series(self.words, self.gold_words, k=self.k, types=types, tokens=self.tokens)
        rates = rate_series([len(own[0]) for own in self.texts], [len(text) for text in self.sentences])
        room = [] if self.allowed is None else [self.room()]
        return [trees[0], *words[:2], *rates, *room, *words[2:], *trees[1:]]

    def misses(self, i: int) -> bool:
        """Whether nothing fits for a sentence: its output is empty, or longer than allowed."""
        text = self.texts[i][0]
        return not text or (self.allowed is not None and len(text) > self.allowed[i])

    def room(self) -> Series:
        """The share of the budget that is used, by sentence."""
        return room_series([len(own[0]) for own in self.texts], self.allowed or [])

    def scores(self) -> Scores:
        """The values of the metrics."""
        found = {series.signature.split("|")[0]: series.value for series in self.series() if "micro" not in series.name}
        tree, word, exact, rate = (found[name] for name in ("tree_f1", "word_f1", "exact", "rate"))
        best_word, best_tree = (found.get(f"best_of_{self.k}_{name}", found[name]) for name in ("word_f1", "tree_f1"))
        return Scores(
            sentences=len(self.sentences),
            tree_f1=tree,
            word_f1=word,
            exact=exact,
            rate=rate,
            best_of_k_word_f1=best_word,
            best_of_k_tree_f1=best_tree,
            ceiling=float(self.ceiling.mean()),
            connected=float((self.ceiling > 1 - 1e-9).mean()),
        )

    def tree_series_by_rank(self) -> list[Series]:
        """Tree F1 of the best, second best … result, each over the sentences that have one."""
        found = []
        for rank in range(1, max(map(len, self.tree_f1)) + 1):
            scores = [own[rank - 1 : rank] for own in self.tree_f1 if len(own) >= rank]
            found += tree_series(scores, trees=self.trees, rank=rank)
        return found


def compare_with_gold(gold: Gold, decoded: Decoded, k: int) -> Outputs:
    """Compare decoded results, up to k for each sentence, with the gold."""
    forest, subtrees = gold.forest, gold.subtrees
    parses = forest.parses
    parents, kept_nodes, node_ptr = forest.parent, subtrees.kept, forest.node_ptr.tolist()
    result_ptr, piece_ptr = decoded.result_ptr.tolist(), decoded.piece_ptr.tolist()
    decoded_nodes, decoded_node_ptr = decoded.node, decoded.node_ptr.tolist()
    firsts, lasts = forest.sentence_first.tolist(), forest.sentence_last.tolist()
    texts = parses.texts()
    columns = (decoded.piece_start, decoded.piece_end, decoded.piece_space, decoded.piece_word)
    starts, ends, spaces, is_words = [column.tolist() for column in columns]
    sentences, gold_words, printed, printed_words, trees = [], [], [], [], []
    for i, number in enumerate(forest.sentence_text.tolist()):
        text = texts[number]
        tokens = range(firsts[i], lasts[i])
        sentences.append(text[parses.start[tokens[0]] : parses.end[tokens[-1]]].strip())
        kept = [text[parses.start[t] : parses.end[t]].lower() for t in tokens if gold.keep[t]]
        gold_words.append([word for word in kept if is_word(word)])
        nodes = slice(node_ptr[i], node_ptr[i + 1])
        parent = parents[nodes].tolist()
        gold_edges = _edges(np.flatnonzero(kept_nodes[nodes]).tolist(), parent)
        own_texts, own_words, own_trees = [], [], []
        for r in range(result_ptr[i], result_ptr[i + 1]):
            pieces = slice(piece_ptr[r], piece_ptr[r + 1])
            own_texts.append(join_pieces(text, starts[pieces], ends[pieces], spaces[pieces])[0])
            spans = zip(starts[pieces], ends[pieces], is_words[pieces], strict=True)
            words = [text[start:end].lower() for start, end, word in spans if word]
            own_words.append([word for word in words if is_word(word)])
            own_nodes = decoded_nodes[decoded_node_ptr[r] : decoded_node_ptr[r + 1]].tolist()
            own_trees.append(f1(_edges(own_nodes, parent), gold_edges))
        printed.append(own_texts or [""])
        printed_words.append(own_words or [[]])
        trees.append(own_trees or [0.0])
    return Outputs(
        k=k,
        trees=gold.trees,
        sentences=sentences,
        gold_words=gold_words,
        texts=printed,
        words=printed_words,
        tree_f1=trees,
        ceiling=subtrees.f1,
        tokens=gold.tokens,
    )


def _edges(nodes: list[int], parent: list[int]) -> set[tuple[int, bool]]:
    """The edges of a subtree: each node stands for the edge into it; True marks edges of the dummy root."""
    members = set(nodes)
    return {(node, parent[node] not in members) for node in nodes}
