"""What a document may print of each of its sentences, and what that is worth.

The options of a sentence are its best compressions at several lengths, shorter and longer than the one that the model
likes best, and the whole sentence.

What an option is worth is the number of characters of its words, each counted by the probability that the model keeps
the word, times the salience of the sentence: how common its words are in the document (Luhn 1958). So what the model
would keep of any sentence is worth most, what it would delete is worth a little, and more is worth more. What is
shorter than the model's own compression counts by how much less probable it is: a scrap is no better than nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from laconic._core import NodePin, Unit
from laconic.decode import Decoded, Objective, decode
from laconic.document.asked import Asked
from laconic.guard import Pins, Policy
from laconic.language.grammar import CONTENT_TAGS, MAIN_VERB_TAGS
from laconic.language.words import CONJUNCTIONS, DANGLING_PREPOSITIONS, EMPTY_VERBS
from laconic.limits import Budget, Limits
from laconic.parse import Parses, lemma_id, scheme
from laconic.plan import make_plan, policy_for
from laconic.realise import print_pieces
from laconic.refused import raise_first

if TYPE_CHECKING:
    from laconic.compressor import Compressor
    from laconic.document.question import Question
    from laconic.limits.limits import BoundLimits
    from laconic.score import Model, Probabilities
    from laconic.tree import Forest

#: Lengths of compressions below the model's own, as shares of it, and above it, as shares of what it leaves out.
SHORTER: Final = (0.85, 0.7, 0.55)
LONGER: Final = (0.15, 0.3, 0.45, 0.6, 0.75, 0.9)

#: What a character of a whole sentence is worth by itself.
_READABLE: Final = 0.01

#: Tags of words that say what a sentence is about, and verbs that say nothing.
_CONTENT: Final = frozenset(i for i, tag in enumerate(scheme.TAGS) if tag.startswith(CONTENT_TAGS))
_VERBS: Final = tuple(scheme.TAG_ID[tag] for tag in MAIN_VERB_TAGS)
_EMPTY: Final = frozenset(lemma_id(word) for word in EMPTY_VERBS)

#: A preposition that has lost what it leads to.
_DANGLING: Final = re.compile(
    rf"\b(?:{'|'.join(DANGLING_PREPOSITIONS)})(?:[.,;:!?]|\s+(?:{'|'.join(CONJUNCTIONS)})\b|$)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Option:
    """One way to print a sentence: its text, the spans of the block's text that it prints, and what it is worth."""

    text: str
    spans: tuple[tuple[int, int], ...]
    worth: float


@dataclass(frozen=True, slots=True)
class SentenceOptions:
    """A sentence and the ways to print it; the last one is the whole."""

    text: str
    options: tuple[Option, ...]
    content: tuple[int, ...]  # ids of the words that say what it is about
    required: bool  # something of it must stay
    has_verb: bool = True
    # For a question: its terms, whether it has words of the kind that is asked for, and whether it begins with a pronoun.
    terms: tuple[str, ...] = ()
    answers: bool = False
    refers: bool = False


def read_options(
    compressor: Compressor, texts: Sequence[str], limits: Limits, question: Question | None = None
) -> list[list[SentenceOptions]]:
    """The sentences of some texts with the ways to print them, text by text; for a question, if there is one."""
    forest, scores = compressor.read(texts)
    asked = None if question is None else Asked.of(question, forest)
    bound = limits.bind(forest) if limits else None

    def decoded(limits: BoundLimits | None) -> Decoded:
        plan = make_plan(forest, scores, limits=limits, policy=Policy.DOCUMENT)
        # One objective for all of them, with limits and without: their scores are compared.
        objective = Objective.JOINT if plan.scorer.objective == Objective.MEAN else None
        scorer = plan.scorer if asked is None else asked.prefer(plan.scorer)
        return decode(forest, scorer, limits=limits, objective=objective, **plan.how)

    free = decoded(bound)
    if bound is not None:
        raise_first(bound.refused(free))
    lengths = forest.parses.sentence_lengths()
    own = _print_lengths(free)

    def within(most: NDArray[Any]) -> Decoded:
        budget = Budget(Unit.CHARS, most=np.maximum(np.floor(most), 1).astype(np.int64))
        return decoded(replace(limits, budget=budget).bind(forest))

    tries: list[tuple[Decoded, bool]] = [(free, False)]
    tries += [(within(own * share), True) for share in SHORTER]
    tries += [(within(own + (lengths - own) * share), False) for share in LONGER]
    # Words are worth what they are in a sentence by itself: in a document every argument is pinned, and all of them
    # would be worth the same.
    if asked is not None:
        return _collect(forest, bound, free, tries, asked.node_worth, asked)
    plan = make_plan(forest, scores, policy=policy_for(scores, None))
    worth = _node_worth(forest, plan.scorer, plan.pins)
    return _collect(forest, bound, free, tries, worth)


