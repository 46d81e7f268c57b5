"""Names of a package that are imported when they are asked for: whoever uses a part needs no more than that part."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def imported_when_asked(package: str, home: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package that has names by the module inside of it that each is from."""

    def find(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{home[name]}"), name)

    return find
