"""`laconic subtitles`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from laconic.cli.flags import Only, with_flags
from laconic.cli.inputs import read_standard_input
from laconic.errors import LaconicError
from laconic.options import LoadOptions, SubtitleOptions

_REPORTS: Final = ("table", "json")


@with_flags
def subtitles_cli(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="SRT, WebVTT, ASS or SSA; - is standard input.")],
    *,
    asked: SubtitleOptions,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Where to write.", show_default="standard output")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Measure only: write no subtitles.")] = False,
    report: Annotated[
        str | None,
        typer.Option(
            "--report",
            metavar="FORM",
            help="What became of each cue: table or json; on standard error where the subtitles are not.",
        ),
    ] = None,
    loading: Annotated[LoadOptions, Only.of("model", "parser", "threads")],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing on standard error.")] = False,
) -> None:
    """Condense subtitles to reading speed, in the speaker's own words, with natural line breaks.

    Cues within the limits are not changed; in the others, as little is deleted as the limits require. Every word stays
    in its cue; times, tags and everything else are unchanged. The status is 1 if a cue still exceeds the limits.
    """
    from laconic import subtitles
    from laconic.compressor import load
    from laconic.subtitles.report import to_line, to_table

    if report not in (None, *_REPORTS):
        raise LaconicError(f"--report is {report!r}: use one of {', '.join(_REPORTS)}")
    if check and out is not None:
        raise LaconicError("--check writes no subtitles: leave out --out, or --check")
    data = _read(file)
    try:
        found = (
            subtitles.check(data, **asked) if check else subtitles.condense(data, compressor=load(**loading), **asked)
        )
    except LaconicError as error:
        raise LaconicError(f"{file}: {error}", **error.options) from error
    if out is not None:
        out.write_bytes(found.data)
    elif not check:
        sys.stdout.flush()
        sys.stdout.buffer.write(found.data)
        sys.stdout.buffer.flush()
    if report is not None:
        text = (
            to_table(found.cues, found.rules) if report == "table" else json.dumps(found.to_dict(), ensure_ascii=False)
        )
        print(text, file=sys.stdout if check or out is not None else sys.stderr)
    elif not quiet:
        print(to_line(found.cues, found.rules), file=sys.stderr)
        for cue in found.over if not check else ():
            print(f"  cue {cue.name}: {cue.chars} characters for {cue.allowed}: {cue.reason}", file=sys.stderr)
    if found.over:
        raise typer.Exit(1)


def _read(file: Path) -> bytes:
    if file.is_dir():
        raise LaconicError(f"{file} is a folder: give a file of it")
    try:
        return read_standard_input() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise LaconicError(f"cannot read {file} ({error.strerror}): check the path") from error
