"""The options of each entry point, and their check: for Python functions, spaCy's configuration, or JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from laconic.errors import LaconicError
from laconic.known_names import unknown_name
from laconic.options.define import (
    CompressOptions,
    FitOptions,
    LimitOptions,
    LoadOptions,
    MessageOptions,
    PipeOptions,
    SubtitleOptions,
    TreeOptions,
)
from laconic.options.option import Field, fields

#: The options of each entry point, by its name.
ENTRY_POINTS: Final[Mapping[str, type]] = {
    "compress": CompressOptions,
    "explain": CompressOptions,
    "fit": FitOptions,
    "messages": MessageOptions,
    "subtitles": SubtitleOptions,
    "tree": TreeOptions,
    "load": LoadOptions,
    "spacy": PipeOptions,
}

#: All options by name: an option may have its own error message for entry points that do not take it.
_ALL: Final[Mapping[str, Field]] = {**fields(FitOptions), **fields(LimitOptions), **fields(CompressOptions)}


def options_of(entry_point: str) -> Mapping[str, Field]:
    """The options of an entry point by name, in order."""
    if entry_point not in ENTRY_POINTS:
        raise unknown_name("entry point", entry_point, ENTRY_POINTS)
    return fields(ENTRY_POINTS[entry_point])


def check(entry_point: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options given to an entry point, checked by their definitions and in normalised form.

    None means not given. Unknown options are refused. Whether options go together is checked when they are used.
    """
    known = options_of(entry_point)
    found = {}
    for name, value in given.items():
        if value is not None:
            if name not in known:
                raise _misplaced(entry_point, name)
            found[name] = known[name].check(value)
        elif name not in known and name not in _ALL:
            raise _misplaced(entry_point, name)
    return found


def complete(entry_point: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """All options of an entry point: given ones are checked, others have their defaults."""
    return defaults(entry_point) | check(entry_point, given)


def defaults(entry_point: str) -> dict[str, Any]:
    """The options of an entry point with their defaults."""
    return {name: each.option.default for name, each in options_of(entry_point).items()}


def remote_options(entry_point: str) -> dict[str, Field]:
    """The options that can be given remotely, in JSON."""
    return {name: each for name, each in options_of(entry_point).items() if each.option.remote}


def check_json(entry_point: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The same as `check` for remote options in JSON: only what the schema of the entry point describes."""
    known = remote_options(entry_point)
    found = {}
    for name, value in given.items():
        if name not in known:
            raise _misplaced(entry_point, name, known)
        found[name] = _check_json(known[name], value)
    return check(entry_point, found)


def _check_json(field: Field, value: Any) -> Any:
    """A value converted from JSON; refuses values that are allowed in Python only."""
    option = field.option
    if value is None:
        if option.default is not None:
            raise field.refused(value)
    elif field.many and not isinstance(value, list):
        raise field.refused(value)
    elif option.pattern and not (isinstance(value, str) and re.search(option.pattern, value)):
        raise LaconicError(f"{field.name} is {value!r}: give a name, not a path")
    elif int in field.types and isinstance(value, float) and value.is_integer():
        return int(value)  # JSON has a single number type
    return value


def _misplaced(entry_point: str, name: str, known: Mapping[str, Field] | None = None) -> LaconicError:
    """The error for an option that the entry point does not have."""
    said = _ALL[name].option.instead.get(entry_point) if name in _ALL else None
    return LaconicError(said) if said else unknown_name("option", name, known or options_of(entry_point))
