"""Folders of models: those that come with laconic are found by name, others by path.

A folder may have a network, a maximum entropy model, or both. What it lacks is taken from the default model.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from laconic.errors import LaconicError

#: The files of a network, and the file of a maximum entropy model, in the folder of a model.
GRAPH_NAME: Final = "network.onnx"
HEADER_NAME: Final = "network.json"
VOCABULARY_NAME: Final = "vocabulary.txt"
MAXENT_NAME: Final = "model.laconic"

#: The names of parsers; any other name is the name of a spaCy pipeline.
NETWORK: Final = "network"
SPACY: Final = "spacy"
#: The paper's scorer; the other scorer is the network.
MAXENT: Final = "maxent"

#: The prefix of the descriptions of networks: "laconic-default-1".
NETWORK_PREFIX: Final = "laconic-"

DEFAULT: Final = "default"
NAMES: Final = (DEFAULT, "small")


def model_folder(model: str | Path | None = None) -> Path:
    """The folder of a model: by name if it comes with laconic, else by path (`./small` for a folder of that name)."""
    if model is None or (isinstance(model, str) and model in NAMES):
        return Path(__file__).with_name("models") / (model or DEFAULT)
    if not isinstance(model, str | Path):
        raise LaconicError(f"model is {model!r}: use one of {', '.join(NAMES)}, or the path of a model's folder")
    path = Path(model)
    if path.name == MAXENT_NAME and path.is_file():
        return path.parent
    if not any((path / file).exists() for file in (HEADER_NAME, MAXENT_NAME)):
        raise LaconicError(
            f"there is no model at {path}: give the folder that `laconic train` or `laconic train-network` "
            f"wrote, or one of {', '.join(NAMES)}, or leave the model out"
        )
    return path


def network_folder(model: str | Path | None = None) -> Path:
    """The folder of a model's network; the default model's if it has none."""
    folder = model_folder(model)
    return folder if (folder / HEADER_NAME).exists() else model_folder()


def maxent_folder(model: str | Path | None = None) -> Path:
    """The folder of a model's maximum entropy model; the default model's if it has none."""
    folder = model_folder(model)
    return folder if (folder / MAXENT_NAME).exists() else model_folder()
