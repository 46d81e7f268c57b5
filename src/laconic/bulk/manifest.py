"""The manifest of a bulk run: an append-only JSON Lines file.

    {"run": {"job": …, "inputs": […], "partition": …, "streams": […]}}                     the description of the run
    {"part": 0, "rows": 2000, "digest": …, "files": [{"file": …, "records": …, …}], …}    a part is finished
    {"stopped": "news.jsonl.gz"}                                    an input could not be read to its end
    {"complete": true, "parts": 12, "rows": 23456, …}               everything is done
    {"complete": false}                                             output was found missing and is redone

A line is written once what it records is on disk. An incomplete last line, left by a killed run, is ignored.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import BufferedReader, FileIO
from pathlib import Path
from typing import Any

from laconic.errors import LaconicError


@dataclass(frozen=True, slots=True)
class File:
    """A finished file of a part, as recorded."""

    file: str
    records: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Part:
    """A finished part, as recorded."""

    part: int
    rows: int
    digest: str  # of its rows
    files: tuple[File, ...]  # one for each stream
    counts: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """The part as JSON-ready data."""
        files = [{"file": f.file, "records": f.records, "bytes": f.bytes, "sha256": f.sha256} for f in self.files]
        return {"part": self.part, "rows": self.rows, "digest": self.digest, "files": files, "counts": self.counts}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Part:
        """The part recorded in a line of the manifest."""
        files = tuple(File(**file) for file in data["files"])
        return cls(data["part"], data["rows"], data["digest"], files, dict(data["counts"]))


@dataclass(frozen=True, slots=True)
class Totals:
    """The totals over the parts of a run."""

    parts: int
    rows: int
    records: tuple[int, ...]  # by stream
    counts: dict[str, int]

    @classmethod
    def of(cls, parts: Iterable[Part], streams: int) -> Totals:
        """Compute the totals of parts."""
        number = rows = 0
        records = [0] * streams
        counts: Counter[str] = Counter()
        for part in parts:
            number += 1
            rows += part.rows
            records = [total + file.records for total, file in zip(records, part.files, strict=True)]
            counts.update(part.counts)
        return cls(number, rows, tuple(records), dict(sorted(counts.items())))


class Manifest:
    """An open manifest, locked against other processes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.run: dict[str, Any] | None = None  # None: a new manifest
        self.parts: dict[int, Part] = {}
        self.stopped: set[str] = set()
        self.complete = False
        self.bytes: list[int] = []  # by stream, once the run is complete
        # Unbuffered: otherwise, close would try to write again what failed, and its error would hide the first one.
        self._file: FileIO = path.open("a+b", buffering=0)
        try:
            self._lock()
            self._read()
        except BaseException:
            self._file.close()
            raise

    def close(self, *, remove: bool = False) -> None:
        """Release the manifest, or remove it."""
        if remove:
            with contextlib.suppress(OSError):
                self.path.unlink()
        with contextlib.suppress(OSError):  # everything written is already on disk
            self._file.close()

    def begin(self, run: Mapping[str, Any]) -> None:
        """Record the description of the run; refuses one that differs from the recorded one."""
        run = json.loads(json.dumps(run))  # normalise to what reading it back gives
        if self.run is None:
            self._append({"run": run})
            self.run = dict(run)
            return
        before = {**self.run, "inputs": _by_name(self.run["inputs"], without=self.stopped)}
        now = {**run, "inputs": _by_name(run["inputs"], without=self.stopped)}
        found = difference(before, now)
        if found:
            raise LaconicError(
                f"{self.path} belongs to another run: {found}. Give the same inputs and options as at its start, or "
                "another output"
            )

    def add(self, part: Part) -> None:
        """Record a finished part."""
        self._append(part.to_dict())
        self.parts[part.part] = part

    def stop(self, name: str) -> None:
        """Record that an input could not be read to its end: it may be replaced before the run is resumed."""
        self._append({"stopped": name})
        self.stopped.add(name)

    def finish(self, totals: Totals, sizes: Sequence[int]) -> None:
        """Record that the run is complete; `sizes` are the bytes of each stream."""
        self._append({"complete": True, "parts": totals.parts, "rows": totals.rows, "records": totals.records,
                      "bytes": sizes, "counts": totals.counts})  # fmt: skip
        self.complete, self.bytes = True, list(sizes)

    def reopen(self) -> None:
        """Record that a complete run is incomplete again."""
        self._append({"complete": False})
        self.complete = False

    def _append(self, record: Mapping[str, Any]) -> None:
        """Append a line; if that fails, remove what was written of it, as another line might follow."""
        end = os.fstat(self._file.fileno()).st_size
        rest = memoryview(json.dumps(record, ensure_ascii=False).encode() + b"\n")
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except OSError:
            with contextlib.suppress(OSError):
                self._file.truncate(end)
            raise

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:
            return  # Windows has no such locks: two runs into one output are not detected there
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                return  # a file system without locks
            raise LaconicError(
                f"another run is writing to {self.path.parent}: wait for it, or end it first, or give another output"
            ) from error

    def _read(self) -> None:
        self._file.seek(0)
        # Use the same file: with network locks, closing another handle would release ours.
        lines = BufferedReader(self._file)
        try:
            self._read_lines(lines)
        finally:
            lines.detach()

    def _read_lines(self, lines: Iterable[bytes]) -> None:
        end = 0
        for number, line in enumerate(lines, 1):
            if not line.endswith(b"\n"):
                self._file.truncate(end)
                break
            try:
                self._take(json.loads(line))
            except (ValueError, KeyError, TypeError) as error:
                raise LaconicError(
                    f"line {number} of {self.path} is damaged: repair or remove it (its part is then done again), "
                    "or give another output"
                ) from error
            end += len(line)
        if end and self.run is None:
            raise LaconicError(f"{self.path} does not say which run it belongs to: give another output")

    def _take(self, record: dict[str, Any]) -> None:
        if "part" in record:
            part = Part.from_dict(record)
            self.parts[part.part] = part
        elif "run" in record:
            self.run = record["run"]
        elif "stopped" in record:
            self.stopped.add(record["stopped"])
        elif "complete" in record:
            self.complete = record["complete"]
            self.bytes = record["bytes"] if self.complete else []


def difference(before: Any, now: Any, name: str = "") -> str | None:
    """The first difference between two descriptions, in words."""
    if isinstance(before, dict) and isinstance(now, dict):
        for key in [*(key for key in now if key not in before), *before]:
            found = difference(before.get(key), now.get(key), f"{name}, {key}" if name else str(key))
            if found:
                return found
        return None
    return None if before == now else f"{name} was {_shown(before)} and is {_shown(now)}"


def _shown(value: Any) -> str:
    if value is None or isinstance(value, dict):
        return "there" if value is not None else "not there"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:79] + "…"


def _by_name(inputs: Iterable[Mapping[str, Any]], *, without: set[str]) -> dict[str, Any]:
    """Inputs by name, in order; for damaged ones, only the name."""
    named = {each["name"]: {} if each["name"] in without else each for each in inputs}
    return {**named, "order": list(named)}
