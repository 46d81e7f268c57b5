"""A graph run by ONNX Runtime."""

from __future__ import annotations

import hashlib
import mmap
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laconic.cores import cores
from laconic.errors import LaconicError

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession


class Session:
    """A graph that is checked and opened in a thread, while the caller does something else."""

    def __init__(self, path: Path, header: Mapping[str, Any], threads: int) -> None:
        """Start to open a graph; its hash must equal that in the header."""
        self._path = path
        self._opened: InferenceSession | Exception | None = None
        self._opening = threading.Thread(target=self._open, args=(header["sha256"], threads))
        self._opening.start()
        # Imported here while the thread computes the hash, which does not hold the interpreter's lock.
        import onnxruntime  # noqa: F401

    def wait(self) -> InferenceSession:
        """The opened graph; refuses an invalid one."""
        self._opening.join()
        if isinstance(self._opened, OSError):
            reason = f"cannot read the network {self._path} ({self._opened.strerror})"
            raise LaconicError(f"{reason}: reinstall laconic") from self._opened
        if isinstance(self._opened, Exception):
            raise LaconicError(damaged(self._path)) from self._opened
        assert self._opened is not None
        return self._opened

    def run(self, outputs: Sequence[str], inputs: Mapping[str, NDArray[Any]]) -> list[NDArray[Any]]:
        """The requested outputs of the graph."""
        found: list[NDArray[Any]] = self.wait().run(outputs, inputs)
        return found

    def _open(self, sha256: str, threads: int) -> None:
        try:
            with self._path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as graph:
                if hashlib.sha256(graph).hexdigest() != sha256:
                    raise ValueError("the hash differs from that in the header")
            self._opened = _open_graph(self._path, threads)
        except Exception as error:  # ONNX Runtime's exceptions have no common class
            self._opened = error


def damaged(path: Path) -> str:
    """The message for a damaged file."""
    return f"the network {path} is damaged: copy it again, or reinstall laconic"


def _open_graph(path: Path, threads: int) -> InferenceSession:
    """Open a graph. ONNX Runtime reads the file itself; of bytes that it is given it keeps a copy."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = min(threads, cores())  # more threads would slow each other down
    options.inter_op_num_threads = 1
    # The graph is optimised as built; higher levels would fuse sums into a normalisation that is several times slower.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.log_severity_level = 3
    available = onnxruntime.get_available_providers()
    providers = [name for name in ("CUDAExecutionProvider", "CPUExecutionProvider") if name in available]
    return onnxruntime.InferenceSession(path, options, providers=providers)
