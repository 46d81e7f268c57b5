"""Reproduce the paper's evaluation on your data: every table and figure with its counterpart, as one page."""

from __future__ import annotations

import hashlib
import json
import platform
import shutil
import time
from collections.abc import Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np

from laconic import _core, compatibility
from laconic.checkpoints import Parts
from laconic.corpus import Item, gold_tokens
from laconic.decode import Method, decode
from laconic.decode.ilp import OPTIONS, import_highspy
from laconic.errors import LaconicError
from laconic.evaluate import Gold, Outputs, compare_with_gold
from laconic.evaluate.evaluate import parse_items
from laconic.metrics import Series, compare, tree_series
from laconic.model_folders import MAXENT_NAME
from laconic.parse import Parser, Parses, load_parser
from laconic.progress import Log, ignore
from laconic.reproduce.classifiers import edge_classifier, size_classifier
from laconic.reproduce.time_by_length import TOP, time_methods
from laconic.score import Model
from laconic.train import Settings, train
from laconic.tree import make_forest

#: In the order of the paper's tables.
METHODS: Final = (Method.ILP, Method.TOPDOWN, Method.NSS)
EXAMPLES: Final = 24
#: The groups for F1 by sentence length: their maximum numbers of tokens.
LENGTHS: Final = (15, 20, 25, 30, 40, 10**6)


def reproduce(
    dev: Path,
    *,
    out: Path,
    model: Path,
    corpora: Sequence[Path] = (),
    cache: Path,
    parser: str | None = None,
    settings: Settings | None = None,
    log: Log = ignore,
) -> Path:
    """Measure everything in the paper's evaluation and write it to `out`; returns the path of the page.

    With `corpora`, a model is trained on them first; otherwise, the one in `model` is measured. `out` gets
    `index.html`, `report.json` and the figures as SVG. Finished parts are stored in `out/parts`, so an interrupted run
    can be resumed.
    """
    from laconic.reproduce.page import import_plotting, write_report

    import_plotting()
    import_highspy()
    settings = settings or Settings()
    if parser is None and not corpora:
        parser = Model.load(model).parser
    pipeline = load_parser(parser, split=False)
    parts = Parts(out / "parts" / _key(dev, corpora, model, pipeline, settings), log)
    if corpora:
        log("[1/5] the model")
        model = parts.folder / "model"  # stored with the parts, as another run may have trained another model
        if not (model / MAXENT_NAME).exists():
            train(corpora, dev=dev, out=model, cache=cache, parser=parser, settings=settings, log=log)
        shutil.copytree(model, out / "model", dirs_exist_ok=True)
    opened = Model.load(model)
    log(f"[2/5] parsing {dev.name}")
    items, parses = parse_items(dev, pipeline)
    gold = Gold.make(
        make_forest(parses), gold_tokens(parses, items), parser=pipeline.description, tokens=pipeline.tokens
    )
    ceiling = gold.subtrees.f1
    log("[3/5] the classifiers and the compressions")
    min_f1 = opened.header["training"]["settings"]["min_f1"]
    classifiers = parts.data(
        "classifiers",
        lambda: {
            "edges": edge_classifier(gold, opened, min_f1=min_f1),
            "sizes": size_classifier(gold, opened, min_f1=min_f1),
        },
    )
    outputs = {method: _outputs(method, gold, opened, parts) for method in METHODS}
    log("[4/5] times, on one core")
    times = parts.data("times", lambda: {**time_methods(parses, opened, log), "machine": _machine()})
    log("[5/5] the page")
    report = {
        "environment": {**_environment(dev, corpora, model, opened, pipeline), **times.pop("machine")},
        "corpus": _corpus(opened),
        "classifiers": classifiers,
        "systems": _systems(outputs),
        "gold_rate": float(np.mean([_gold_rate(item) for item in items])),
        "ceiling": {"word_f1": float(ceiling.mean()), "connected": float((ceiling > 1 - 1e-9).mean())},
        "lengths": _by_length(outputs, parses),
        "times": times,
        "examples": _examples(outputs, [item.compression for item in items]),
    }
    return write_report(report, out)


def _key(dev: Path, corpora: Sequence[Path], model: Path, parser: Parser, settings: Settings) -> str:
    """The cache key of finished parts: the files, the parser, the settings, the program, the solver."""
    program = [version("laconic"), compatibility.record(), _core.FEATURES_VERSION]
    solver = [version("highspy"), OPTIONS]
    digest = hashlib.sha256(json.dumps([parser.description, asdict(settings), program, solver]).encode())
    for path in [dev, *corpora] if corpora else [dev, _model_file(model)]:
        digest.update(_hash(path).encode())
    return digest.hexdigest()[:16]


