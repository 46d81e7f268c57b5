"""Process large inputs: files of rows, by many processes, into parts that a restart does not redo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laconic.bulk.engines import make_engine
from laconic.bulk.formats import Field, encode, suffix_of
from laconic.bulk.job import Engine, Job, Output, Problem, Stream
from laconic.bulk.partitions import Partition
from laconic.bulk.rows import Row
from laconic.bulk.run import Summary, run
from laconic.bulk.sources import Column

if TYPE_CHECKING:
    from laconic.bulk.local import LocalEngine

__all__ = [
    "Column",
    "Engine",
    "Field",
    "Job",
    "LocalEngine",
    "Output",
    "Partition",
    "Problem",
    "Row",
    "Stream",
    "Summary",
    "encode",
    "make_engine",
    "run",
    "suffix_of",
]


def __getattr__(name: str) -> Any:
    """Import the local engine on first use: most commands do not need it."""
    if name == "LocalEngine":
        from laconic.bulk.local import LocalEngine

        return LocalEngine
    raise AttributeError(f"module 'laconic.bulk' has no attribute {name!r}")
