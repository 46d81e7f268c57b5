"""How much the sentences of a document count: by a question, or by what the document is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from laconic.document.options import salience
from laconic.document.relevance import Candidate, Relevance, relevance
from laconic.document.terms import term
from laconic.parse import scheme

if TYPE_CHECKING:
    from laconic.document.blocks import Block
    from laconic.document.parts import Part
    from laconic.document.question import Question

#: What a character of a block that cannot be shortened is worth: about as much as one of a sentence, on average.
_AS_IT_IS: Final = 0.4
#: What a sentence is worth that has the answer for sure.
_CERTAIN: Final = 1e6

_WORD: Final = re.compile(r"\w+")
_NOUN: Final = scheme.TAG_ID["NNS"]


def weigh(
    parts: Sequence[Part], blocks: Sequence[Block], question: Question | None = None, scores: Relevance | None = None
) -> list[list[float]]:
    """Part by part: what the worth of each sentence counts for; of a part without any, what its block is worth."""
    if question is None:
        weights = iter(salience([sentence for part in parts for sentence in part.sentences]))
        return [
            [next(weights) for _ in part.sentences] or [_AS_IT_IS * len(blocks[part.block].source)] for part in parts
        ]
    found = iter((_CERTAIN * relevance(question, list(_candidates(parts, blocks)), scores)).tolist())
    return [[next(found) for _ in part.sentences or [None]] for part in parts]


def _candidates(parts: Sequence[Part], blocks: Sequence[Block]) -> Iterator[Candidate]:
    """Sentences, and blocks that are none, with the headings above them."""
    above: list[tuple[int, frozenset[str]]] = []  # level and terms of the headings so far
    for part in parts:
        block = blocks[part.block]
        if block.heading:
            own = frozenset(_terms(block.source))
            above = [(level, terms) for level, terms in above if level < block.heading] + [(block.heading, own)]
        headings = frozenset().union(*(terms for _, terms in above))
        for sentence in part.sentences:
            yield Candidate(
                sentence.text, sentence.terms, sentence.answers, sentence.refers, part.block, headings
            )
        if not part.sentences:
            yield Candidate(block.source, _terms(block.source), False, False, part.block, headings)


def _terms(source: str) -> list[str]:
    """The terms of what is not parsed: a heading, code, a table."""
    found = (term(word, _NOUN) for word in _WORD.findall(source))
    return [each for each in found if each]
