"""Options as JSON Schema: for HTTP, tools of language models, and forms."""

from __future__ import annotations

from typing import Any, Final, get_args

from laconic.options.entry_points import remote_options
from laconic.options.option import Field

_NAMES: Final = {bool: "boolean", int: "integer", float: "number", str: "string"}


def json_schema(entry_point: str) -> dict[str, Any]:
    """The options of an entry point as the JSON Schema (2020-12) of an object, all of whose fields are optional.

    Each has its type, default, bounds, choices and a description. Values that match it are accepted by `check_json`.
    """
    known = remote_options(entry_point)
    return {
        "type": "object",
        "properties": {name: field_schema(each) for name, each in known.items()},
        "additionalProperties": False,
    }


def field_schema(field: Field) -> dict[str, Any]:
    """The JSON Schema of one option."""
    option = field.option
    described: dict[str, Any] = {"description": _description(field)}
    kinds: list[str] = ["array"] if field.many else [_NAMES[each] for each in field.types if each in _NAMES]
    nullable = option.default is None
    if field.choices:
        described |= {"enum": [*map(str, field.choices), *([None] if nullable else [])]}
    else:
        kinds += ["null"] if nullable else []
        described["type"] = kinds if len(kinds) > 1 else kinds[0]
    if field.many:
        described["items"] = _items(field)
        if option.size is not None:
            described |= {"minItems": option.size, "maxItems": option.size, "uniqueItems": True}
    bounds = {"minimum": option.least, "exclusiveMinimum": option.above, "maximum": option.most}
    described |= {name: bound for name, bound in bounds.items() if bound is not None}
    if option.pattern:
        described["pattern"] = option.pattern
    described["default"] = _plain(option.default)
    return described


def _plain(value: Any) -> Any:
    """A default as plain JSON data."""
    return str(value) if isinstance(value, str) else list(value) if isinstance(value, tuple) else value


def _description(field: Field) -> str:
    unset = f" Default: {field.option.unset}." if field.option.unset else ""
    return field.option.help + unset


def _items(field: Field) -> dict[str, Any]:
    """The schema of a list's elements."""
    if field.option.among:
        return {"enum": list(field.option.among)}
    (kind,) = next(get_args(each) for each in field.types if get_args(each))
    word = {"type": "string", "pattern": r"\S"}
    if kind is str:
        return word
    span = {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 2, "maxItems": 2}
    return {"anyOf": [word, span]}
