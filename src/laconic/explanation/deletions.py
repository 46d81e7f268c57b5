"""The deletions of a compression, read off the tree.

Words go for one of two reasons. An edge of the tree was deleted: then everything below it goes, and the deletion
carries the edge's label and p_del; where a clause is taken out of the sentence around it, the edge is the dummy root's
edge to the clause that is left behind. Or the word's node stays but the word would have nothing to do in the print,
like a comma or the "that" before what is now a sentence.

Who decided is asked of the same sentence without the limits: what is deleted there, too, is the model's decision; what
is deleted only with the constraints is theirs; the rest is the budget's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from laconic.tree import ROOT, Tree

if TYPE_CHECKING:
    from laconic.decode import Decoded
    from laconic.limits.limits import BoundLimits
    from laconic.parse import Parses


class By(StrEnum):
    """Who decided on a deletion."""

    MODEL = "model"
    BUDGET = "budget"
    CONSTRAINT = "constraint"
    PRINT = "print"  # nobody: what is left needs no such comma, "that" or "and"


@dataclass(frozen=True, slots=True)
class Deletion:
    """Neighbouring words that are gone for one reason; character offsets into the input text."""

    start: int
    end: int
    text: str
    label: str  # of the deleted edge; "root" where a clause around the compression went; "" for what is not printed
    p_del: float | None  # of that edge, None where no edge was deleted
    by: By
    constraint: str | None = None  # the one that decided, where it is one about these words

    def to_dict(self) -> dict[str, Any]:
        """The deletion as JSON-ready data."""
        return {
            "start": self.start,
            "end": self.end,
            "text": self.text,
            "label": self.label,
            "p_del": self.p_del,
            "by": str(self.by),
            **({} if self.constraint is None else {"constraint": self.constraint}),
        }


class Explainer:
    """Explains the results of a batch; `free` and `unbudgeted` are its results without limits and without a budget."""

    def __init__(
        self,
        parses: Parses,
        trees: Sequence[Tree],
        decoded: Decoded,
        limits: BoundLimits | None = None,
        free: Decoded | None = None,
        unbudgeted: Decoded | None = None,
    ) -> None:
        self._parses = parses
        self._texts = parses.texts()
        self._trees = trees
        self._decoded = decoded
        self._limits = limits
        self._free = free
        self._unbudgeted = unbudgeted

    def deletions(self, i: int, row: int, printed: Sequence[tuple[int, int]]) -> tuple[Deletion, ...]:
        """Of result `row`, which is one of sentence `i` and prints these spans of the text."""
        decoded, tree = self._decoded, self._trees[i]
        kept = set(decoded.node[decoded.node_ptr[row] : decoded.node_ptr[row + 1]].tolist())
        edges = {edge.node: edge for edge in tree.edges if edge.head != ROOT}
        roots = {edge.node: edge for edge in tree.edges if edge.head == ROOT}
        node_at = {span: n for n, node in enumerate(tree.nodes) for span in node.spans}
        first, last = int(decoded.sentence_first[i]), int(decoded.sentence_last[i])
        text = self._texts[int(decoded.sentence_text[i])]
        found: list[tuple[int, int, int | None, int]] = []  # start, end, node below the deleted edge or None, row
        for token in range(first, last):
            span = (int(self._parses.start[token]), int(self._parses.end[token]))
            if any(start < span[1] and span[0] < end for start, end in printed) or not text[slice(*span)].strip():
                continue
            node = node_at.get(span)
            cause = None if node is None or node in kept else _cause(node, kept, edges)
            found.append((*span, cause, token))
        made = []
        for start, end, cause, tokens in _runs(text, found):
            if cause is None:
                made.append(Deletion(start, end, text[start:end], "", None, By.PRINT))
                continue
            edge = edges.get(cause)
            if edge is None:
                edge = roots[cause]
            by, constraint = self._by(i, row, cause, kept, tokens)
            p_del = None if edge.p_ret is None else 1 - edge.p_ret
            made.append(Deletion(start, end, text[start:end], edge.label, p_del, by, constraint))
        return tuple(made)

    def _by(self, i: int, row: int, cause: int, kept: set[int], tokens: Sequence[int]) -> tuple[By, str | None]:
        if self._limits is None or self._free is None or _decides(self._free, i, cause, kept):
            return By.MODEL, None
        asked = [self._limits.reasons[token] for token in tokens if token in self._limits.reasons]
        for constraint in asked:
            if not constraint.keep:
                return By.CONSTRAINT, str(constraint)
        if self._unbudgeted is not None and _decides(self._unbudgeted, i, cause, kept):
            return By.CONSTRAINT, None
        return (By.BUDGET if self._limits.limits.budget.unit else By.CONSTRAINT), None


def _cause(node: int, kept: set[int], edges: dict[int, Any]) -> int:
    """The node whose edge was deleted, so that a node is gone: the highest that is not below one that stays."""
    while node in edges and edges[node].head not in kept:
        node = edges[node].head
    return node


def _decides(other: Decoded, i: int, cause: int, kept: set[int]) -> bool:
    """Whether another list of results explains that a node is gone: it has this result, or its best loses it, too."""
    for n, row in enumerate(range(int(other.result_ptr[i]), int(other.result_ptr[i + 1]))):
        nodes = set(other.node[other.node_ptr[row] : other.node_ptr[row + 1]].tolist())
        if nodes == kept or (n == 0 and cause not in nodes):
            return True
    return False


def _runs(
    text: str, found: Sequence[tuple[int, int, int | None, int]]
) -> list[tuple[int, int, int | None, tuple[int, ...]]]:
    """Neighbouring tokens that are gone for the same reason, as one; punctuation goes with the words beside it."""
    runs: list[tuple[int, int, int | None, tuple[int, ...]]] = []
    for start, end, cause, token in found:
        if runs and not text[runs[-1][1] : start].strip():
            before, _, own, tokens = runs[-1]
            mark = not any(char.isalnum() for char in text[start:end])
            opening = not any(char.isalnum() for char in text[before : runs[-1][1]])
            if cause == own or (cause is None and mark) or (own is None and opening):
                runs[-1] = (before, end, cause if own is None else own, (*tokens, token))
                continue
        runs.append((start, end, cause, (token,)))
    return runs
