"""Process large inputs: files of rows, by many processes, into parts that a restart does not redo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic.names import imported_when_asked

if TYPE_CHECKING:
    from laconic.bulk.engines import make_engine
    from laconic.bulk.formats import Field, encode, suffix_of
    from laconic.bulk.job import Engine, Job, Output, Problem, Stream
    from laconic.bulk.local import LocalEngine
    from laconic.bulk.partitions import Partition
    from laconic.bulk.rows import Row
    from laconic.bulk.runs import Summary, run
    from laconic.bulk.sources import Column

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

_HOME = {
    "Column": "sources",
    "Engine": "job",
    "Field": "formats",
    "Job": "job",
    "LocalEngine": "local",
    "Output": "job",
    "Partition": "partitions",
    "Problem": "job",
    "Row": "rows",
    "Stream": "job",
    "Summary": "runs",
    "encode": "formats",
    "make_engine": "engines",
    "run": "runs",
    "suffix_of": "formats",
}
#: Imported on first use: most commands need none of them.
__getattr__ = imported_when_asked(__name__, _HOME)
