"""Compress texts one after another and print the results as they come."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from laconic.cli.formats import check_format
from laconic.cli.inputs import open_inputs, read_batches, total_bytes
from laconic.cli.progress import progress
from laconic.cli.wording import told
from laconic.compressor import BATCH_SIZE, Compressor, load
from laconic.errors import LaconicError, MisfitError
from laconic.options import CompressOptions, LoadOptions
from laconic.plain_text import as_text
from laconic.progress import Advance
from laconic.results import Result


def compress_stream(
    texts: Sequence[str],
    files: Sequence[Path],
    asked: CompressOptions,
    loading: LoadOptions,
    *,
    format: str,  # noqa: A002
    strict: bool,
    shown: bool,
) -> int:
    """Print the compressions of texts, or of the lines of files or standard input; returns how many were refused."""
    check_format(format, ("text", "json", "jsonl"))
    compressor = load(**loading)
    compressor.batch([], **asked)  # refuses invalid options before anything is read
    refused = Refused(strict=strict)
    k, explain = asked.get("k", 1), asked.get("explain", False)
    if texts:
        write(refused.report(_texts(compressor, texts, asked)), format, k, explain=explain)
    else:
        with progress("compressing", total_bytes(files), shown=shown) as advance:
            write(refused.report(_lines(compressor, files, asked, advance)), format, k, explain=explain)
    return refused.count


def _texts(compressor: Compressor, texts: Sequence[str], asked: CompressOptions) -> Iterator[Outcome]:
    several = len(texts) > 1
    for number, (text, result) in enumerate(
        zip(texts, compressor.stream(texts, errors="return", **asked), strict=True), 1
    ):
        yield Outcome(f"text {number}: " if several else "", text, result)


def _lines(
    compressor: Compressor, files: Sequence[Path], asked: CompressOptions, on_bytes: Advance
) -> Iterator[Outcome]:
    for path, descriptor in zip(files or [Path("-")], open_inputs(files), strict=True):
        number = 0
        for batch in read_batches(descriptor, BATCH_SIZE, on_bytes):
            for text, result in zip(batch, compressor.batch(batch, errors="return", **asked), strict=True):
                number += 1
                where = f"{path}, line {number}: " if len(files) > 1 else f"line {number}: "
                yield Outcome(where, text, result)


class Outcome(NamedTuple):
    """A text and its result or error."""

    where: str  # what identifies it in a message
    text: str
    result: Result | LaconicError


class Refused:
    """Reports refused texts on standard error while the others are printed, and counts them."""

    def __init__(self, *, strict: bool) -> None:
        self.count = 0
        self._strict = strict  # whether to stop at the first one

    def report(self, outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
        """Pass outcomes on, and report the errors among them."""
        for each in outcomes:
            if isinstance(each.result, LaconicError):
                self.count += 1
                print(f"laconic: {' '.join(f'{each.where}{told(each.result)}'.split())}", file=sys.stderr)
                if self._strict:
                    return
            yield each


def write(outcomes: Iterable[Outcome], format: str, k: int, *, explain: bool = False) -> None:  # noqa: A002
    """Write results to standard output as they come; for an error, an empty line or an object in its place."""
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
    """The result of a text as JSON, or its error, with the shortest possible length if nothing fits."""
    if isinstance(result, LaconicError):
        shortest = {"shortest": result.shortest} if isinstance(result, MisfitError) and result.shortest else {}
        return json.dumps({"text": text, "error": told(result), **shortest}, ensure_ascii=False)
    return json.dumps(result.to_dict(), ensure_ascii=False)


def write_explained(result: Result) -> None:
    """Print every compression with its deletions: in colour on a terminal, else in brackets."""
    from rich.console import Console
    from rich.text import Text

    from laconic.explanation.render import as_plain, as_terminal

    console = Console(highlight=False, soft_wrap=True)
    for part in result.parts():
        for compression in part.compressions:
            if console.is_terminal and not console.is_dumb_terminal:
                console.print(Text(compression.text, "bold"))
                console.print(as_terminal(part, compression))
            else:
                sys.stdout.write(f"{compression.text}\n{as_plain(part, compression)}\n")
