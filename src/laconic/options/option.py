"""What an option is: a field of a class, whose annotation has its type and all else that is to be known of it."""

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

#: What a flag of the command line turns a string into.
Parse: TypeAlias = Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Flag:
    """Another flag of the command line for the same option, with values of another form."""

    name: str
    help: str
    metavar: str
    parse: Parse


@dataclass(frozen=True, slots=True)
class Option:
    """What is to be known of an option besides its name and its type.

    It stands in the annotation of a field, `max_chars: Annotated[int | None, Option("Most characters.", least=1)]`, and
    keywords, flags, settings of spaCy, JSON Schema and the tables of the documentation are made of that.
    """

    #: A sentence for all who give the option; it names no flags.
    help: str
    #: What the tables of the documentation say besides, in Markdown.
    more: str = field(default="", kw_only=True)
    #: Of a dataclass, it is that of the field itself.
    default: Any = field(default=None, kw_only=True)
    #: What holds where the default is None.
    unset: str = field(default="", kw_only=True)
    #: Bounds of a number; it has to be `above` one, or at `least` one, and at `most` the other.
    least: float | None = field(default=None, kw_only=True)
    above: float | None = field(default=None, kw_only=True)
    most: float | None = field(default=None, kw_only=True)
    #: What to do about a bad value: "give a whole number of characters, 1 or more".
    remedy: str = field(default="", kw_only=True)
    #: The values that it, or an element of its list, may have, if these are not an enumeration already.
    among: Sequence[str] = field(default=(), kw_only=True)
    #: Values that it had in earlier versions, and what is taken in their place, with a warning.
    formerly: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    #: The length of a list, if it is fixed.
    size: int | None = field(default=None, kw_only=True)
    #: Called with the name and the value: returns the value in the form that is used, or raises. Without it, the type
    #: and the bounds are checked.
    check: Callable[[str, Any], Any] | None = field(default=None, kw_only=True)
    #: Whether it can be given from elsewhere, in JSON; and what a text must look like there (a regular expression).
    remote: bool = field(default=True, kw_only=True)
    pattern: str = field(default="", kw_only=True)
    #: The flag of the command line, where it is not the name; the name of its value in the help; what reads that value.
    flag: str = field(default="", kw_only=True)
    metavar: str = field(default="", kw_only=True)
    parse: Parse | None = field(default=None, kw_only=True)
    flags: tuple[Flag, ...] = field(default=(), kw_only=True)
    #: Of an option that is true by default: the help of the flag that turns it off (`--no-guard`).
    no: str = field(default="", kw_only=True)
    #: By entry point (a name of `ENTRY_POINTS`) that does not take the option, though users may expect it: what the
    #: error says to do instead.
    instead: Mapping[str, str] = field(default_factory=dict, kw_only=True)


@dataclass(frozen=True, slots=True)
class Field:
    """An option with its name and its type."""

    name: str
    type: Any  # as it is annotated, without what is to be known besides
    option: Option

    @property
    def types(self) -> tuple[Any, ...]:
        """The types of its values, besides None."""
        union = get_origin(self.type) in (Union, types.UnionType)
        return tuple(each for each in (get_args(self.type) if union else (self.type,)) if each is not types.NoneType)

    @property
    def choices(self) -> tuple[str, ...]:
        """The values it may have, where these have names."""
        named = next((tuple(each) for each in self.types if isinstance(each, type) and issubclass(each, StrEnum)), ())
        return named or (() if self.many else tuple(self.option.among))

    @property
    def many(self) -> bool:
        """Whether its value is a list."""
        return any(get_origin(each) is Sequence for each in self.types)

    @property
    def flag(self) -> str:
        """The flag of the command line."""
        if self.option.flag:
            return self.option.flag
        return f"--{'no-' if self.option.no else ''}{self.name.replace('_', '-')}"

    def check(self, value: Any) -> Any:
        """The value in the form that is used; a bad one is refused."""
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
        """The error of a bad value."""
        return LaconicError(f"{self.name} is {value!r}: {self.option.remedy or self._remedy}")

    @property
    def _remedy(self) -> str:
        """What to do, where the definition does not say it."""
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
            message = f"the {self.name} {value} is no more, and will be refused: {instead} is taken in its place"
            warnings.warn(DeprecatedWarning(message), stacklevel=2)
            value = instead
        if value not in self.choices:
            remedy = self.option.remedy or f"use one of {', '.join(self.choices)}"
            raise LaconicError(f"unknown {self.name} {value!r}: {remedy}")
        return self.choices[self.choices.index(value)]  # of an enumeration, where it is one

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
    """The options that a class has, by name, in their order; other fields of it are none."""
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
    """Refuse bad values of the options of a dataclass."""
    for name, each in fields(settings.__class__).items():
        each.check(getattr(settings, name))
