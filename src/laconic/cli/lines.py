"""Texts from standard input and files, one a line, in batches that never wait for a line that is not there yet."""

from __future__ import annotations

import os
import queue
import stat
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Final

from laconic.errors import LaconicError

_END: Final = None
#: Lines read ahead of the compressor, at most.
_AHEAD: Final = 512


def read_batches(stream: BinaryIO, size: int, on_bytes: Callable[[int], None]) -> Iterator[list[str]]:
    """Batches of lines, as many as are there, up to `size`. Bytes that are no UTF-8 become replacement characters.

    A thread reads ahead, so that a slow writer's lines are compressed as they come and a fast one's in full batches.
    """
    lines: queue.Queue[bytes | BaseException | None] = queue.Queue(_AHEAD)

    def read() -> None:
        try:
            for line in stream:
                lines.put(line)
            lines.put(_END)
        except BaseException as error:
            lines.put(error)

    threading.Thread(target=read, daemon=True).start()
    first = True
    done = False
    while not done:
        batch: list[str] = []
        line = lines.get()
        while True:
            if isinstance(line, BaseException):
                raise line
            if line is _END:
                done = True
                break
            on_bytes(len(line))
            text = line.decode("utf-8", "replace").removesuffix("\n").removesuffix("\r")
            batch.append(text.removeprefix("\ufeff") if first else text)
            first = False
            if len(batch) == size:
                break
            try:
                line = lines.get_nowait()
            except queue.Empty:
                break
        if batch:
            yield batch


def open_inputs(files: Sequence[Path]) -> Iterator[BinaryIO]:
    """The files, one after another; standard input when there is none, or for the name `-`."""
    for path in files or [Path("-")]:
        if str(path) == "-":
            yield sys.stdin.buffer
            continue
        try:
            with path.open("rb") as stream:
                yield stream
        except OSError as error:
            raise LaconicError(f"cannot read {path} ({error.strerror}): check the path") from error


def total_bytes(files: Sequence[Path]) -> int | None:
    """How much there is to read, where that is known beforehand."""
    try:
        states = [os.fstat(sys.stdin.fileno()) if str(path) == "-" else path.stat() for path in files or [Path("-")]]
    except (OSError, ValueError):
        return None
    return sum(state.st_size for state in states) if all(stat.S_ISREG(state.st_mode) for state in states) else None
