"""Frames: what a word cannot do without ("rely on", "able to", "a cup of"), counted on plain text.

- `uses`: how a word is used in a parse, and which slot of its head's frame it fills;
- `count`: how often words of a corpus stand with each slot filled;
- `make`: the two, for a corpus (`laconic count-frames`);
- `table`: what of that is worth knowing, as a file that is shipped, and as arrays that the guard looks up.
"""
