"""The deletions of a compression, derived from the tree.

Words are deleted for one of two reasons. Either an edge of the tree was cut, and everything below it is gone: the
deletion has the edge's label and p_del. If a clause was taken out of the surrounding sentence, the edge is the dummy
root's edge to the clause that is left behind. Or the word's node is kept, but the word is not needed in print, such as
a comma, or the "that" before what is now a sentence.

To find out who decided, the sentence is decoded again with fewer restrictions, and the results are compared word by
word. What the best compression loses without guard and limits is the model's decision. What it loses only with the
guard, or only with the constraints, is theirs. The rest is due to the budget.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from laconic.guard.pins import NO_RULE
from laconic.parse import scheme
from laconic.records import JsonRecord

if TYPE_CHECKING:
    from laconic.decode import Decoded
    from laconic.guard import Pins
    from laconic.limits.limits import BoundLimits
    from laconic.score import EdgeScores
    from laconic.tree import Forest


class By(StrEnum):
    """Who decided on a deletion."""

    MODEL = "model"
    GUARD = "guard"
    BUDGET = "budget"
    CONSTRAINT = "constraint"
    PRINT = "print"  # nobody: the printed sentence does not need this comma, "that" or "and"


@dataclass(frozen=True, slots=True)
class Deletion(JsonRecord):
    """Adjacent words that are deleted for the same reason; character offsets into the input text."""

    start: int
    end: int
    text: str
    label: str  # of the cut edge; "root" if the clause around is deleted; "" for words not needed in print
    p_del: float | None  # of that edge; None if no edge was cut
    by: By
    constraint: str | None = None  # the constraint that decided, if it names these words
    rule: str | None = None  # the rule of the guard that decided, if one did

    def to_dict(self) -> dict[str, Any]:
        """The deletion as JSON-ready data; without a constraint or rule, these keys are left out."""
        found = {**JsonRecord.to_dict(self), "by": str(self.by)}
        return {name: value for name, value in found.items() if value is not None or name == "p_del"}


@dataclass(frozen=True, slots=True)
class Guarded(JsonRecord):
    """Adjacent words that are kept because of the guard; character offsets into the input text."""

    start: int
    end: int
    text: str
    rule: str


@dataclass(frozen=True, slots=True)
class Comparisons:
    """The results for the same trees with fewer restrictions; None: not decoded, as they would be the same."""

    unguarded: Decoded | None = None  # without guard and limits, best result only
    within: Decoded | None = None  # without guard, within the budget, best result only
    free: Decoded | None = None  # without limits
    unbudgeted: Decoded | None = None  # without a budget


class Explainer:
    """Explains the results of a batch."""

    def __init__(
        self,
        forest: Forest,
        edge_scores: EdgeScores,
        pins: Pins | None,
        decoded: Decoded,
        limits: BoundLimits | None,
        compared: Comparisons,
    ) -> None:
        self._forest = forest
        self._texts = forest.parses.texts()
        self._pins = pins
        self._decoded = decoded
        self._limits = limits
        self._p_ret, self._root_p_ret = (column.tolist() for column in edge_scores.core.retain(forest))
        parses = forest.parses
        self._spans = list(zip(parses.start.tolist(), parses.end.tolist(), strict=True))
        self._node_of, self._node_ptr = forest.node_of.tolist(), forest.node_ptr.tolist()
        self._parent, self._label = forest.parent.tolist(), forest.label.tolist()
        self._preposition = forest.preposition.tolist()
        self._first, self._last = forest.sentence_first.tolist(), forest.sentence_last.tolist()
        self._text_of = forest.sentence_text.tolist()
        self._own = _Nodes(decoded)
        others = (compared.unguarded, compared.within, compared.free, compared.unbudgeted)
        self._unguarded, self._within, self._free, self._unbudgeted = (
            None if each is None else _Nodes(each) for each in others
        )
        self._sentence: _Sentence | None = None

    def explain(self, i: int, row: int, starts: Sequence[int]) -> tuple[tuple[Deletion, ...], tuple[Guarded, ...]]:
        """The deletions of result `row` of sentence `i`, and the words that are kept because of the guard.

        `starts` are the character offsets at which the printed pieces begin.
        """
        printed = frozenset(starts)
        return self._deletions(i, row, printed), self._guarded(i, row, printed)

    def _deletions(self, i: int, row: int, printed: Set[int]) -> tuple[Deletion, ...]:
        sentence = self._begin(i)
        kept = self._own.of(row)
        rank = row - self._own.first(i)
        text = self._texts[self._text_of[i]]
        causes: dict[int, _Reason] = {}  # by deleted node
        found: list[tuple[int, int, _Reason]] = []
        spans, node_of = self._spans, self._node_of
        for token in range(self._first[i], self._last[i]):
            start, end = spans[token]
            if start in printed:
                continue
            if end - 1 in printed:  # the full stop of "£6m." is kept
                end -= 1
            node = node_of[token]
            if node in causes:
                reason = causes[node]
            elif node < 0 or node in kept:
                if text[start:end].isspace():
                    continue
                constraint = self._asked(token)
                reason = _Reason(None, By.PRINT if constraint is None else By.CONSTRAINT, constraint, None)
            else:
                path = sentence.path(node, kept)
                reason = causes[node] = _Reason(path[-1], *self._by(sentence, rank, node, kept, path))
            found.append((start, end, reason))
        return tuple(self._deletion(sentence, text, *run) for run in _runs(text, found))

    def _guarded(self, i: int, row: int, printed: Set[int]) -> tuple[Guarded, ...]:
        """The words whose deletion the guard prevents: by the model alone, or within the budget."""
        sentence = self._begin(i)
        kept = self._own.of(row)
        rules: dict[int, str] = {}
        if sentence.rule is not None and sentence.free:
            lost = (kept & sentence.free[0]) - sentence.unguarded
            rules |= {node: self._rule(sentence, node, kept) for node in lost}
        rules |= self._pinned(sentence, kept)
        if not rules:
            return ()
        text = self._texts[self._text_of[i]]
        found: list[tuple[int, int, str]] = []
        for token in range(self._first[i], self._last[i]):
            start, end = self._spans[token]
            rule = rules.get(self._node_of[token])
            if rule is None or start not in printed:
                continue
            if found and found[-1][2] == rule and not text[found[-1][1] : start].strip():
                found[-1] = (found[-1][0], end, rule)
            else:
                found.append((start, end, rule))
        return tuple(Guarded(start, end, text[start:end], rule) for start, end, rule in found)

    def _pinned(self, sentence: _Sentence, kept: frozenset[int]) -> dict[int, str]:
        """The nodes kept by their own pins that would otherwise be deleted within the budget, with the rules' names."""
        if self._within is None or self._pins is None or not self._within.has(sentence.number):
            return {}
        within = self._within.of(self._within.first(sentence.number))
        rules = {node: int(self._pins.stays_by[sentence.first + node]) for node in kept - within}
        return {
            node: self._pins.names[rule]
            for node, rule in rules.items()
            if rule != NO_RULE and sentence.parent[node] in kept & within  # both keep its head
        }

    def _rule(self, sentence: _Sentence, node: int, kept: frozenset[int]) -> str:
        """The rule by which a node is kept: by its own pin, or because a node below may not be a root."""
        assert self._pins is not None
        assert sentence.rule is not None
        stays, not_root = self._pins.stays_by, self._pins.not_root_by
        below = (child for child in kept if sentence.parent[child] == node)
        found = [stays[sentence.first + node], *(not_root[sentence.first + child] for child in below)]
        return next((self._pins.names[int(number)] for number in found if number != NO_RULE), sentence.rule)

    def _begin(self, i: int) -> _Sentence:
        """The data of a sentence that all its results share, cached for the last sentence."""
        if self._sentence is None or self._sentence.number != i:
            nodes = slice(self._node_ptr[i], self._node_ptr[i + 1])
            unguarded: frozenset[int] = frozenset()
            rule = None
            if self._unguarded is not None and self._pins is not None and self._unguarded.has(i):
                unguarded = self._unguarded.of(self._unguarded.first(i))
                broken = self._pins.broken_by(self._forest, i, unguarded)
                rule = broken
            # Without limits, the results are those of decoding without limits.
            free = (self._own if self._limits is None else self._free or self._own).results(i)
            unbudgeted = None if self._unbudgeted is None else self._unbudgeted.results(i)
            self._sentence = _Sentence(
                number=i,
                first=nodes.start,
                parent=self._parent[nodes],
                unguarded=unguarded,
                rule=rule,
                free=free,
                unbudgeted=unbudgeted,
            )
            for token in range(self._first[i], self._last[i]):
                asked = self._asked(token)
                if asked is not None and self._node_of[token] >= 0:
                    self._sentence.dropped.setdefault(self._node_of[token], asked)
        return self._sentence

    def _deletion(self, sentence: _Sentence, text: str, start: int, end: int, reason: _Reason) -> Deletion:
        label, p_del = "", None
        if reason.cause is not None:
            row = sentence.first + reason.cause
            is_root = self._parent[row] < 0
            p_del = 1 - (self._root_p_ret if is_root else self._p_ret)[row]
            label = "root" if is_root else self._edge_label(sentence.number, row)
        return Deletion(start, end, text[start:end], label, p_del, reason.by, reason.constraint, reason.rule)

    def _edge_label(self, i: int, row: int) -> str:
        if self._preposition[row] < 0:
            return scheme.LABELS[int(self._label[row])]
        start, end = self._spans[self._first[i] + self._preposition[row]]
        return str(self._texts[self._text_of[i]][start:end].lower())

    def _asked(self, token: int) -> str | None:
        """The constraint that demands the deletion of a token, or None."""
        constraint = None if self._limits is None else self._limits.reasons.get(token)
        return None if constraint is None or constraint.keep else str(constraint)

    def _by(
        self, sentence: _Sentence, rank: int, node: int, kept: frozenset[int], path: Sequence[int]
    ) -> tuple[By, str | None, str | None]:
        """Who decided that a node is deleted, with constraint or rule; `path` leads from it up to the cut edge."""
        if _loses(sentence.free, node):
            guarded = sentence.rule is not None and node in sentence.unguarded
            return (By.GUARD, None, sentence.rule) if guarded else (By.MODEL, None, None)
        if kept in sentence.free[: rank + 1]:
            return By.MODEL, None, None
        for each in path:
            if each in sentence.dropped:
                return By.CONSTRAINT, sentence.dropped[each], None
        if sentence.unbudgeted is not None:
            if _loses(sentence.unbudgeted, node):
                return By.CONSTRAINT, None, None
            if kept in sentence.unbudgeted[: rank + 1]:  # a further result within the constraints
                return By.MODEL, None, None
        assert self._limits is not None  # without limits, the result is one of the free ones
        return (By.BUDGET if self._limits.limits.budget.unit else By.CONSTRAINT), None, None


