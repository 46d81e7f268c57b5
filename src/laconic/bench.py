"""How long every stage takes: the numbers behind the README, measured in one run on one core."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic.compressor import realise
from laconic.corpus import read_corpus
from laconic.decode import Method, decode
from laconic.errors import LaconicError
from laconic.parse import Parses, SpacyParser
from laconic.score import Model

_BATCH: Final = 128
_ROUNDS: Final = 5
_LONG: Final = (250, 500, 1000, 2000)


@dataclass(frozen=True, slots=True)
class Stage:
    """Microseconds for a sentence."""

    name: str
    mean: float
    median: float
    p99: float


@dataclass(frozen=True, slots=True)
class Report:
    """Stages in the order of a sentence's way, and what depends on k, on the method and on the length."""

    sentences: int
    words: float  # tokens of a sentence, mean
    stages: tuple[Stage, ...]
    core: tuple[Stage, ...]  # transform + score + decode, by method and k
    further_result: float  # µs for each result after the fifth
    glue_share: float  # of parsing
    long: tuple[tuple[int, float], ...]  # tokens, ms for five best
    load_ms: float  # opening the model

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON-ready data."""
        return asdict(self)


def bench(data: Path, model_path: Path, *, parser: str | None = None) -> Report:
    """Time every stage on the sentences of a corpus, or on the lines of a plain text file."""
    with one_core():
        texts = _texts(data)
        start = time.perf_counter()
        model = Model.load(model_path)
        load_ms = (time.perf_counter() - start) * 1e3
        pipeline = SpacyParser(parser, split=False)
        pipeline.parse(texts[:8])  # warm up
        parse, glue, batches = _time_parsing(pipeline, texts)
        parses = Parses.concatenate(batches)
        by_k = {
            (method, k): _core_times(parses, model, method, k)
            for method, k in [(Method.TOPDOWN, 1), (Method.TOPDOWN, 5), (Method.TOPDOWN, 50), (Method.TOPDOWN, 1000),
                              (Method.NSS, 1), (Method.NSS, 5)]
        }  # fmt: skip
        five = by_k[Method.TOPDOWN, 5]
        print_times = _time_printing(batches, model)
        stages = [parse, glue]
        names = ["transform", "features and score", "decode, k = 5", "realise, k = 5"]
        stages += [_stage(name, five[:, i]) for i, name in enumerate(names)]
        stages.append(print_times)
        core = [
            _stage(f"{method}, k = {k}", times[:, :3].sum(axis=1)) for (method, k), times in by_k.items() if k != 50
        ]
        counts = {k: len(decode(parses, model, k=k).score) for k in (5, 50)}
        further = (by_k[Method.TOPDOWN, 50][:, 2].sum() - five[:, 2].sum()) / max(counts[50] - counts[5], 1)
        return Report(
            sentences=len(texts),
            words=len(parses.start) / len(texts),
            stages=tuple(stages),
            core=tuple(core),
            further_result=float(further),
            glue_share=glue.mean / parse.mean,
            long=tuple(_long_sentences(pipeline, texts, model)),
            load_ms=load_ms,
        )


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process on one core, where the system lets us."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _texts(data: Path) -> list[str]:
    if ".json" in data.name:
        texts = [item.text for item in read_corpus(data)]
    else:
        try:
            texts = [line for line in data.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
        except OSError as error:
            raise LaconicError(f"cannot read {data} ({error.strerror}): check the path") from error
    if not texts:
        raise LaconicError(f"{data} has no sentence to measure on: give a corpus or a file with one sentence a line")
    return texts


def _time_parsing(pipeline: SpacyParser, texts: list[str]) -> tuple[Stage, Stage, list[Parses]]:
    """SpaCy on batches, and turning its documents into arrays."""
    parse_times, glue_times, parts = [], [], []
    for at in range(0, len(texts), _BATCH):
        batch = texts[at : at + _BATCH]
        start = time.perf_counter()
        docs = pipeline.docs(batch)
        middle = time.perf_counter()
        parts.append(pipeline.parse(docs))
        end = time.perf_counter()
        parse_times.append((middle - start) * 1e6 / len(batch))
        glue_times.append((end - middle) * 1e6 / len(batch))
    return (
        _stage("parse (spaCy, batches)", np.array(parse_times)),
        _stage("glue to arrays (batches)", np.array(glue_times)),
        parts,
    )


def _core_times(parses: Parses, model: Model, method: Method, k: int) -> NDArray[np.float64]:
    """Microseconds of transform, score, decode and realise for every sentence, the median of some rounds."""
    rounds = _ROUNDS if k < 1000 else 1
    times = [decode(parses, model, k=k, method=method).nanoseconds.reshape(-1, 4) / 1e3 for _ in range(rounds)]
    return np.median(np.stack(times), axis=0)


def _time_printing(batches: list[Parses], model: Model) -> Stage:
    """Strings and Python objects from the core's columns."""
    times = []
    for parses in batches:
        decoded = decode(parses, model, k=5)
        start = time.perf_counter()
        realise(parses, decoded)
        times.append((time.perf_counter() - start) * 1e6 / len(parses))
    return _stage("text, k = 5 (batches)", np.array(times))


def _long_sentences(pipeline: SpacyParser, texts: list[str], model: Model) -> Iterator[tuple[int, float]]:
    """Milliseconds for the five best of sentences made by joining others."""
    words = " ".join(text.rstrip(".") for text in texts).split()
    for length in _LONG:
        if length > len(words):
            return
        parses = pipeline.parse([" ".join(words[:length])])
        times = _core_times(parses, model, Method.TOPDOWN, 5)
        if len(times) == 1:  # longer texts are not parsed as one sentence
            yield length, float(times[:, :3].sum()) / 1e3


def _stage(name: str, times: NDArray[np.float64]) -> Stage:
    return Stage(name, float(times.mean()), float(np.median(times)), float(np.percentile(times, 99)))


def as_table(report: Report) -> str:
    """The report as aligned text."""
    total = sum(stage.mean for stage in report.stages)
    lines = [
        f"{report.sentences:,} sentences of {report.words:.1f} tokens, one core, µs for a sentence",
        "",
        f"{'stage':<28}{'mean':>10}{'median':>10}{'99%':>10}{'share':>9}",
    ]
    lines += [
        f"{s.name:<28}{s.mean:>10.1f}{s.median:>10.1f}{s.p99:>10.1f}{s.mean / total:>9.2%}" for s in report.stages
    ]
    lines += ["", f"{'transform + score + decode':<28}{'mean':>10}{'median':>10}{'99%':>10}"]
    lines += [f"{s.name:<28}{s.mean:>10.1f}{s.median:>10.1f}{s.p99:>10.1f}" for s in report.core]
    lines += [
        "",
        f"each result after the fifth: {report.further_result:.2f} µs",
        f"glue: {report.glue_share:.1%} of parsing",
        f"opening the model: {report.load_ms:.0f} ms",
        "five best of one long sentence: " + ", ".join(f"{n} words {ms:.2f} ms" for n, ms in report.long),
    ]
    return "\n".join(lines)
