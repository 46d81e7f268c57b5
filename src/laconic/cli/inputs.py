"""Read texts from standard input and files, one a line, in batches that never wait for lines that have not arrived."""

from __future__ import annotations

import os
import queue
import stat
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from laconic.errors import LaconicError
from laconic.progress import Advance

#: The number of bytes per read, and the number of blocks that are read ahead, which bounds the memory.
_BLOCK: Final = 1 << 16
_AHEAD: Final = 16
#: The line that takes a batch over this many bytes is its last.
_BATCH_BYTES: Final = 1 << 17
#: The flags for opening files in binary mode, which Windows must be told.
_READ: Final = os.O_RDONLY | getattr(os, "O_BINARY", 0)


def read_batches(descriptor: int, size: int, on_bytes: Advance) -> Iterator[list[str]]:
    """Batches of the lines that have arrived, of at most `size`. Invalid UTF-8 becomes replacement characters.

    A thread reads ahead, so that a slow writer's lines are compressed as they come and a fast one's in full batches. It
    reads the bare descriptor: a thread waiting inside a buffered file would keep the interpreter from exiting.
    """
    blocks: queue.Queue[bytes | OSError] = queue.Queue(_AHEAD)

    def read() -> None:
        try:
            while block := os.read(descriptor, _BLOCK):
                blocks.put(block)
            blocks.put(b"")
        except OSError as error:
            blocks.put(error)

    threading.Thread(target=read, daemon=True).start()
    rest: list[bytes] = []  # of an incomplete line
    waiting: deque[bytes] = deque()
    started = done = False
    while not done or waiting:
        while not done and (not waiting or not blocks.empty()) and len(waiting) < size:
            block = blocks.get()
            if isinstance(block, OSError):
                raise LaconicError(f"cannot read any further ({block.strerror}): check the input") from block
            *ended, open_end = block.split(b"\n")
            if ended:
                ended[0] = b"".join([*rest, ended[0]])
                rest = []
            if open_end:
                rest.append(open_end)
            if not block:
                done = True
                ended = [b"".join(rest)] if rest else []
            waiting.extend(ended)
        batch: list[str] = []
        bytes_taken = 0
        while waiting and len(batch) < size and bytes_taken < _BATCH_BYTES:
            line = waiting.popleft()
            bytes_taken += len(line) + 1
            text = line.decode("utf-8", "replace").removesuffix("\r")
            batch.append(text if started else text.removeprefix("\ufeff"))
            started = True
        if batch:
            yield batch
            on_bytes(bytes_taken)  # called when the batch has been processed


def open_inputs(files: Sequence[Path]) -> Iterator[int]:
    """Descriptors of the files, one after another; of standard input if there are none, or for the name `-`."""
    for path in files or [Path("-")]:
        if str(path) == "-":
            yield _standard_input()
            continue
        try:
            descriptor = os.open(path, _READ)
        except OSError as error:
            raise LaconicError(f"cannot read {path} ({error.strerror}): check the path") from error
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise LaconicError(f"{path} is a folder: give files of it, one --file for each")
        try:
            yield descriptor
        finally:
            os.close(descriptor)


def total_bytes(files: Sequence[Path]) -> int | None:
    """The total size of the inputs, if it is known beforehand."""
    try:
        states = [os.fstat(_standard_input()) if str(path) == "-" else path.stat() for path in files or [Path("-")]]
    except OSError:
        return None
    return sum(state.st_size for state in states) if all(stat.S_ISREG(state.st_mode) for state in states) else None


def read_standard_input() -> bytes:
    """All of standard input."""
    _standard_input()
    return sys.stdin.buffer.read()


def _standard_input() -> int:
    if sys.stdin is None:
        raise LaconicError("standard input is closed: give a text or a file, or something on standard input")
    return sys.stdin.fileno()
