"""The examples of the documentation: found on the pages, run, and compared with what the pages show.

    python docs/tools/examples.py            # says what differs
    python docs/tools/examples.py --write    # puts what is printed now into the pages

On a page there are commands, `    $ laconic …` with their output below, and Python, a fence with its output below,
indented. All of a page run in one folder, which has the files of the tests' data, and in one namespace. A fence with a
title is a file of that name. In a command "…" at the end of the text stands for the rest of a sentence that came
before; in an output a line "…" stands for any lines. Python after <!-- not run: why --> is not run.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
#: Pages whose examples are run here; those of other pages need a service, a framework or files of their own.
PAGES: Final = (
    "README.md",
    "docs/index.md",
    "docs/agents.md",
    "docs/documents.md",
    "docs/harvest.md",
    "docs/limits.md",
    "docs/metrics.md",
    "docs/network.md",
    "docs/subtitles.md",
    "docs/usage.md",
    *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs" / "tutorials").glob("*.md")),
)

_EXAMPLE: Final = re.compile(
    r"^    \$ (?P<command>laconic [^\n]*)\n(?P<printed>(?:(?:    (?!\$)[^\n]*)?\n)*)"
    r"|(?P<skipped>^<!-- not run: [^\n]* -->\n)?^```python\n(?P<code>(?!>>>).*?)^```\n"
    r"(?:\n(?P<output>(?:    [^\n]*\n|\n+(?=    ))+))?"
    r'|^```\w* title="(?P<name>[^"\n]*)"\n(?P<file>.*?)^```\n',
    re.M | re.S,
)


@dataclass(frozen=True, slots=True)
class Example:
    """An example, what the page shows, and what is printed."""

    source: str
    shown: str
    printed: str
    place: tuple[int, int]  # of what is shown, in the page

    @property
    def right(self) -> bool:
        """Whether the page shows what is printed."""
        lines = [".*?" if line == "…" else re.escape(line + "\n") for line in _lines(self.shown)]
        return re.fullmatch("".join(lines), "".join(f"{line}\n" for line in _lines(self.printed)), re.S) is not None


def run_page(page: str) -> Iterator[Example]:
    """Run all examples of a page, in order. Python without output must run, and print nothing."""
    text = (ROOT / page).read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": "an example"}
    before: list[str] = []
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # where laconic is
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for data in ("markdown", "subtitles"):
            shutil.copytree(ROOT / "tests" / "data" / data, folder, dirs_exist_ok=True)
        for found in _EXAMPLE.finditer(text):
            if found["name"]:
                Path(found["name"]).write_text(found["file"], encoding="utf-8")
            elif found["command"]:
                yield Example(found["command"], found["printed"], _run(found["command"], before), found.span("printed"))
            elif not found["skipped"]:
                printed = io.StringIO()
                with redirect_stdout(printed):
                    exec(compile(found["code"], page, "exec"), names)
                place = found.span("output") if found["output"] else (found.end(), found.end())
                yield Example(found["code"], found["output"] or "", printed.getvalue(), place)


def _run(command: str, before: list[str]) -> str:
    """What a command prints; `before` has the texts of earlier commands."""
    arguments = shlex.split(command)[1:]
    if arguments[-1].endswith("…"):
        arguments[-1] = next(text for text in before if text.startswith(arguments[-1].removesuffix("…").rstrip()))
    before.append(arguments[-1])
    done = subprocess.run(
        [sys.executable, "-m", "laconic", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        check=False,
    )
    return done.stdout


def _lines(text: str) -> list[str]:
    """Lines with something on them; the version of laconic in a signature is not compared."""
    return [re.sub(r"\|v:[^|]+", "|v", line.strip()) for line in text.splitlines() if line.strip()]


def write(page: str) -> int:
    """Put what is printed into a page; how many examples have changed."""
    text = (ROOT / page).read_text(encoding="utf-8")
    wrong = [example for example in run_page(page) if not example.right]
    for example in reversed(wrong):
        start, end = example.place
        lines = [f"    {line}".rstrip() for line in example.printed.rstrip("\n").splitlines()]
        blank = text[start:end][len(text[start:end].rstrip("\n")) + 1 :]  # lines between the output and what follows
        text = text[:start] + "".join(f"{line}\n" for line in lines) + blank + text[end:]
    (ROOT / page).write_text(text, encoding="utf-8")
    return len(wrong)


def main() -> None:
    """Compare, or write."""
    wrong = 0
    for page in PAGES:
        if "--write" in sys.argv:
            print(f"{page}: {write(page)} changed")
            continue
        for example in run_page(page):
            if not example.right:
                wrong += 1
                print(f"{page}: {example.source.rstrip()}\nshows\n{example.shown}prints\n{example.printed}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
