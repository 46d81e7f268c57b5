"""The page of the documentation that lists all options, made of their definitions: `make docs` writes it.

python docs/tools/options_page.py > docs/options.md
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import Enum
from typing import Any, Final

from laconic.options.entry_points import options_of
from laconic.options.option import Field

#: Entry points with what their table is headed by.
_TABLES: Final = {
    "compress": "`laconic.compress`, `laconic compress`",
    "fit": "`laconic.fit`, `laconic fit`",
    "messages": "`laconic.fit_messages`",
    "tree": "`laconic.tree`, `laconic tree`",
    "load": "`laconic.load`, and the same flags of every command that loads a model",
    "spacy": 'The spaCy component, `nlp.add_pipe("laconic", config=…)`',
}
#: What the command line has no command for.
_WITHOUT_FLAGS: Final = ("messages", "spacy")


def make_page() -> str:
    """The whole page."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield "# Options"
    yield ""
    yield "Every option, by where it can be given. This page is made of `src/laconic/options/define.py` by `make docs`:"
    yield "change the definitions, not the page. On the command line a list is given by repeating the flag."
    for entry_point, title in _TABLES.items():
        yield from ("", f"## {title}", "", "| keyword | flag | default | |", "|---|---|---|---|")
        for field in options_of(entry_point).values():
            flag = "–" if entry_point in _WITHOUT_FLAGS else f"`{field.flag}`"
            yield f"| `{field.name}` | {flag} | {_default(field)} | {_told(field)} |"
    yield ""


def _default(field: Field) -> str:
    value: Any = field.option.default
    if value is None:
        return field.option.unset or "–"
    return f"`{value.value if isinstance(value, Enum) else value}`"


def _told(field: Field) -> str:
    option = field.option
    choices = f"One of {', '.join(f'`{choice}`' for choice in field.choices)}." if field.choices else ""
    return " ".join(filter(None, (option.help, choices, option.more))).replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(make_page())
