"""From trained weights to a folder that `--model` takes: quantise, tune on development data, measure, write a card."""

from __future__ import annotations

import hashlib
import itertools
import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import torch

from laconic import compatibility
from laconic.corpus import gold_tokens, read_corpus
from laconic.decode import Objective, Order, decode
from laconic.errors import LaconicError
from laconic.evaluate import Gold, Scores, compare_with_gold
from laconic.guard import guard
from laconic.model_folders import GRAPH_NAME, HEADER_NAME, NETWORK_PREFIX, VOCABULARY_NAME
from laconic.network.batches import Batches
from laconic.network.card import write_card
from laconic.network.examples import Examples
from laconic.network.export import build_graph, find_limits, write_graph
from laconic.network.fit import read
from laconic.network.run import FORMAT_VERSION
from laconic.network.shape import SHAPES
from laconic.parse.network import NetworkParser
from laconic.score import Probabilities
from laconic.tree import make_forest

#: Raised when a network of the same name gives other results: it is part of the name.
VERSION: Final = 1

#: What is tried on development data.
RHOS: Final = (0.44, 0.47, 0.5, 0.53)
TEMPERATURES: Final = (1.0, 1.5, 2.0, 2.5)
WORD_WEIGHTS: Final = (0.0, 0.3, 0.5, 1.0)
CANDIDATES: Final = 64
MAX_RATE: Final = 0.43

#: Batches of training sentences from which the ranges of the activations are read.
_CALIBRATION: Final = 40


def ship(
    name: str,
    folder: Path,
    *,
    dev: Path,
    out: Path,
    vocabulary: Path,
    facts: Mapping[str, Any],
    log: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Write the network of that name from its weights in `folder`; the header."""
    shape = SHAPES[name]
    network = read(folder / f"{name}.weights.npz", shape)
    examples = Batches(Examples.load(folder / "polish.npz"), torch.device("cpu"))
    plan = examples.plan(1024, seed=0)[:_CALIBRATION]
    limits = find_limits(network, (examples.batch(numbers) for numbers in plan))
    weights = {key: value.numpy() for key, value in network.state_dict().items()}
    items = list(read_corpus(dev))
    header: dict[str, Any] = {
        "format": FORMAT_VERSION,
        "name": f"{NETWORK_PREFIX}{name}-{VERSION}",
        "compatibility": compatibility.record(),
        "shape": shape.to_dict(),
        "decoding": {"rho": 0.5, "objective": Objective.JOINT, "order": Order.EXPECTED_F1, "temperature": 1.0,
                     "candidates": CANDIDATES, "word_weight": 1.0},
        "training": dict(facts),
    }  # fmt: skip
    found: dict[str, tuple[Gold, Probabilities]] = {}
    for kind, limit in (("full", None), ("8bit", limits)):
        target = folder / f"{name}-{kind}"
        target.mkdir(parents=True, exist_ok=True)
        write_graph(build_graph(weights, shape, limit), target / GRAPH_NAME)
        shutil.copy(vocabulary, target / VOCABULARY_NAME)
        _write_header(target, header)
        parses, given = NetworkParser(target, split=False).read([item.text for item in items])
        found[kind] = Gold.make(make_forest(parses), gold_tokens(parses, items), parser=""), given
        log(f"{name}, {kind}: {(target / GRAPH_NAME).stat().st_size / 1e6:.1f} MB")
    header["decoding"] |= _tune(*found["8bit"], log)
    header["scores"] = {
        kind: _measure(gold, replace(given, **header["decoding"])).to_dict() for kind, (gold, given) in found.items()
    }
    plain = replace(found["8bit"][1], order=Order.SCORE, rho=header["decoding"]["rho"])
    header["scores"]["8bit, by score"] = _measure(found["8bit"][0], plain).to_dict()
    out.mkdir(parents=True, exist_ok=True)
    for file in (GRAPH_NAME, VOCABULARY_NAME):
        shutil.copy(folder / f"{name}-8bit" / file, out / file)
    _write_header(out, header)  # last: without it there is no network
    write_card(out, header)
    return header


def _tune(gold: Gold, given: Probabilities, log: Callable[[str], None]) -> dict[str, Any]:
    """The settings that do best on development data, within the rate.

    The word F1 of the first result counts most; where many settings are as good, the best of five and exact match tell
    them apart: a distribution that is too sure finds the first as well, but has nothing left to say of the others.
    """
    best: tuple[float, dict[str, Any]] = (-1.0, {})
    for rho, temperature, weight in itertools.product(RHOS, TEMPERATURES, WORD_WEIGHTS):
        tried: dict[str, Any] = {"rho": rho, "temperature": temperature, "word_weight": weight}
        scores = _measure(gold, replace(given, **tried))
        worth = scores.word_f1 + 0.25 * scores.best_of_k_word_f1 + 0.1 * scores.exact
        log(
            f"  {tried}: word F1 {scores.word_f1:.4f}, best of five {scores.best_of_k_word_f1:.4f}, "
            f"exact {scores.exact:.3f}, rate {scores.rate:.3f}"
        )
        if scores.rate <= MAX_RATE and worth > best[0]:
            best = worth, tried
    if not best[1]:
        raise LaconicError(f"no setting keeps the rate on dev within {MAX_RATE}: train with more data, or another dev")
    log(f"tuned on dev: {best[1]}")
    return best[1]


def _measure(gold: Gold, given: Probabilities, k: int = 5) -> Scores:
    return compare_with_gold(gold, decode(gold.forest, given, pins=guard(gold.forest, given), k=k), k).scores()


def _write_header(folder: Path, header: Mapping[str, Any]) -> None:
    digests = {"sha256": GRAPH_NAME, "vocabulary_sha256": VOCABULARY_NAME}
    hashes = {key: hashlib.sha256((folder / file).read_bytes()).hexdigest() for key, file in digests.items()}
    part = folder / f"{HEADER_NAME}.part"
    part.write_text(json.dumps({**header, **hashes}, indent=1) + "\n", encoding="utf-8")
    part.replace(folder / HEADER_NAME)
