"""`laconic fit`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from laconic.cli import limits, options
from laconic.cli.progress import steps
from laconic.compressor import load
from laconic.errors import LaconicError


def fit_cli(
    file: Annotated[Path, typer.Argument(help="Markdown or plain text; - is standard input.")],
    max_chars: limits.MaxChars = None,
    max_words: limits.MaxWords = None,
    max_tokens: limits.MaxTokens = None,
    tokenizer: limits.Tokenizer = None,
    rate: limits.Rate = None,
    keep: limits.Keep = None,
    drop: limits.Drop = None,
    keep_all: limits.KeepAll = None,
    drop_all: limits.DropAll = None,
    format: Annotated[  # noqa: A002
        str | None,
        typer.Option("--format", help="markdown or text.", show_default="text for files that end in .txt"),
    ] = None,
    model: options.Model = None,
    parser: options.Parser = None,
    scorer: options.Scorer = None,
    threads: Annotated[
        int | None, typer.Option("--threads", help="Threads that work on the document.", show_default="all cores")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing on standard error.")] = False,
) -> None:
    """Print a document within one budget: of every sentence a compression, the whole, or nothing.

    The choice has the highest total worth that fits, over the whole document. The structure of Markdown survives:
    headings, lists, links; code stays as it is, or goes, and so do rows of tables. What is within the budget is
    printed as it is.
    """
    asked = limits.limit_options(
        max_chars=max_chars,
        max_words=max_words,
        max_tokens=max_tokens,
        tokenizer=tokenizer,
        rate=rate,
        keep=keep,
        drop=drop,
        keep_all=keep_all,
        drop_all=drop_all,
    )
    text = _read(file)
    name = "text" if format is None and file.suffix == ".txt" else format or "markdown"
    compressor = load(model, parser=parser, scorer=scorer)
    try:
        with steps("fitting", shown=not quiet) as (start, advance):
            found = compressor.fit(text, format=name, threads=threads, start=start, advance=advance, **asked)
    except LaconicError as error:
        raise LaconicError(f"{file}: {error}") from error
    sys.stdout.flush()
    sys.stdout.buffer.write(found.text.encode())  # as it was: nothing is added to it, its line ends stay
    if sys.stdout.isatty() and not found.text.endswith("\n"):
        sys.stdout.buffer.write(b"\n")
    sys.stdout.buffer.flush()
    if not quiet:
        unit = "tokens" if max_tokens is not None else "words" if max_words is not None else "characters"
        others = f"; {found.blocks_left_out:,} of {len(found.blocks):,} other parts left out"
        print(
            f"{found.length:,} of {found.most:,} {unit}; {len(found.sentences):,} sentences: {found.whole:,} whole, "
            f"{found.shortened:,} shortened, {found.left_out:,} left out{others if found.blocks_left_out else ''}",
            file=sys.stderr,
        )


def _read(file: Path) -> str:
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise LaconicError(f"cannot read {file} ({error.strerror}): check the path") from error
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise LaconicError(
            f"{file} is no text in UTF-8 (byte {error.start} is {data[error.start]:#04x}): give a text, or convert it"
        ) from error
