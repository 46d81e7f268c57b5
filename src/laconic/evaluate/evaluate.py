"""Run methods on a corpus and compare their outputs with its compressions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from laconic._core import Unit
from laconic.compressor import Compressor
from laconic.corpus import Item, Trees, gold_tokens, read_corpus
from laconic.corpus import parse as corpus_parse
from laconic.corpus.read import check_nested
from laconic.corpus.trees import check_trees
from laconic.decode import Method, Order, decode
from laconic.decode.choices import check_k, check_limits, check_method, check_order, check_rho
from laconic.decode.ilp import import_highspy
from laconic.errors import LaconicError
from laconic.evaluate.comparison import Outputs, compare_with_gold
from laconic.evaluate.gold_subtrees import Gold
from laconic.levels import Level
from laconic.limits import Budget, Limits
from laconic.parse import Parser, Parses
from laconic.plan import level_for, make_plan, policy_for
from laconic.progress import Advance, ignore
from laconic.tree import make_forest

#: The name of the outputs of the model that another one is compared with.
BASELINE: Final = "baseline"

#: The number of items that are parsed between two steps of the progress.
_BATCH: Final = 128


class Length(StrEnum):
    """The values of `max_chars` other than numbers."""

    GOLD = "gold"  # the length of the corpus' own compression
    ANY = "any"  # no maximum


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The outputs of some methods on one corpus; those of the baseline model come first, under `BASELINE`."""

    items: list[Item]
    outputs: dict[str, Outputs]
    sources: dict[str, int]  # the number of trees by source

    def rating_items(self, first: int | None = None) -> Iterator[dict[str, Any]]:
        """The compressions of the first sentences as items for `laconic rate`: the gold and every method's results."""
        for i, item in enumerate(self.items[:first]):
            compressions: list[dict[str, Any]] = []
            if item.compression:
                compressions.append({"system": "extractive", "k": 1, "text": item.compression})
            for method, outputs in self.outputs.items():
                ranked = enumerate(outputs.texts[i], 1)
                compressions += [{"system": str(method), "k": k, "text": text} for k, text in ranked if text]
            yield {"id": str(i + 1), "sentence": item.text, "compressions": compressions}

    def by_genre(self, method: str) -> list[GenreScores]:
        """The scores of one method by genre, in the order of the corpus; empty if it has no genres."""
        outputs = self.outputs[method]
        word_f1 = next(series for series in outputs.series() if series.name == "word F1").numerator
        room = None if outputs.allowed is None else outputs.room().numerator
        found = []
        for genre in dict.fromkeys(item.genre for item in self.items if item.genre):
            rows = [i for i, item in enumerate(self.items) if item.genre == genre]
            misfits = sum(outputs.misses(i) for i in rows)
            used = None if room is None else float(room[rows].mean())
            found.append(GenreScores(genre, len(rows), float(word_f1[rows].mean()), used, misfits))
        return found


@dataclass(frozen=True, slots=True)
class GenreScores:
    """The scores of a method on the sentences of one genre."""

    genre: str
    sentences: int
    word_f1: float
    room: float | None  # share of the budget used; None without a maximum
    misfits: int  # number of sentences for which nothing fits


