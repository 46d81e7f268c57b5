"""Frames: the complements that words need ("rely on", "able to", "a cup of"), counted on plain text.

- `uses`: how a word is used in a parse, and which slot of its head's frame it fills;
- `count`: how often the words of a corpus occur with each slot filled;
- `make`: the pipeline for a corpus (`laconic count-frames`);
- `table`: the significant counts, as a file that is shipped and as arrays for lookups by the guard;
- `lexicon`: frames from dictionaries.
"""
