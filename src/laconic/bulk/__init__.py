"""Large inputs: files of rows, worked on by many processes, into parts that a restart does not do again."""

from laconic.bulk.engines import make_engine
from laconic.bulk.formats import Field, encode, suffix_of
from laconic.bulk.job import Engine, Job, Output, Problem, Stream
from laconic.bulk.local import LocalEngine
from laconic.bulk.partitions import Partition
from laconic.bulk.rows import Row
from laconic.bulk.run import Summary, run
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
