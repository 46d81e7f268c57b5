"""The output of a bulk run: a folder of parts with a manifest, or one file that is assembled from them at the end.

    out/part-00000.jsonl, out/part-00001.jsonl, …, out/manifest.jsonl        a folder

    pairs.jsonl.parts/part-00000.jsonl, …, pairs.jsonl.manifest              a file, during the run
    pairs.jsonl, pairs.jsonl.manifest                                        and once it is complete

A part is written under a temporary name, moved into place once it is complete and on disk, and then recorded in the
manifest. So whenever a run is killed, everything recorded exists, and only the rest is redone.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import itertools
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, Self

from laconic.bulk.formats import check_suffix, join, suffix_of
from laconic.bulk.job import Finished, Stream
from laconic.bulk.manifest import File, Manifest, Part, Totals
from laconic.errors import LaconicError

_PARTIAL: Final = ".partial"
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@dataclass(frozen=True, slots=True)
class Target:
    """The location of a stream's output."""

    path: Path
    suffix: str
    single: bool  # whether it is a single file

    @property
    def folder(self) -> Path:
        """The folder of the parts."""
        return self._beside(".parts") if self.single else self.path

    @property
    def manifest(self) -> Path:
        """The location of the manifest, if this is the first stream."""
        return self._beside(".manifest") if self.single else self.path / "manifest.jsonl"

    def part(self, number: int) -> Path:
        """The file of a part."""
        return self.folder / f"part-{number:05d}{self.suffix}"

    def existing(self) -> Path | None:
        """Output that already exists, or None."""
        if self.single and self.path.exists():
            return self.path
        return next(iter(self.folder.glob("part-*")), None)

    def unfinished(self) -> list[Path]:
        """Incomplete files left by a killed run."""
        return [*self.folder.glob(f"part-*{_PARTIAL}"), *([self._beside(_PARTIAL)] if self.single else [])]

    def takes(self, path: Path) -> bool:
        """Whether another output at this path would conflict with this one."""
        own, other = self.path.resolve(), path.resolve()
        if other in (own, self.manifest.resolve()):
            return True
        if self.single:
            return other.is_relative_to(self.folder.resolve())
        return other.parent == own and other.name.startswith("part-")

    def _beside(self, ending: str) -> Path:
        return self.path.with_name(self.path.name + ending)  # only files are sure to have a name: the folder . has none