def salience(sentences: Sequence[SentenceOptions]) -> list[float]:
    """How common the words of each sentence are in the document, 1 on average; between a half and two."""
    counts = Counter(word for sentence in sentences for word in sentence.content)
    means = [
        float(np.mean([np.log1p(counts[word]) for word in sentence.content])) if sentence.content else 0.0
        for sentence in sentences
    ]
    average = float(np.mean([mean for mean in means if mean])) if any(means) else 1.0
    return [min(max(mean / average, 0.5), 2.0) for mean in means]


def _collect(
    forest: Forest,
    bound: BoundLimits | None,
    free: Decoded,
    tries: Sequence[tuple[Decoded, bool]],
    node_worth: NDArray[np.float64],
    asked: Asked | None = None,
) -> list[list[SentenceOptions]]:
    """The options of all sentences; `tries` are results, and whether they are shorter than the model's own."""
    parses = forest.parses
    texts, node_ptr = parses.texts(), forest.node_ptr.tolist()
    results = [(_Best(forest, texts, decoded), shorter) for decoded, shorter in tries]
    own_score = results[0][0].score
    verbs = np.concatenate([[0], np.cumsum(np.isin(parses.tag, _VERBS))]).tolist()  # before each token
    found: list[list[SentenceOptions]] = [[] for _ in texts]
    for i, (number, first, last) in enumerate(parses.sentences()):
        start, end = int(parses.start[first]), int(parses.end[last - 1])
        whole = texts[number][start:end].strip()
        if not whole:
            continue
        start = texts[number].index(whole, start)
        named = [] if bound is None else [bound.reasons[row] for row in range(first, last) if row in bound.reasons]
        loses = any(not constraint.keep for constraint in named)
        options: dict[str, Option] = {}
        # What has no verb is no sentence, and a part of it says something else: a label, a caption, an item of a list.
        has_verb = verbs[first] < verbs[last]
        worth = node_worth[node_ptr[i] : node_ptr[i + 1]]
        dangles = _DANGLING.search(whole) is not None
        seen: set[bytes] = set()  # nodes: the same ones print the same, and the first try counts
        for best, shorter in results if loses or has_verb else []:
            nodes = best.nodes(i)
            if not len(nodes) or nodes.tobytes() in seen:
                continue
            seen.add(nodes.tobytes())
            text, spans = best.print(i)
            if text in options or (_DANGLING.search(text) and not dangles):
                continue
            value = float(worth[nodes].sum())
            if shorter and asked is None:
                value *= float(np.exp(min(best.score(i) - own_score(i), 0.0)))
            options[text] = Option(text, spans, value)
        if not loses:  # the whole has what must go
            # A little for every character: of two ways that say as much, the whole is the better one.
            everything = float(worth.sum()) + _READABLE * (len(whole) if asked is None else 1)
            options[whole] = Option(whole, ((start, start + len(whole)),), everything)
        required = any(constraint.keep for constraint in named)
        content = tuple(_content(parses, first, last))
        found[number].append(
            SentenceOptions(
                whole, tuple(options.values()), content, required, has_verb, **({} if asked is None else asked.known(i))
            )
        )
    return found


