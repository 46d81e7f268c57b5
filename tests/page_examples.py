"""Examples of the pages: Python code, and below it, indented, what it prints."""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent.parent / "docs"
EXAMPLE = re.compile(r"^```python\n(.*?)^```\n(?:\n((?:    [^\n]*\n)+))?", re.MULTILINE | re.DOTALL)


def examples_of(page: str) -> list[tuple[str, str]]:
    """The code of each example, and what the page shows of its output."""
    found = EXAMPLE.findall((DOCS / page).read_text(encoding="utf-8"))
    return [(code, re.sub(r"^    ", "", shown, flags=re.MULTILINE)) for code, shown in found]


def check_example(code: str, shown: str, names: dict[str, Any]) -> None:
    """Run an example where these names are known, and compare."""
    printed = StringIO()
    with redirect_stdout(printed):
        exec(code, names)
    assert printed.getvalue() == shown, code
