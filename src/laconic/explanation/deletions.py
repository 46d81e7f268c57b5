"""The deletions of a compression, read off the tree.

Words go for one of two reasons. An edge of the tree was deleted: then everything below it goes, and the deletion
carries the edge's label and p_del; where a clause is taken out of the sentence around it, the edge is the dummy root's
edge to the clause that is left behind. Or the word's node stays but the word would have nothing to do in the print,
like a comma or the "that" before what is now a sentence.

Who decided is asked of the same sentence without the limits, word by word: what the best compression loses there, too,
is the model's decision; what is lost only with the constraints is theirs; the rest is the budget's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from laconic.tree import ROOT, Edge, Tree

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
        kept = _nodes(decoded, row)
        rank = row - int(decoded.result_ptr[i])
        edges = {edge.node: edge for edge in tree.edges if edge.head != ROOT}
        roots = {edge.node: edge for edge in tree.edges if edge.head == ROOT}
        node_at = {span: n for n, node in enumerate(tree.nodes) for span in node.spans}
        text = self._texts[int(decoded.sentence_text[i])]
        dropped = self._dropped(i, node_at)
        found: list[tuple[int, int, _Reason]] = []
        for token in range(int(decoded.sentence_first[i]), int(decoded.sentence_last[i])):
            whole = (int(self._parses.start[token]), int(self._parses.end[token]))
            node = node_at.get(whole)
            for start, end in _rest(whole, printed):
                if not text[start:end].strip():
                    continue
                if node is None or node in kept:
                    constraint = self._asked(token)
                    reason = _Reason(None, By.PRINT if constraint is None else By.CONSTRAINT, constraint)
                else:
                    path = _path(node, kept, edges)
                    reason = _Reason(path[-1], *self._by(i, rank, node, kept, [dropped.get(n) for n in path]))
                found.append((start, end, reason))
        made = []
        for start, end, reason in _runs(text, found):
            edge = None if reason.cause is None else edges.get(reason.cause) or roots[reason.cause]
            p_del = None if edge is None or edge.p_ret is None else 1 - edge.p_ret
            label = "" if edge is None else edge.label
            made.append(Deletion(start, end, text[start:end], label, p_del, reason.by, reason.constraint))
        return tuple(made)

    def _asked(self, token: int) -> str | None:
        """The constraint that wants a token gone, or None."""
        constraint = None if self._limits is None else self._limits.reasons.get(token)
        return None if constraint is None or constraint.keep else str(constraint)

    def _dropped(self, i: int, node_at: dict[tuple[int, int], int]) -> dict[int, str]:
        """The nodes of a sentence that have a word which must go, and the constraint that wants it so."""
        found: dict[int, str] = {}
        for token in range(int(self._decoded.sentence_first[i]), int(self._decoded.sentence_last[i])):
            asked = self._asked(token)
            node = node_at.get((int(self._parses.start[token]), int(self._parses.end[token])))
            if asked is not None and node is not None:
                found.setdefault(node, asked)
        return found

    def _by(
        self, i: int, rank: int, node: int, kept: frozenset[int], dropped: Sequence[str | None]
    ) -> tuple[By, str | None]:
        """Who decided that a node is gone; `dropped` are the constraints about it and what it hangs on."""
        if self._limits is None or self._free is None:
            return By.MODEL, None
        if _loses(self._free, i, node) or _has(self._free, i, rank, kept):
            return By.MODEL, None
        for constraint in dropped:
            if constraint is not None:
                return By.CONSTRAINT, constraint
        if self._unbudgeted is not None:
            if _loses(self._unbudgeted, i, node):
                return By.CONSTRAINT, None
            if _has(self._unbudgeted, i, rank, kept):  # an alternative that the constraints leave
                return By.MODEL, None
        return (By.BUDGET if self._limits.limits.budget.unit else By.CONSTRAINT), None


class _Reason(NamedTuple):
    """Why a token is gone: the node below the deleted edge, if there is one, who decided, and the constraint."""

    cause: int | None
    by: By
    constraint: str | None


def _nodes(decoded: Decoded, row: int) -> frozenset[int]:
    return frozenset(decoded.node[decoded.node_ptr[row] : decoded.node_ptr[row + 1]].tolist())


def _loses(other: Decoded, i: int, node: int) -> bool:
    """Whether the best of other results loses a node."""
    first, last = int(other.result_ptr[i]), int(other.result_ptr[i + 1])
    return first < last and node not in _nodes(other, first)


def _has(other: Decoded, i: int, rank: int, kept: frozenset[int]) -> bool:
    """Whether one of other results, at this rank or a better one, is the same."""
    first, last = int(other.result_ptr[i]), int(other.result_ptr[i + 1])
    return any(_nodes(other, row) == kept for row in range(first, min(first + rank + 1, last)))


def _rest(span: tuple[int, int], printed: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """What of a token is not printed: of "£6m." the full stop may stay."""
    rest = [span]
    for start, end in printed:
        rest = [
            part
            for first, last in rest
            for part in ((first, min(last, start)), (max(first, end), last))
            if part[0] < part[1]
        ]
    return rest


def _path(node: int, kept: frozenset[int], edges: dict[int, Edge]) -> list[int]:
    """From a node that is gone up to the one whose edge was deleted: the highest that is not below one that stays."""
    path = [node]
    while path[-1] in edges and edges[path[-1]].head not in kept:
        path.append(edges[path[-1]].head)
    return path


def _runs(text: str, found: Sequence[tuple[int, int, _Reason]]) -> list[tuple[int, int, _Reason]]:
    """Neighbouring tokens that are gone for the same reason, as one; punctuation goes with the words beside it."""
    runs: list[tuple[int, int, _Reason]] = []
    for start, end, reason in found:
        if runs and not text[runs[-1][1] : start].strip():
            before, last, own = runs[-1]
            mark = reason.by is By.PRINT and not any(char.isalnum() for char in text[start:end])
            opening = own.by is By.PRINT and not any(char.isalnum() for char in text[before:last])
            if reason == own or mark or opening:
                runs[-1] = (before, end, reason if opening and not mark else own)
                continue
        runs.append((start, end, reason))
    return runs