def _model_file(model: Path) -> Path:
    return model / MAXENT_NAME if model.is_dir() else model


def _hash(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise LaconicError(f"cannot read {path} ({error.strerror}): check the path") from error


def _outputs(method: Method, gold: Gold, model: Model, parts: Parts) -> Outputs:
    """The top five of a method; stored on disk, except for what the corpus contains."""

    def make() -> dict[str, Any]:
        found = compare_with_gold(gold, decode(gold.forest, model, k=TOP, method=method), TOP)
        return {name: value for name, value in asdict(found).items() if name != "ceiling"}

    return Outputs(**parts.data(f"outputs-{method}", make), ceiling=gold.subtrees.f1)


def _systems(outputs: dict[Method, Outputs]) -> dict[str, Any]:
    """Scores with intervals and signatures, F1 of each of the top five, paired tests against the ILP and top-down."""
    systems: dict[str, Any] = {}
    series = {method: own.series() for method, own in outputs.items()}
    for method, own in outputs.items():
        systems[str(method)] = {
            "scores": [_with_interval(each) for each in series[method]],
            "by_rank": [_with_interval(each) for each in own.tree_series_by_rank()],
            "against": {
                str(other): [compare(a, b).to_dict() for a, b in zip(series[method], series[other], strict=True)]
                for other in outputs
                if other != method
            },
        }
    return systems


def _with_interval(series: Series) -> dict[str, Any]:
    interval = series.interval()
    return {
        **series.to_dict(),
        "low": interval.low,
        "high": interval.high,
        "signature": series.interval_signature(),
    }


def _by_length(outputs: dict[Method, Outputs], parses: Parses) -> list[dict[str, Any]]:
    """Tree F1 of the best result in groups of sentences of about the same length."""
    lengths = np.array([last - first for _, first, last in parses.sentences()])
    groups = []
    low = 1
    for high in LENGTHS:
        rows = np.flatnonzero((lengths >= low) & (lengths <= high))
        if len(rows):
            group: dict[str, Any] = {"from": low, "to": int(min(high, lengths.max())), "sentences": len(rows)}
            for method, own in outputs.items():
                (series,) = tree_series([own.tree_f1[i][:1] for i in rows], trees=own.trees)
                group[str(method)] = _with_interval(series)
            groups.append(group)
        low = high + 1
    return groups


def _examples(outputs: dict[Method, Outputs], golds: list[str]) -> dict[str, Any]:
    """Sentences for which the methods print different results: evenly spaced, not selected by hand."""
    first = next(iter(outputs.values()))
    differing = [i for i in range(len(first.sentences)) if len({own.texts[i][0] for own in outputs.values()}) > 1]
    shown: list[int] = np.unique(np.linspace(0, len(differing) - 1, EXAMPLES).astype(int)).tolist() if differing else []
    return {
        "differing": len(differing),
        "rows": [
            {
                "number": i + 1,
                "sentence": first.sentences[i],
                "gold": golds[i] or " ".join(first.gold_words[i]),
                **{
                    str(method): {"text": own.texts[i][0], "tree_f1": own.tree_f1[i][0]}
                    for method, own in outputs.items()
                },
            }
            for i in (differing[place] for place in shown)
        ],
    }


def _corpus(model: Model) -> dict[str, Any]:
    facts = model.header["training"]
    names = ("corpora", "sentences", "edges", "deleted", "nodes", "size_classes", "features", "nss_features", "dev")
    return {name: facts[name] for name in names}


def _gold_rate(item: Item) -> float:
    """Characters of the gold / characters of the sentence; if only the gold's words are known, joined by spaces."""
    words = sum(end - start for start, end in item.kept) + len(item.kept) - 1
    return (len(item.compression) or words) / len(item.text)


def _environment(dev: Path, corpora: Sequence[Path], path: Path, model: Model, parser: Parser) -> dict[str, Any]:
    options = " ".join([*(f"--train {path.name}" for path in corpora), f"--dev {dev.name}"])
    return {
        "command": f"laconic reproduce {options} --out …",
        "laconic": version("laconic"),
        "model": f"{'trained for this page' if corpora else 'given'}, SHA-256 {_hash(_model_file(path))[:16]}…",
        "rho, beam, size weight": f"{model.rho}, {model.beam}, {model.header['size_weight']}",
        "parser": parser.description,
        "solver": f"HiGHS {version('highspy')}",
        "Python": platform.python_version(),
        "NumPy": version("numpy"),
    }


def _machine() -> dict[str, str]:
    """Where and when the times were measured."""
    return {
        "times measured": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown"
