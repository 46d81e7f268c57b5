"""The sizes of networks, and their outputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from laconic.levels import LEVELS
from laconic.parse import scheme
from laconic.records import JsonRecord

#: Tags of entity tokens: first tokens (first half) and further tokens (second half) of each type; 0 is outside.
ENTITY_TAGS: Final = 2 * len(scheme.ENTITIES) - 1

#: The outputs for every word besides the scores of its possible heads: names and numbers of columns.
OUTPUTS: Final = {
    "label": len(scheme.LABELS),
    "tag": len(scheme.TAGS),
    "entity": ENTITY_TAGS,
    # Outputs for each level, or, with one column, for all levels:
    "retain": len(LEVELS),  # logit of p_ret of the edge into the word's node, given that its head is kept
    "need": 1,  # logit that an editor would undo the cut of this edge
    "root": len(LEVELS),  # logit of p_ret of the dummy root's edge to it
    "alone": 1,  # logit that an editor would undo taking this clause out of its sentence
    "keep": len(LEVELS),  # logit that the word is in the compression, independently of the tree
}

#: The outputs that are about compressions.
SAID: Final = ("retain", "need", "root", "alone", "keep")
LOGITS: Final = sum(OUTPUTS[name] for name in SAID)

#: Longer sentences are split (`laconic.network.runtime`): the pieces of one sentence, without the two special ones.
MAX_PIECES: Final = 254


@dataclass(frozen=True, slots=True)
class Shape(JsonRecord):
    """The sizes of a network."""

    layers: int
    width: int
    heads: int
    inner: int  # width of the feed-forward layers
    edge: int = 128  # width of the representation of a word as a head and as a dependent
    vocabulary: int = 30522
    positions: int = 512
    cases: int = 6
    norm_epsilon: float = 1e-12


#: The networks that come with laconic.
SHAPES: Final = {
    "default": Shape(layers=4, width=384, heads=12, inner=1536),
    "small": Shape(layers=2, width=192, heads=6, inner=768, edge=64),
}

#: Sizes that were also tried (`--try-sizes`).
TRIED: Final = {
    "three-layers": Shape(layers=3, width=384, heads=12, inner=1536),
    "six-layers": Shape(layers=6, width=384, heads=12, inner=1536),
}
