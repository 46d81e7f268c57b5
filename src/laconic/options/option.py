"""The definition of an option: a field of a class, whose annotation has its type and everything else."""

from __future__ import annotations

import dataclasses
import types
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Final, TypeAlias, Union, get_args, get_origin, get_type_hints

import numpy as np

from laconic.errors import DeprecatedWarning, LaconicError

#: A function that parses a string from the command line.
Parse: TypeAlias = Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Flag:
    """An additional flag of the command line for the same option, with values in another form."""

    name: str
    help: str
    metavar: str
    parse: Parse


@dataclass(frozen=True, slots=True)
class Option:
    """The definition of an option apart from its name and type.

    It annotates a field: `max_chars: Annotated[int | None, Option("Most characters.", least=1)]`. Keywords, flags,
    settings of spaCy, JSON Schema and the tables of the documentation are derived from it.
    """

    #: A help sentence for all interfaces; it names no flags.
    help: str
    #: Additional text for the tables of the documentation, in Markdown.
    more: str = field(default="", kw_only=True)
    #: The default; for fields of a dataclass, that of the field is used.
    default: Any = field(default=None, kw_only=True)
    #: What applies if the value is None, for the documentation.
    unset: str = field(default="", kw_only=True)
    #: Bounds of a number: `above` is exclusive, `least` and `most` are inclusive.
    least: float | None = field(default=None, kw_only=True)
    above: float | None = field(default=None, kw_only=True)
    most: float | None = field(default=None, kw_only=True)
    #: The remedy for invalid values: "give a whole number of characters, 1 or more".
    remedy: str = field(default="", kw_only=True)
    #: The allowed values of the option or of its elements, if they are not an enumeration.
    among: Sequence[str] = field(default=(), kw_only=True)
    #: Deprecated values, and the values that replace them, with a warning.
    formerly: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    #: The length of a list, if fixed.
    size: int | None = field(default=None, kw_only=True)
    #: Called with name and value; returns the normalised value or raises. By default, type and bounds are checked.
    check: Callable[[str, Any], Any] | None = field(default=None, kw_only=True)
    #: Whether it can be given remotely, in JSON; below, a regular expression that texts must match there.
    remote: bool = field(default=True, kw_only=True)
    pattern: str = field(default="", kw_only=True)
    #: The flag on the command line, if not the name; below, the name of its value in the help, and the parser of the
    #: value.
    flag: str = field(default="", kw_only=True)
    metavar: str = field(default="", kw_only=True)
    parse: Parse | None = field(default=None, kw_only=True)
    flags: tuple[Flag, ...] = field(default=(), kw_only=True)
    #: For an option that is true by default: the help of the flag that turns it off (`--no-guard`).
    no: str = field(default="", kw_only=True)
    #: By entry point (a name of `ENTRY_POINTS`) that does not take the option though users may expect it: the error
    #: message with what to do instead.
    instead: Mapping[str, str] = field(default_factory=dict, kw_only=True)


@dataclass(frozen=True, slots=True)
class Field:
    """An option with its name and type."""

    name: str
    type: Any  # the annotated type, without the `Option`
    option: Option

    @property
    def types(self) -> tuple[Any, ...]:
        """The types of its values, without None."""
        union = get_origin(self.type) in (Union, types.UnionType)
        return tuple(each for each in (get_args(self.type) if union else (self.type,)) if each is not types.NoneType)

    @property
    def choices(self) -> tuple[str, ...]:
        """The allowed values, if they have names."""
        named = next((tuple(each) for each in self.types if isinstance(each, type) and issubclass(each, StrEnum)), ())
        return named or (() if self.many else tuple(self.option.among))

    @property
    def many(self) -> bool:
        """Whether its value is a list."""
        return any(get_origin(each) is Sequence for each in self.types)

    @property
    def flag(self) -> str:
        """The flag on the command line."""
        if self.option.flag:
            return self.option.flag
        return f"--{'no-' if self.option.no else ''}{self.name.replace('_', '-')}"

    def check(self, value: Any) -> Any:
        """The normalised value; refuses an invalid one."""
        if value is None and self.option.default is None:
            return None
        if self.option.check is not None:
            return self.option.check(self.name, value)
        if self.choices:
            return self._check_choice(value)
        if self.many:
            return self._check_list(value)
        for kind, check in _CHECKS.items():
            if kind in self.types:
                return check(self, value)
        if not any(isinstance(value, each) for each in self.types if isinstance(each, type)):
            raise self.refused(value)
        return value

    def refused(self, value: Any) -> LaconicError:
        """The error for an invalid value."""
        return LaconicError(f"{self.name} is {value!r}: {self.option.remedy or self._remedy}")

    @property
    def _remedy(self) -> str:
        """The default remedy, if the definition has none."""
        option = self.option
        if bool in self.types:
            return "give true or false"
        if self.many:
            return "give a list"
        if int not in self.types and float not in self.types:
            return "give a text"
        if option.least is not None and option.most is not None:
            return f"give a number from {option.least:g} to {option.most:g}"
        number = "a whole number" if int in self.types else "a number"
        return f"give {number}" if option.least is None else f"give {number}, {option.least:g} or more"

    def _check_choice(self, value: Any) -> str:
        if isinstance(value, str) and (instead := self.option.formerly.get(value)):
            message = f"the {self.name} {value} is deprecated and will be refused: {instead} is used instead"
            warnings.warn(DeprecatedWarning(message), stacklevel=2)
            value = instead
        if value not in self.choices:
            remedy = self.option.remedy or f"use one of {', '.join(self.choices)}"
            raise LaconicError(f"unknown {self.name} {value!r}: {remedy}")
        return self.choices[self.choices.index(value)]  # the enumeration member, if it is one

    def _check_list(self, value: Any) -> list[Any]:
        if isinstance(value, str):
            return [value]
        if not isinstance(value, Iterable) or isinstance(value, Mapping | bytes):
            raise self.refused(value)
        return list(value)

    def _check_bool(self, value: Any) -> bool:
        if not isinstance(value, bool | np.bool_):
            raise self.refused(value)
        return bool(value)

    def _check_int(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or not self._within(value):
            raise self.refused(value)
        return int(value)

    def _check_float(self, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not self._within(value):
            raise self.refused(value)
        return float(value)

    def _within(self, value: Any) -> bool:
        """Whether a number is within the bounds."""
        option = self.option
        return bool(
            (option.least is None or value >= option.least)
            and (option.above is None or value > option.above)
            and (option.most is None or value <= option.most)
        )


_CHECKS: Final[dict[type, Callable[[Field, Any], Any]]] = {
    bool: Field._check_bool,
    int: Field._check_int,
    float: Field._check_float,
}


@cache
def fields(kind: type[Any]) -> Mapping[str, Field]:
    """The options among the fields of a class, by name, in order."""
    return types.MappingProxyType({each.name: each for each in _fields(kind)})


def _fields(kind: type) -> Iterator[Field]:
    of_class = {each.name: each.default for each in dataclasses.fields(kind)} if is_dataclass(kind) else {}
    for name, annotation in get_type_hints(kind, include_extras=True).items():
        if get_origin(annotation) is Annotated:
            own, *known = get_args(annotation)
            for each in known:
                if isinstance(each, Option):
                    yield Field(name, own, replace(each, default=of_class[name]) if name in of_class else each)


def check_fields(settings: Any) -> None:
    """Refuse invalid values of the options of a dataclass."""
    for name, each in fields(settings.__class__).items():
        each.check(getattr(settings, name))
