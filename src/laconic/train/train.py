"""From corpora to a model: parse, extract, fit both classifiers, tune on development data, write model and card."""

from __future__ import annotations

import itertools
import platform
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic.decode import Method, decode
from laconic.errors import LaconicError
from laconic.evaluate import Gold, Scores, score
from laconic.parse import Parses, SpacyParser
from laconic.score.model import FILE_NAME, Model, make_table, write_model
from laconic.train.cache import ParsedCorpus, Shard, parse_corpus
from laconic.train.card import write_card
from laconic.train.examples import index_features, write_examples
from laconic.train.maxent import fit_maxent
from laconic.train.nss import class_scores, fit_perceptron, fit_temperature

RHOS: Final = tuple(round(0.40 + 0.01 * i, 2) for i in range(21))
BEAMS: Final = (2, 4, 8, 16)
SIZE_WEIGHTS: Final = (0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything about a training run that could change the model."""

    min_f1: float = 0.8  # items whose best subtree is further from the gold are left out
    least: int = 3  # features seen less often are left out
    l2: float = 25.0
    iterations: int = 140
    min_weight: float = 0.03  # features with smaller weights are removed from the model
    nss_least: int = 5
    nss_passes: int = 6
    nss_min_weight: float = 0.5
    max_rate: float = 0.43  # ρ is the best one on dev with a compression rate up to this
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least, most in [
            ("min_f1", 0, 1), ("least", 1, 2**31), ("l2", 0, 1e9), ("iterations", 1, 10**6), ("max_rate", 0, 10),
            ("seed", 0, 2**31),
        ]:  # fmt: skip
            value = getattr(self, name)
            if not least <= value <= most:
                raise LaconicError(f"{name} is {value}: give a number from {least} to {most:g}")


class _Shards:
    """Several parsed corpora as one sequence of shards that can be read again and again."""

    def __init__(self, corpora: Sequence[ParsedCorpus]) -> None:
        self.corpora = corpora

    def __iter__(self) -> Iterator[Shard]:
        return itertools.chain.from_iterable(self.corpora)


def train(
    corpora: Sequence[Path],
    *,
    dev: Path,
    out: Path,
    cache: Path,
    parser: str | None = None,
    settings: Settings | None = None,
    log: Callable[[str], None] = lambda _: None,
) -> Model:
    """Train both classifiers on corpora and write a model folder; ρ, beam and temperature are tuned on `dev`."""
    settings = settings or Settings()
    for path in [*corpora, dev]:
        if not path.is_file():
            raise LaconicError(f"cannot read the corpus {path}: there is no such file")
    out.mkdir(parents=True, exist_ok=True)
    log(f"parsing {', '.join(path.name for path in [*corpora, dev])} (cached in {cache})")
    parsed = [parse_corpus(path, cache=cache, parser=parser) for path in [*corpora, dev]]
    shards, held_out = _Shards(parsed[:-1]), list(parsed[-1])
    if not held_out:
        raise LaconicError(f"{dev} has no usable item to tune on: see the documentation for the format of a corpus")
    start = time.monotonic()
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        facts, arrays, header = _fit(shards, held_out, Path(folder), settings, log)
    facts["seconds"] = {
        "parsing": round(sum(corpus.seconds for corpus in parsed)),
        "training": round(time.monotonic() - start),
    }
    facts["peak_memory_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    facts["machine"] = f"{platform.machine()}, Python {platform.python_version()}"
    tuned, scores = _tune(header, arrays, held_out, settings, log)
    log(f"tuned on dev: {tuned}")
    header |= {
        **tuned,
        "training": {
            "corpora": [path.name for path in corpora],
            "dev": dev.name,
            "parser": SpacyParser(parser).description,
            "settings": asdict(settings),
            **facts,
        },
        "scores": {method: found.to_dict() for method, found in scores.items()},
    }
    path = out / FILE_NAME
    write_model(path, header, arrays)
    model = Model.load(path)
    write_card(out / "CARD.md", model, path.stat().st_size)
    return model


def _fit(
    shards: _Shards, held_out: list[Shard], folder: Path, settings: Settings, log: Callable[[str], None]
) -> tuple[dict[str, Any], dict[str, NDArray[np.uint16]], dict[str, Any]]:
    """Both classifiers: facts about the data, the weight tables, and what the header must say about them."""
    edge_index = index_features(shards, nodes=False, least=settings.least, min_f1=settings.min_f1)
    edges = write_examples(shards, edge_index, folder / "edges", nodes=False, min_f1=settings.min_f1)
    if not len(edges) or not len(edges.ids):
        raise LaconicError(
            f"the corpora have {len(edges)} usable edges and {len(edges.ids)} features that are frequent enough: "
            "give more items, or a smaller --least"
        )
    deleted = float(np.asarray(edges.label).mean())
    log(f"{len(edges):,} edges, {deleted:.1%} deleted, {len(edges.ids):,} features: fitting the maximum entropy model")
    weights = fit_maxent(
        edges,
        l2=settings.l2,
        iterations=settings.iterations,
        on_iteration=lambda i, loss: log(f"  iteration {i}: loss {loss:.4f}") if i % 10 == 0 else None,
    )
    maxent, maxent_scale, maxent_kept = _pack(edges.ids, weights[:, None], settings.min_weight)
    node_index = index_features(shards, nodes=True, least=settings.nss_least, min_f1=settings.min_f1)
    nodes = write_examples(shards, node_index, folder / "nodes", nodes=True, min_f1=settings.min_f1)
    classes = np.bincount(nodes.label, minlength=5) / max(len(nodes), 1)
    log(f"{len(nodes):,} nodes, {len(nodes.ids):,} features: fitting the node subset scorer")
    nss_weights = fit_perceptron(nodes, passes=settings.nss_passes, seed=settings.seed)
    nss, nss_scale, nss_kept = _pack(nodes.ids, nss_weights, settings.nss_min_weight)
    held = write_examples(held_out, node_index, folder / "held", nodes=True, min_f1=settings.min_f1)
    held_scores = class_scores(held, nss_weights)
    temperature = fit_temperature(held_scores, np.asarray(held.label))
    facts = {
        "sentences": sum(len(shard.parses) for shard in shards),
        "edges": len(edges),
        "deleted": deleted,
        "features": len(edges.ids),
        "features_kept": maxent_kept,
        "nodes": len(nodes),
        "size_classes": classes.round(4).tolist(),
        "nss_features": len(nodes.ids),
        "nss_features_kept": nss_kept,
        "nss_accuracy_on_dev": float((held_scores.argmax(axis=1) == held.label).mean()),
    }
    header = {"maxent_scale": maxent_scale, "nss_scale": nss_scale, "temperature": temperature}
    return facts, {"maxent": maxent, "nss": nss}, header


def _pack(ids: NDArray[np.uint32], weights: NDArray[np.float64], least: float) -> tuple[NDArray[np.uint16], float, int]:
    kept = np.abs(weights).max(axis=1) >= least
    slots, scale = make_table(ids[kept], weights[kept])
    return slots, scale, int(kept.sum())


def _tune(
    header: dict[str, Any],
    arrays: dict[str, NDArray[np.uint16]],
    held_out: list[Shard],
    settings: Settings,
    log: Callable[[str], None],
) -> tuple[dict[str, Any], dict[str, Scores]]:
    """ρ for the best tree F1 within the rate; then the weight of the subset sizes and the beam."""
    parses = Parses.concatenate([shard.parses for shard in held_out])
    gold = Gold.make(parses, np.concatenate([shard.gold for shard in held_out]))

    def measure(rho: float, *, weight: float = 1.0, beam: int = 0, k: int = 1) -> Scores:
        model = Model.make({**header, "size_weight": weight}, arrays)
        method = Method.NSS if beam else Method.TOPDOWN
        found = score(gold, decode(parses, model, k=k, method=method, rho=rho, beam=beam))
        sizes = f", weight {weight}, beam {beam}" if beam else ""
        log(f"  {method}, k {k}, rho {rho}{sizes}: tree F1 {found.tree_f1:.4f} at rate {found.rate:.3f}")
        return found

    tried = [(measure(rho), rho) for rho in RHOS]
    allowed = [pair for pair in tried if pair[0].rate <= settings.max_rate] or tried[:1]
    rho = max(allowed, key=lambda pair: pair[0].tree_f1)[1]
    weight, beam = max(
        itertools.product(SIZE_WEIGHTS, BEAMS), key=lambda pair: measure(rho, weight=pair[0], beam=pair[1]).tree_f1
    )
    return {"rho": rho, "size_weight": weight, "beam": beam}, {
        Method.TOPDOWN: measure(rho, k=5),
        Method.NSS: measure(rho, weight=weight, beam=beam, k=5),
    }
