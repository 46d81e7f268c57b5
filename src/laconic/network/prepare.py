"""Turn corpora into training examples: parsed sentences with their gold compressions, and plain sentences."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from laconic._core import GoldSubtrees
from laconic.corpus.verdicts import Verdict
from laconic.levels import LEVELS, Level
from laconic.network.examples import UNKNOWN, Examples, ExamplesBuilder
from laconic.network.pieces import Pieces
from laconic.network.shape import MAX_PIECES
from laconic.parse import scheme
from laconic.parse.sentences import sentence_starts
from laconic.parse.words import WordTokeniser
from laconic.train.cache import Shard

#: Sentences outside these bounds are left out: fragments, and sentences too long for one-byte heads.
MIN_WORDS: Final = 4
MAX_WORDS: Final = 200

#: The minimum F1 of an item's best subtree against the gold; below it, edges have no targets.
MIN_F1: Final = 0.8

#: The share of sentences whose punctuation is removed, since users also write without.
UNPUNCTUATED: Final = 0.08

_SPACE: Final = scheme.TAG_ID["_SP"]
_PUNCT: Final = scheme.LABEL_ID["punct"]


def labelled_examples(
    corpora: Iterable[Mapping[Level | None, Iterable[Shard]]],
    pieces: Pieces,
    *,
    seed: int,
    unpunctuated: float,
    verdicts: Mapping[str, Sequence[Verdict]] | None = None,
) -> Examples:
    """The sentences of parsed corpora with trees, and with gold compressions if they have a level.

    `verdicts` are by text: a text with several verdicts occurs in its corpus once for each of them, in the same order.
    """
    builder = ExamplesBuilder()
    left = {text: iter(own) for text, own in (verdicts or {}).items()}
    rng = np.random.default_rng(seed)
    for corpus in corpora:
        for shards in zip(*corpus.values(), strict=True):
            for level, shard in zip(corpus, shards, strict=True):
                for words, columns in _labelled(shard, left):
                    if level is None:
                        columns |= {name: np.full(len(words), UNKNOWN) for name in ("keep", "retain", "root")}
                    kept = np.flatnonzero(columns["tag"] != _SPACE)
                    if rng.random() < unpunctuated:
                        leaf = np.bincount(columns["head"], minlength=len(words)) == 0
                        kept = np.flatnonzero((columns["tag"] != _SPACE) & ~((columns["label"] == _PUNCT) & leaf))
                    _add(builder, words, columns, kept, pieces, LEVELS.index(level or Level.HEADLINE))
    return builder.build()


def _labelled(
    shard: Shard, verdicts: Mapping[str, Iterator[Verdict]]
) -> Iterator[tuple[list[str], dict[str, NDArray[np.int64]]]]:
    """The words of every sentence and their target columns."""
    parses = shard.parses
    forest, gold = shard.forest, GoldSubtrees(shard.forest, shard.gold)
    node_ptr, node_word, parent, node_of = forest.node_ptr, forest.word, forest.parent, forest.node_of
    f1, root, node_kept = gold.f1, gold.root, gold.kept
    texts = parses.texts()
    inside = (parses.entity > 0) & (parses.entity_start == 0)
    entity = parses.entity + inside * (len(scheme.ENTITIES) - 1)
    tokens = np.diff(parses.token_ptr)
    for i, (number, first, last) in enumerate(parses.sentences()):
        if not MIN_WORDS <= last - first <= MAX_WORDS or last - first != tokens[number]:
            continue
        rows, nodes = slice(first, last), slice(int(node_ptr[i]), int(node_ptr[i + 1]))
        kept, above, node = node_kept[nodes], parent[nodes], node_of[rows]

        def by_word(of_nodes: NDArray[np.int64], node: NDArray[np.int32] = node) -> NDArray[np.int64]:
            return np.append(of_nodes, UNKNOWN)[node]  # node -1, punctuation, selects the appended UNKNOWN

        retain = np.full(last - first, UNKNOWN, dtype=np.int64)
        roots = np.full(last - first, UNKNOWN, dtype=np.int64)
        if f1[i] >= MIN_F1:
            known = (above >= 0) & (kept[above] > 0)
            retain = by_word(np.where(known, kept, UNKNOWN))
            roots[:] = 0
            roots[node_word[nodes][root[i]]] = 1
        text = texts[number]
        need, alone = (np.full(last - first, UNKNOWN, dtype=np.int64) for _ in range(2))
        if verdict := next(verdicts.get(text, iter(())), None):
            for column, said in ((need, verdict.cut), (alone, verdict.root)):
                for begin, faulty in said.items():
                    column[parses.start[rows] == begin] = faulty
        words = [text[a:b] for a, b in zip(parses.start[rows].tolist(), parses.end[rows].tolist(), strict=True)]
        yield (
            words,
            {
                "head": parses.head[rows].astype(np.int64),
                "label": parses.label[rows].astype(np.int64),
                "tag": parses.tag[rows].astype(np.int64),
                "entity": entity[rows].astype(np.int64),
                "keep": shard.gold[rows].astype(np.int64),
                "retain": retain,
                "need": need,
                "root": roots,
                "alone": alone,
            },
        )


def _add(
    builder: ExamplesBuilder,
    words: list[str],
    columns: dict[str, NDArray[np.int64]],
    kept: NDArray[np.int64],
    pieces: Pieces,
    level: int,
) -> None:
    """Add the words `kept` of a sentence; all others must be leaves."""
    read = pieces.read([words[i] for i in kept])
    if not len(kept) >= MIN_WORDS or sum(len(own) for own, _ in read) > MAX_PIECES:
        return
    place = np.full(len(words), -1, dtype=np.int64)
    place[kept] = np.arange(len(kept))
    own = {name: column[kept] for name, column in columns.items()}
    own["head"] = place[own["head"]]
    if (own["head"] < 0).any():  # a word depends on white space
        return
    builder.add(read, level, **own)


def plain_examples(texts: Iterable[str], pieces: Pieces, *, seed: int, unpunctuated: float) -> Examples:
    """The sentences of texts, for a teacher to label."""
    builder = ExamplesBuilder()
    rng = np.random.default_rng(seed)
    tokeniser = WordTokeniser()
    for text in texts:
        starts, ends = tokeniser.spans(text)
        words = [text[a:b] for a, b in zip(starts, ends, strict=True)]
        cuts = [*sentence_starts(text, starts, ends), len(words)]
        for first, last in itertools.pairwise(cuts):
            own = words[first:last]
            if rng.random() < unpunctuated:
                own = [word for word in own if any(map(str.isalnum, word))]
            read = pieces.read(own)
            if MIN_WORDS < len(own) <= MAX_WORDS and sum(len(ids) for ids, _ in read) <= MAX_PIECES:
                builder.add(read)
    return builder.build()
