"""Join sentences of a block that are chosen together: a label and the sentence after it, or those of a bracket."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from typing import Final

from laconic.document.candidates import Candidate, SentenceCandidates
from laconic.document.prose import Mark, join_rendered

#: A first sentence without a verb is a label of the next one up to this length: "**Warmer light.** The lamp …".
_LABEL: Final = 40
#: The maximum number of sentences in one bracket; longer spans are taken for a missing bracket.
_BRACKETED: Final = 5
#: Matches brackets, except those of "a)" and ":)".
_BRACKETS: Final = re.compile(r"[(\[]|(?<![:;]-)(?<![:;])(?<!^\w)(?<!\s\w)[)\]]")


def join_label(
    sentences: list[SentenceCandidates], rendered: list[list[str]], spans: list[list[bytes]], marks: Sequence[Mark]
) -> None:
    """Join a label with the sentence after it: neither makes sense without the other."""
    if len(sentences) < 2 or len(sentences[0].candidates) > 1 or len(sentences[0].text) > _LABEL:
        return
    label, first = sentences[0], sentences[1]
    if not label.candidates or label.required or first.has_verb == label.has_verb:
        return
    (before,) = label.candidates
    candidates = tuple(
        Candidate(f"{before.text} {candidate.text}", (), before.worth + candidate.worth)
        for candidate in first.candidates
    )
    joined = f"{label.text} {first.text}"
    sentences[:2] = [first._replace(text=joined, candidates=candidates, terms=label.terms + first.terms)]
    rendered[:2] = [[join_rendered((rendered[0][0], text), marks) for text in rendered[1]]]
    spans[:2] = [[spans[0][0] + own for own in spans[1]]]


def join_brackets(
    sentences: list[SentenceCandidates], rendered: list[list[str]], spans: list[list[bytes]], marks: Sequence[Mark]
) -> None:
    """Join the sentences inside a bracket, which is printed whole or not at all, so that no bracket is left open."""
    for first in reversed(range(len(sentences) - 1)):
        end = _bracket_end(sentences, first)
        own = slice(first, end)
        if end == first + 1 or not all(sentence.candidates for sentence in sentences[own]):
            continue
        wholes = [sentence.candidates[-1] for sentence in sentences[own]]
        text = " ".join(sentence.text for sentence in sentences[own])
        if [whole.text for whole in wholes] != [sentence.text for sentence in sentences[own]]:
            continue  # some of its words must be deleted
        joined = sentences[first]._replace(
            text=text,
            candidates=(Candidate(text, (), sum(whole.worth for whole in wholes)),),
            terms=tuple(chain.from_iterable(sentence.terms for sentence in sentences[own])),
            required=any(sentence.required for sentence in sentences[own]),
            has_verb=any(sentence.has_verb for sentence in sentences[own]),
            answers=sum(sentence.answers for sentence in sentences[own]),
        )
        rendered[own] = [[join_rendered((each[-1] for each in rendered[own]), marks)]]
        spans[own] = [[b"".join(each[-1] for each in spans[own])]]
        sentences[own] = [joined]


def _bracket_end(sentences: Sequence[SentenceCandidates], first: int) -> int:
    """The index after the sentence that closes the brackets opened in sentence `first`; `first + 1` if none."""
    depth = 0
    for i in range(first, min(first + _BRACKETED, len(sentences))):
        for mark in _BRACKETS.findall(sentences[i].text):
            depth = max(depth + (1 if mark in "([" else -1), 0)
        if not depth:
            return i + 1
    return first + 1  # closed too far away, or never
