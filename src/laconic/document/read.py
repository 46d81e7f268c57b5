"""From documents to the parts that are chosen for: their sentences are parsed together, on several cores."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from laconic.document.blocks import Block
from laconic.document.document import Document
from laconic.document.options import Option, SentenceOptions, read_options
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

    Blocks of all documents are parsed in the same batches, and only the options of their sentences are kept.
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
    options = iter(read_options(compressor, plain, limits, question=question, whole=whole) if plain else [])
    found: list[list[Part] | LaconicError] = []
    for i, block in blocks:
        sentences = [] if block.prose is None else next(options)
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


def _cut(i: int, required: bool, prose: Prose, sentences: Sequence[SentenceOptions]) -> Iterator[Part]:
    """The sentences of a block, in parts."""
    marked = prose.marked()
    rendered = [[_render(prose, marked, option) for option in sentence.options] for sentence in sentences]
    spans = [[pack(option.spans) for option in sentence.options] for sentence in sentences]
    kept = [_without_spans(sentence) for sentence in sentences]
    _join_label(kept, rendered, spans)
    for at in range(0, len(kept), _PART):
        own = slice(at, at + _PART)
        yield Part(i, required and at == 0, kept[own], rendered[own], spans[own])


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


def _join_label(sentences: list[SentenceOptions], rendered: list[list[str]], spans: list[list[bytes]]) -> None:
    """Makes one sentence of a label and the sentence that it stands before: one says nothing without the other."""
    if len(sentences) < 2 or len(sentences[0].options) > 1 or len(sentences[0].text) > _LABEL:
        return
    label, first = sentences[0], sentences[1]
    if not label.options or label.required or first.has_verb == label.has_verb:
        return
    (before,) = label.options
    options = tuple(Option(f"{before.text} {option.text}", (), before.worth + option.worth) for option in first.options)
    joined = f"{label.text} {first.text}"
    sentences[:2] = [replace(first, text=joined, options=options, terms=label.terms + first.terms)]
    rendered[:2] = [[f"{rendered[0][0]} {text}" for text in rendered[1]]]
    spans[:2] = [[spans[0][0] + own for own in spans[1]]]


def _render(prose: Prose, marked: Sequence[int], option: Option) -> str:
    """The markup of an option; most have none: `marked` are the characters of the paragraph that have some."""
    first, last = option.spans[0][0], option.spans[-1][1]
    at = bisect_left(marked, first)
    if at < len(marked) and marked[at] < last:
        rendered = prose.render(option.text, option.spans)
    else:
        rendered = escape_start(option.text) if prose.markup else option.text
    return option.text if rendered == option.text else rendered  # one string for both: there are many


def _without_spans(sentence: SentenceOptions) -> SentenceOptions:
    return replace(sentence, options=tuple(Option(option.text, (), option.worth) for option in sentence.options))