def evaluate(
    data: Path,
    compressor: Compressor,
    *,
    trees: Trees | str = Trees.PARSER,
    methods: Sequence[Method | str] = (Method.TOPDOWN,),
    k: int = 5,
    rho: float | None = None,
    order: Order | str | None = None,
    max_chars: int | Length | Literal["gold", "any"] | None = None,
    level: str | None = None,
    guarded: bool = True,
    nearest: bool = False,
    baseline: Compressor | None = None,
    start: Advance = ignore,
    advance: Advance = ignore,
) -> Evaluation:
    """Compress the sentences of a corpus with each of the methods, and compare the outputs with its compressions.

    The compressors must read every text as one sentence (`split=False`). With `Trees.CORPUS`, items that have a tree
    are compressed with it, and only the others are parsed. No compression is longer than `max_chars` characters;
    `"gold"` stands for the length of the corpus' own compression of each sentence. If a corpus has three compressions
    of each sentence, the one of the `level` is used, within its length unless `max_chars` is given; `"any"` uses the
    level itself, without a maximum. If nothing fits for a sentence, an empty output is scored or, with `nearest`, the
    shortest that the guard allows. With a `baseline`, the method, of which there must be only one, is also run with
    that compressor's scorer, on the same trees. `start` is called with the number of steps, `advance` with the number
    of steps done.
    """
    trees = check_trees(trees)
    wanted = list(dict.fromkeys(check_method(method) for method in methods))
    check_k(k)  # before any work
    check_nested(level)
    if level is not None and max_chars is None:
        max_chars = Length.GOLD
    if nearest and max_chars in (None, Length.ANY):
        raise LaconicError("nearest goes with a maximum: add max_chars or a level, or leave it out", level=None)
    limits = Limits.of(max_chars=max_chars, nearest=nearest) if isinstance(max_chars, int) else Limits()
    for method in wanted:
        check_limits(limits, method)
        if method is Method.ILP:
            import_highspy()
    if rho is not None:
        check_rho(rho)
    if order is not None:
        check_order(order)
    runs = [(str(method), method, compressor) for method in wanted]
    if baseline is not None:
        if len(wanted) != 1:
            raise LaconicError(f"a baseline is compared by one method, and {len(wanted)} were given: give one of them")
        runs.insert(0, (BASELINE, wanted[0], baseline))
    parser = compressor.parser
    items, parses = parse_items(
        data, parser, lambda count: start(count * (1 + len(runs))), advance, trees=trees, level=level
    )
    sources = corpus_parse.count_sources(items, parser.description)
    made_by = corpus_parse.name_sources(sources)
    tokens = parser.tokens if made_by == parser.description else made_by  # corpus trees have tokens of their own
    forest = make_forest(parses)
    gold = Gold.make(forest, gold_tokens(parses, items), parser=made_by, tokens=tokens)
    if max_chars == Length.GOLD:
        most = np.array([gold_length(item) for item in items], dtype=np.int64)
        limits = Limits(Budget(Unit.CHARS, most=most, nearest=nearest))
    bound = limits.bind(forest) if limits else None
    outputs = {}
    for name, method, used in runs:
        scores = used.score(parses, method)
        chosen = None if method is Method.ILP else order
        # with a maximum length, the level is not set
        asked = level_for(scores, Level.HEADLINE if level is None else None if bound else level, rho=rho)
        policy = policy_for(scores, asked, guarded=guarded)
        plan = make_plan(forest, scores, level=asked, limits=bound, policy=policy, rho=rho)
        found = decode(
            forest, plan.edge_scores, k=k, method=method, order=chosen, limits=bound, advance=advance, **plan.how
        )
        compared = compare_with_gold(gold, found, k)
        allowed = None if bound is None or not limits.budget.has_maximum else bound.most.tolist()
        outputs[name] = replace(compared, allowed=allowed)
    return Evaluation(items, outputs, sources)


def gold_length(item: Item) -> int:
    """The number of characters in an item's compression; if it is not printed, of its words joined by spaces."""
    return len(item.compression or " ".join(item.text[start:end] for start, end in item.kept))


def parse_items(
    data: Path,
    parser: Parser,
    start: Advance = ignore,
    advance: Advance = ignore,
    *,
    trees: Trees = Trees.PARSER,
    level: str | None = None,
) -> tuple[list[Item], Parses]:
    """The items of a corpus and their parses; each item is one sentence."""
    items = list(read_corpus(data, trees=trees, level=level))
    if not items:
        raise LaconicError(f"{data} has no usable item: see the documentation for the format of a corpus")
    if trees is Trees.CORPUS and not any(item.tree for item in items):
        raise corpus_parse.no_trees([data])
    start(len(items))
    parts = []
    for first in range(0, len(items), _BATCH):
        batch = items[first : first + _BATCH]
        parts.append(corpus_parse.parse_items(batch, parser))
        advance(len(batch))
    parses = Parses.concatenate(parts)
    for number, (text, _, _) in enumerate(parses.sentences()):
        if number != text:
            odd = min(number, text)  # the first one with two sentences, or with none
            raise LaconicError(
                f"{data}: item {odd + 1} is too long to be parsed as one sentence, or empty: take it out "
                f"({items[odd].text[:40]!r})"
            )
    return items, parses
