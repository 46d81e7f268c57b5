"""The command line as a process of its own."""

from __future__ import annotations

import subprocess
import sys

EXAMPLE = "The police said the man who robbed a bank in Arizona was arrested at his home late Friday."


LACONIC = [sys.executable, "-m", "laconic"]


def run(*arguments: str, stdin: bytes | None = None) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*LACONIC, *arguments], input=stdin, stdin=None if stdin is not None else subprocess.DEVNULL,
                          capture_output=True, check=False, timeout=120)  # fmt: skip
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def refused(*arguments: str, stdin: bytes | None = None) -> str:
    """The one line that bad input ends with."""
    done = run(*arguments, stdin=stdin)
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert done.stderr.startswith("laconic: ")
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr
