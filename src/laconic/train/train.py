"""Train a model from corpora: parse, extract features, train the classifiers, tune on dev, write model and card."""

from __future__ import annotations

import hashlib
import itertools
import json
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic import _core, compatibility
from laconic.checkpoints import Parts
from laconic.corpus.parse import check_some_tree, describe_mixture, name_sources
from laconic.corpus.trees import Trees, check_trees
from laconic.decode import Method, decode
from laconic.decode.ilp import import_highspy
from laconic.errors import LaconicError
from laconic.evaluate import Gold, Scores, compare_with_gold
from laconic.model_folders import MAXENT_NAME
from laconic.options.option import Option, check_fields
from laconic.parse import Parses, load_parser
from laconic.progress import Log, ignore
from laconic.score.model import Model, make_table, write_model
from laconic.train.cache import ParsedCorpus, Shard, load_shard, parse_corpus
from laconic.train.card import write_card
from laconic.train.feature_rows import index_features, write_examples
from laconic.train.maxent import train_maxent
from laconic.train.nss import CLASSES, class_scores, train_perceptron, tune_temperature
from laconic.train.structured_perceptron import Perceptron, perceptron_pass
from laconic.tree import make_forest

RHOS: Final = tuple(round(0.40 + 0.01 * i, 2) for i in range(21))
BEAMS: Final = (2, 4, 8, 16)
SIZE_WEIGHTS: Final = (0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a training run that could change the model."""

    min_f1: Annotated[
        float, Option("Leave out items that no subtree comes this close to.", least=0, most=1, metavar="F1")
    ] = 0.8
    least: Annotated[int, Option("Leave out features seen less often.", least=1, most=2**31, metavar="N")] = 3
    l2: Annotated[float, Option("Strength of the regularisation.", least=0, most=1e9, metavar="L2")] = 25.0
    iterations: Annotated[int, Option("Iterations of L-BFGS.", least=1, most=10**6, metavar="N")] = 140
    min_weight: float = 0.06  # features with smaller weights are removed from the model
    nss_least: int = 5
    nss_passes: int = 6
    nss_min_weight: float = 0.5
    ilp_passes: int = 4  # maximum; the best on dev is used
    ilp_min_weight: float = 1.4
    max_rate: Annotated[float, Option("Tune rho for at most this compression rate.", least=0, most=10, metavar="R")] = (
        0.43
    )
    seed: Annotated[int, Option("Order of the perceptron's training nodes.", least=0, most=2**31, metavar="N")] = 0

    def __post_init__(self) -> None:
        check_fields(self)


#: The slots of a weight table, its scale, and its number of features.
Packed = tuple[NDArray[np.uint16], float, int]


class _Shards:
    """Several parsed corpora as one sequence of shards that can be iterated over repeatedly."""

    def __init__(self, corpora: Sequence[ParsedCorpus]) -> None:
        self.corpora = corpora

    def __iter__(self) -> Iterator[Shard]:
        return itertools.chain.from_iterable(self.corpora)

    def shuffled(self, seed: int) -> Iterator[Shard]:
        """The shards in random order, since a perceptron forgets early examples."""
        paths = [path for corpus in self.corpora for path in corpus.shard_paths]
        return (load_shard(paths[i]) for i in np.random.default_rng(seed).permutation(len(paths)))


def train(
    corpora: Sequence[Path],
    *,
    dev: Path,
    out: Path,
    cache: Path,
    parser: str | None = None,
    trees: Trees | str = Trees.PARSER,
    settings: Settings | None = None,
    about: str = "",
    log: Log = ignore,
) -> Model:
    """Train all classifiers on corpora and write a model folder; ρ, beam and temperature are tuned on `dev`.

    `about` describes the corpora in a sentence, for the card. With `Trees.CORPUS`, items that have a tree are used with
    it, and only the others are parsed. Finished parts are stored in `cache` until the model is written, so an
    interrupted run can be resumed.
    """
    settings = settings or Settings()
    trees = check_trees(trees)
    _check_libraries()
    for path in [*corpora, dev]:
        if not path.is_file():
            raise LaconicError(f"cannot read the corpus {path}: there is no such file")
    if trees is Trees.CORPUS:
        check_some_tree(corpora)
    out.mkdir(parents=True, exist_ok=True)
    log(f"parsing {', '.join(path.name for path in [*corpora, dev])} (cached in {cache})")
    parsed = [parse_corpus(path, cache=cache, parser=parser, trees=trees) for path in [*corpora, dev]]
    for corpus in parsed:
        if mixture := describe_mixture(corpus.sources):
            log(f"{corpus.path.name}: {mixture}")
    shards, held_out = _Shards(parsed[:-1]), list(parsed[-1])
    if not held_out:
        raise LaconicError(f"{dev} has no usable item to tune on: see the documentation for the format of a corpus")
    parts = Parts(cache / f"training-{_key(parsed, settings)}", log)
    start = time.monotonic()
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        facts, arrays, header, ilp = _train_classifiers(shards, held_out, Path(folder), parts, settings, log)
    seconds = round(time.monotonic() - start)
    description = load_parser(parser).description
    source = name_sources(parsed[-1].sources) or description
    tuned, scores = _tune(header, arrays, ilp, held_out, source, settings, log)
    arrays["ilp"], header["ilp_scale"], facts["ilp_features_kept"] = ilp[tuned["ilp_passes"] - 1]
    log(f"tuned on dev: {tuned}")
    # Log what differs between runs instead of writing it: equal inputs give equal bytes.
    parsing = sum(corpus.seconds for corpus in parsed)
    log(f"parsing took {parsing:,.0f} s, training {seconds:,} s{_told_memory()}")
    header |= {
        **tuned,
        "training": {
            "about": about,
            "corpora": [path.name for path in corpora],
            "dev": dev.name,
            "parser": description,
            "trees": _count_trees(parsed[:-1]) or {description: facts["sentences"]},
            "dev_trees": source,
            "settings": asdict(settings),
            **facts,
        },
        "scores": {method: found.to_dict() for method, found in scores.items()},
    }
    path = out / MAXENT_NAME
    write_model(path, header, arrays)
    model = Model.load(path)
    write_card(out / "CARD.md", model, path.stat().st_size)
    shutil.rmtree(parts.folder)
    return model


def _check_libraries() -> None:
    """Fail before hours of work, not after."""
    import_highspy()
    try:
        import scipy  # noqa: F401
    except ImportError:
        raise LaconicError('training needs SciPy: pip install "laconic[train]"') from None


def _count_trees(parsed: Sequence[ParsedCorpus]) -> dict[str, int]:
    """The number of the corpora's trees by source."""
    return dict(sum((Counter(corpus.sources) for corpus in parsed), Counter()))


def _key(parsed: Sequence[ParsedCorpus], settings: Settings) -> str:
    """The cache key of finished parts: the corpora and their trees, the settings, the rules and the features."""
    names = [path.parent.name for corpus in parsed for path in corpus.shard_paths[:1]]
    text = json.dumps([names, asdict(settings), compatibility.record(), _core.FEATURES_VERSION])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _train_classifiers(
    shards: _Shards,
    held_out: list[Shard],
    folder: Path,
    parts: Parts,
    settings: Settings,
    log: Log,
) -> tuple[dict[str, Any], dict[str, NDArray[np.uint16]], dict[str, Any], list[Packed]]:
    """Train all classifiers: facts on the data, weight tables, header entries, and the ILP's tables after each pass."""
    edges = parts.arrays("maxent", lambda: _train_maxent(shards, folder / "edges", settings, log))
    nodes = parts.arrays("nss", lambda: _train_nss(shards, held_out, folder, settings, log))
    passes = _train_ilp(shards, edges["ids"], parts, settings, log)
    # A low fill, as every compression looks up features in this table.
    maxent, maxent_scale, maxent_kept = _pack(edges["ids"], edges["weights"][:, None], settings.min_weight, fill=0.4)
    nss, nss_scale, nss_kept = _pack(nodes["ids"], nodes["weights"], settings.nss_min_weight)
    facts = {
        "sentences": sum(len(shard.parses) for shard in shards),
        "edges": int(edges["count"]),
        "deleted": float(edges["deleted"]),
        "features": len(edges["ids"]),
        "features_kept": maxent_kept,
        "nodes": int(nodes["count"]),
        "size_classes": nodes["classes"].round(4).tolist(),
        "nss_features": len(nodes["ids"]),
        "nss_features_kept": nss_kept,
        "nss_accuracy_on_dev": float(nodes["accuracy"]),
    }
    header = {"maxent_scale": maxent_scale, "nss_scale": nss_scale, "temperature": float(nodes["temperature"])}
    ilp = [_pack(edges["ids"], weights[:, None], settings.ilp_min_weight) for weights in passes]
    return facts, {"maxent": maxent, "nss": nss}, header, ilp


def _train_maxent(shards: _Shards, folder: Path, settings: Settings, log: Log) -> dict[str, NDArray[Any]]:
    index = index_features(shards, nodes=False, least=settings.least, min_f1=settings.min_f1)
    edges = write_examples(shards, index, folder, nodes=False, min_f1=settings.min_f1)
    if not len(edges) or not len(edges.ids):
        raise LaconicError(
            f"the corpora have {len(edges)} usable edges and {len(edges.ids)} features that are frequent enough: "
            "give more items, or a smaller least",
            least=None,
        )
    deleted = np.asarray(edges.label).mean()
    log(f"{len(edges):,} edges, {deleted:.1%} deleted, {len(edges.ids):,} features: training the maximum entropy model")
    weights = train_maxent(
        edges,
        l2=settings.l2,
        iterations=settings.iterations,
        on_iteration=lambda i, loss: log(f"  iteration {i}: loss {loss:.4f}") if i % 10 == 0 else None,
    )
    return {"ids": edges.ids, "weights": weights, "count": np.array(len(edges)), "deleted": deleted}


def _train_nss(
    shards: _Shards, held_out: list[Shard], folder: Path, settings: Settings, log: Log
) -> dict[str, NDArray[Any]]:
    index = index_features(shards, nodes=True, least=settings.nss_least, min_f1=settings.min_f1)
    nodes = write_examples(shards, index, folder / "nodes", nodes=True, min_f1=settings.min_f1)
    log(f"{len(nodes):,} nodes, {len(nodes.ids):,} features: training the node subset scorer")
    weights = train_perceptron(nodes, passes=settings.nss_passes, seed=settings.seed)
    held = write_examples(held_out, index, folder / "held", nodes=True, min_f1=settings.min_f1)
    scores = class_scores(held, weights)
    return {
        "ids": nodes.ids,
        "weights": weights,
        "count": np.array(len(nodes)),
        "classes": np.bincount(nodes.label, minlength=CLASSES) / max(len(nodes), 1),
        "temperature": np.array(tune_temperature(scores, np.asarray(held.label))),
        "accuracy": np.array((scores.argmax(axis=1) == held.label).mean()),
    }


def _train_ilp(
    shards: _Shards, ids: NDArray[np.uint32], parts: Parts, settings: Settings, log: Log
) -> list[NDArray[np.float64]]:
    """Edge weights for the ILP over the features of the maximum entropy model, after each pass; stored after each."""
    index = _core.FeatureIndex()
    index.count(ids)
    index.prune(1)
    state = Perceptron.start(len(ids))
    averaged = []
    log("training the edge weights of the ILP")
    for number in range(settings.ilp_passes):

        def one_pass(number: int = number, state: Perceptron = state) -> dict[str, NDArray[Any]]:
            seed = settings.seed + number
            wrong = perceptron_pass(state, shards.shuffled(seed), index, min_f1=settings.min_f1, seed=seed)
            log(f"  pass {number + 1}: {wrong:,} sentences with another best subtree than the gold's")
            return {"weights": state.weights, "totals": state.totals, "steps": np.array(state.steps)}

        found = parts.arrays(f"ilp-{number + 1}", one_pass)
        state = Perceptron(found["weights"], found["totals"], int(found["steps"]))
        averaged.append(state.averaged())
    return averaged


def _pack(ids: NDArray[np.uint32], weights: NDArray[np.float64], least: float, fill: float = 0.8) -> Packed:
    kept = np.abs(weights).max(axis=1) >= least
    slots, scale = make_table(ids[kept], weights[kept], fill=fill)
    return slots, scale, int(kept.sum())


def _tune(
    header: dict[str, Any],
    arrays: dict[str, NDArray[np.uint16]],
    ilp: list[Packed],
    held_out: list[Shard],
    source: str,
    settings: Settings,
    log: Log,
) -> tuple[dict[str, Any], dict[str, Scores]]:
    """Tune ρ for the best tree F1 within the rate, the weight of subset sizes, the beam, and the passes of the ILP."""
    parses = Parses.concatenate([shard.parses for shard in held_out])
    forest = make_forest(parses)
    gold = Gold.make(forest, np.concatenate([shard.gold for shard in held_out]), parser=source)

    def measure(k: int = 1, *, rho: float = 0.5, weight: float = 1.0, beam: int = 0, passes: int = 0) -> Scores:
        slots, scale, _ = ilp[passes - 1]
        model = Model.make({**header, "size_weight": weight, "ilp_scale": scale}, {**arrays, "ilp": slots})
        method = Method.ILP if passes else Method.NSS if beam else Method.TOPDOWN
        decoded = decode(forest, model, k=k, method=method, rho=rho, beam=beam)
        found = compare_with_gold(gold, decoded, k).scores()
        tried = f"{passes} passes" if passes else f"rho {rho}" + (f", weight {weight}, beam {beam}" if beam else "")
        log(f"  {method}, k {k}, {tried}: tree F1 {found.tree_f1:.4f} at rate {found.rate:.3f}")
        return found

    tried = [(measure(rho=rho), rho) for rho in RHOS]
    allowed = [pair for pair in tried if pair[0].rate <= settings.max_rate] or tried[:1]
    rho = max(allowed, key=lambda pair: pair[0].tree_f1)[1]
    weight, beam = max(
        itertools.product(SIZE_WEIGHTS, BEAMS), key=lambda pair: measure(rho=rho, weight=pair[0], beam=pair[1]).tree_f1
    )
    passes = max(range(1, len(ilp) + 1), key=lambda passes: measure(passes=passes).tree_f1)
    return {"rho": rho, "size_weight": weight, "beam": beam, "ilp_passes": passes}, {
        Method.TOPDOWN: measure(5, rho=rho),
        Method.NSS: measure(5, rho=rho, weight=weight, beam=beam),
        Method.ILP: measure(5, passes=passes),
    }


def _told_memory() -> str:
    """The peak memory of this process; not available on Windows."""
    try:
        import resource
    except ImportError:
        return ""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return f" and {peak:,} MB"
