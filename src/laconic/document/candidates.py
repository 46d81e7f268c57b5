"""Candidates: the ways to print each sentence of a document, and their values.

The candidates of a sentence are its best compressions at several lengths, shorter and longer than the one that the
model prefers, and the whole sentence.

The value of a candidate is the sum over its words (`laconic.document.worth`): how likely they are to be what a reader
wants to know, or the answer to the question. The same values are added to the decoder's scores, so that valuable words
are kept. All candidates are guarded, so that short ones are as true as long ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic._core import Unit
from laconic.decode import Decoded, Objective, Order, decode
from laconic.document.worth import Worth
from laconic.errors import LaconicError
from laconic.guard import Policy, make_pins
from laconic.language.grammar import MAIN_VERB_TAGS
from laconic.language.word_lists import CONJUNCTIONS, DANGLING_PREPOSITIONS
from laconic.limits import Budget, Limits
from laconic.parse import scheme
from laconic.plan import make_plan
from laconic.realise import print_pieces

if TYPE_CHECKING:
    from laconic.compressor import Compressor
    from laconic.document.question import Question
    from laconic.limits.limits import BoundLimits
    from laconic.parse.texts import Spans
    from laconic.tree import Forest

#: Lengths of further compressions: below the preferred one as shares of it, above it as shares of what it deletes.
SHORTER: Final = (0.75, 0.5)
LONGER: Final = (0.3, 0.6)

#: The limit of the search for the best result of a length. Nobody asked for these exact lengths, so a result of about
#: the same length will do; without the limit, most time would be spent on the one sentence in a hundred that is hard.
_PATIENCE: Final = 128

#: The maximum number of words of a sentence that is tried at several lengths; longer ones get the preferred length
#: only.
_LONGEST: Final = 400

#: The factor on the value of whole sentences: of two candidates with equal content, the whole sentence is better.
_WHOLE: Final = 1.05

_VERBS: Final = tuple(scheme.TAG_ID[tag] for tag in MAIN_VERB_TAGS)

#: Matches a preposition without its object, in lower case.
_DANGLING: Final = re.compile(
    rf"\b(?:{'|'.join(DANGLING_PREPOSITIONS)})(?:[.,;:!?]|\s+(?:{'|'.join(CONJUNCTIONS)})\b|$)"
)


class Candidate(NamedTuple):
    """One way to print a sentence: its text, the spans of the block's text that it consists of, and its value."""

    text: str
    spans: tuple[tuple[int, int], ...]
    worth: float


class SentenceCandidates(NamedTuple):
    """A sentence with its candidates; the last one is the whole sentence."""

    text: str
    candidates: tuple[Candidate, ...]
    terms: tuple[str, ...]  # the terms that it is about
    required: bool  # something of it must be printed
    has_verb: bool = True
    answers: int = 0  # number of words of the kind that the question asks for
    refers: bool = False  # whether it begins with a pronoun
    alone: float = 1.0  # the share of its value that remains if the sentence before it is not printed


