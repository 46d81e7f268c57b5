"""Make versions of sentences for the reader to learn from: editors' compressions, ours with verdicts, and ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic._core import GoldSubtrees, Unit, WordState
from laconic.batching import batches
from laconic.corpus import gold_tokens, read_corpus, read_plain
from laconic.corpus.verdicts import read_verdicts
from laconic.decode import decode
from laconic.guard import Policy
from laconic.levels import NESTED
from laconic.limits import Budget, Limits
from laconic.network.shape import MAX_PIECES
from laconic.plan import make_plan
from laconic.reader.cuts import EDITORS, FAULTY, FINE, OURS, UNKNOWN, VERDICTS, CutSentences
from laconic.tree import Forest, make_forest

if TYPE_CHECKING:
    from laconic.parse.network import NetworkParser

#: Of editors' compressions, those that are nearly one subtree.
MIN_F1: Final = 0.95

#: Versions of our own: lengths for each sentence, and how many of the best results of each are taken.
LENGTHS: Final = 2
BEST: Final = 2
SHORTEST: Final = 0.3
LONGEST: Final = 0.95

_BATCH: Final = 1024
_ROOM: Final = 2**62


@dataclass(frozen=True, slots=True)
class Version:
    """A subtree of a sentence, and what is known of its deletions."""

    nodes: Sequence[int]
    labels: Mapping[int, int]  # by token of the sentence, of head words of what was cut or promoted
    others: int = UNKNOWN  # the label of all other deletions


def make_cuts(
    parser: NetworkParser, *, levels: Iterable[Path], verdicts: Path, plain: Path, seed: int = 0
) -> CutSentences:
    """Parse sentences with the network that the reader will work with, and print versions of them."""
    rng = np.random.default_rng(seed)
    collected = _Collected(parser)
    for path in levels:
        _add_editors(collected, path, rng)
    _add_verdicts(collected, verdicts)
    texts = (item.text for item in read_plain(plain))
    for batch in batches(texts, chars=_BATCH * 100, size=len):
        _add_ours(collected, batch, rng)
    return collected.build()


class _Collected:
    """What was made so far."""

    def __init__(self, parser: NetworkParser) -> None:
        self.parser = parser
        names = ("piece", "word_start", "case", "source", "state", "label")
        self._columns: dict[str, list[NDArray[Any]]] = {name: [] for name in names}
        self._counts: dict[str, list[int]] = {"piece_ptr": [0], "word_ptr": [0], "version_ptr": [0]}

    def add(self, forest: Forest, versions: Sequence[Sequence[Version]], source: int) -> None:
        """Add the versions of every sentence of a batch; those that read alike count once."""
        printer = _core.Printer(forest, False)
        made: list[list[Version]] = []
        for i, own in enumerate(versions):
            printer.begin(i)
            made.append([version for version in own if printer.add(0.0, list(version.nodes), _ROOM)])
            printer.end()
        decoded = printer.finish()
        cuts = _core.find_cuts(forest, decoded, np.arange(len(decoded.score)))
        parses, texts = forest.parses, forest.parses.texts()
        row = 0
        for own, (number, first, last) in zip(made, parses.sentences(), strict=True):
            rows = range(row, row := row + len(own))
            spans = zip(parses.start[first:last].tolist(), parses.end[first:last].tolist(), strict=True)
            words = self.parser.network.pieces.read([texts[number][a:b] for a, b in spans])
            states = [cuts.state[cuts.token_ptr[each] : cuts.token_ptr[each + 1]] for each in rows]
            asked = [np.isin(state, (WordState.CUT, WordState.PROMOTED)) for state in states]
            chosen = [at for at, mask in enumerate(asked) if mask.any()]
            if not chosen or sum(len(ids) for ids, _ in words) > MAX_PIECES:
                continue
            starts = np.zeros(sum(len(ids) for ids, _ in words), np.uint8)
            starts[np.cumsum([0] + [len(ids) for ids, _ in words[:-1]])] = 1
            self._columns["piece"].append(np.array([number for ids, _ in words for number in ids], np.uint16))
            self._columns["word_start"].append(starts)
            self._columns["case"].append(np.array([case for _, case in words], np.uint8))
            for at in chosen:
                label = np.where(asked[at], np.uint8(own[at].others), np.uint8(UNKNOWN))
                for token, known in own[at].labels.items():
                    if asked[at][token]:
                        label[token] = known
                self._columns["state"].append(states[at])
                self._columns["label"].append(label)
                self._columns["source"].append(np.array([source], np.uint8))
            for name, count in (("piece", len(starts)), ("word", len(words)), ("version", len(chosen))):
                pointer = self._counts[f"{name}_ptr"]
                pointer.append(pointer[-1] + count)

    def build(self) -> CutSentences:
        """All of it."""
        arrays: dict[str, Any] = {name: np.array(pointer, np.int64) for name, pointer in self._counts.items()}
        empty = {"piece": np.uint16}
        for name, parts in self._columns.items():
            arrays[name] = np.concatenate(parts) if parts else np.zeros(0, empty.get(name, np.uint8))
        return CutSentences(**arrays)


def _add_editors(collected: _Collected, path: Path, rng: np.random.Generator) -> None:
    """What an editor cut is fine. Where one more edge is cut of the shortest compression, that is at fault."""
    items = {level: list(read_corpus(path, level=level)) for level in NESTED}
    for begin in range(0, len(items[NESTED[0]]), _BATCH):
        own = {level: each[begin : begin + _BATCH] for level, each in items.items()}
        parses = collected.parser.parse([item.text for item in own[NESTED[0]]])
        forest = make_forest(parses)
        golds = {level: GoldSubtrees(forest, gold_tokens(parses, each)) for level, each in own.items()}
        versions: list[list[Version]] = []
        for i in range(len(forest)):
            nodes = slice(int(forest.node_ptr[i]), int(forest.node_ptr[i + 1]))
            found = []
            for level, gold in golds.items():
                kept = gold.kept[nodes] > 0
                if gold.f1[i] < MIN_F1 or not kept.any():
                    continue
                found.append(Version(np.flatnonzero(kept).tolist(), {}, FINE))
                if level is NESTED[-1]:
                    found += _cut_one_more(forest, i, kept, rng)
            versions.append(found)
        collected.add(forest, versions, EDITORS)


def _cut_one_more(forest: Forest, i: int, kept: NDArray[np.bool_], rng: np.random.Generator) -> list[Version]:
    first = int(forest.node_ptr[i])
    parent = forest.parent[first : int(forest.node_ptr[i + 1])]
    edges = np.flatnonzero(kept & (parent >= 0) & kept[parent])
    if not len(edges):
        return []
    edge = int(rng.choice(edges))
    gone = np.zeros(len(kept), dtype=bool)
    gone[edge] = True
    for node in _top_down(parent):
        gone[node] |= parent[node] >= 0 and gone[parent[node]]
    head = int(forest.row[first + edge] - forest.sentence_first[i])
    return [Version(np.flatnonzero(kept & ~gone).tolist(), {head: FAULTY}, FINE)]


def _top_down(parent: NDArray[np.int32]) -> Iterator[int]:
    """Nodes, parents before their children."""
    depth = np.zeros(len(parent), dtype=np.int64)
    at = parent.copy()
    while (at >= 0).any():
        depth += at >= 0
        at = np.where(at >= 0, parent[at], -1)
    yield from np.argsort(depth, kind="stable").tolist()


def _add_verdicts(collected: _Collected, path: Path) -> None:
    """What was printed, and which deletions an editor would undo."""
    found = read_verdicts(path)
    for batch in batches(found.items(), chars=_BATCH * 100, size=lambda item: len(item[0])):
        parses = collected.parser.parse([text for text, _ in batch])
        forest = make_forest(parses)
        versions: list[list[Version]] = [[] for _ in range(len(forest))]
        for i, number in enumerate(forest.sentence_text.tolist()):
            first, last = int(forest.sentence_first[i]), int(forest.sentence_last[i])
            at = {start: token for token, start in enumerate(parses.start[first:last].tolist())}
            for verdict in batch[number][1]:
                gone = np.zeros(last - first, dtype=bool)
                for begin, end in verdict.deleted:
                    gone |= (parses.start[first:last] >= begin) & (parses.end[first:last] <= end)
                rows = slice(int(forest.node_ptr[i]), int(forest.node_ptr[i + 1]))
                kept = ~gone[forest.row[rows] - first]
                parent = forest.parent[rows]
                tops = kept & ((parent < 0) | ~kept[parent])
                if tops.sum() != 1:  # the network sees the sentence otherwise than the one that printed it
                    continue
                labels = {at[start]: faulty for start, faulty in verdict.faulty.items() if start in at}
                versions[i].append(Version(np.flatnonzero(kept).tolist(), labels))
        collected.add(forest, versions, VERDICTS)


def _add_ours(collected: _Collected, texts: Sequence[str], rng: np.random.Generator) -> None:
    """The best results within random lengths, with and without the guard."""
    parses, scores = collected.parser.read(texts)
    forest = make_forest(parses)
    versions: list[list[Version]] = [[] for _ in range(len(forest))]
    for turn in range(LENGTHS):
        shares = rng.uniform(SHORTEST, LONGEST, len(forest))
        most = np.maximum((shares * parses.sentence_lengths()).astype(np.int64), 1)
        bound = Limits(Budget(Unit.CHARS, most=most)).bind(forest)
        policy = Policy.NONE if turn % 2 else Policy.SENTENCE
        plan = make_plan(forest, scores, limits=bound, policy=policy)
        decoded = decode(forest, plan.edge_scores, limits=bound, k=BEST, order="score", **plan.how)
        for i in range(len(forest)):
            for row in range(int(decoded.result_ptr[i]), int(decoded.result_ptr[i + 1])):
                nodes = decoded.node[decoded.node_ptr[row] : decoded.node_ptr[row + 1]].tolist()
                versions[i].append(Version(nodes, {}))
    collected.add(forest, versions, OURS)
