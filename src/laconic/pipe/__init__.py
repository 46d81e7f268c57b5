"""laconic in a spaCy pipeline: `nlp.add_pipe("laconic")`, then `sent._.compressions`.

The component takes the pipeline's own parse, and nothing is parsed again. What it finds is kept in `doc.user_data` as
plain data, sentence by sentence and under spaCy's own kind of key, with offsets from the start of the sentence: so it
survives `Doc.to_bytes` and the way between processes, and moves with its sentence in `Span.as_doc` and `Doc.from_docs`.
The attributes make `Compression`s of it when they are read.
"""

from laconic.pipe.attributes import ATTRIBUTE, set_extensions
from laconic.pipe.component import NAME, CompressorPipe, make_component
from laconic.pipe.settings import DEFAULTS

__all__ = ["ATTRIBUTE", "DEFAULTS", "NAME", "CompressorPipe", "make_component", "set_extensions"]