def read_candidates(
    compressor: Compressor,
    texts: Sequence[str],
    limits: Limits,
    *,
    question: Question | None = None,
    whole: Sequence[Spans] = (),
) -> list[list[SentenceCandidates] | LaconicError]:
    """The sentences of texts with their candidates, by text, or the error of a text with impossible constraints.

    No sentence ends inside the spans given in `whole`.
    """
    forest, scores = compressor.read(texts, whole=whole)
    worth = Worth.of(forest, question)
    bound = limits.bind(forest) if limits else None

    pins = make_pins(forest, Policy.DOCUMENT)

    def decoded(limits: BoundLimits | None) -> Decoded:
        plan = make_plan(forest, scores, limits=limits, policy=Policy.DOCUMENT, pins=pins)
        # The scores are compared, so the objective must be the same with and without limits.
        objective = Objective.JOINT if plan.edge_scores.objective == Objective.MEAN else None
        return decode(
            forest, worth.prefer(plan.edge_scores), limits=limits, objective=objective, order=Order.SCORE, **plan.how
        )

    free = decoded(bound)
    refused = {} if bound is None else bound.refused(free)
    lengths = forest.parses.sentence_lengths()
    own = _print_lengths(free)

    # The time for several lengths is quadratic in that of the sentence, and text this long is seldom a sentence.
    is_long = forest.sentence_last - forest.sentence_first > _LONGEST

    def within(most: NDArray[Any]) -> Decoded:
        most = np.where(is_long, lengths, most)
        budget = Budget(Unit.CHARS, most=np.maximum(np.floor(most), 1).astype(np.int64))
        return decoded(replace(limits, budget=budget, patience=_PATIENCE).bind(forest))

    tries = [free, *(within(own * share) for share in SHORTER)]
    tries += [within(own + (lengths - own) * share) for share in LONGER]
    return [refused.get(number, own) for number, own in enumerate(_collect(forest, bound, tries, worth))]


def _collect(
    forest: Forest,
    bound: BoundLimits | None,
    tries: Sequence[Decoded],
    all_worth: Worth,
) -> list[list[SentenceCandidates]]:
    """The candidates of all sentences, from the results of several searches."""
    parses = forest.parses
    texts, node_ptr = parses.texts(), forest.node_ptr.tolist()
    results = [_Best(forest, texts, decoded, all_worth.node) for decoded in tries]
    verbs = np.concatenate([[0], np.cumsum(np.isin(parses.tag, _VERBS))]).tolist()  # cumulative, before each token
    found: list[list[SentenceCandidates]] = [[] for _ in texts]
    for i, (number, first, last) in enumerate(parses.sentences()):
        start, end = int(parses.start[first]), int(parses.end[last - 1])
        whole = texts[number][start:end].strip()
        if not whole:
            continue
        start = texts[number].index(whole, start)
        asked = [] if bound is None else [bound.reasons[row] for row in range(first, last) if row in bound.reasons]
        loses = any(not constraint.keep for constraint in asked)
        candidates: dict[str, Candidate] = {}
        # Without a verb, it is a label, a caption or an item of a list, parts of which would mean something else.
        has_verb = verbs[first] < verbs[last]
        worth = all_worth.node[node_ptr[i] : node_ptr[i + 1]]
        dangles = _DANGLING.search(whole.lower()) is not None
        seen: set[bytes] = set()  # node sets: equal ones print the same text
        for best in results if loses or has_verb else []:
            nodes = best.nodes(i)
            if not nodes or nodes in seen:
                continue
            seen.add(nodes)
            text, spans = best.print(i)
            if whole.endswith(":"):
                text, spans = _announce(text, spans, start + len(whole))
            if text in candidates or (_DANGLING.search(text.lower()) and not dangles):
                continue
            candidates[text] = Candidate(text, spans, best.worth(i))
        if not loses:  # the whole sentence contains no word that must be deleted
            candidates[whole] = Candidate(whole, ((start, start + len(whole)),), _WHOLE * float(worth.sum()))
        required = any(constraint.keep for constraint in asked)
        own = all_worth.known(i)
        found[number].append(
            SentenceCandidates(
                whole, tuple(candidates.values()), own.terms, required, has_verb, own.answers, own.refers, own.alone
            )
        )
    return found


