"""Read documents into parts; their sentences are parsed in batches, on several cores."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Final, TypeVar

from laconic.batching import batches
from laconic.document.blocks import Block, Blocks
from laconic.document.candidates import Candidate, SentenceCandidates, read_candidates
from laconic.document.document import Document
from laconic.document.joined import join_brackets, join_label
from laconic.document.parts import Part, Parts, Rows
from laconic.document.places import pack
from laconic.document.prose import Prose, escape_start
from laconic.errors import LaconicError
from laconic.limits import Constraint, Limits
from laconic.progress import Advance, ignore

if TYPE_CHECKING:
    from laconic.compressor import Compressor
    from laconic.document.question import Question

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")

#: The maximum number of blocks, and of characters, that are parsed together.
_BATCH: Final = 256
_BATCH_CHARS: Final = 60_000
#: The maximum number of sentences in a part; the number of its ways grows with the number of sentences.
_PART: Final = 16


def read_parts(
    compressor: Compressor,
    documents: Sequence[Document],
    limits: Limits,
    *,
    question: Question | None = None,
    advance: Advance = ignore,
    threads: int = 1,
) -> list[Parts | LaconicError]:
    """The parts of each document, in order, or the error of a document with impossible constraints.

    Blocks of all documents are parsed in common batches; of their sentences, only the candidates are kept.
    """
    found = [Parts() for _ in documents]
    errors: dict[int, LaconicError] = {}

    def read(batch: list[tuple[int, int]]) -> list[list[Part] | LaconicError]:
        return _read_blocks(compressor, [(i, documents[number].blocks[i]) for number, i in batch], limits, question)

    def size(place: tuple[int, int]) -> int:
        prose = documents[place[0]].blocks.prose(place[1])
        return 0 if prose is None else len(prose.plain)

    places = ((number, i) for number, document in enumerate(documents) for i in range(len(document.blocks)))
    for batch, made in _map_in_order(read, batches(places, chars=_BATCH_CHARS, count=_BATCH, size=size), threads):
        for number, own in groupby(zip(batch, made, strict=True), key=lambda each: each[0][0]):
            together: list[Part] = []
            for _, parts in own:
                if isinstance(parts, LaconicError):
                    errors.setdefault(number, parts)
                else:
                    together += parts
            found[number].add(together)
        advance(sum(_count_characters(documents[number].blocks, i) for number, i in batch))
    return [errors.get(number, parts) for number, parts in enumerate(found)]


def _count_characters(blocks: Blocks, i: int) -> int:
    """The number of characters of a block and its lead."""
    return len(blocks.lead(i)) + len(blocks.source(i))


def _map_in_order(
    function: Callable[[_Given], _Made], given: Iterable[_Given], threads: int
) -> Iterator[tuple[_Given, _Made]]:
    """Apply a function to each item, in order; with several threads, a few results are computed ahead."""
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
            elif block.has_rows:
                found.append([_read_table(i, block, limits.constraints)])
            else:
                found.append([_as_it_is(i, block, limits.constraints)])
        except LaconicError as error:
            found.append(error)
    return found


def _cut(i: int, required: bool, prose: Prose, sentences: Sequence[SentenceCandidates]) -> Iterator[Part]:
    """Group the sentences of a block into parts."""
    marked = prose.marked()
    if prose.units:
        sentences = [_with_whole_units(prose, sentence) for sentence in sentences]
    rendered = [[_render(prose, marked, candidate) for candidate in sentence.candidates] for sentence in sentences]
    spans = [[pack(candidate.spans) for candidate in sentence.candidates] for sentence in sentences]
    kept = list(sentences)
    join_brackets(kept, rendered, spans, prose.marks)
    join_label(kept, rendered, spans, prose.marks)
    for at in range(0, len(kept), _PART):
        own = slice(at, at + _PART)
        yield Part(
            i, required and at == 0, tuple(kept[own]), tuple(map(tuple, rendered[own])), tuple(map(tuple, spans[own]))
        )


def _with_whole_units(prose: Prose, sentence: SentenceCandidates) -> SentenceCandidates:
    """A sentence whose candidates say what they print: all of the units of which they have a part."""
    candidates = (
        Candidate(*prose.complete(candidate.text, candidate.spans), candidate.worth)
        for candidate in sentence.candidates
    )
    return sentence._replace(candidates=tuple(candidates))


def _read_table(i: int, block: Block, constraints: Sequence[Constraint]) -> Part:
    """A table as a part; constraints on its head apply to the whole table, those on rows to the rows."""
    whole = _as_it_is(i, replace(block, source=block.head, has_rows=False), constraints)
    staying, going = bytearray(), bytearray()
    for text in block.rows if constraints else ():
        row = _as_it_is(i, Block("", False, text.strip(), None), constraints)
        staying.append(row.required)
        going.append(row.gone)
    required = whole.required or any(staying)
    gone = whole.gone or (bool(going) and all(going))
    if gone and required:
        return _as_it_is(i, block, constraints)  # raises the error
    return Part(i, required, rows=Rows(bytes(staying), bytes(going)), gone=gone)


def _as_it_is(i: int, block: Block, constraints: Sequence[Constraint]) -> Part:
    """A block that is not shortened; constraints on its words apply to the whole block."""
    named = [constraint for constraint in constraints if constraint.is_in(block.source)]
    keep = next((constraint for constraint in named if constraint.keep), None)
    drop = next((constraint for constraint in named if not constraint.keep), None)
    if drop is not None and (keep is not None or block.required or block.heading):
        shown = block.source.splitlines()[0]
        raise LaconicError(
            f"{drop} cannot hold: {shown!r} contains it and is never shortened"
            f"{'' if keep is None else f', and {keep} wants to keep it'}; leave {drop} out, or change that"
        )
    return Part(i, block.required or keep is not None, gone=drop is not None)


def _render(prose: Prose, marked: Sequence[int], candidate: Candidate) -> str:
    """The markup of a candidate; `marked` are the paragraph's characters with markup, which most candidates lack."""
    at = bisect_left(marked, candidate.spans[0][0]) if marked else 0
    if at < len(marked) and marked[at] < candidate.spans[-1][1]:
        rendered = prose.render(candidate.text, candidate.spans, marked)
    else:
        rendered = escape_start(candidate.text) if prose.markup else candidate.text
    return candidate.text if rendered == candidate.text else rendered  # share one string to save memory
