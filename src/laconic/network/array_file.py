"""Files of named arrays: training data that is made on one machine and read on another."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Self

import numpy as np


@dataclass(frozen=True, slots=True)
class ArrayFile:
    """A dataclass whose fields are arrays; it inherits methods to write and read them."""

    def save(self, path: Path) -> None:
        """Write the arrays to a compressed `.npz` file, atomically."""
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            np.savez_compressed(file, **{field.name: getattr(self, field.name) for field in fields(self)})
        part.replace(path)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a file written by `save`."""
        with np.load(path, allow_pickle=False) as archive:
            return cls(**{field.name: archive[field.name] for field in fields(cls)})
