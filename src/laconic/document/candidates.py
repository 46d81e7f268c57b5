"""What a document may print of each of its sentences, and what that is worth.

The candidates of a sentence are its best compressions at several lengths, shorter and longer than the one that the
model likes best, and the whole sentence.

What a candidate is worth is what its words are (`laconic.document.worth`): how likely they are to be what somebody
wants to know, or the answer to the question that is asked. The same numbers move the decoder, so that what is worth
most is in the compressions. All of them are under the guard, so that a short one is as true as a long one.
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

#: Lengths of compressions below the model's own, as shares of it, and above it, as shares of what it leaves out.
SHORTER: Final = (0.75, 0.5)
LONGER: Final = (0.17, 0.33, 0.5, 0.67, 0.83)

#: How long the best print of a length is looked for. The lengths are none that anybody asked for, so that another print
#: of about the same length does as well; without this the search takes most of its time for one sentence of a hundred.
_PATIENCE: Final = 128

#: Words of a sentence that is tried at several lengths, at most; a longer one has the model's own compression alone.
_LONGEST: Final = 400

#: How much more a whole sentence is worth than its words: of two ways that say as much, it is the better one.
_WHOLE: Final = 1.05

_VERBS: Final = tuple(scheme.TAG_ID[tag] for tag in MAIN_VERB_TAGS)

#: A preposition that has lost what it leads to, in small letters.
_DANGLING: Final = re.compile(
    rf"\b(?:{'|'.join(DANGLING_PREPOSITIONS)})(?:[.,;:!?]|\s+(?:{'|'.join(CONJUNCTIONS)})\b|$)"
)


class Candidate(NamedTuple):
    """One way to print a sentence: its text, the spans of the block's text that it prints, and what it is worth."""

    text: str
    spans: tuple[tuple[int, int], ...]
    worth: float


class SentenceCandidates(NamedTuple):
    """A sentence and the ways to print it; the last one is the whole."""

    text: str
    candidates: tuple[Candidate, ...]
    terms: tuple[str, ...]  # what it is about
    required: bool  # something of it must stay
    has_verb: bool = True
    answers: int = 0  # how many words it has of the kind that the question asks for
    refers: bool = False  # it begins with a pronoun
    alone: float = 1.0  # the share of its worth that is left where the sentence before it is not printed


