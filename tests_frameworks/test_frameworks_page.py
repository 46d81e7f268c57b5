"""The examples of docs/frameworks.md print what the page shows."""

from __future__ import annotations

from typing import Any

from tests.page_examples import check_example, examples_of


def test_every_example_prints_what_the_page_shows() -> None:
    names: dict[str, Any] = {}
    examples = examples_of("frameworks.md")
    assert len(examples) == 5
    for code, shown in examples:
        check_example(code, shown, names)
