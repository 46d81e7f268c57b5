"""Measure the time of every stage in one run on one core: the numbers behind the README."""

from __future__ import annotations

import itertools
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from laconic.compressor import Compressor, load
from laconic.corpus import read_corpus
from laconic.decode import Method, decode
from laconic.errors import LaconicError, LaconicWarning
from laconic.parse import Parses, SpacyParser
from laconic.plan import make_plan
from laconic.realise import realise
from laconic.records import JsonRecord
from laconic.score import Model
from laconic.timing import one_core, time_decoder
from laconic.tree import make_forest

_BATCH: Final = 128
_LONG: Final = (250, 500, 1000, 2000)


@dataclass(frozen=True, slots=True)
class Stage:
    """The times of one stage, in microseconds per sentence."""

    name: str
    mean: float
    median: float
    p99: float


@dataclass(frozen=True, slots=True)
class Report(JsonRecord):
    """The times of the stages, in pipeline order, and how they depend on k, on the method and on sentence length."""

    sentences: int
    words: float  # mean number of tokens per sentence
    stages: tuple[Stage, ...]
    core: tuple[Stage, ...]  # from the parse to the k best, by method and k
    further_result: float  # µs for each result after the fifth
    solver_share: float | None  # of the time for the ILP's five best; None: not measured
    glue_share: float | None  # of the time for parsing; None: the network returns arrays, so there is no glue
    long: tuple[tuple[int, float], ...]  # (tokens, milliseconds for the five best)
    load_ms: float  # opening parser and model


def bench(
    data: Path,
    model: str | Path | None = None,
    *,
    parser: str | None = None,
    scorer: str | None = None,
    ilp: bool = False,
) -> Report:
    """Time every stage on the sentences of a corpus, or on the lines of a plain text file; with `ilp`, also the ILP."""
    with one_core():
        texts = read_texts(data)
        start = time.perf_counter()
        compressor = load(model, parser=parser, scorer=scorer, split=False)
        load_ms = (time.perf_counter() - start) * 1e3
        compressor.read(texts[:8])  # warm up
        parsing, batches = _time_parsing(compressor, texts)
        parses = Parses.concatenate(batches)
        scores = {method: compressor.score(parses, method) for method in Method}
        wanted = [(Method.TOPDOWN, k) for k in (1, 5, 50, 1000)] + [(Method.NSS, 1), (Method.NSS, 5)]
        if ilp:
            wanted += [(Method.ILP, 1), (Method.ILP, 5)]
        by_k = {
            (method, k): time_decoder(parses, scores[method], method, k, rounds=1 if k == 1000 else None)
            for method, k in wanted
        }
        five = by_k[Method.TOPDOWN, 5]
        print_times = _time_printing(batches, compressor)
        stages = list(parsing)
        names = ["transform", "root edges", "edges and decode, k = 5", "realise, k = 5"]
        stages += [_stage(name, five.stages[:, i]) for i, name in enumerate(names)]
        stages.append(print_times)
        core = [_stage(f"{method}, k = {k}", times.core) for (method, k), times in by_k.items() if k != 50]
        fifty = by_k[Method.TOPDOWN, 50]
        further = (fifty.stages[:, 2].sum() - five.stages[:, 2].sum()) / max(fifty.results - five.results, 1)
        return Report(
            sentences=len(texts),
            words=len(parses.start) / len(texts),
            stages=tuple(stages),
            core=tuple(core),
            further_result=float(further),
            solver_share=by_k[Method.ILP, 5].solver_share if ilp else None,
            glue_share=parsing[1].mean / parsing[0].mean if len(parsing) > 1 else None,
            long=tuple(_long_sentences(compressor, texts)),
            load_ms=load_ms,
        )


def read_texts(data: Path) -> list[str]:
    """The sentences of a corpus, or the lines of a plain text file."""
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


