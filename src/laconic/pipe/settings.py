"""The settings of the component: defaults and checks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast

from laconic.asked import check_options
from laconic.decode import Method
from laconic.errors import LaconicError
from laconic.model_folders import NAMES, NETWORK
from laconic.options import Options, complete, defaults

#: Settings that are not compression options.
_OWN: Final = ("model", "scorer", "k")


def check_settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """All settings as plain data; refuses invalid ones."""
    tokenizer = given.get("tokenizer")
    if not isinstance(tokenizer, str | Path | None):
        raise LaconicError(
            f"tokenizer is {tokenizer!r}: a pipeline takes the path of a tokenizer.json, or a name like o200k_base"
        )
    settings = {name: _plain(value) for name, value in complete("spacy", given).items()}
    settings["model"] = _check_model(given.get("model"))
    options = options_of(settings)
    if tokenizer is not None and is_file(str(tokenizer)):
        options["tokenizer"] = len  # a placeholder: the file may not have been loaded yet
    asked, _ = check_options(settings["k"], **options)
    if asked["method"] is not Method.TOPDOWN and settings["scorer"] == NETWORK:
        raise LaconicError(
            f"the method {asked['method']} scores with maxent: leave out scorer='network', or use topdown"
        )
    return settings


def _plain(value: Any) -> Any:
    """A value in the form of a config."""
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return str(value) if isinstance(value, str | Path) else value


#: The settings of the component with their defaults; a config may contain these.
DEFAULTS: Final[dict[str, Any]] = {name: _plain(value) for name, value in defaults("spacy").items()}


def _check_model(model: str | Path | None) -> str | None:
    """Check a model's name or path. A name must be one of laconic's own, as a folder may not exist when loading."""
    if isinstance(model, Path):
        return str(model.absolute())
    if model is not None and model not in NAMES and Path(model).name == model:
        raise LaconicError(
            f"unknown model {model!r}: use one of {', '.join(NAMES)}, or write the path of a folder as './{model}'"
        )
    return model


def options_of(settings: dict[str, Any]) -> Options:
    """The compression options among the settings."""
    return cast(Options, {name: value for name, value in settings.items() if name not in _OWN})


def is_file(tokenizer: str) -> bool:
    """Whether it is a path rather than a name."""
    return tokenizer.endswith(".json") or Path(tokenizer).name != tokenizer
