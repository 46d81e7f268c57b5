"""Options for budgets and constraints, and what they ask for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Final, cast

import typer

from laconic.errors import LaconicError
from laconic.limits import LimitOptions

_ANY: Final = "any length"

MaxChars = Annotated[int | None, typer.Option("--max-chars", help="Most characters.", show_default=_ANY)]
MaxWords = Annotated[int | None, typer.Option("--max-words", help="Most words.", show_default=_ANY)]
MaxTokens = Annotated[int | None, typer.Option("--max-tokens", help="Most tokens of --tokenizer.", show_default=_ANY)]
MinChars = Annotated[int | None, typer.Option("--min-chars", help="Fewest characters.", show_default=_ANY)]
MinWords = Annotated[int | None, typer.Option("--min-words", help="Fewest words.", show_default=_ANY)]
MinTokens = Annotated[int | None, typer.Option("--min-tokens", help="Fewest tokens.", show_default=_ANY)]
MaxBytes = Annotated[int | None, typer.Option("--max-bytes", help="Most bytes of UTF-8.", show_default=_ANY)]
MaxUtf16 = Annotated[
    int | None, typer.Option("--max-utf16", help="Most units of UTF-16, as some channels count.", show_default=_ANY)
]
MinBytes = Annotated[int | None, typer.Option("--min-bytes", help="Fewest bytes.", show_default=_ANY)]
MinUtf16 = Annotated[int | None, typer.Option("--min-utf16", help="Fewest units of UTF-16.", show_default=_ANY)]
Tokenizer = Annotated[
    str | None, typer.Option("--tokenizer", help="Path of a tokenizer.json, or a name that tiktoken knows.")
]
Rate = Annotated[float | None, typer.Option("--rate", help="Greatest share of the characters.", show_default=_ANY)]
MinRate = Annotated[float | None, typer.Option("--min-rate", help="Least share of the characters.")]
Nearest = Annotated[
    bool, typer.Option("--nearest", help="Where nothing fits, take the shortest there is (or the longest).")
]
Keep = Annotated[list[str] | None, typer.Option("--keep", help="Word or phrase that must stay; may be repeated.")]
Drop = Annotated[list[str] | None, typer.Option("--drop", help="Word or phrase that must go; may be repeated.")]
KeepSpan = Annotated[list[str] | None, typer.Option("--keep-span", help="Characters START:END that must stay.")]
DropSpan = Annotated[list[str] | None, typer.Option("--drop-span", help="Characters START:END that must go.")]
KeepAll = Annotated[
    list[str] | None,
    typer.Option("--keep-all", help="names, numbers, quotes, negations, or an entity type as PERSON: must stay."),
]
DropAll = Annotated[list[str] | None, typer.Option("--drop-all", help="The same: must go.")]
Protect = Annotated[
    str | None, typer.Option("--protect", help="Two markers: what stands between them in a text survives as it is.")
]


def limit_options(
    *, keep_span: Sequence[str] | None = None, drop_span: Sequence[str] | None = None, **given: Any
) -> LimitOptions:
    """The options that were given, as Python takes them."""
    asked = {name: value for name, value in given.items() if not (value is None or value is False or value == [])}
    for name, option, spans in (("keep", "--keep-span", keep_span), ("drop", "--drop-span", drop_span)):
        if spans:
            asked[name] = [*asked.get(name, ()), *(_span(option, each) for each in spans)]
    if "protect" in asked:
        asked["protect"] = asked["protect"].split()
    return cast(LimitOptions, asked)


def _span(option: str, given: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d+):(\d+)", given)
    if match is None:
        raise LaconicError(f"{option} is {given!r}: give the first character and the one after the last, as in 10:25")
    return int(match[1]), int(match[2])
