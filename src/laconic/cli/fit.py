"""`laconic fit`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from laconic.asked import check_fit_options
from laconic.cli.flags import Only, with_flags
from laconic.cli.inputs import read_standard_input
from laconic.cli.progress import steps
from laconic.compressor import Compressor, load
from laconic.document.fit import Fitted
from laconic.document.several import FittedAll
from laconic.errors import LaconicError
from laconic.options import DocumentOptions, LoadOptions


@with_flags
def fit_cli(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Markdown or plain text; - is standard input.")],
    *,
    asked: DocumentOptions,
    format: Annotated[  # noqa: A002
        str | None,
        typer.Option("--format", help="markdown or text.", show_default="text for files that end in .txt"),
    ] = None,
    loading: Annotated[LoadOptions, Only.of("model", "parser", "scorer")],
    jsonl: Annotated[
        bool,
        typer.Option("--jsonl", help="One JSON object a document: its text, and what is kept with its offsets."),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing on standard error.")] = False,
) -> None:
    """Print one or several documents within one budget: every sentence is kept whole, compressed or left out.

    The choice maximises the total value over the whole document. The structure of Markdown is preserved: headings,
    lists, links. Code and table rows are kept unchanged or left out. A document within the budget is printed unchanged.
    """
    texts = {str(file): _read(file) for file in files}
    if len(texts) < len(files):
        raise LaconicError("a file is given twice: give each file once")
    formats = ["text" if format is None and file.suffix == ".txt" else format or "markdown" for file in files]
    compressor = load(**loading)
    with steps("fitting", shown=not quiet) as (start, advance):
        if len(files) == 1:
            ((file, text),) = texts.items()
            found = _fit_one(compressor, file, text, asked, format=formats[0], start=start, advance=advance)
        else:
            found = compressor.fit_all(texts, format=formats, start=start, advance=advance, **asked)
    if jsonl:
        _write("".join(json.dumps(each.to_dict(), ensure_ascii=False) + "\n" for each in found))
    else:
        _write(found.text)
    if not quiet:
        budget = check_fit_options(asked)[1].budget
        lengths = [f"{part.length(found.text):,} of {part.most:,} {part.plural}" for part in budget.parts]
        length = ", ".join(lengths) or f"{found.length:,} of {found.most:,} {budget.plural}"
        print(f"{length}; {_count(found)}", file=sys.stderr)
        unit = (budget.parts[0] if budget.parts else budget).plural
        for each in found if len(found) > 1 else ():
            told = f"{each.length:,} {unit}; {_count([each])}" if each.text else "nothing"
            print(f"  {each.source}: {told}", file=sys.stderr)


def _fit_one(compressor: Compressor, file: str, text: str, asked: DocumentOptions, **how: Any) -> FittedAll:
    try:
        found = compressor.fit(text, **asked, **how)
    except LaconicError as error:
        raise LaconicError(f"{file}: {error}", **error.options) from error
    return FittedAll((replace(found, source=file),), found.text, found.length, found.most)


def _write(text: str) -> None:
    """Print a text exactly: nothing is added to it, and its line endings are kept."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    if sys.stdout.isatty() and not text.endswith("\n"):
        sys.stdout.buffer.write(b"\n")
    sys.stdout.buffer.flush()


def _count(documents: Iterable[Fitted]) -> str:
    """A summary of what was done with the sentences of documents."""
    own = list(documents)
    sentences, whole, shortened, left_out, blocks, blocks_left_out = (
        sum(numbers)
        for numbers in zip(
            *((d.report.sentences, d.whole, d.shortened, d.left_out, d.report.others, d.blocks_left_out) for d in own),
            strict=True,
        )
    )
    others = f"; {blocks_left_out:,} of {blocks:,} other parts left out" if blocks_left_out else ""
    return f"{sentences:,} sentences: {whole:,} whole, {shortened:,} shortened, {left_out:,} left out{others}"


def _read(file: Path) -> str:
    if file.is_dir():
        raise LaconicError(f"{file} is a folder: give a file of it")
    try:
        data = read_standard_input() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise LaconicError(f"cannot read {file} ({error.strerror}): check the path") from error
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise LaconicError(
            f"{file} is no text in UTF-8 (byte {error.start} is {data[error.start]:#04x}): give a text, or convert it"
        ) from error
