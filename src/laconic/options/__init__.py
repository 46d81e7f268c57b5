"""The definition of every option: keywords, flags, spaCy settings, JSON Schema and tables of the docs derive from it.

`laconic.options.define` has the options. A new option is a field there, plus the code that uses it.
"""

from laconic.options.define import (
    CompressOptions,
    DocumentOptions,
    FitOptions,
    LimitOptions,
    LoadOptions,
    MessageOptions,
    Options,
    PipeOptions,
    SubtitleOptions,
    TreeOptions,
)
from laconic.options.entry_points import ENTRY_POINTS, check, check_json, complete, defaults, options_of, remote_options
from laconic.options.option import Field, Option, fields
from laconic.options.schema import field_schema, json_schema

__all__ = [
    "ENTRY_POINTS",
    "CompressOptions",
    "DocumentOptions",
    "Field",
    "FitOptions",
    "LimitOptions",
    "LoadOptions",
    "MessageOptions",
    "Option",
    "Options",
    "PipeOptions",
    "SubtitleOptions",
    "TreeOptions",
    "check",
    "check_json",
    "complete",
    "defaults",
    "field_schema",
    "fields",
    "json_schema",
    "options_of",
    "remote_options",
]
