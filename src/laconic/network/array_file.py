"""Plain arrays in a file: what training needs, made on one machine and read on another."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Self

import numpy as np


@dataclass(frozen=True, slots=True)
class ArrayFile:
    """Arrays by name: a dataclass whose fields are arrays inherits how they are written and read."""

    def save(self, path: Path) -> None:
        """Write the arrays to a compressed `.npz` file, whole or not at all."""
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            np.savez_compressed(file, **{field.name: getattr(self, field.name) for field in fields(self)})
        part.replace(path)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what `save` wrote."""
        with np.load(path, allow_pickle=False) as archive:
            return cls(**{field.name: archive[field.name] for field in fields(cls)})
