"""From trained weights to a folder that `--model` takes: quantise, tune on development data, measure, write a card."""

from __future__ import annotations

import hashlib
import itertools
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from laconic import compatibility
from laconic._core import Unit
from laconic.corpus import gold_tokens, read_corpus
from laconic.decode import decode
from laconic.errors import LaconicError
from laconic.evaluate import Gold, Scores, compare_with_gold
from laconic.evaluate.evaluate import gold_length
from laconic.levels import NESTED, Level
from laconic.limits import Budget, Limits
from laconic.model_folders import GRAPH_NAME, HEADER_NAME, NETWORK_PREFIX, VOCABULARY_NAME
from laconic.network.batches import Batches
from laconic.network.card import write_card
from laconic.network.distil import read
from laconic.network.examples import Examples
from laconic.network.export import build_graph, find_limits, write_graph
from laconic.network.runtime import FORMAT_VERSION
from laconic.network.shape import SHAPES, TRIED
from laconic.parse.network import NetworkParser
from laconic.plan import make_plan, policy_for
from laconic.score import LevelScores
from laconic.score.level_scores import Decoding
from laconic.tree import Forest, make_forest

if TYPE_CHECKING:
    from laconic.network.stages import Sources

#: Part of the name of a network; incremented when its results change.
VERSION: Final = 6

#: What is tried on development data for headlines.
RHOS: Final = tuple(np.linspace(0.42, 0.56, 8).round(2).tolist())
TEMPERATURES: Final = (1.0, 1.5, 2.0, 2.5)
WORD_WEIGHTS: Final = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5)
CANDIDATES: Final = 64
MAX_RATE: Final = 0.43

#: The weight of word F1 within the length of the gold, where word F1 without a budget has 1.
_WITHIN: Final = 0.25

#: The thresholds that are tried on development data for the levels.
THRESHOLDS: Final = tuple(np.linspace(0.4, 1.4, 51).round(2).tolist())

#: The settings that are the same for all networks; the others are tuned for each.
_LEVEL_WEIGHTS: Final = {
    name: getattr(Decoding(), name) for name in ("edge_weight", "need_weights", "probability_weights")
}

#: Batches of training sentences from which the ranges of the activations are read.
_CALIBRATION: Final = 40


@dataclass(frozen=True, slots=True)
class _Read:
    """Development data as a network reads it."""

    scores: LevelScores
    gold: dict[Level, Gold]  # of the same sentences
    lengths: dict[Level, NDArray[np.int64]]  # characters of the gold's prints

    @property
    def forest(self) -> Forest:
        return next(iter(self.gold.values())).forest

    def tuned(self, decoding: Decoding) -> _Read:
        """The same with other settings."""
        return replace(self, scores=replace(self.scores, decoding=decoding))