class Store:
    """The output of a run. Opening it fails, before any work is done, if it cannot be written."""

    def __init__(
        self, out: Path, streams: Sequence[Stream], more: Mapping[str, Path] | None = None, *, resume: bool = False
    ) -> None:
        paths = [out, *((more or {})[stream.name] for stream in streams[1:])]
        self.targets = tuple(_target(path, stream.suffix) for path, stream in zip(paths, streams, strict=True))
        for one, other in itertools.permutations(self.targets, 2):
            if one.takes(other.path):
                raise LaconicError(f"{other.path} is where the output {one.path} goes: give each a name of its own")
        self._present: set[int] = set()  # numbers of finished parts
        self._begun = False
        self._made: list[Path] = []  # folders that were created
        place = self.targets[0].manifest
        self._refuse_existing(place, resume=resume)
        try:
            for target in self.targets:
                with self._writing(target.path):
                    self._make(target.folder)
                    _try_writing(target.folder)
            with self._writing(place):
                self.manifest = Manifest(place)
        except BaseException:
            self._remove_made()
            raise
        for path in itertools.chain.from_iterable(target.unfinished() for target in self.targets):
            path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.manifest.close(remove=not self.manifest.parts and not self.complete)
        self._remove_made()

    @property
    def complete(self) -> bool:
        """Whether there is nothing left to do."""
        return self.manifest.complete

    @property
    def totals(self) -> Totals:
        """The totals of the finished parts."""
        return Totals.of(self.manifest.parts.values(), len(self.targets))

    def begin(self, run: Mapping[str, Any]) -> dict[int, str]:
        """Record the run's description; returns the digests of the finished parts. Refuses another run.

        If output of a complete run is missing, it is redone: missing parts of a folder, or everything for a single
        file. Output that differs from what the run wrote is refused: someone may have changed it.
        """
        with self._writing(self.manifest.path):
            self.manifest.begin(run)
            if self.complete and self._is_gone():
                self.manifest.reopen()
        if self.complete:
            self._remove_parts()
        self._begun = True
        self._present = {number for number, part in self.manifest.parts.items() if self._is_there(part)}
        return {number: self.manifest.parts[number].digest for number in self._present}

    def add(self, finished: Finished) -> None:
        """Write a part."""
        files = []
        output = finished.output
        for target, data, records in zip(self.targets, output.streams, output.records, strict=True):
            path = target.part(finished.number)
            with self._writing(path), _replacing(path) as file:
                file.write(data)
            files.append(File(path.name, records, len(data), hashlib.sha256(data).hexdigest()))
        with self._writing(self.manifest.path):
            self.manifest.add(Part(finished.number, finished.rows, finished.digest, tuple(files), finished.counts))
        self._present.add(finished.number)

    def stop(self, name: str) -> None:
        """Record that an input could not be read to its end."""
        with self._writing(self.manifest.path):
            self.manifest.stop(name)

    def finish(self) -> Totals:
        """Assemble single files and complete the manifest."""
        parts = range(max(self._present, default=-1) + 1)
        missing = [number for number in parts if number not in self._present]
        if missing:
            raise RuntimeError(f"parts {missing[:5]} are missing: this is a bug in laconic")
        for target in self.targets:
            if target.single:
                with self._writing(target.path), _replacing(target.path) as file:
                    join(map(target.part, parts), file, target.suffix)
        totals = self.totals
        with self._writing(self.manifest.path):
            self.manifest.finish(totals, [self._size(at) for at in range(len(self.targets))])
        self._remove_parts()
        return totals

    def _refuse_existing(self, manifest: Path, *, resume: bool) -> None:
        # A run that is killed before it begins leaves an empty one.
        if manifest.exists() and manifest.stat().st_size:
            if resume:
                return
            raise LaconicError(
                f"{self.targets[0].path} holds the output of a run: go on with it (resume=True) or give another output",
                resume=True,
            )
        for target in self.targets:
            check_suffix(target.suffix)
            found = target.existing()
            if found is not None:
                raise LaconicError(f"{found} is there already: move it away or give another output")

    def _make(self, folder: Path) -> None:
        if not folder.is_dir():
            for path in reversed([folder, *itertools.takewhile(lambda parent: not parent.exists(), folder.parents)]):
                path.mkdir(exist_ok=True)
                self._made.append(path)

    def _remove_made(self) -> None:
        for folder in reversed(self._made):
            with contextlib.suppress(OSError):  # keep folders that are not empty
                folder.rmdir()

    def _remove_parts(self) -> None:
        for target in self.targets:
            if target.single:
                shutil.rmtree(target.folder, ignore_errors=True)

    def _is_gone(self) -> bool:
        """Whether any output of a complete run is missing; refuses changed output."""
        gone = False
        for path, size in self._outputs():
            if not path.is_file():
                gone = True
            elif path.stat().st_size != size:
                raise LaconicError(
                    f"{path} has {path.stat().st_size:,} bytes where the run wrote {size:,}: move it away to have it "
                    "made again, or give another output"
                )
        return gone

    def _outputs(self) -> Iterator[tuple[Path, int]]:
        """The files of a complete run, with their sizes."""
        for at, target in enumerate(self.targets):
            if target.single:
                yield target.path, self.manifest.bytes[at]
            else:
                yield from ((target.part(number), part.files[at].bytes) for number, part in self.manifest.parts.items())

    def _size(self, at: int) -> int:
        """The number of bytes of a stream."""
        target = self.targets[at]
        if target.single:
            return target.path.stat().st_size
        return sum(part.files[at].bytes for part in self.manifest.parts.values())

    def _is_there(self, part: Part) -> bool:
        if self.complete:
            return True
        paths = [target.part(part.part) for target in self.targets]
        return all(
            path.is_file() and path.stat().st_size == file.bytes for path, file in zip(paths, part.files, strict=True)
        )

    @contextmanager
    def _writing(self, path: Path) -> Iterator[None]:
        """Raise an error with a remedy if the output cannot be written."""
        try:
            yield
        except OSError as error:
            kept, options = "", {}
            if self._begun and self._present:
                many = f"{len(self._present)} finished parts are" if len(self._present) > 1 else "finished part is"
                kept, options = f"; the {many} kept, go on with resume=True", {"resume": True}
            remedy = "free some space" if error.errno in _FULL else "check the path and its permissions"
            raise LaconicError(f"cannot write {path} ({error.strerror or error}): {remedy}{kept}", **options) from error


def _target(path: Path, suffix: str) -> Target:
    named = suffix_of(path)
    if os.path.isdir(path) or named is None:
        return Target(path, suffix, single=False)
    if named != suffix:
        raise LaconicError(f"{path} is to have the format {suffix}: let its name end in that, or give a folder")
    return Target(path, suffix, single=True)


@contextmanager
def _replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file that is moved into place when complete and on disk, and removed if it fails."""
    partial = path.with_name(path.name + _PARTIAL)
    try:
        with partial.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
        _sync_folder(path.parent)
    except BaseException:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        raise


def _sync_folder(folder: Path) -> None:
    """Make sure that the move is on disk; some file systems do not support that."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _try_writing(folder: Path) -> None:
    probe = folder / f"part-probe{_PARTIAL}"
    probe.write_bytes(b"laconic")
    probe.unlink()
