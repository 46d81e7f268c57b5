"""The examples of docs/frameworks.md print what the page shows."""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parent.parent / "docs" / "frameworks.md"
EXAMPLE = re.compile(r"^```python\n(.*?)^```\n(?:\n((?:    [^\n]*\n)+))?", re.MULTILINE | re.DOTALL)


def test_every_example_prints_what_the_page_shows() -> None:
    names: dict[str, Any] = {}
    examples = EXAMPLE.findall(PAGE.read_text(encoding="utf-8"))
    assert len(examples) == 5
    for code, shown in examples:
        printed = StringIO()
        with redirect_stdout(printed):
            exec(code, names)
        assert printed.getvalue() == re.sub(r"^    ", "", shown, flags=re.MULTILINE), code
