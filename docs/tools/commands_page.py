"""The page of the documentation that lists all commands, made of the command line itself: `make docs` writes it.

python docs/tools/commands_page.py > docs/commands.md
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

import typer

from laconic.cli import COMMANDS, make_app


def make_page() -> str:
    """The whole page."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    group: Any = typer.main.get_command(make_app(*COMMANDS))
    yield "# Commands"
    yield ""
    yield "Every command with its flags, as `laconic COMMAND --help` prints them. This page is made of the command line"
    yield "by `make docs`. `laconic --version` prints the version; `laconic --help` lists the commands."
    for name in COMMANDS:
        command = group.commands[name]
        yield from ("", f"## `laconic {name}`", "")
        yield from _help(command.help)
        yield from ("", "| | default | |", "|---|---|---|")
        for parameter in command.params:
            if parameter.name != "help":
                yield f"| {_name(parameter)} | {_default(parameter)} | {_cell(getattr(parameter, 'help', '') or '')} |"
    yield ""


def _help(text: str) -> Iterator[str]:
    paragraphs = text.replace("\b", "").split("\n\n")
    lines = (" ".join(paragraph.split()) for paragraph in paragraphs)
    yield "\n\n".join(re.sub(r"(?<![\w`\[-])--?[a-z][a-z-]*", r"`\g<0>`", line) for line in lines)


def _name(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{(parameter.metavar or parameter.name).upper()}`{'' if parameter.required else ', optional'}"
    names = ", ".join(f"`{flag}`" for flag in (*parameter.opts, *parameter.secondary_opts))
    return f"{names}{', required' if parameter.required else ''}"


def _default(parameter: Any) -> str:
    shown = getattr(parameter, "show_default", None)
    if isinstance(shown, str):
        return _cell(shown)
    value = parameter.default
    if value is None or callable(value) or value is False or value in ((), [], ""):
        return "–"
    return "on" if value is True else f"`{_cell(str(getattr(value, 'value', value)))}`"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    sys.stdout.write(make_page())
