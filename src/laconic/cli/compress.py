"""`laconic compress`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from laconic.cli import options
from laconic.cli.lines import open_inputs, read_batches, total_bytes
from laconic.cli.progress import progress
from laconic.compressor import BATCH_SIZE, load
from laconic.errors import LaconicError
from laconic.results import Result


def compress_cli(
    texts: Annotated[
        list[str] | None, typer.Argument(help="Texts to compress; without any, lines of standard input.")
    ] = None,
    file: Annotated[
        list[Path] | None, typer.Option("--file", "-f", help="File with one text a line; - is standard input.")
    ] = None,
    k: Annotated[int, typer.Option("-k", help="Compressions for each sentence.")] = 1,
    format: Annotated[str, typer.Option("--format", help="text, json or jsonl.")] = "text",  # noqa: A002
    method: options.Method = "topdown",
    rho: options.Rho = None,
    max_chars: options.MaxChars = None,
    model: options.Model = None,
    parser: options.Parser = None,
    no_split: options.Whole = False,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Show no progress bar.")] = False,
) -> None:
    """Print the k best compressions of every sentence of the texts, in their order.

    With -k 1 the text format has one line for each text; otherwise rank, score, rate and compression, and a blank line
    after each sentence. The json format is one array, jsonl one object a line for each text.
    """
    options.check_format(format, ("text", "json", "jsonl"))
    files = file or []
    if texts and files:
        raise LaconicError("both texts and --file were given: give one or the other")
    if not texts and not files and sys.stdin is not None and sys.stdin.isatty():
        raise LaconicError(
            'nothing to compress: give a text, as in laconic compress "…", a --file, or lines on standard input'
        )
    compressor = load(model, parser=parser, split=not no_split)
    compressor.batch([], k, method=method, rho=rho, max_chars=max_chars)  # refuse bad options before anything is read

    def results(on_bytes: Callable[[int], None]) -> Iterator[Result]:
        for descriptor in open_inputs(files):
            for batch in read_batches(descriptor, BATCH_SIZE, on_bytes):
                try:
                    found = compressor.batch(batch, k, method=method, rho=rho, max_chars=max_chars)
                except LaconicError:
                    # One text is refused: those before it are still printed.
                    yield from compressor.stream(batch, k, method=method, rho=rho, max_chars=max_chars, batch_size=1)
                    raise
                yield from found

    if texts:
        write(compressor.stream(texts, k, method=method, rho=rho, max_chars=max_chars), format, k)
        return
    with progress("compressing", total_bytes(files), shown=not no_progress) as advance:
        write(results(advance), format, k)


def write(results: Iterable[Result], format: str, k: int) -> None:  # noqa: A002
    """Write results to standard output as they come."""
    out = sys.stdout
    if format == "json":
        separator = "["
        for result in results:
            out.write(separator + "\n" + json.dumps(result.to_dict(), ensure_ascii=False))
            separator = ","
        out.write("\n]\n" if separator == "," else "[]\n")
        return
    for result in results:
        if format == "jsonl":
            out.write(json.dumps(result.to_dict(), ensure_ascii=False) + "\n")
        elif k == 1:
            out.write(" ".join(sentence.compressions[0].text for sentence in result.sentences) + "\n")
        else:
            for sentence in result.sentences:
                for c in sentence.compressions:
                    out.write(f"{c.rank:>3} {c.score:>8.3f} {c.rate:>5.0%}  {c.text}\n")
                out.write("\n")
        out.flush()