def read_candidates(
    compressor: Compressor,
    texts: Sequence[str],
    limits: Limits,
    *,
    question: Question | None = None,
    whole: Sequence[Spans] = (),
) -> list[list[SentenceCandidates] | LaconicError]:
    """The sentences of some texts with the ways to print them, text by text; or why nothing can be asked of a text.

    Inside of what is `whole` no sentence ends.
    """
    forest, scores = compressor.read(texts, whole=whole)
    worth = Worth.of(forest, question)
    bound = limits.bind(forest) if limits else None

    pins = make_pins(forest, Policy.DOCUMENT)

    def decoded(limits: BoundLimits | None) -> Decoded:
        plan = make_plan(forest, scores, limits=limits, policy=Policy.DOCUMENT, pins=pins)
        # One objective for all of them, with limits and without: their scores are compared.
        objective = Objective.JOINT if plan.edge_scores.objective == Objective.MEAN else None
        return decode(
            forest, worth.prefer(plan.edge_scores), limits=limits, objective=objective, order=Order.SCORE, **plan.how
        )

    free = decoded(bound)
    refused = {} if bound is None else bound.refused(free)
    lengths = forest.parses.sentence_lengths()
    own = _print_lengths(free)

    # The time for lengths grows with the square of the sentence's; what is that long is seldom a sentence.
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
    """The candidates of all sentences, of the results of some searches."""
    parses = forest.parses
    texts, node_ptr = parses.texts(), forest.node_ptr.tolist()
    results = [_Best(forest, texts, decoded) for decoded in tries]
    verbs = np.concatenate([[0], np.cumsum(np.isin(parses.tag, _VERBS))]).tolist()  # before each token
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
        # What has no verb is no sentence, and a part of it says something else: a label, a caption, an item of a list.
        has_verb = verbs[first] < verbs[last]
        worth = all_worth.node[node_ptr[i] : node_ptr[i + 1]]
        dangles = _DANGLING.search(whole.lower()) is not None
        seen: set[bytes] = set()  # nodes: the same ones print the same, and the first try counts
        for best in results if loses or has_verb else []:
            nodes = best.nodes(i)
            if not len(nodes) or nodes.tobytes() in seen:
                continue
            seen.add(nodes.tobytes())
            text, spans = best.print(i)
            if whole.endswith(":"):
                text, spans = _announce(text, spans, start + len(whole))
            if text in candidates or (_DANGLING.search(text.lower()) and not dangles):
                continue
            candidates[text] = Candidate(text, spans, float(worth[nodes].sum()))
        if not loses:  # the whole has what must go
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
    """The best result of every sentence of a batch; it is printed when it is asked for."""

    def __init__(self, forest: Forest, texts: Sequence[str], decoded: Decoded) -> None:
        self._parses, self._texts = forest.parses, texts
        self._result_ptr = decoded.result_ptr.tolist()
        self._node, self._node_ptr = decoded.node, decoded.node_ptr.tolist()
        self._piece_ptr, *self._pieces = (column.tolist() for column in _join_neighbours(forest, decoded))
        self._text_of, self._first = forest.sentence_text.tolist(), forest.sentence_first.tolist()

    def nodes(self, i: int) -> NDArray[np.int32]:
        """Of sentence `i`; empty where there is no result."""
        row = self._result_ptr[i]
        end = self._node_ptr[row + 1] if row < self._result_ptr[i + 1] else self._node_ptr[row]
        return self._node[self._node_ptr[row] : end]

    def print(self, i: int) -> tuple[str, tuple[tuple[int, int], ...]]:
        """What is printed of sentence `i`, and the spans of its text."""
        row = self._result_ptr[i]
        own = slice(self._piece_ptr[row], self._piece_ptr[row + 1])
        starts, ends, spaces = (column[own] for column in self._pieces)
        return print_pieces(self._parses, self._texts[self._text_of[i]], self._first[i], starts, ends, spaces)


def _join_neighbours(forest: Forest, decoded: Decoded) -> tuple[NDArray[Any], ...]:
    """Where the pieces of each result begin, then where each starts and ends, and whether a space is before it.

    Pieces that stand beside each other are one.
    """
    start, end, space = decoded.piece_start, decoded.piece_end, decoded.piece_space != 0
    sentences = np.repeat(np.arange(len(forest)), np.diff(decoded.result_ptr))  # of each result
    results = np.repeat(np.arange(len(sentences)), np.diff(decoded.piece_ptr))  # of each piece
    base = forest.parses.char_ptr[forest.sentence_text[sentences[results]]]
    between = start[1:] - end[:-1]
    # A sentence's last piece may end its text: there the place behind it is not asked for.
    behind = forest.parses.chars[np.where(between == 1, base[:-1] + end[:-1], 0)]
    joined = ((between == 0) & ~space[1:]) | ((between == 1) & space[1:] & (behind == ord(" ")))
    first = np.ones(len(start), dtype=bool)
    first[1:] = ~(joined & (results[1:] == results[:-1]))
    begins = np.flatnonzero(first)
    lasts = np.append(begins, len(start))[1:] - 1
    before = np.concatenate([[0], np.cumsum(first)])  # pieces that are left before each
    return before[decoded.piece_ptr], start[begins], end[lasts], space[begins]


def _print_lengths(decoded: Decoded) -> NDArray[np.int64]:
    """Characters of the best print of every sentence; 0 where there is none."""
    lengths = decoded.piece_end - decoded.piece_start + decoded.piece_space
    before = np.concatenate([[0], np.cumsum(lengths)])[decoded.piece_ptr]  # each result
    best = decoded.result_ptr[:-1]
    has_one = best < decoded.result_ptr[1:]
    return np.where(has_one, before[np.where(has_one, best + 1, 0)] - before[np.where(has_one, best, 0)], 0)