def ship(
    name: str,
    folder: Path,
    *,
    sources: Sources,
    out: Path,
    facts: Mapping[str, Any],
    log: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Make the network of that name from its weights in `folder`, and write it to `out`. Returns its header."""
    shape = {**SHAPES, **TRIED}[name]
    network = read(folder / f"{name}.weights.npz", shape)
    limits = find_limits(network, _calibration(folder))
    weights = {key: value.numpy() for key, value in network.state_dict().items()}
    decoding = Decoding(candidates=CANDIDATES)
    header: dict[str, Any] = {
        "format": FORMAT_VERSION,
        "name": f"{NETWORK_PREFIX}{name}-{VERSION}",
        "compatibility": compatibility.record(),
        "shape": shape.to_dict(),
        "decoding": decoding.to_dict(),
        "training": dict(facts),
    }
    found: dict[str, tuple[_Read, _Read]] = {}
    for kind, limit in (("full", None), ("8bit", limits)):
        target = folder / f"{name}-{kind}"
        target.mkdir(parents=True, exist_ok=True)
        write_graph(build_graph(weights, shape, limit), target / GRAPH_NAME)
        shutil.copy(folder / "vocabulary.txt", target / VOCABULARY_NAME)
        _write_header(target, header)
        parser = NetworkParser(target, split=False)
        found[kind] = _read(parser, sources.dev, (Level.HEADLINE,)), _read(parser, sources.levels_dev, NESTED)
        log(f"{name}, {kind}: {(target / GRAPH_NAME).stat().st_size / 1e6:.1f} MB")
    decoding = _tune_headlines(found["8bit"][0], decoding, log)
    decoding = _tune_levels(found["8bit"][1], decoding, log)
    header["decoding"] = decoding.to_dict()
    header["scores"] = {
        kind: _measure_headlines(headlines.tuned(decoding)).to_dict() for kind, (headlines, _) in found.items()
    }
    header["level_scores"] = {kind: _measure_levels(levels.tuned(decoding)) for kind, (_, levels) in found.items()}
    out.mkdir(parents=True, exist_ok=True)
    for file in (GRAPH_NAME, VOCABULARY_NAME):
        shutil.copy(folder / f"{name}-8bit" / file, out / file)
    _write_header(out, header)  # last: without it there is no network
    write_card(out, header)
    return header


def tune_levels(folder: Path, levels_dev: Path, log: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """Tune the thresholds of a network's levels again, after a change of the guard. Returns the new header.

    The weights of the levels are set to the present defaults of `Decoding`.
    """
    parser = NetworkParser(folder, split=False)
    header: dict[str, Any] = json.loads((folder / HEADER_NAME).read_text(encoding="utf-8"))
    levels = _read(parser, levels_dev, NESTED)
    decoding = _tune_levels(levels, replace(parser.network.decoding, **_LEVEL_WEIGHTS), log)
    header["decoding"] = decoding.to_dict()
    header["level_scores"] = {"8bit": _measure_levels(levels.tuned(decoding))}
    _write_header(folder, header)
    write_card(folder, header)
    return header


def _calibration(folder: Path) -> Iterator[dict[str, torch.Tensor]]:
    """Batches of training sentences, from which the ranges of the activations are read."""
    for name in ("polish", "treebank"):
        examples = Batches(Examples.load(folder / f"{name}.npz"), torch.device("cpu"))
        for numbers in examples.plan(1024, seed=0)[:_CALIBRATION]:
            yield examples.batch(numbers)


def _read(parser: NetworkParser, path: Path, levels: Sequence[Level]) -> _Read:
    items = {level: list(read_corpus(path, level=level if level in NESTED else None)) for level in levels}
    parses, scores = parser.read([item.text for item in items[levels[0]]])
    forest = make_forest(parses)
    gold = {level: Gold.make(forest, gold_tokens(parses, own), parser="") for level, own in items.items()}
    lengths = {level: np.array([gold_length(item) for item in own]) for level, own in items.items()}
    return _Read(scores, gold, lengths)


def _tune_headlines(headlines: _Read, decoding: Decoding, log: Callable[[str], None]) -> Decoding:
    """The settings that do best on development data, with a compression rate of at most `MAX_RATE`.

    The word F1 of the first result counts most. Many settings are equally good at that, so three more scores count: the
    best of five and exact match, since a distribution that is too peaked ranks only the first result well; and word F1
    within the length of the gold, since budgets are not used up if the weight of the words is too small.
    """
    best: tuple[float, Decoding] | None = None
    for rho, temperature, weight in itertools.product(RHOS, TEMPERATURES, WORD_WEIGHTS):
        tried = replace(decoding, rho=rho, temperature=temperature, word_weight=weight)
        scores = _measure_headlines(headlines.tuned(tried))
        worth = scores.word_f1 + 0.25 * scores.best_of_k_word_f1 + 0.1 * scores.exact
        if scores.rate > MAX_RATE or (best is not None and worth + _WITHIN <= best[0]):
            continue
        within = _measure_headlines(headlines.tuned(tried), within=True).word_f1
        worth += _WITHIN * within
        if best is None or worth > best[0]:
            best = worth, tried
            log(
                f"  ρ {rho}, T {temperature}, w {weight}: word F1 {scores.word_f1:.4f}, best of five "
                f"{scores.best_of_k_word_f1:.4f}, exact {scores.exact:.3f}, rate {scores.rate:.3f}, within the length "
                f"{within:.4f}"
            )
    if best is None:
        raise LaconicError(f"no setting keeps the rate on dev within {MAX_RATE}: train with more data, or another dev")
    return best[1]


def _tune_levels(levels: _Read, decoding: Decoding, log: Callable[[str], None]) -> Decoding:
    """The thresholds that keep as much as editors kept."""
    for i, level in enumerate(NESTED):
        wanted = float((levels.lengths[level] / levels.forest.parses.sentence_lengths()).mean())
        own, by_distance = decoding.thresholds, []
        for threshold in THRESHOLDS:
            tried = replace(decoding, thresholds=(*own[:i], threshold, *own[i + 1 :]))
            rate = _measure_level(levels.tuned(tried), level)["rate"]
            by_distance.append((abs(rate - wanted), threshold, tried))
        decoding = min(by_distance, key=lambda each: each[:2])[2]
        log(f"  {level}: threshold {decoding.thresholds[i]}, {_measure_level(levels.tuned(decoding), level)}")
    return decoding


def _measure_headlines(headlines: _Read, k: int = 5, *, within: bool = False) -> Scores:
    """The scores of headlines, without a budget or `within` the length of the gold."""
    forest, scores, level = headlines.forest, headlines.scores, Level.HEADLINE
    bound = Limits(Budget(Unit.CHARS, most=headlines.lengths[level])).bind(forest) if within else None
    plan = make_plan(forest, scores, level=level, limits=bound, policy=policy_for(scores, level))
    decoded = decode(forest, plan.edge_scores, k=k, limits=bound, **plan.how)
    return compare_with_gold(headlines.gold[level], decoded, k).scores()


def _measure_levels(levels: _Read) -> dict[Level, dict[str, float]]:
    """All levels, without a budget and within the length of the gold."""
    return {level: _measure_level(levels, level) | _measure_budget(levels, level) for level in NESTED}


def _measure_level(levels: _Read, level: Level) -> dict[str, float]:
    """Word F1 and rate without a budget."""
    forest, scores, gold = levels.forest, levels.scores, levels.gold[level]
    plan = make_plan(forest, scores, level=level, policy=policy_for(scores, level))
    found = compare_with_gold(gold, decode(forest, plan.edge_scores, **plan.how), 1).scores()
    return {"word_f1": found.word_f1, "rate": found.rate, "ceiling": found.ceiling}


def _measure_budget(levels: _Read, level: Level) -> dict[str, float]:
    """Within the length of the gold: word F1, the share of that length that is used, and the share of misfits.

    If no result that the guard allows fits, the nearest one counts.
    """
    forest, scores = levels.forest, levels.scores
    bound = Limits(Budget(Unit.CHARS, most=levels.lengths[level], nearest=True)).bind(forest)
    plan = make_plan(forest, scores, limits=bound, policy=policy_for(scores, None))
    found = compare_with_gold(levels.gold[level], decode(forest, plan.edge_scores, limits=bound, **plan.how), 1)
    found = replace(found, allowed=bound.most.tolist())
    return {
        "budget_word_f1": found.scores().word_f1,
        "room": found.room().value,
        "misfits": sum(map(found.misses, range(len(forest)))) / len(forest),
    }


def _write_header(folder: Path, header: Mapping[str, Any]) -> None:
    digests = {"sha256": GRAPH_NAME, "vocabulary_sha256": VOCABULARY_NAME}
    hashes = {key: hashlib.sha256((folder / file).read_bytes()).hexdigest() for key, file in digests.items()}
    part = folder / f"{HEADER_NAME}.part"
    part.write_text(json.dumps({**header, **hashes}, indent=1) + "\n", encoding="utf-8")
    part.replace(folder / HEADER_NAME)
