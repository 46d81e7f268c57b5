"""Where models are: those that come with laconic, by name, and others, by folder.

A folder may have a network, a maximum entropy model, or both; what it lacks is taken from the default model.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from laconic.errors import LaconicError

#: The files of a network, and the file of a maximum entropy model, in a model's folder.
GRAPH_NAME: Final = "network.onnx"
HEADER_NAME: Final = "network.json"
VOCABULARY_NAME: Final = "vocabulary.txt"
MAXENT_NAME: Final = "model.laconic"

#: The parsers by name; any other name is that of a spaCy pipeline.
NETWORK: Final = "network"
SPACY: Final = "spacy"
#: The scorer of the paper; the other one is the network.
MAXENT: Final = "maxent"

#: How the descriptions of networks begin: "laconic-default-1".
NETWORK_PREFIX: Final = "laconic-"

DEFAULT: Final = "default"
NAMES: Final = (DEFAULT, "small")


def model_folder(model: str | Path | None = None) -> Path:
    """The folder of a model: one that comes with laconic by its name, any other by its path (as in `./small`)."""
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
    """Where the network of a model is; the default one's where it has none."""
    folder = model_folder(model)
    return folder if (folder / HEADER_NAME).exists() else model_folder()


def maxent_folder(model: str | Path | None = None) -> Path:
    """Where the maximum entropy model of a model is; the default one's where it has none."""
    folder = model_folder(model)
    return folder if (folder / MAXENT_NAME).exists() else model_folder()
