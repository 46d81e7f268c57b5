"""`laconic evaluate`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Final

import typer

from laconic.cli.flags import Only, with_flags
from laconic.cli.formats import check_format
from laconic.cli.progress import steps
from laconic.cli.shared_flags import TableFormat, TreesName, repeatable
from laconic.compressor import Compressor, load
from laconic.corpus import Trees
from laconic.corpus.parse import describe_mixture
from laconic.errors import LaconicError
from laconic.evaluate import Evaluation, evaluate
from laconic.evaluate.evaluate import GenreScores, Length
from laconic.metrics.report import FORMATS, check_samples, make_table
from laconic.metrics.series import SAMPLES, SEED
from laconic.model_folders import MAXENT, NETWORK, maxent_folder
from laconic.options import CompressOptions, LoadOptions
from laconic.score import Model

#: The maximum number of ranks whose own scores are printed, for any k.
_RANKS: Final = 10


@with_flags
def evaluate_cli(
    data: Annotated[Path, typer.Argument(help="Corpus with compressions, plain or gzipped.")],
    k: Annotated[int, typer.Option("-k", help="Results for the best of k.")] = 5,
    method: Annotated[
        list[str] | None, repeatable("--method", "topdown, nss or ilp", "topdown; nss too with the scorer maxent")
    ] = None,
    format: TableFormat = "text",  # noqa: A002
    types: Annotated[bool, typer.Option("--types", help="Word F1 by types: each different word counts once.")] = False,
    samples: Annotated[int, typer.Option("--samples", help="Bootstrap samples of an interval.")] = SAMPLES,
    seed: Annotated[int, typer.Option("--seed", help="Of the bootstrap samples and the paired tests.")] = SEED,
    *,
    asked: Annotated[CompressOptions, Only.of("rho", "order", "guard", "nearest")],
    max_chars: Annotated[
        str | None,
        typer.Option(
            "--max-chars",
            help="Most characters; gold: as many as the corpus' compression has; any: no maximum.",
            show_default="any; with --level gold",
        ),
    ] = None,
    level: Annotated[
        str | None,
        typer.Option(
            "--level",
            help="Of a corpus with three compressions of each sentence: light, medium or short.",
            show_default="none",
        ),
    ] = None,
    items: Annotated[Path | None, typer.Option("--items", help="Also write items for `laconic rate` here.")] = None,
    first: Annotated[
        int | None, typer.Option("--first", help="Of these items, only so many sentences.", show_default="all")
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            "--baseline", help="Model to compare with, by one method; maxent: the model's own.", show_default="none"
        ),
    ] = None,
    loading: Annotated[LoadOptions, Only.of("model", "parser", "scorer", "threads")],
    trees: TreesName = Trees.PARSER,
) -> None:
    """Compare compressions with a corpus: every score with its signature and 95% interval, and paired tests.

    Prints tree F1, word F1, exact match, compression rate (macro and micro), best of k, and tree F1 of each rank. Every
    method after the first is compared with the first, and the model with a baseline. The ILP needs the extra `ilp`: pip
    install "laconic[ilp]".
    """
    check_format(format, FORMATS)
    check_samples(samples, seed)
    if first is not None and first < 1:
        raise LaconicError(f"--first is {first}: give a number of sentences, 1 or more")
    if items is not None:
        items.touch()  # fails now rather than at the end
    loading["split"] = False
    compressor = load(**loading)
    paper = isinstance(compressor.scorer, Model)
    with steps("evaluating") as (start, advance):
        found = evaluate(
            data,
            compressor,
            trees=trees,
            methods=method or (["topdown", "nss"] if paper and baseline is None else ["topdown"]),
            k=k,
            rho=asked.get("rho"),
            order=asked.get("order"),
            max_chars=_max_chars(max_chars),
            level=level,
            guarded=asked.get("guard", True),
            nearest=asked.get("nearest", False),
            baseline=None if baseline is None else _baseline(baseline, loading, compressor),
            start=start,
            advance=advance,
        )
    systems = [
        (str(name), outputs.series(types=types) + outputs.tree_series_by_rank()[1:_RANKS])
        for name, outputs in found.outputs.items()
    ]
    typer.echo(make_table(systems, samples=samples, seed=seed, notes=_notes(found)).render(format))
    if items is not None:
        lines = [json.dumps(item, ensure_ascii=False) + "\n" for item in found.rating_items(first)]
        items.write_text("".join(lines), encoding="utf-8")


def _max_chars(given: str | None) -> int | Length | None:
    if given is None:
        return None
    if given in tuple(Length):
        return Length(given)
    if not given.isascii() or not given.isdigit():
        raise LaconicError(f"--max-chars is {given!r}: give a whole number of characters, gold or any")
    return int(given)


def _baseline(name: str, loading: LoadOptions, compressor: Compressor) -> Compressor:
    """The compressor to compare with: only its scorer differs, the trees are those of the other."""
    if name != MAXENT:
        return load(name, parser=NETWORK, scorer=loading.get("scorer"), split=False)
    if isinstance(compressor.scorer, Model):
        raise LaconicError("the scorer is maxent already: leave --scorer maxent out, or give another --baseline")
    return Compressor(compressor.parser, Model.load(maxent_folder(loading.get("model"))))


def _notes(found: Evaluation) -> list[str]:
    """The ceiling of the trees, their sources if several, sentences for which nothing fits, and scores by genre."""
    first = next(iter(found.outputs.values())).scores()
    notes = [
        f"ceiling of the trees: word F1 {first.ceiling:.4f}; {first.connected:.1%} of the golds are exactly one subtree"
    ]
    if len(found.sources) > 1 and (mixture := describe_mixture(found.sources)):
        notes.append(f"trees: {mixture}")
    for name, outputs in found.outputs.items():
        if missed := [own[0] for i, own in enumerate(outputs.texts) if outputs.misses(i)]:
            scored = "the shortest output" if any(missed) else "an empty output"
            notes.append(
                f"{name}: nothing fits for {len(missed)} of {len(outputs.texts)} sentences: {scored} is scored"
            )
        notes += [_genre_line(name, scores) for scores in found.by_genre(name)]
    return notes


def _genre_line(name: str, scores: GenreScores) -> str:
    room = "" if scores.room is None else f", room used {scores.room:.3f}"
    misfits = f", nothing fits for {scores.misfits}" if scores.misfits else ""
    return f"{name}, {scores.genre}: {scores.sentences} sentences, word F1 {scores.word_f1:.3f}{room}{misfits}"