class _Reason(NamedTuple):
    """Why a token is deleted: the node below the cut edge, if there is one, who decided, and the constraint or rule."""

    cause: int | None
    by: By
    constraint: str | None
    rule: str | None


@dataclass(slots=True)
class _Sentence:
    """A sentence, and its results with fewer restrictions."""

    number: int
    first: int  # the number of its first node in the batch
    parent: list[int]
    unguarded: frozenset[int]  # the nodes of the best result without guard and limits
    rule: str | None  # the rule of the guard that this result breaks
    free: list[frozenset[int]]  # nodes of the results without limits, best first
    unbudgeted: list[frozenset[int]] | None
    #: By node: the constraint that demands the deletion of one of its words.
    dropped: dict[int, str] = field(default_factory=dict)

    def path(self, node: int, kept: frozenset[int]) -> list[int]:
        """The path from a deleted node up to the node whose edge was cut, which is a child of a kept node or a root."""
        path = [node]
        while (head := self.parent[path[-1]]) >= 0 and head not in kept:
            path.append(head)
        return path


class _Nodes:
    """The node sets of decoded results."""

    def __init__(self, decoded: Decoded) -> None:
        self._result_ptr = decoded.result_ptr.tolist()
        self._node_ptr = decoded.node_ptr.tolist()
        self._node = decoded.node.tolist()

    def has(self, i: int) -> bool:
        """Whether a sentence has a result."""
        return bool(self._result_ptr[i] < self._result_ptr[i + 1])

    def first(self, i: int) -> int:
        """The index of the first result of a sentence."""
        return int(self._result_ptr[i])

    def of(self, row: int) -> frozenset[int]:
        """The nodes of one result."""
        return frozenset(self._node[self._node_ptr[row] : self._node_ptr[row + 1]])

    def results(self, i: int) -> list[frozenset[int]]:
        """The nodes of each result of a sentence."""
        return [self.of(row) for row in range(self._result_ptr[i], self._result_ptr[i + 1])]


def _loses(results: Sequence[frozenset[int]], node: int) -> bool:
    """Whether the best of these results does not contain a node."""
    return bool(results) and node not in results[0]


def _runs(text: str, found: Sequence[tuple[int, int, _Reason]]) -> list[tuple[int, int, _Reason]]:
    """Merge adjacent tokens that are deleted for the same reason; punctuation joins the words beside it."""
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
