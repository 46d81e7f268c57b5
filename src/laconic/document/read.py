"""From documents to the parts that are chosen for: their sentences are parsed together, on several cores."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Final, TypeVar

from laconic.document.blocks import Block
from laconic.document.candidates import Candidate, SentenceCandidates, read_candidates
from laconic.document.document import Document
from laconic.document.parts import Part, Row
from laconic.document.places import pack
from laconic.document.prose import Prose, escape_start
from laconic.errors import LaconicError
from laconic.limits import Constraint, Limits

if TYPE_CHECKING:
    from laconic.compressor import Compressor
    from laconic.document.question import Question

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")

#: Blocks, and characters, that are parsed together, at most.
_BATCH: Final = 128
_BATCH_CHARS: Final = 40_000
#: A block with more sentences is chosen for in parts of so many: the ways to print one grow with its length.
_PART: Final = 16
#: A first sentence up to this length that has no verb is the label of what follows: "**Warmer light.** The lamp …".
_LABEL: Final = 40
#: Sentences that one bracket may hold; what opens more is taken for a slip.
_BRACKETED: Final = 5
#: Brackets, but not the one of "a)" and ":)".
_BRACKETS: Final = re.compile(r"[(\[]|(?<![:;]-)(?<![:;])(?<!^\w)(?<!\s\w)[)\]]")


def read_parts(
    compressor: Compressor,
    documents: Sequence[Document],
    limits: Limits,
    *,
    question: Question | None = None,
    advance: Callable[[int], None] = lambda _: None,
    threads: int = 1,
) -> list[list[Part] | LaconicError]:
    """What is chosen for in each document, in order; or why nothing can be chosen for.

    Blocks of all documents are parsed in the same batches, and only the candidates of their sentences are kept.
    """
    found: list[list[Part]] = [[] for _ in documents]
    errors: dict[int, LaconicError] = {}

    def read(batch: list[tuple[int, int]]) -> list[list[Part] | LaconicError]:
        return _read_blocks(compressor, [(i, documents[number].blocks[i]) for number, i in batch], limits, question)

    for batch, made in _map_in_order(read, _batches(documents), threads):
        for (number, _), parts in zip(batch, made, strict=True):
            if isinstance(parts, LaconicError):
                errors.setdefault(number, parts)
            else:
                found[number] += parts
        blocks = [documents[number].blocks[i] for number, i in batch]
        advance(sum(len(block.lead) + len(block.source) for block in blocks))
    return [errors.get(number, parts) for number, parts in enumerate(found)]


def _batches(documents: Sequence[Document]) -> Iterator[list[tuple[int, int]]]:
    """Numbers of documents and of their blocks, a batch at a time."""
    batch: list[tuple[int, int]] = []
    total = 0
    for number, document in enumerate(documents):
        for i, block in enumerate(document.blocks):
            batch.append((number, i))
            total += 0 if block.prose is None else len(block.prose.plain)
            if len(batch) == _BATCH or total >= _BATCH_CHARS:
                yield batch
                batch, total = [], 0
    if batch:
        yield batch


def _map_in_order(
    function: Callable[[_Given], _Made], given: Iterable[_Given], threads: int
) -> Iterator[tuple[_Given, _Made]]:
    """Each of the given with what the function makes of it, in order; a few are made ahead, each by one thread."""
    if threads == 1:
        for each in given:
            yield each, function(each)
        return
    ahead: deque[tuple[_Given, Future[_Made]]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for each in given:
            ahead.append((each, pool.submit(function, each)))
            if len(ahead) > threads:
                first, future = ahead.popleft()
                yield first, future.result()
        while ahead:
            first, future = ahead.popleft()
            yield first, future.result()


def _read_blocks(
    compressor: Compressor, blocks: Sequence[tuple[int, Block]], limits: Limits, question: Question | None
) -> list[list[Part] | LaconicError]:
    """The parts of some blocks, which are given with their numbers."""
    prose = [block.prose for _, block in blocks if block.prose is not None]
    plain, whole = [own.plain for own in prose], [own.whole for own in prose]
    candidates = iter(read_candidates(compressor, plain, limits, question=question, whole=whole) if plain else [])
    found: list[list[Part] | LaconicError] = []
    for i, block in blocks:
        sentences = [] if block.prose is None else next(candidates)
        try:
            if isinstance(sentences, LaconicError):
                raise sentences
            if block.prose is not None and sentences:
                found.append(list(_cut(i, block.required, block.prose, sentences)))
            elif block.rows:
                found.append([_read_table(i, block, limits.constraints)])
            else:
                found.append([_as_it_is(i, block, limits.constraints)])
        except LaconicError as error:
            found.append(error)
    return found


def _cut(i: int, required: bool, prose: Prose, sentences: Sequence[SentenceCandidates]) -> Iterator[Part]:
    """The sentences of a block, in parts."""
    marked = prose.marked()
    rendered = [[_render(prose, marked, candidate) for candidate in sentence.candidates] for sentence in sentences]
    spans = [[pack(candidate.spans) for candidate in sentence.candidates] for sentence in sentences]
    kept = [_without_spans(sentence) for sentence in sentences]
    _join_brackets(kept, rendered, spans)
    _join_label(kept, rendered, spans)
    for at in range(0, len(kept), _PART):
        own = slice(at, at + _PART)
        yield Part(
            i, required and at == 0, tuple(kept[own]), tuple(map(tuple, rendered[own])), tuple(map(tuple, spans[own]))
        )


def _read_table(i: int, block: Block, constraints: Sequence[Constraint]) -> Part:
    """A table, whose rows may go; what must stay or go in its head makes all of it stay or go."""
    whole = _as_it_is(i, replace(block, source=block.head, rows=()), constraints)
    rows = []
    for text in block.rows:
        row = _as_it_is(i, Block("", False, text.strip(), None), constraints)
        rows.append(Row(text, row.required, row.gone))
    required = whole.required or any(row.required for row in rows)
    gone = whole.gone or all(row.gone for row in rows)
    if gone and required:
        return _as_it_is(i, block, constraints)  # which says why not
    return Part(i, required, rows=rows, gone=gone)


def _as_it_is(i: int, block: Block, constraints: Sequence[Constraint]) -> Part:
    """A block that is not shortened; what must stay or go in it makes it stay or go."""
    named = [constraint for constraint in constraints if constraint.is_in(block.source)]
    keep = next((constraint for constraint in named if constraint.keep), None)
    drop = next((constraint for constraint in named if not constraint.keep), None)
    if drop is not None and (keep is not None or block.required or block.heading):
        shown = block.source.splitlines()[0]
        raise LaconicError(
            f"{drop} cannot hold: {shown!r} has it, which is never shortened"
            f"{'' if keep is None else f', and {keep} wants it to stay'}; leave {drop} out, or change that"
        )
    return Part(i, block.required or keep is not None, gone=drop is not None)


def _join_label(sentences: list[SentenceCandidates], rendered: list[list[str]], spans: list[list[bytes]]) -> None:
    """Makes one sentence of a label and the sentence that it stands before: one says nothing without the other."""
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
    sentences[:2] = [replace(first, text=joined, candidates=candidates, terms=label.terms + first.terms)]
    rendered[:2] = [[f"{rendered[0][0]} {text}" for text in rendered[1]]]
    spans[:2] = [[spans[0][0] + own for own in spans[1]]]


def _join_brackets(sentences: list[SentenceCandidates], rendered: list[list[str]], spans: list[list[bytes]]) -> None:
    """Makes one of the sentences inside of a bracket, which is printed whole or not at all: no bracket is left open."""
    for first in reversed(range(len(sentences) - 1)):
        end = _bracket_end(sentences, first)
        own = slice(first, end)
        if end == first + 1 or not all(sentence.candidates for sentence in sentences[own]):
            continue
        wholes = [sentence.candidates[-1] for sentence in sentences[own]]
        text = " ".join(sentence.text for sentence in sentences[own])
        if [whole.text for whole in wholes] != [sentence.text for sentence in sentences[own]]:
            continue  # something has to go
        joined = replace(
            sentences[first],
            text=text,
            candidates=(Candidate(text, (), sum(whole.worth for whole in wholes)),),
            terms=tuple(chain.from_iterable(sentence.terms for sentence in sentences[own])),
            required=any(sentence.required for sentence in sentences[own]),
            has_verb=any(sentence.has_verb for sentence in sentences[own]),
            answers=sum(sentence.answers for sentence in sentences[own]),
        )
        rendered[own] = [[" ".join(each[-1] for each in rendered[own])]]
        spans[own] = [[b"".join(each[-1] for each in spans[own])]]
        sentences[own] = [joined]


def _bracket_end(sentences: Sequence[SentenceCandidates], first: int) -> int:
    """The number behind the sentence that closes what a sentence opens; where it opens nothing, its own next one."""
    depth = 0
    for i in range(first, min(first + _BRACKETED, len(sentences))):
        for mark in _BRACKETS.findall(sentences[i].text):
            depth = max(depth + (1 if mark in "([" else -1), 0)
        if not depth:
            return i + 1
    return first + 1  # it is closed far away, or never


def _render(prose: Prose, marked: Sequence[int], candidate: Candidate) -> str:
    """The markup of a candidate; most have none: `marked` are the characters of the paragraph that have some."""
    first, last = candidate.spans[0][0], candidate.spans[-1][1]
    at = bisect_left(marked, first)
    if at < len(marked) and marked[at] < last:
        rendered = prose.render(candidate.text, candidate.spans, marked)
    else:
        rendered = escape_start(candidate.text) if prose.markup else candidate.text
    return candidate.text if rendered == candidate.text else rendered  # one string for both: there are many


def _without_spans(sentence: SentenceCandidates) -> SentenceCandidates:
    return replace(
        sentence, candidates=tuple(Candidate(candidate.text, (), candidate.worth) for candidate in sentence.candidates)
    )
