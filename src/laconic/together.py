"""Compress texts with different options, parsed and scored in one pass of the network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from laconic.asked import Asked
from laconic.compressor import Compressor
from laconic.decode import Method
from laconic.errors import LaconicError
from laconic.options import Options
from laconic.refused import put_back
from laconic.results import Result
from laconic.score import Model
from laconic.tree import make_forest

if TYPE_CHECKING:
    from laconic.parse import Parses
    from laconic.score import LevelScores


class Question(NamedTuple):
    """Texts to compress with the same options."""

    texts: Sequence[str]
    k: int = 1
    options: Options = Options()


def compress_together(
    compressor: Compressor, questions: Sequence[Question]
) -> list[list[Result | LaconicError] | LaconicError]:
    """For each question, the results of its texts, as `Compressor.batch` returns them, or the error of its options.

    The output of the network does not depend on options, so all texts are parsed at once, and those with the same
    options are decoded at once. A refused text has its error in its place.
    """
    found: list[list[Result | LaconicError] | LaconicError] = [[] for _ in questions]
    together: list[tuple[list[int], Asked]] = []
    for numbers in _alike(questions):
        texts = [text for number in numbers for text in questions[number].texts]
        try:
            asked = Asked.of(compressor.parser, texts, questions[numbers[0]].k, questions[numbers[0]].options)
            if asked.method is Method.TOPDOWN:
                together.append((numbers, asked))
            else:  # the paper's methods have a scorer of their own
                own = compressor.batch(texts, errors="return", **asked.options)
                _hand_out(found, questions, numbers, own)
        except LaconicError as error:
            for number in numbers:
                found[number] = error
    if not together:
        return found
    forest, scores = compressor.read([text for _, asked in together for text in asked.texts])
    first = 0
    for numbers, asked in together:
        texts_of = range(first, first + len(asked.texts))
        first = texts_of.stop
        try:
            if len(together) == 1:
                results, refused = asked.compress(forest, scores)
            else:
                results, refused = _compress_some(forest.parses, scores, texts_of, asked)
        except LaconicError as error:
            for number in numbers:
                found[number] = error
        else:
            _hand_out(found, questions, numbers, put_back(results, refused, asked.unread))
    return found


def _alike(questions: Sequence[Question]) -> list[list[int]]:
    """Group questions with the same options: the indices of each group."""
    groups: dict[tuple[int, str], list[int]] = {}
    for number, question in enumerate(questions):
        groups.setdefault((question.k, repr(sorted(question.options.items()))), []).append(number)
    return list(groups.values())


def _compress_some(
    parses: Parses, scores: Model | LevelScores, numbers: range, asked: Asked
) -> tuple[list[Result], dict[int, LaconicError]]:
    """The results of some texts of a parsed batch."""
    own, rows = parses.take(np.arange(numbers.start, numbers.stop))
    return asked.compress(make_forest(own), scores if isinstance(scores, Model) else scores.take(rows))


def _hand_out(
    found: list[list[Result | LaconicError] | LaconicError],
    questions: Sequence[Question],
    numbers: Sequence[int],
    results: Sequence[Result | LaconicError],
) -> None:
    """Assign to each question the results of its texts."""
    first = 0
    for number in numbers:
        found[number] = list(results[first : first + len(questions[number].texts)])
        first += len(questions[number].texts)
