"""The settings of the component: defaults, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, cast

from laconic.compressor import MAXENT, Options, check_options
from laconic.decode import Method
from laconic.errors import LaconicError
from laconic.model_folders import NAMES, NETWORK

#: The settings of the component, each with its default; a config may name these.
DEFAULTS: Final[dict[str, Any]] = {
    "model": None,
    "scorer": None,
    "k": 1,
    "max_chars": None,
    "max_words": None,
    "max_tokens": None,
    "max_bytes": None,
    "max_utf16": None,
    "min_chars": None,
    "min_words": None,
    "min_tokens": None,
    "min_bytes": None,
    "min_utf16": None,
    "tokenizer": None,
    "rate": None,
    "min_rate": None,
    "nearest": False,
    "keep": [],
    "drop": [],
    "keep_all": [],
    "drop_all": [],
    "level": None,
    "guard": True,
    "method": "topdown",
    "rho": None,
    "order": None,
    "resolve_pronouns": False,
    "explain": False,
    "each_sentence": False,
    "language": None,
}

#: Settings that are not options of a compression.
_OWN: Final = ("model", "scorer", "k")

#: The only option that a document cannot have; it is known so that it can be refused with the remedy.
PROTECT: Final = "protect"


def check_settings(given: dict[str, Any]) -> dict[str, Any]:
    """All settings, as plain data; bad ones are refused."""
    if given.get(PROTECT) is not None:
        raise LaconicError(
            "protect takes markers out of a text, and the text of a Doc stays as it is: leave it out, and give the "
            "words to keep"
        )
    settings = {name: value for name, value in given.items() if value is not None and name != PROTECT}
    for name, default in DEFAULTS.items():
        if isinstance(default, bool) and not isinstance(settings.get(name, default), bool):
            raise LaconicError(f"{name} is {settings[name]!r}: give true or false")
        if isinstance(default, list) and name in settings:
            settings[name] = _check_list(name, settings[name])
        if name in ("level", "method", "order", "language") and name in settings:
            settings[name] = str(settings[name])
    settings = {**DEFAULTS, **settings}
    settings["model"] = _check_model(settings["model"])
    if settings["scorer"] not in (None, NETWORK, MAXENT):
        raise LaconicError(f"unknown scorer {settings['scorer']!r}: use {NETWORK} or {MAXENT}")
    options = options_of(settings)
    tokenizer = settings["tokenizer"]
    if tokenizer is not None:
        if not isinstance(tokenizer, str | Path):
            raise LaconicError(
                f"tokenizer is {tokenizer!r}: a pipeline takes the path of a tokenizer.json, or a name like o200k_base"
            )
        settings["tokenizer"] = str(tokenizer)
        if is_file(settings["tokenizer"]):
            options["tokenizer"] = len  # the file may be among those that are still to be read
    method, _ = check_options(settings["k"], **options)
    if method is not Method.TOPDOWN and settings["scorer"] == NETWORK:
        raise LaconicError(f"the method {method} scores with maxent: leave out scorer='network', or use topdown")
    return settings


def _check_list(name: str, value: Any) -> list[Any]:
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list | tuple):
        given = "words, phrases or spans" if name in ("keep", "drop") else "kinds of words"
        raise LaconicError(f"{name} is {value!r}: give a list of {given}")
    return [list(each) if isinstance(each, tuple) else each for each in value]


def _check_model(model: Any) -> str | None:
    """A model's name or path; a name is one of laconic's own, for a folder may be gone when a pipeline is loaded."""
    if isinstance(model, Path):
        return str(model.absolute())
    if model is not None and not isinstance(model, str):
        raise LaconicError(f"model is {model!r}: use one of {', '.join(NAMES)}, or the path of a model's folder")
    if model is not None and model not in NAMES and Path(model).name == model:
        raise LaconicError(
            f"unknown model {model!r}: use one of {', '.join(NAMES)}, or write the path of a folder as './{model}'"
        )
    return model


def options_of(settings: dict[str, Any]) -> Options:
    """The options of a compression among the settings."""
    return cast(Options, {name: value for name, value in settings.items() if name not in _OWN})


def is_file(tokenizer: str) -> bool:
    """Whether it is a path, not a name."""
    return tokenizer.endswith(".json") or Path(tokenizer).name != tokenizer
