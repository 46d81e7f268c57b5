"""The transformed tree as plain data, for display, tests and inspection."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from laconic.parse import scheme

if TYPE_CHECKING:
    from laconic._core import Forest
    from laconic.score import EdgeScores

#: The head of an edge from the dummy root.
ROOT: Final = -1


@dataclass(frozen=True, slots=True)
class Node:
    """Words that are kept or deleted together. `spans` are character offsets into the text, one for each word."""

    text: str
    word: str  # the head word, which stands for the node
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge that may be retained or deleted; its head is a node or `ROOT`."""

    head: int
    node: int
    label: str  # dependency label or preposition; "root" for edges of the dummy root
    p_ret: float | None  # None if the tree was made without scores


@dataclass(frozen=True, slots=True)
class Coreference:
    """The undirected edge between a pronoun and its antecedent, as nodes."""

    pronoun: int  # node that contains the pronoun: for "his home", the node of "home"
    antecedent: int
    word: str  # the pronoun itself
    span: tuple[int, int]  # its character offsets into the text


@dataclass(frozen=True, slots=True)
class Tree:
    """The transformed tree of one sentence: nodes in sentence order; edges of the dummy root before the others."""

    text: str  # of the sentence
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    coreferences: tuple[Coreference, ...]

    def to_dict(self) -> dict[str, Any]:
        """The tree as JSON-ready data."""
        return {
            "text": self.text,
            "nodes": [
                {"text": node.text, "word": node.word, "spans": [list(span) for span in node.spans]}
                for node in self.nodes
            ],
            "edges": [
                {"head": edge.head, "node": edge.node, "label": edge.label, "p_ret": edge.p_ret} for edge in self.edges
            ],
            "coreferences": [
                {
                    "pronoun": pair.pronoun,
                    "antecedent": pair.antecedent,
                    "word": pair.word,
                    "span": list(pair.span),
                }
                for pair in self.coreferences
            ],
        }


def make_trees(forest: Forest, edge_scores: EdgeScores | None = None) -> list[Tree]:
    """The trees of all sentences of a batch; with scores, their edges have probabilities."""
    parses = forest.parses
    retain, root_retain = (None, None) if edge_scores is None else (p.tolist() for p in edge_scores.core.retain(forest))
    word, parent, preposition = forest.word.tolist(), forest.parent.tolist(), forest.preposition.tolist()
    label, root_edge, node_ptr = forest.label.tolist(), forest.root_edge.tolist(), forest.node_ptr.tolist()
    pronoun, antecedent, coref_ptr = forest.pronoun, forest.antecedent, forest.coreference_ptr
    pronoun_word, node_of = forest.pronoun_word, forest.node_of
    texts = parses.texts()
    trees = []
    for i, (number, first, last) in enumerate(parses.sentences()):
        text = texts[number]
        spans = list(zip(parses.start[first:last].tolist(), parses.end[first:last].tolist(), strict=True))
        rows = range(node_ptr[i], node_ptr[i + 1])
        members: list[list[tuple[int, int]]] = [[] for _ in rows]
        for token, node in enumerate(node_of[first:last].tolist()):
            if node >= 0:
                members[node].append(spans[token])

        def words(at: int, spans: list[tuple[int, int]] = spans, text: str = text) -> str:
            return text[slice(*spans[at])]

        nodes = tuple(
            Node(_join(text, own), words(word[row]), tuple(own)) for row, own in zip(rows, members, strict=True)
        )
        edges = [
            Edge(ROOT, n, "root", None if root_retain is None else root_retain[row])
            for n, row in enumerate(rows)
            if root_edge[row]
        ]
        for n, row in enumerate(rows):
            if parent[row] >= 0:
                name = words(preposition[row]).lower() if preposition[row] >= 0 else scheme.LABELS[label[row]]
                edges.append(Edge(parent[row], n, name, None if retain is None else retain[row]))
        pairs = range(int(coref_ptr[i]), int(coref_ptr[i + 1]))
        trees.append(
            Tree(
                text[spans[0][0] : spans[-1][1]].strip(),
                nodes,
                tuple(edges),
                tuple(
                    Coreference(int(pronoun[j]), int(antecedent[j]), words(pronoun_word[j]), spans[pronoun_word[j]])
                    for j in pairs
                ),
            )
        )
    return trees


def _join(text: str, spans: list[tuple[int, int]]) -> str:
    """The words of a node, with a space wherever they are not adjacent in the text."""
    parts = [text[slice(*spans[0])]]
    for (_, before), (start, end) in itertools.pairwise(spans):
        parts.append((" " if before < start else "") + text[start:end])
    return "".join(parts)
