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

from laconic import _core
from laconic.compressor import realise
from laconic.decode import Decoded, decode
from laconic.document.clauses import whole_clauses
from laconic.limits import Budget, Limits
from laconic.limits.budget import Unit
from laconic.parse import Parses, lemma_id, scheme
from laconic.tree.rules import make_rules

if TYPE_CHECKING:
    from laconic.compressor import Compressor
    from laconic.limits.limits import BoundLimits
    from laconic.score import Model, Probabilities

#: Lengths of compressions below the model's own, as shares of it, and above it, as shares of what it leaves out.
SHORTER: Final = (0.85, 0.7, 0.55)
LONGER: Final = (0.15, 0.3, 0.45, 0.6, 0.75, 0.9)

#: What a character of a whole sentence is worth by itself.
_READABLE: Final = 0.01

#: Tags of words that say what a sentence is about, and verbs that say nothing.
_CONTENT: Final = tuple(i for i, tag in enumerate(scheme.TAGS) if tag.startswith(("NN", "VB", "JJ", "CD")))
_VERBS: Final = tuple(scheme.TAG_ID[tag] for tag in ("VB", "VBD", "VBP", "VBZ", "MD"))
_EMPTY: Final = frozenset(lemma_id(word) for word in "be have do say go get make take come".split())


#: A preposition that has lost what it leads to.
_DANGLING: Final = re.compile(
    r"\b(?:about|at|by|for|from|in|into|of|on|over|than|to|under|with)(?:[.,;:!?]|\s+(?:and|or|but)\b|$)", re.IGNORECASE
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


def read_options(compressor: Compressor, texts: Sequence[str], limits: Limits) -> list[list[SentenceOptions]]:
    """The sentences of some texts with the ways to print them, text by text."""
    parses, scored = compressor.read(texts)
    scorer = whole_clauses(parses, scored)
    bound = limits.bind(parses) if limits else None
    free = decode(parses, scorer, limits=bound)
    if bound is not None:
        bound.refuse(free)
    lengths = parses.sentence_lengths()
    own = np.array([_print_length(free, i) for i in range(len(lengths))], dtype=np.int64)
    tries: list[tuple[Decoded, bool]] = [(free, False)]
    tries += [(_decode(parses, scorer, limits, own * share, rho=scorer.rho), True) for share in SHORTER]
    tries += [(_decode(parses, scorer, limits, own + (lengths - own) * share), False) for share in LONGER]
    worth = _node_worth(parses, scored)
    return _collect(parses, bound, free, tries, worth)


def salience(sentences: Sequence[SentenceOptions]) -> list[float]:
    """How common the words of each sentence are in the document, 1 on average; between a half and two."""
    counts = Counter(word for sentence in sentences for word in sentence.content)
    means = [
        float(np.mean([np.log1p(counts[word]) for word in sentence.content])) if sentence.content else 0.0
        for sentence in sentences
    ]
    average = float(np.mean([mean for mean in means if mean])) if any(means) else 1.0
    return [min(max(mean / average, 0.5), 2.0) for mean in means]


def _decode(
    parses: Parses, scorer: Model | Probabilities, limits: Limits, most: NDArray[Any], rho: float | None = None
) -> Decoded:
    budget = Budget(Unit.CHARS, most=np.maximum(np.floor(most), 1).astype(np.int64))
    return decode(parses, scorer, limits=replace(limits, budget=budget).bind(parses), rho=rho)


def _collect(
    parses: Parses,
    bound: BoundLimits | None,
    free: Decoded,
    tries: Sequence[tuple[Decoded, bool]],
    worth: tuple[NDArray[np.int64], NDArray[np.float64]],
) -> list[list[SentenceOptions]]:
    """The options of all sentences; `tries` are results, and whether they are shorter than the model's own."""
    texts = parses.texts()
    printed = [(realise(parses, decoded), decoded, shorter) for decoded, shorter in tries]
    node_ptr, node_worth = worth
    found: list[list[SentenceOptions]] = [[] for _ in texts]
    for i, (number, first, last) in enumerate(parses.sentences()):
        start, end = int(parses.start[first]), int(parses.end[last - 1])
        whole = texts[number][start:end].strip()
        if not whole:
            continue
        start = texts[number].index(whole, start)
        asked = [] if bound is None else [bound.reasons[row] for row in range(first, last) if row in bound.reasons]
        loses = any(not constraint.keep for constraint in asked)
        options: dict[str, Option] = {}
        # What has no verb is no sentence, and a part of it says something else: a label, a caption, an item of a list.
        has_verb = bool(np.isin(parses.tag[first:last], _VERBS).any())
        if loses or has_verb:
            for results, decoded, shorter in printed:
                row = int(decoded.result_ptr[i])
                if row == decoded.result_ptr[i + 1]:
                    continue
                best = results[number].sentences[len(found[number])].compressions[0]
                nodes = decoded.node[decoded.node_ptr[row] : decoded.node_ptr[row + 1]]
                value = float(node_worth[node_ptr[i] + nodes].sum())
                if shorter:
                    value *= float(np.exp(min(decoded.score[row] - free.score[free.result_ptr[i]], 0.0)))
                if not _DANGLING.search(best.text) or _DANGLING.search(whole):
                    options.setdefault(best.text, Option(best.text, best.spans, value))
        if not loses:  # the whole has what must go
            # A little for every character: of two ways that say as much, the whole is the better one.
            everything = float(node_worth[node_ptr[i] : node_ptr[i + 1]].sum()) + _READABLE * len(whole)
            options[whole] = Option(whole, ((start, start + len(whole)),), everything)
        required = any(constraint.keep for constraint in asked)
        content = tuple(_content(parses, first, last))
        found[number].append(SentenceOptions(whole, tuple(options.values()), content, required, has_verb))
    return found


def _content(parses: Parses, first: int, last: int) -> Iterator[int]:
    for row in range(first, last):
        lemma = int(parses.lemma[row])
        if parses.tag[row] in _CONTENT and lemma and lemma not in _EMPTY:
            yield lemma


def _print_length(decoded: Decoded, i: int) -> int:
    row = int(decoded.result_ptr[i])
    if row == decoded.result_ptr[i + 1]:
        return 0
    pieces = slice(int(decoded.piece_ptr[row]), int(decoded.piece_ptr[row + 1]))
    return int((decoded.piece_end[pieces] - decoded.piece_start[pieces] + decoded.piece_space[pieces]).sum())


def _node_worth(parses: Parses, scorer: Model | Probabilities) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Where the nodes of each sentence begin, and what each node is worth: its characters by its probability."""
    columns = _core.trees(_core.Parses(*parses.columns()), make_rules(), scorer.core)
    node_ptr, parent, p_ret, root_p_ret, node_of = columns[0], columns[2], columns[6], columns[7], columns[8]
    sentences = np.repeat(np.arange(len(node_ptr) - 1), np.diff(node_ptr))
    above = np.where(parent >= 0, parent + node_ptr[sentences], -1)
    # One root is chosen: by its odds among those that there are.
    clipped = np.clip(root_p_ret, 1e-6, 1 - 1e-6)
    odds = np.where(root_p_ret >= 0, clipped / (1 - clipped), 0.0)
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
    token_sentence = np.repeat(np.arange(len(node_ptr) - 1), [last - first for _, first, last in parses.sentences()])
    inside = node_of >= 0
    np.add.at(size, node_of[inside] + node_ptr[token_sentence[inside]], (parses.end - parses.start)[inside])
    return node_ptr, size * kept
