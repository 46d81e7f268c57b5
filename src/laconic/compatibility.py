"""What a model is compatible with: a record of everything that its training trees depended on.

The record is in the header of every model and in the key of every cache. Tables are identified by a digest of their
content. Code that works with them has a version constant, and a test that fails when the words, lemmas or trees of some
hundred sentences change and the constant does not (tests/test_compatibility.py).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from types import FunctionType, ModuleType
from typing import Any, Final

from laconic.errors import LaconicError
from laconic.parse import lemmas, scheme, sentences, texts, words
from laconic.tree.rules import Tables

#: Incremented when the same tables give other words, lemmas or trees: models must then be trained again.
CODE: Final = 5

#: Entries of the record that do not apply if another parser, such as spaCy, has tokenised and lemmatised the text.
_OF_WORDS: Final = ("tokeniser", "sentences", "lemmas")

#: Entries that models do not depend on, since they read one sentence at a time. Results and caches do depend on them.
_OF_TEXTS: Final = ("sentences",)

#: Constants that affect speed only, not results.
_SPEED: Final = frozenset({"CACHE_CHUNKS", "CACHE_CHARS"})

#: Types whose `repr` is always the same.
_SCALARS: Final = (str, int, float, type(None))


def record(*, own_words: bool = True) -> dict[str, str]:
    """Everything that trees depend on here; without `own_words`, only what applies to the tokens of another parser."""
    whole = _record()
    return whole if own_words else {name: value for name, value in whole.items() if name not in _OF_WORDS}


def of_parses() -> dict[str, str]:
    """What parses depend on, apart from the tree transformation: the cache key of parses."""
    return {name: value for name, value in _record().items() if name in ("scheme", *_OF_WORDS)}


def rules() -> str:
    """The digest of the transformation's rules alone, for the signatures of scores."""
    return _record()["rules"]


def check(found: Mapping[str, str], what: str, remedy: str, *, own_words: bool = True) -> None:
    """Refuse a record that does not match this version of laconic, and name the differences."""
    wanted = record(own_words=own_words)
    differ = [name for name in wanted if name not in _OF_TEXTS and found.get(name) != wanted[name]]
    if differ:
        reasons = "; ".join(f"{name}: {found.get(name, 'unknown')}, here {wanted[name]}" for name in differ)
        raise LaconicError(f"{what} does not fit this version of laconic ({reasons}): {remedy}")


@lru_cache(maxsize=1)
def _record() -> dict[str, str]:
    tables = repr((scheme.LABELS, scheme.TAGS, scheme.ENTITIES)).encode()
    return {
        "scheme": f"{scheme.NAME}+{_digest(tables)}",
        "rules": _digest(Tables().to_bytes()),
        "tokeniser": _digest(_tables_of(words, texts)),
        "sentences": _digest(_tables_of(sentences)),
        "lemmas": _digest(_tables_of(lemmas)),
        "code": str(CODE),
    }


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]


def _tables_of(*modules: ModuleType) -> bytes:
    """The constants of modules, serialised, except those that affect speed only."""
    constants = [
        (module.__name__, name, _plain(value))
        for module in modules
        for name, value in sorted(vars(module).items())
        if name.strip("_").isupper() and name not in _SPEED
    ]
    return repr(constants).encode()


def _plain(value: Any) -> Any:
    """A constant in a form whose `repr` is always the same; frequent types come first, for a quick start."""
    if isinstance(value, _SCALARS):
        return value
    if isinstance(value, Sequence):
        return [_plain(each) for each in value]
    if isinstance(value, re.Pattern):
        return [value.pattern, value.flags]
    if isinstance(value, Set):
        return sorted(map(_plain, value), key=repr)
    if isinstance(value, Mapping):
        return sorted(((_plain(key), _plain(each)) for key, each in value.items()), key=repr)
    if isinstance(value, FunctionType):
        return value.__name__
    raise TypeError(f"cannot digest the constant {value!r}: handle its type here")
