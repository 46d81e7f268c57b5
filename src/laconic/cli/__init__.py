"""The command line: every command is a thin shell over a public function."""

from __future__ import annotations

import gc
import io
import os
import sys
from importlib import import_module
from typing import Annotated, Any, Final, NoReturn

import typer

from laconic.errors import LaconicError, LaconicWarning, warn_in_a_line

_INTERRUPTED: Final = 130
#: Commands that store finished parts and can be resumed.
_GOES_ON: Final = ("train", "train-network", "reproduce")

#: The commands; the module NAME defines the function NAME_cli.
COMMANDS: Final = (
    "compress", "fit", "tree", "harvest", "train", "train-network", "tune-levels", "evaluate", "score",
    "reproduce", "count-frames", "bench", "rate", "ratings", "serve", "mcp", "subtitles",
)  # fmt: skip


def make_app(*names: str) -> typer.Typer:
    """The command line with these commands; others are not imported, as imports take time."""
    app = typer.Typer(
        help="Makes sentences shorter by deleting words, and only that.",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for name in names:
        module = name.replace("-", "_")
        app.command(name)(getattr(import_module(f"laconic.cli.{module}"), f"{module}_cli"))
    app.callback(invoke_without_command=True)(_options)
    return app


def __getattr__(name: str) -> Any:
    """Create `app`, the whole command line, on first use."""
    if name == "app":
        return make_app(*COMMANDS)
    raise AttributeError(f"module 'laconic.cli' has no attribute {name!r}")


def _print_version(wanted: bool) -> None:
    if wanted:
        from laconic import __version__

        typer.echo(f"laconic {__version__}")
        raise typer.Exit


def _options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """Run the command line: invalid input ends with one line on standard error and status 2, never with a traceback."""
    if sys.stdout is None or sys.stderr is None:
        sys.exit(2)  # there is nowhere to write an error message
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    warn_in_a_line(_told)
    try:
        app = _import_app(sys.argv[1] if len(sys.argv) > 1 else "")
        status = app(standalone_mode=False) or 0
        sys.stdout.flush()
        if status == _INTERRUPTED:
            _interrupted()
        sys.exit(status)
    except (LaconicError, LaconicWarning) as error:  # warnings are raised if the user asks for it
        _refuse(_told(error))
    except BrokenPipeError:
        _leave(0)  # the reader of the pipe has closed it (`| head`)
    except OSError as error:
        reason = error.strerror or str(error)
        print(f"laconic: {reason}: {error.filename or 'output'}: check space and permissions", file=sys.stderr)
        _leave(2)
    except (KeyboardInterrupt, typer.Abort):
        _interrupted()
    except Exception as error:
        # Usage errors are Click's. Newer versions of Typer have a Click of their own, so the class has several names.
        if not hasattr(error, "format_message"):
            raise
        _refuse(error.format_message())


def _import_app(asked: str) -> typer.Typer:
    """The command line with the command that is asked for.

    What is imported stays: to look through it for garbage, now, later and at the end, would take its time for nothing.
    """
    if asked not in _GOES_ON:  # those compute for long
        # NumPy's threads would have nothing to do, but wait for that busily.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.disable()
    app = make_app(*((asked,) if asked in COMMANDS else COMMANDS))
    gc.freeze()
    gc.enable()
    return app


def _told(message: LaconicError | LaconicWarning) -> str:
    from laconic.cli.wording import told  # here: it imports NumPy

    return told(message)


def _interrupted() -> NoReturn:
    """Print that the command was interrupted, which Typer reports by an exception or a status, by version."""
    command = next((argument for argument in sys.argv[1:] if not argument.startswith("-")), "")
    remedy = f": start {command} again to resume it" if command in _GOES_ON else ""
    print(f"laconic: interrupted{remedy}", file=sys.stderr)
    _leave(_INTERRUPTED)


def _leave(status: int) -> NoReturn:
    """Exit at once: buffered output has nowhere to go, and a thread may be waiting for input."""
    sys.stderr.flush()
    os._exit(status)


def _refuse(message: str) -> NoReturn:
    if message:
        print(f"laconic: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(2)
