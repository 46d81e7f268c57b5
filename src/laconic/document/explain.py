"""Explain a fitted document: who decided on each deletion, the edge of the tree, and its probability.

A sentence that is printed in part is compressed again with these deletions as constraints: a deletion that also happens
without a budget is the model's decision or the guard's, a word that the user wants deleted is the user's, and the rest
is the budget's. A sentence, row or block that is left out as a whole is also due to the budget.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from laconic.document.document import Document
from laconic.document.places import Offsets
from laconic.errors import LaconicError
from laconic.explanation import By, Deletion
from laconic.limits import Constraint
from laconic.together import Question, compress_together

if TYPE_CHECKING:
    from laconic.compressor import Compressor
    from laconic.document.fit import Fitted
    from laconic.results import Sentence

#: Labels of deletions without an edge of a tree.
SENTENCE: Final = "sentence"
BLOCK: Final = "block"


def explain_fitted(compressor: Compressor, fitted: Fitted, *, drop: Sequence[str] = ()) -> tuple[Deletion, ...]:
    """The deletions of a fitted document, in order, with offsets into it; `drop` are phrases that had to be deleted."""
    if fitted.places is None:
        return ()
    document = fitted.places.document
    blocks = _cut_blocks(document, fitted)
    constraints = list(Constraint.words(False, drop))
    found: list[Deletion] = []
    plain = [block for block in blocks if block.is_prose]
    sentences = compress_together(compressor, [Question([block.plain for block in plain])])[0] if plain else []
    assert not isinstance(sentences, LaconicError)  # no options are given
    asked: list[tuple[_Block, Sentence, list[tuple[int, int]]]] = []
    for block, result in zip(plain, sentences, strict=True):
        for sentence in () if isinstance(result, LaconicError) else result:
            gone = block.gone_of(sentence.start, sentence.end)
            if gone and any(block.kept[i] for i in range(sentence.start, sentence.end)):
                asked.append((block, sentence, gone))
            elif gone:
                found.append(block.deletion(sentence.start, sentence.end, SENTENCE))
    questions = [
        Question(
            [sentence.text], 1, {"explain": True, "drop": [(a - sentence.start, b - sentence.start) for a, b in gone]}
        )
        for _, sentence, gone in asked
    ]
    for (block, sentence, gone), results in zip(asked, compress_together(compressor, questions), strict=True):
        result = results if isinstance(results, LaconicError) else results[0]
        if isinstance(result, LaconicError):  # the fit deletes sentences together that cannot be deleted one by one
            found += [block.deletion(a, b, "") for a, b in gone]
            continue
        for each in (one for part in result for one in part[0].deletions or ()):
            found += block.explained(each, sentence.start, gone)
    found += [block.deletion(*gone, BLOCK) for block in blocks if not block.is_prose for gone in block.gone_of()]
    told = sorted(found, key=lambda each: each.start)
    return tuple(_by_user(each, constraints) for each in told)


class _Block:
    """A block: its text (plain text if it has sentences), the offsets of its characters, and which of them are kept."""

    def __init__(self, document: Document, number: int, offsets: Offsets, kept: _Spans) -> None:
        block = document.blocks[number]
        self._text = document.text
        whole = range(*offsets.of_source(number, 0, len(block.source)))
        self._at = offsets.of_plain(number) or [(at, at + 1) for at in whole]
        self.is_prose = block.prose is not None and bool(block.prose.plain)
        self.plain = block.prose.plain if block.prose and self.is_prose else self._text[whole.start : whole.stop]
        self.kept = [kept.has(start) for start, _ in self._at]

    def gone_of(self, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
        """The deleted spans of a part of the text, without surrounding white space."""
        runs: list[tuple[int, int]] = []
        for i in range(start, len(self.plain) if end is None else end):
            if self.kept[i] or self.plain[i].isspace():
                continue
            if runs and not any(self.kept[runs[-1][1] : i]):
                runs[-1] = (runs[-1][0], i + 1)
            else:
                runs.append((i, i + 1))
        return runs

    def deletion(self, start: int, end: int, label: str, by: By = By.BUDGET) -> Deletion:
        """The deletion of a part of the text, without an edge."""
        first, last = self._at[start][0], self._at[end - 1][1]
        return Deletion(first, last, self._text[first:last], label, None, by)

    def explained(self, each: Deletion, shift: int, gone: Sequence[tuple[int, int]]) -> Iterator[Deletion]:
        """The part of a sentence's deletion that was really deleted from the document."""
        for a, b in gone:
            start, end = max(each.start + shift, a), min(each.end + shift, b)
            if start < end:
                by = each.by
                if by is By.CONSTRAINT:  # the constraint came from this function, not from the user
                    by = By.BUDGET if any(map(str.isalnum, self.plain[start:end])) else By.PRINT
                own = self.deletion(start, end, each.label, by)
                yield replace(own, p_del=each.p_del, rule=each.rule)


class _Spans:
    """Spans with a fast test of whether an offset is inside one."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        self._spans = sorted(spans)
        self._starts = [start for start, _ in self._spans]

    def has(self, at: int) -> bool:
        number = bisect_right(self._starts, at) - 1
        return number >= 0 and at < self._spans[number][1]


def _cut_blocks(document: Document, fitted: Fitted) -> list[_Block]:
    offsets, kept = Offsets(document), _Spans(fitted.spans)
    return [_Block(document, number, offsets, kept) for number in range(len(document.blocks))]


def _by_user(deletion: Deletion, constraints: Sequence[Constraint]) -> Deletion:
    """The deletion, attributed to the constraint that demands it, if there is one."""
    constraint = next((each for each in constraints if each.is_in(deletion.text)), None)
    return deletion if constraint is None else replace(deletion, by=By.CONSTRAINT, constraint=str(constraint))