def _announce(text: str, spans: Spans, end: int) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A print of a sentence that has a colon at its end, which it keeps: what is announced may follow."""
    if text[-1] in ".:!?":
        return text, tuple(spans)
    first, last = spans[-1]
    return text + ":", (*spans[:-1], *([(first, end)] if last == end - 1 else [(first, last), (end - 1, end)]))


class _Best:
    """The best result of every sentence of a batch, printed on request."""

    def __init__(self, forest: Forest, texts: Sequence[str], decoded: Decoded, worth: NDArray[np.float64]) -> None:
        self._parses, self._texts = forest.parses, texts
        self._result_ptr: list[int] = decoded.result_ptr.tolist()
        self._node, self._node_ptr = decoded.node.tobytes(), (decoded.node_ptr * decoded.node.itemsize).tolist()
        self._worth: list[float] = _worth_of_results(forest, decoded, worth)
        self._piece_ptr, *self._pieces = (column.tolist() for column in _join_neighbours(forest, decoded))
        self._text_of, self._first = forest.sentence_text.tolist(), forest.sentence_first.tolist()

    def nodes(self, i: int) -> bytes:
        """The nodes of sentence `i` as bytes; empty if there is no result."""
        row = self._result_ptr[i]
        return self._node[self._node_ptr[row] : self._node_ptr[row + 1]] if row < self._result_ptr[i + 1] else b""

    def worth(self, i: int) -> float:
        """The value of the result of sentence `i`, which has one."""
        return self._worth[self._result_ptr[i]]

    def print(self, i: int) -> tuple[str, tuple[tuple[int, int], ...]]:
        """The printed text of sentence `i`, and its spans."""
        row = self._result_ptr[i]
        own = slice(self._piece_ptr[row], self._piece_ptr[row + 1])
        starts, ends, spaces = (column[own] for column in self._pieces)
        return print_pieces(self._parses, self._texts[self._text_of[i]], self._first[i], starts, ends, spaces)


def _worth_of_results(forest: Forest, decoded: Decoded, worth: NDArray[np.float64]) -> list[float]:
    """By result: the sum of the values of its nodes."""
    base = np.repeat(forest.node_ptr[:-1], np.diff(decoded.result_ptr))
    values = worth[decoded.node + np.repeat(base, np.diff(decoded.node_ptr))]
    # A result without nodes would get the value of the next one.
    found: list[float] = np.add.reduceat(np.append(values, 0.0), decoded.node_ptr[:-1]).tolist()
    return found


def _join_neighbours(forest: Forest, decoded: Decoded) -> tuple[NDArray[Any], ...]:
    """Row pointers of the results' pieces, then for each piece its start, its end and whether a space precedes it.

    Adjacent pieces are merged.
    """
    start, end, space = decoded.piece_start, decoded.piece_end, decoded.piece_space != 0
    sentences = np.repeat(np.arange(len(forest)), np.diff(decoded.result_ptr))  # by result
    results = np.repeat(np.arange(len(sentences)), np.diff(decoded.piece_ptr))  # by piece
    base = forest.parses.char_ptr[forest.sentence_text[sentences[results]]]
    between = start[1:] - end[:-1]
    # The last piece of a sentence may end its text, where there is no next character to look up.
    behind = forest.parses.chars[np.where(between == 1, base[:-1] + end[:-1], 0)]
    joined = ((between == 0) & ~space[1:]) | ((between == 1) & space[1:] & (behind == ord(" ")))
    first = np.ones(len(start), dtype=bool)
    first[1:] = ~(joined & (results[1:] == results[:-1]))
    begins = np.flatnonzero(first)
    lasts = np.append(begins, len(start))[1:] - 1
    before = np.concatenate([[0], np.cumsum(first)])  # number of merged pieces before each piece
    return before[decoded.piece_ptr], start[begins], end[lasts], space[begins]


def _print_lengths(decoded: Decoded) -> NDArray[np.int64]:
    """The length of the best print of every sentence, in characters; 0 if there is none."""
    lengths = decoded.piece_end - decoded.piece_start + decoded.piece_space
    before = np.concatenate([[0], np.cumsum(lengths)])[decoded.piece_ptr]  # by result: cumulative length before it
    best = decoded.result_ptr[:-1]
    has_one = best < decoded.result_ptr[1:]
    return np.where(has_one, before[np.where(has_one, best + 1, 0)] - before[np.where(has_one, best, 0)], 0)