def _time_parsing(compressor: Compressor, texts: list[str]) -> tuple[tuple[Stage, ...], list[Parses]]:
    """Time the parser on batches; a network scores in the same pass. Converting spaCy documents is a separate stage."""
    pipeline = compressor.parser
    times: list[list[float]] = []
    parts = []
    for at in range(0, len(texts), _BATCH):
        batch = texts[at : at + _BATCH]
        marks = [time.perf_counter()]
        if isinstance(pipeline, SpacyParser):
            docs = pipeline.docs(batch)
            marks.append(time.perf_counter())
            parts.append(pipeline.parse(docs))
            if not isinstance(compressor.scorer, Model):
                marks.append(time.perf_counter())
                compressor.score(parts[-1])
        else:
            parts.append(compressor.read(batch)[0].parses)
        marks.append(time.perf_counter())
        times.append([after - before for before, after in itertools.pairwise(marks)])
    sizes = np.array([min(_BATCH, len(texts) - at) for at in range(0, len(texts), _BATCH)])
    columns = np.array(times).T * 1e6 / sizes
    names = [f"parse ({pipeline.description}, batches)", "glue to arrays (batches)", "score (network, batches)"]
    return tuple(_stage(name, column) for name, column in zip(names, columns, strict=False)), parts


def _time_printing(batches: list[Parses], compressor: Compressor) -> Stage:
    """Time the conversion of the core's arrays into strings and Python objects."""
    times = []
    for parses in batches:
        forest = make_forest(parses)
        plan = make_plan(forest, compressor.score(parses))
        decoded = decode(forest, plan.edge_scores, k=5, **plan.how)
        start = time.perf_counter()
        realise(forest, decoded)
        times.append((time.perf_counter() - start) * 1e6 / len(parses))
    return _stage("text, k = 5 (batches)", np.array(times))


def _long_sentences(compressor: Compressor, texts: list[str]) -> Iterator[tuple[int, float]]:
    """The time for the five best, in milliseconds, of long sentences made by joining others."""
    words = " ".join(text.rstrip(".") for text in texts).split()
    for length in _LONG:
        if length > len(words):
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LaconicWarning)  # it warns of long sentences, which are what we measure
            forest, scores = compressor.read([" ".join(words[:length])])
        times = time_decoder(forest.parses, scores, Method.TOPDOWN, 5).core
        if len(times) == 1:  # longer texts would be split into several sentences
            yield length, float(times[0]) / 1e3


def _stage(name: str, times: NDArray[np.float64]) -> Stage:
    return Stage(name, float(times.mean()), float(np.median(times)), float(np.percentile(times, 99)))


def as_table(report: Report) -> str:
    """The report as aligned text."""
    total = sum(stage.mean for stage in report.stages)
    lines = [
        f"{report.sentences:,} sentences of {report.words:.1f} tokens, one core, µs per sentence",
        "",
        f"{'stage':<44}{'mean':>10}{'median':>10}{'99%':>10}{'share':>9}",
    ]
    lines += [
        f"{s.name:<44}{s.mean:>10.1f}{s.median:>10.1f}{s.p99:>10.1f}{s.mean / total:>9.2%}" for s in report.stages
    ]
    lines += ["", f"{'parse to k best':<28}{'mean':>10}{'median':>10}{'99%':>10}"]
    lines += [f"{s.name:<28}{s.mean:>10.1f}{s.median:>10.1f}{s.p99:>10.1f}" for s in report.core]
    if report.solver_share is not None:
        lines.append(f"ilp, k = 5: {report.solver_share:.1%} of the time is spent in the solver")
    lines += [
        "",
        f"each result after the fifth: {report.further_result:.2f} µs",
        *([] if report.glue_share is None else [f"glue: {report.glue_share:.1%} of parsing"]),
        f"opening parser and model: {report.load_ms:.0f} ms",
        "five best of one long sentence: " + ", ".join(f"{n} words {ms:.2f} ms" for n, ms in report.long),
    ]
    return "\n".join(lines)