class _Best:
    """The best result of every sentence of a batch; it is printed when it is asked for."""

    def __init__(self, forest: Forest, texts: Sequence[str], decoded: Decoded) -> None:
        self._parses, self._texts = forest.parses, texts
        self._result_ptr = decoded.result_ptr.tolist()
        self._node, self._node_ptr = decoded.node, decoded.node_ptr.tolist()
        self._score, self._piece_ptr = decoded.score, decoded.piece_ptr.tolist()
        self._pieces = [column.tolist() for column in (decoded.piece_start, decoded.piece_end, decoded.piece_space)]
        self._text_of, self._first = forest.sentence_text.tolist(), forest.sentence_first.tolist()

    def nodes(self, i: int) -> NDArray[np.int32]:
        """Of sentence `i`; empty where there is no result."""
        row = self._result_ptr[i]
        end = self._node_ptr[row + 1] if row < self._result_ptr[i + 1] else self._node_ptr[row]
        return self._node[self._node_ptr[row] : end]

    def score(self, i: int) -> float:
        """Of sentence `i`, which has a result."""
        return float(self._score[self._result_ptr[i]])

    def print(self, i: int) -> tuple[str, tuple[tuple[int, int], ...]]:
        """What is printed of sentence `i`, and the spans of its text."""
        row = self._result_ptr[i]
        own = slice(self._piece_ptr[row], self._piece_ptr[row + 1])
        starts, ends, spaces = (column[own] for column in self._pieces)
        return print_pieces(self._parses, self._texts[self._text_of[i]], self._first[i], starts, ends, spaces)


def _content(parses: Parses, first: int, last: int) -> Iterator[int]:
    for tag, lemma in zip(parses.tag[first:last].tolist(), parses.lemma[first:last].tolist(), strict=True):
        if tag in _CONTENT and lemma and lemma not in _EMPTY:
            yield lemma


def _print_lengths(decoded: Decoded) -> NDArray[np.int64]:
    """Characters of the best print of every sentence; 0 where there is none."""
    lengths = decoded.piece_end - decoded.piece_start + decoded.piece_space
    before = np.concatenate([[0], np.cumsum(lengths)])[decoded.piece_ptr]  # each result
    best = decoded.result_ptr[:-1]
    has_one = best < decoded.result_ptr[1:]
    return np.where(has_one, before[np.where(has_one, best + 1, 0)] - before[np.where(has_one, best, 0)], 0)


def _node_worth(forest: Forest, scorer: Model | Probabilities, pins: Pins | None) -> NDArray[np.float64]:
    """What each node is worth: its characters by the probability that it is kept, which pins make certain."""
    parses, node_ptr, parent, node_of = forest.parses, forest.node_ptr, forest.parent, forest.node_of
    p_ret, root_p_ret = scorer.core.retain(forest)
    is_root = root_p_ret >= 0
    if pins is not None:
        p_ret = np.where(pins.flags & NodePin.STAYS, 1.0, p_ret)
        is_root &= (pins.flags & NodePin.NOT_ROOT) == 0
    sentences = np.repeat(np.arange(len(node_ptr) - 1), np.diff(node_ptr))
    above = np.where(parent >= 0, parent + node_ptr[sentences], -1)
    # One root is chosen: by its odds among those that there are.
    clipped = np.clip(root_p_ret, 1e-6, 1 - 1e-6)
    odds = np.where(is_root, clipped / (1 - clipped), 0.0)
    total = np.zeros(len(node_ptr) - 1)
    np.add.at(total, sentences, odds)
    as_root = odds / np.maximum(total[sentences], 1e-12)
    kept = as_root.copy()
    while True:  # as often as the deepest tree is deep
        following = as_root + np.where(above >= 0, p_ret * kept[above], 0.0)
        if np.array_equal(following, kept):
            break
        kept = following
    size = np.zeros(len(parent))
    tokens = forest.sentence_last - forest.sentence_first
    token_sentence = np.repeat(np.arange(len(tokens)), tokens)
    inside = node_of >= 0
    np.add.at(size, node_of[inside] + node_ptr[token_sentence[inside]], (parses.end - parses.start)[inside])
    return size * kept
