"""laconic in a spaCy pipeline: `nlp.add_pipe("laconic")`, then `sent._.compressions`.

The component uses the pipeline's own parse; nothing is parsed again. Results are stored in `doc.user_data` as plain
data, by sentence and under spaCy's own kind of key, with offsets from the start of the sentence. So they survive
`Doc.to_bytes` and transfer between processes, and move with their sentences in `Span.as_doc` and `Doc.from_docs`. The
attributes convert them to `Compression`s when they are read.
"""

from laconic.pipe.attributes import ATTRIBUTE, set_extensions
from laconic.pipe.component import NAME, CompressorPipe, make_component
from laconic.pipe.settings import DEFAULTS

__all__ = ["ATTRIBUTE", "DEFAULTS", "NAME", "CompressorPipe", "make_component", "set_extensions"]
