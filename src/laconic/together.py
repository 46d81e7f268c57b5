"""Texts of which different things are asked, parsed and scored in one pass of the network."""

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
    """Texts, and what is asked of them."""

    texts: Sequence[str]
    k: int = 1
    options: Options = Options()


def compress_together(
    compressor: Compressor, questions: Sequence[Question]
) -> list[list[Result | LaconicError] | LaconicError]:
    """The results of the texts of every question, as `Compressor.batch` gives them, or why its options are refused.

    What the network says of a text depends on no option, so all texts are read at once, and those with the same
    options are decoded at once. A text that is refused has its error in its place.
    """
    found: list[list[Result | LaconicError] | LaconicError] = [[] for _ in questions]
    together: list[tuple[list[int], Asked]] = []
    for numbers in _alike(questions):
        texts = [text for number in numbers for text in questions[number].texts]
        try:
            asked = Asked.of(compressor.parser, texts, questions[numbers[0]].k, questions[numbers[0]].options)
            if asked.method is Method.TOPDOWN:
                together.append((numbers, asked))
            else:  # the methods of the paper have a reading of their own
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
    """The numbers of questions, those with the same options together."""
    groups: dict[tuple[int, str], list[int]] = {}
    for number, question in enumerate(questions):
        groups.setdefault((question.k, repr(sorted(question.options.items()))), []).append(number)
    return list(groups.values())


def _compress_some(
    parses: Parses, scores: Model | LevelScores, numbers: range, asked: Asked
) -> tuple[list[Result], dict[int, LaconicError]]:
    """The results of some texts of a batch that was read."""
    own, rows = parses.take(np.arange(numbers.start, numbers.stop))
    return asked.compress(make_forest(own), scores if isinstance(scores, Model) else scores.take(rows))


def _hand_out(
    found: list[list[Result | LaconicError] | LaconicError],
    questions: Sequence[Question],
    numbers: Sequence[int],
    results: Sequence[Result | LaconicError],
) -> None:
    """Give each question its results."""
    first = 0
    for number in numbers:
        found[number] = list(results[first : first + len(questions[number].texts)])
        first += len(questions[number].texts)
