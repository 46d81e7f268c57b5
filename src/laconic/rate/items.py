"""Items for raters: sentences with the compressions of several systems.

A file of items is JSON Lines, plain or gzipped: `{"id": "17", "sentence": "…", "compressions": [{"system": "topdown",
"k": 1, "text": "…"}, …]}`. `k` is the rank of a compression among its system's results.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

from laconic.decode.choices import MAX_K
from laconic.errors import LaconicError

_FORM: Final = '{"id": "17", "sentence": "…", "compressions": [{"system": "topdown", "k": 1, "text": "…"}, …]}'


class Output(NamedTuple):
    """One compression as printed by a system."""

    system: str
    k: int
    text: str


class Item(NamedTuple):
    """A sentence with all systems' compressions."""

    id: str
    sentence: str
    outputs: tuple[Output, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """The distinct compressions: each is rated once, for all systems that printed it.

        They are sorted alphabetically, since their indices are sent to the browser, and the order of the file would
        reveal the systems.
        """
        return tuple(sorted({output.text for output in self.outputs}))


def read_items(path: Path) -> tuple[Item, ...]:
    """Read the items of a file. White space inside texts is collapsed to single spaces, as on a page."""
    items: list[Item] = []
    lines: dict[str, int] = {}  # line of the first occurrence of each id
    try:
        with _open(path) as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                try:
                    item = _item(json.loads(line))
                    if item.id in lines:
                        raise ValueError(f"the id {item.id!r} is that of line {lines[item.id]} too")
                except (ValueError, RecursionError) as error:
                    raise LaconicError(f"{path}:{number}: {_reason(error)}: a line is {_FORM}, ids differ") from error
                lines[item.id] = number
                items.append(item)
    except UnicodeDecodeError as error:
        raise LaconicError(f"cannot read {path} (no UTF-8): write it as UTF-8, or gzip it as .gz") from error
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise LaconicError(f"cannot read {path} ({reason}): check that the file is there and whole") from error
    if not items:
        raise LaconicError(f"{path} has no items: give a file whose lines are {_FORM}")
    return tuple(items)


def fingerprint(items: Sequence[Item]) -> str:
    """A hash of everything in the items: equal for the same study in any file."""
    return hashlib.sha256(json.dumps(items).encode()).hexdigest()[:16]


def _open(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig")
    return path.open(encoding="utf-8-sig")


def _item(record: Any) -> Item:
    if not isinstance(record, dict):
        raise ValueError("no JSON object")
    compressions = record.get("compressions")
    if not isinstance(compressions, list) or not compressions:
        raise ValueError("no list of compressions")
    outputs: list[Output] = []
    for each in compressions:
        if not isinstance(each, dict):
            raise ValueError("a compression that is no JSON object")
        k = each.get("k")
        if type(k) is not int or not 1 <= k <= MAX_K:
            raise ValueError(f"a compression whose k is no number from 1 to {MAX_K:,}")
        output = Output(_text(each, "system"), k, _text(each, "text"))
        if any((output.system, k) == (other.system, other.k) for other in outputs):
            raise ValueError(f"two compressions of the system {output.system!r} with k {k}")
        outputs.append(output)
    return Item(_text(record, "id"), _text(record, "sentence"), tuple(outputs))


def _text(record: dict[str, Any], name: str) -> str:
    value = record.get(name)
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"no text for {name!r}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"a lone surrogate in {name!r}") from None
    return " ".join(value.split())


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"no JSON ({error.msg}, column {error.colno})"
    return "nested too deep" if isinstance(error, RecursionError) else str(error)
