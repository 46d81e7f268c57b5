"""`laconic compress`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from laconic.bulk import Column, CompressJob, make_engine, run
from laconic.bulk.compress import TEXT
from laconic.bulk.partitions import PARTITION_ROWS
from laconic.cli import bulk, limits, options
from laconic.cli.lines import open_inputs, read_batches, total_bytes
from laconic.cli.progress import progress
from laconic.compressor import BATCH_SIZE, Options, load
from laconic.errors import LaconicError, MisfitError
from laconic.explanation.render import as_plain, as_terminal
from laconic.model_folders import model_folder
from laconic.printed import as_text
from laconic.results import Result


def compress_cli(
    texts: Annotated[
        list[str] | None,
        typer.Argument(help="Texts to compress (with --out: files of them); without any, lines of standard input."),
    ] = None,
    file: Annotated[
        list[Path] | None, typer.Option("--file", "-f", help="File with one text a line; - is standard input.")
    ] = None,
    k: Annotated[int, typer.Option("-k", help="Compressions for each sentence.")] = 1,
    format: Annotated[  # noqa: A002
        str | None, typer.Option("--format", help="text, json or jsonl.", show_default="text; with --out jsonl")
    ] = None,
    level: options.Level = None,
    method: options.Method = "topdown",
    rho: options.Rho = None,
    order: options.Order = None,
    max_chars: limits.MaxChars = None,
    max_words: limits.MaxWords = None,
    max_tokens: limits.MaxTokens = None,
    tokenizer: limits.Tokenizer = None,
    max_bytes: limits.MaxBytes = None,
    max_utf16: limits.MaxUtf16 = None,
    rate: limits.Rate = None,
    min_chars: limits.MinChars = None,
    min_words: limits.MinWords = None,
    min_tokens: limits.MinTokens = None,
    min_bytes: limits.MinBytes = None,
    min_utf16: limits.MinUtf16 = None,
    min_rate: limits.MinRate = None,
    nearest: limits.Nearest = False,
    each_sentence: Annotated[
        bool, typer.Option("--each-sentence", help="The budget is for each sentence, not for the whole text.")
    ] = False,
    keep: limits.Keep = None,
    drop: limits.Drop = None,
    keep_span: limits.KeepSpan = None,
    drop_span: limits.DropSpan = None,
    keep_all: limits.KeepAll = None,
    drop_all: limits.DropAll = None,
    protect: limits.Protect = None,
    no_guard: options.NoGuard = False,
    language: options.Language = "en",
    resolve_pronouns: Annotated[
        bool, typer.Option("--resolve-pronouns", help="Print the antecedent of a pronoun where it would be lost.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show what is gone, struck through, and why; in json: deletions.")
    ] = False,
    model: options.Model = None,
    parser: options.Parser = None,
    scorer: options.Scorer = None,
    threads: options.Threads = 1,
    no_split: options.Whole = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first text that is refused.")] = False,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Show no progress bar.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Compress files into parts in this folder, or into this file.")
    ] = None,
    column: Annotated[
        str | None,
        typer.Option("--column", help="Where texts are in JSON Lines, CSV, Parquet.", show_default="text or sentence"),
    ] = None,
    engine: bulk.EngineName = None,
    address: bulk.Address = None,
    workers: bulk.Workers = None,
    partition_rows: bulk.PartitionRows = None,
    resume: bulk.Resume = False,
) -> None:
    """Print the k best compressions of every sentence of the texts, in their order.

    With -k 1 the text format has one line for each text; otherwise rank, score, rate and compression, and a blank line
    after each sentence, or after each text where a budget is for all of it. The json format is one array, jsonl one
    object a line for each text.

    A budget is the length of the whole text, with something of every sentence, or of each sentence (--each-sentence),
    exactly kept to; what must stay or go is certain to. Where nothing is
    within the limits, the text is refused: an empty line, or an object with "error", stands in its place, standard
    error says which text it is and what the shortest possible result is, and the status is 1. --strict stops there.

    With --out the texts are in files: one a line, or a column of JSON Lines, CSV, TSV or Parquet. All cores work on
    them, or a cluster, and an interrupted run goes on with --resume.
    """
    files = file or []
    asked = Options(
        level=level,
        guard=not no_guard,
        method=method,
        rho=rho,
        order=order,
        resolve_pronouns=resolve_pronouns,
        explain=explain,
        each_sentence=each_sentence,
        language=language,
        **limits.limit_options(
            max_chars=max_chars,
            max_words=max_words,
            max_tokens=max_tokens,
            tokenizer=tokenizer,
            max_bytes=max_bytes,
            max_utf16=max_utf16,
            min_bytes=min_bytes,
            min_utf16=min_utf16,
            rate=rate,
            min_chars=min_chars,
            min_words=min_words,
            min_tokens=min_tokens,
            min_rate=min_rate,
            nearest=nearest,
            keep=keep,
            drop=drop,
            keep_span=keep_span,
            drop_span=drop_span,
            keep_all=keep_all,
            drop_all=drop_all,
            protect=protect,
        ),
    )
    if out is not None:
        if strict:
            raise LaconicError("--strict does not go with --out, where every text has its line: leave it out")
        if threads != 1:
            raise LaconicError("--threads does not go with --out, where every core has a process: use --workers")
        job = CompressJob(
            k=k,
            options=asked,
            model=None if model is None else model_folder(model).absolute(),
            parser=parser,
            scorer=scorer,
            split=not no_split,
            suffix=bulk.suffix_for(out, format, {"jsonl": ".jsonl", "text": ".txt"}),
        )
        if explain and job.suffix.startswith(".txt"):
            raise LaconicError("--explain goes with --format jsonl, where there is room for the reasons: use that")
        inputs = [*map(Path, texts or []), *files]
        wanted = TEXT if column is None else Column((column,))
        made = make_engine(engine or "local", workers=workers, address=address)
        rows = partition_rows if partition_rows is not None else PARTITION_ROWS
        summary = bulk.run_with_summary(
            lambda advance: run(
                job, inputs, [wanted], out, engine=made, partition_rows=rows, resume=resume, advance=advance
            ),
            inputs,
            label="compressing",
            rows="texts",
            shown=not no_progress,
        )
        if summary.counts:
            print(bulk.counted(summary), file=sys.stderr)
        return
    bulk.refuse_without_out(
        column=column, engine=engine, address=address, workers=workers, partition_rows=partition_rows, resume=resume
    )
    format = options.check_format(format or "text", ("text", "json", "jsonl"))  # noqa: A001
    if texts and files:
        raise LaconicError("both texts and --file were given: give one or the other")
    if not texts and not files and sys.stdin is not None and sys.stdin.isatty():
        raise LaconicError(
            'nothing to compress: give a text, as in laconic compress "…", a --file, or lines on standard input'
        )
    compressor = load(model, parser=parser, scorer=scorer, split=not no_split, threads=threads)
    compressor.batch([], k, **asked)  # refuse bad options before anything is read
    refused = Refused(strict=strict)

    def results(on_bytes: Callable[[int], None]) -> Iterator[Outcome]:
        for path, descriptor in zip(files or [Path("-")], open_inputs(files), strict=True):
            number = 0
            for batch in read_batches(descriptor, BATCH_SIZE, on_bytes):
                for text, result in zip(batch, compressor.batch(batch, k, errors="return", **asked), strict=True):
                    number += 1
                    where = f"{path}, line {number}: " if len(files) > 1 else f"line {number}: "
                    yield Outcome(where, text, result)

    if texts:
        several = len(texts) > 1
        stream = compressor.stream(texts, k, errors="return", **asked)
        found = (
            Outcome(f"text {number}: " if several else "", text, result)
            for number, (text, result) in enumerate(zip(texts, stream, strict=True), 1)
        )
        write(refused.report(found), format, k, explain=explain)
    else:
        with progress("compressing", total_bytes(files), shown=not no_progress) as advance:
            write(refused.report(results(advance)), format, k, explain=explain)
    if refused.count:
        raise typer.Exit(1)


class Outcome(NamedTuple):
    """What became of a text."""

    where: str  # what names it in a message
    text: str
    result: Result | LaconicError


class Refused:
    """Says on standard error which texts are refused, and why, while the others are printed; counts them."""

    def __init__(self, *, strict: bool) -> None:
        self.count = 0
        self._strict = strict  # the first one is the last

    def report(self, outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
        """What became of texts, as it comes."""
        for each in outcomes:
            if isinstance(each.result, LaconicError):
                self.count += 1
                print(f"laconic: {' '.join(f'{each.where}{each.result}'.split())}", file=sys.stderr)
                if self._strict:
                    return
            yield each


def write(outcomes: Iterable[Outcome], format: str, k: int, *, explain: bool = False) -> None:  # noqa: A002
    """Write results to standard output as they come; an error has an empty line, or an object, in its place."""
    out = sys.stdout
    if format == "json":
        separator = "["
        for _, text, result in outcomes:
            out.write(separator + "\n" + as_json(text, result))
            separator = ","
        out.write("\n]\n" if separator == "," else "[]\n")
        return
    for _, text, result in outcomes:
        if format == "jsonl":
            out.write(as_json(text, result) + "\n")
        elif isinstance(result, LaconicError):
            out.write("\n")
        elif explain:
            write_explained(result)
        else:
            out.write(as_text(result, k))
        out.flush()


def as_json(text: str, result: Result | LaconicError) -> str:
    """The result of a text, or its error with what is the shortest possible where nothing fits."""
    if isinstance(result, LaconicError):
        shortest = {"shortest": result.shortest} if isinstance(result, MisfitError) and result.shortest else {}
        return json.dumps({"text": text, "error": str(result), **shortest}, ensure_ascii=False)
    return json.dumps(result.to_dict(), ensure_ascii=False)


def write_explained(result: Result) -> None:
    """Print every compression with what is gone: in colour where there is some, in brackets elsewhere."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    for part in result.parts():
        for compression in part.compressions:
            if console.is_terminal and not console.is_dumb_terminal:
                console.print(Text(compression.text, "bold"))
                console.print(as_terminal(part, compression))
            else:
                sys.stdout.write(f"{compression.text}\n{as_plain(part, compression)}\n")
