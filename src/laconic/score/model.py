"""The model file: a small JSON header and the classifiers' weight tables, memory-mapped.

    bytes 0–7    the letters LACONIC and a zero
    bytes 8–11   length of the header
    header       JSON, padded with spaces to a multiple of 64 bytes
    arrays       one after another, each at a multiple of 64 bytes

The header says what the model was trained on, how good it is, and which annotation scheme, tree rules and feature
templates it fits. A model that does not fit the program is refused, and so is one whose arrays have changed since they
were written.
"""

from __future__ import annotations

import hashlib
import json
import mmap
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic import _core, compatibility
from laconic.errors import LaconicError
from laconic.model_folders import MAXENT_NAME, NETWORK, NETWORK_PREFIX, SPACY

MAGIC: Final = b"LACONIC\0"
FORMAT_VERSION: Final = 3
_ALIGN: Final = 64
_CLASSES: Final = 5


@dataclass(frozen=True, slots=True)
class Model:
    """The classifiers and their settings; `core` is the object that the native code reads."""

    header: dict[str, Any]
    core: _core.Model
    arrays: dict[str, NDArray[np.uint16]]  # the weight tables

    @property
    def rho(self) -> float:
        """The threshold between retaining and deleting, tuned on development data (paper §2.3)."""
        return float(self.header["rho"])

    @property
    def parser(self) -> str:
        """The parser that the model was trained with: `network` or `spacy`."""
        return NETWORK if behind_network(self.header) else SPACY

    @property
    def beam(self) -> int:
        """Beam width of the node subset scorer, tuned on development data (paper §3)."""
        return int(self.header["beam"])

    @property
    def objective(self) -> str:
        """The objective of the decoder (`laconic.decode.Objective`)."""
        return str(self.header.get("objective", "mean"))

    @property
    def order(self) -> str:
        """The order of the best results (`laconic.decode.Order`)."""
        return str(self.header.get("order", "score"))

    @property
    def temperature(self) -> float:
        """The temperature of the candidates' distribution in the order by expected F1; not that of the subset sizes."""
        return float(self.header.get("order_temperature", 1.0))

    @property
    def candidates(self) -> int:
        """The number of best results that are reordered by expected F1."""
        return int(self.header.get("order_candidates", 64))

    @classmethod
    def make(cls, header: dict[str, Any], arrays: dict[str, NDArray[np.uint16]]) -> Model:
        """A model from its header and weight tables."""
        core = _core.Model(
            maxent=arrays["maxent"],
            maxent_scale=header["maxent_scale"],
            nss=arrays["nss"],
            nss_scale=header["nss_scale"],
            ilp=arrays["ilp"],
            ilp_scale=header["ilp_scale"],
            temperature=header["temperature"],
            size_weight=header["size_weight"],
        )
        return cls(header, core, arrays)

    def __reduce__(self) -> tuple[Any, ...]:
        # The core's tables are views of the arrays, so the arrays are pickled.
        return Model.make, (self.header, {name: np.array(array) for name, array in self.arrays.items()})

    @classmethod
    def load(cls, path: Path) -> Model:
        """Open a model file, or the model file in a folder."""
        file = path / MAXENT_NAME if path.is_dir() else path
        try:
            with file.open("rb") as stream:
                data = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        except FileNotFoundError:
            raise LaconicError(
                f"there is no model at {path}: give the folder that `laconic train` wrote, or leave the model "
                "out to use the one that comes with laconic"
            ) from None
        except (OSError, ValueError) as error:
            raise LaconicError(f"cannot open the model {file} ({error}): check the path") from error
        return cls._read(file, data)

    @classmethod
    def _read(cls, file: Path, data: mmap.mmap) -> Model:
        damaged = f"the model {file} is damaged or no laconic model: copy it again, or reinstall laconic"
        try:
            if data[:8] != MAGIC:
                raise LaconicError(damaged)
            size = int.from_bytes(data[8:12], "little")
            header = json.loads(data[12 : 12 + size])
            _check_fit(file, header)
            arrays = {
                name: np.frombuffer(data, dtype=entry["dtype"], count=entry["size"], offset=entry["offset"])
                for name, entry in header["arrays"].items()
            }
            if header.pop("sha256") != _digest(header, arrays):
                raise LaconicError(damaged)
            return cls.make(header, arrays)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, LaconicError):
                raise
            raise LaconicError(damaged) from error


def write_model(path: Path, header: dict[str, Any], arrays: dict[str, NDArray[np.uint16]]) -> None:
    """Write a model file; fields that the reader checks are added to the header."""
    header = {
        "format": FORMAT_VERSION,
        "language": "en",
        "compatibility": compatibility.record(own_words=behind_network(header)),
        "features": _core.FEATURES_VERSION,
        **header,
    }
    # Offsets are part of the header, whose length they depend on: reserve space for the longest.
    room = -(-(12 + len(json.dumps(header)) + 200 * (1 + len(arrays))) // _ALIGN) * _ALIGN
    entries: dict[str, Any] = {}
    offset = room
    for name, array in arrays.items():
        entries[name] = {"dtype": array.dtype.str, "size": array.size, "offset": offset}
        offset += -(-array.nbytes // _ALIGN) * _ALIGN
    header["arrays"] = entries
    text = json.dumps({**header, "sha256": _digest(header, arrays)}).encode().ljust(room - 12)
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        file.write(MAGIC + len(text).to_bytes(4, "little") + text)
        for array in arrays.values():
            file.write(array.tobytes().ljust(-(-array.nbytes // _ALIGN) * _ALIGN, b"\0"))
    part.replace(path)


def make_table(
    ids: NDArray[np.uint32], weights: NDArray[np.float64], *, fill: float = 0.8
) -> tuple[NDArray[np.uint16], float]:
    """Pack weights (features × columns) into a table of the native core; returns its slots and its scale.

    `fill` is the maximum share of used slots: a lower one makes lookups faster and the table larger.
    """
    columns = weights.shape[1]
    scale = float(np.abs(weights).max(initial=1e-9)) / 32767
    numbers = np.rint(weights / scale).astype(np.int16)
    used = (numbers != 0).any(axis=1)
    ids, numbers = np.ascontiguousarray(ids[used]), np.ascontiguousarray(numbers[used]).reshape(-1)
    for bits in range(8, 22):
        if (1 << bits) * fill >= len(ids):
            slots = _core.fill_table(ids, numbers, columns, bits)
            if slots is not None:
                return slots, scale
    raise LaconicError(
        f"{len(ids):,} features are too many for one table: leave out features below a higher frequency or weight"
    )


def _check_fit(file: Path, header: dict[str, Any]) -> None:
    remedy = "train it again with `laconic train`, or use the laconic that it was made with"
    for name, value in {"format": FORMAT_VERSION, "features": _core.FEATURES_VERSION}.items():
        if header[name] != value:
            raise LaconicError(
                f"the model {file} does not fit this version of laconic ({name} {header[name]}, not {value}): {remedy}"
            )
    own_words = behind_network(header)
    compatibility.check(header["compatibility"], f"the model {file}", remedy, own_words=own_words)


def behind_network(header: dict[str, Any]) -> bool:
    """Whether a model was trained with a network as the parser, so that laconic's own tokeniser made its words."""
    return str(header["training"]["parser"]).startswith(NETWORK_PREFIX)


def _digest(header: dict[str, Any], arrays: dict[str, NDArray[np.uint16]]) -> str:
    """The digest of the header, without the digest itself, and of the arrays."""
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name in sorted(arrays):
        digest.update(np.ascontiguousarray(arrays[name]).data)
    return digest.hexdigest()
