"""Store finished parts of a long run on disk, so that an interrupted run can be resumed."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.progress import Log, ignore


class Parts:
    """A folder of parts. A part is computed once, written atomically, and read from disk from then on."""

    def __init__(self, folder: Path, log: Log = ignore) -> None:
        self.folder = folder
        self._log = log
        folder.mkdir(parents=True, exist_ok=True)

    def arrays(self, name: str, make: Callable[[], dict[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
        """The arrays of that name; computed if they are not stored or cannot be read."""
        path = self.folder / f"{name}.npz"
        try:
            with np.load(path, allow_pickle=False) as file:
                found = {key: file[key] for key in file.files}
        except (OSError, ValueError, EOFError, zipfile.BadZipFile):
            found = make()
            part = path.with_suffix(f".{os.getpid()}.part")
            with part.open("wb") as stream:
                np.savez(stream, allow_pickle=False, **found)
            part.replace(path)
        else:
            self._log(f"{name}: already done, read from {path}")
        return found

    def data(self, name: str, make: Callable[[], Any]) -> Any:
        """The JSON data of that name; computed if it is not stored or cannot be read."""
        path = self.folder / f"{name}.json"
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            found = json.loads(json.dumps(make()))  # as if read from disk: tuples become lists
            part = path.with_suffix(f".{os.getpid()}.part")
            part.write_text(json.dumps(found), encoding="utf-8")
            part.replace(path)
        else:
            self._log(f"{name}: already done, read from {path}")
        return found
