"""Command-line flags, derived from the definitions of options.

A command takes a group of options as one parameter, `asked: Options`; on the command line, there is a flag for each of
them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar, cast, get_args, get_origin, get_type_hints

import typer

from laconic.errors import LaconicError
from laconic.options import Field, LoadOptions, fields
from laconic.options.option import Flag, Parse

_Command = TypeVar("_Command", bound=Callable[..., None])

#: The attribute of a command with the options of its flags.
_FLAGS: Final = "__flags__"

#: The type of a flag's value: the first of these that is among the types of its option.
_TYPES: Final = (bool, int, float, str, Path)


@dataclass(frozen=True, slots=True)
class Only:
    """Annotates a parameter that is a group of options: the names of those that the command has."""

    names: frozenset[str]

    @classmethod
    def of(cls, *names: str) -> Only:
        """The options with these names."""
        return cls(frozenset(names))


@dataclass(frozen=True, slots=True)
class _Given:
    """A flag: its parameter on the command line, and the option that takes its value."""

    parameter: inspect.Parameter
    field: Field
    parse: Parse | None

    def value(self, given: Any) -> Any:
        """The value for Python; None: not given."""
        if isinstance(given, bool):
            return (not self.field.option.no) if given else None
        if given is None or given == []:
            return None
        if self.parse is None:
            return given
        try:
            return [self.parse(each) for each in given] if isinstance(given, list) else self.parse(given)
        except LaconicError as error:
            raise LaconicError(f"--{self.parameter.name.replace('_', '-')} is {error}") from error


def with_flags(command: _Command) -> _Command:
    """The command with flags in place of each parameter that is a group of options."""
    hints = get_type_hints(command, include_extras=True)
    parameters: list[inspect.Parameter] = []
    groups: dict[str, tuple[type, list[_Given]]] = {}
    for parameter in inspect.signature(command).parameters.values():
        annotation = hints[parameter.name]
        kind, *known = get_args(annotation) if get_origin(annotation) is Annotated else (annotation,)
        if not (isinstance(kind, type) and fields(kind)):
            parameters.append(parameter.replace(annotation=annotation))
            continue
        only = next((each.names for each in known if isinstance(each, Only)), None)
        own = [each for name, field in fields(kind).items() if only is None or name in only for each in _flags(field)]
        groups[parameter.name] = (kind, own)
        parameters += [each.parameter for each in own]

    @wraps(command)
    def run(**given: Any) -> None:
        for name, (kind, own) in groups.items():
            values = _gather(own, given)
            given[name] = kind(**values) if is_dataclass(kind) else values
        command(**given)

    keyword_only = inspect.Parameter.KEYWORD_ONLY
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [each.replace(kind=keyword_only) for each in parameters]
    )
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    flags = {each.parameter.name: each.field for _, own in groups.values() for each in own}
    run.__dict__[_FLAGS] = flags
    return run  # type: ignore[return-value]


def options_of_flags(command: Callable[..., None]) -> Mapping[str, Field]:
    """The options of a command by Typer's parameter names; several may belong to one option."""
    found: Mapping[str, Field] = command.__dict__.get(_FLAGS, {})
    return found


def parser_name(options: LoadOptions) -> str | None:
    """The name of the parser: on the command line, it is never an object."""
    return cast("str | None", options.get("parser"))


def _gather(flags: list[_Given], given: dict[str, Any]) -> dict[str, Any]:
    """Remove the values of flags from `given` and return those of options that were given."""
    found: dict[str, Any] = {}
    for each in flags:
        value = each.value(given.pop(each.parameter.name))
        if value is not None:
            name = each.field.name
            found[name] = [*found[name], *value] if name in found else value
    return found


def _flags(field: Field) -> Iterator[_Given]:
    """The flags of an option; none if its value cannot be written on a command line."""
    kind: Any = list[str] if field.many else next((each for each in _TYPES if each in field.types), None)
    if kind is None:
        return
    option = field.option
    words = option.no or option.help
    default = False if kind is bool else None if field.many else option.default
    default = str(default) if kind is str and default is not None else default
    if field.many and option.parse is None:
        words = f"{words.removesuffix('.')}; may be given again."
    if option.parse is not None:
        kind = str
    name = f"no_{field.name}" if option.no else field.name
    yield _make(name, field.flag, words, kind, option.metavar, default, option.unset, field, option.parse)
    for more in option.flags:
        yield _more(field, more)


def _more(field: Field, flag: Flag) -> _Given:
    name = f"--{flag.name.replace('_', '-')}"
    return _make(flag.name, name, flag.help, list[str], flag.metavar, None, "", field, flag.parse)


def _make(
    name: str,
    flag: str,
    words: str,
    kind: Any,
    metavar: str,
    default: Any,
    unset: str,
    field: Field,
    parse: Parse | None,
) -> _Given:
    """A flag in the form that Typer takes."""
    shown: Mapping[str, Any] = {"show_default": unset} if unset else {}
    taken: Any = kind if default is not None else kind | None
    annotation: Any = Annotated[taken, typer.Option(flag, help=words, metavar=metavar or None, **shown)]
    return _Given(
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation), field, parse
    )
