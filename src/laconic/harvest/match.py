"""Match a headline with the tree of its sentence: find the smallest subtree that covers the headline's words.

Filippova & Altun 2013: content words of the headline are matched with nodes by lemma, or by coreference of a node's
head word. The compression is the smallest subtree that contains each word as often as the headline. A name and the
pronouns that refer to it are alternatives, so one of them suffices.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from laconic import _core
from laconic.errors import LaconicError
from laconic.harvest.headline import Headline, Wanted, check_missing
from laconic.harvest.headline_words import NEGATIONS, Lemmas, normalise
from laconic.harvest.reasons import Reason, UnfitError
from laconic.harvest.thresholds import Settings
from laconic.language.grammar import EXPLETIVES, GOVERNED, MODIFIERS, NOUN_DETERMINERS, SUBJECTS
from laconic.language.word_lists import AUXILIARIES
from laconic.parse import scheme
from laconic.tree import Forest

#: Labels of children that are kept with a node even if they are not in the headline: a clause is incomplete without its
#: subject, and the compressions of the Google corpus always keep the numbers and possessors of nouns.
COMPLETED: Final = frozenset(scheme.LABEL_ID[label] for label in (*SUBJECTS, *NOUN_DETERMINERS))

_VERBS: Final = frozenset(i for i, tag in enumerate(scheme.TAGS) if tag.startswith("VB") or tag == "MD")
_MODIFIERS: Final = frozenset(scheme.LABEL_ID[label] for label in MODIFIERS)
_SUBJECTS: Final = frozenset(scheme.LABEL_ID[label] for label in (*SUBJECTS, *EXPLETIVES))
_OBJECTS: Final = frozenset(scheme.LABEL_ID[label] for label in GOVERNED)


@dataclass(frozen=True, slots=True)
class SentenceTree:
    """The transformed tree of one sentence, with the token data that matching needs."""

    forms: list[str]
    tag: list[int]
    label: list[int]
    node_of: list[int]  # node of a token, -1 for punctuation
    parent: list[int]  # by node; -1 under the dummy root
    root_edge: list[int]
    head_word: list[int]  # token
    edge_label: list[int]
    coreferences: list[tuple[int, int]]  # pairs of nodes: one whose head word is a pronoun, and the antecedent's


def sentence_trees(forest: Forest) -> Iterator[SentenceTree]:
    """The trees of a batch of texts with one sentence each."""
    parses = forest.parses
    node_ptr, coref_ptr, node_of = forest.node_ptr, forest.coreference_ptr, forest.node_of
    word, parent, edge_label, root_edge = forest.word, forest.parent, forest.label, forest.root_edge
    pronoun_word, pronoun, antecedent = forest.pronoun_word, forest.pronoun, forest.antecedent
    for i, (text, (_, first, last)) in enumerate(zip(parses.texts(), parses.sentences(), strict=True)):
        nodes, pairs = slice(node_ptr[i], node_ptr[i + 1]), slice(coref_ptr[i], coref_ptr[i + 1])
        words = word[nodes].tolist()
        found = zip(pronoun_word[pairs].tolist(), pronoun[pairs].tolist(), antecedent[pairs].tolist(), strict=True)
        spans = zip(parses.start[first:last].tolist(), parses.end[first:last].tolist(), strict=True)
        yield SentenceTree(
            forms=[text[start:end] for start, end in spans],
            tag=parses.tag[first:last].tolist(),
            label=parses.label[first:last].tolist(),
            node_of=node_of[first:last].tolist(),
            parent=parent[nodes].tolist(),
            root_edge=root_edge[nodes].tolist(),
            head_word=words,
            edge_label=edge_label[nodes].tolist(),
            coreferences=[(node, other) for token, node, other in found if words[node] == token],
        )


def match(headline: Headline, tree: SentenceTree, lemmas: Lemmas, settings: Settings) -> list[int]:
    """The nodes of the compression; raises `UnfitError` if there is none."""
    places = _places(headline, tree, lemmas)
    if not any(word.content and tokens for word, tokens in places):
        raise UnfitError(Reason.MISSING, "all of them")
    check_missing([word.form for word, tokens in places if word.content and not tokens], settings)
    _check_verbs(headline, tree, places)
    options = _options(tree, [(tokens, word.content) for word, tokens in places if tokens], in_order=settings.in_order)
    smallest = _cover(tree, options)
    if settings.in_order and _orderly(tree, [_kept(tree, own.left, smallest) for own in options]) is None:
        raise UnfitError(Reason.ORDER, "in the smallest subtree")
    nodes = complete(tree, smallest)
    _check_sentence(headline, tree, set(nodes), {node for own in options for _, node in own.left})
    return nodes


def _places(headline: Headline, tree: SentenceTree, lemmas: Lemmas) -> list[tuple[Wanted, list[int]]]:
    """For each relevant word of the headline, the tokens that match it."""
    by_lemma: dict[str, list[int]] = defaultdict(list)
    for token, (form, node) in enumerate(zip(tree.forms, tree.node_of, strict=True)):
        if node >= 0:
            for lemma in lemmas.of(form):
                by_lemma[lemma].append(token)
    return [
        (word, sorted({token for lemma in word.lemmas for token in by_lemma.get(lemma, ())}))
        for word in headline.wanted
    ]


def _check_verbs(headline: Headline, tree: SentenceTree, places: list[tuple[Wanted, list[int]]]) -> None:
    """Refuse a headline that is no sentence, by the tags of its words in the sentence."""

    def verb(token: int) -> bool:
        return tree.tag[token] in _VERBS and tree.label[token] not in _MODIFIERS

    words = headline.text.lower().split()
    if not any(verb(token) for _, tokens in places for token in tokens) and not AUXILIARIES.intersection(words):
        raise UnfitError(Reason.NO_VERB)
    first, tokens = places[0]
    if words[0].startswith(first.form.lower()) and tokens and all(map(verb, tokens)):
        raise UnfitError(Reason.STARTS_WITH_VERB, first.form)


def _check_sentence(headline: Headline, tree: SentenceTree, kept: set[int], matched: set[int]) -> None:
    """Refuse a compression that is incomplete, or that contradicts the headline."""
    subjects = {tree.node_of[token] for token, label in enumerate(tree.label) if label in _SUBJECTS}
    subjects.update(
        parent for node, parent in enumerate(tree.parent) if node in kept and tree.edge_label[node] in _SUBJECTS
    )
    for node in kept:
        if tree.parent[node] not in kept and node not in subjects:
            raise UnfitError(Reason.NO_SUBJECT, tree.forms[tree.head_word[node]])
    for node, parent in enumerate(tree.parent):
        # A connecting verb without its object would be incomplete: "he [has told] he will come".
        if parent in kept and node not in kept and parent not in matched and tree.edge_label[node] in _OBJECTS:
            raise UnfitError(Reason.BARE_VERB, tree.forms[tree.head_word[parent]])
    words = [form for form, node in zip(tree.forms, tree.node_of, strict=True) if node in kept]
    if headline.negated != any(normalise(form) in NEGATIONS for form in words):
        raise UnfitError(Reason.NEGATION, "the headline has it" if headline.negated else "the sentence has it")


def complete(tree: SentenceTree, nodes: Sequence[int]) -> list[int]:
    """The nodes with the children that must be kept with them."""
    kept = set(nodes)
    children = defaultdict(list)
    for node, parent in enumerate(tree.parent):
        children[parent].append(node)
    waiting = list(nodes)
    while waiting:
        for child in children[waiting.pop()]:
            if child not in kept and tree.edge_label[child] in COMPLETED:
                kept.add(child)
                waiting.append(child)
    return sorted(kept)


#: The tokens that match a word of the headline, each with its node or, for a pronoun, its antecedent's node.
_Places = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Options:
    """The matches of a headline's word in the sentence."""

    all: tuple[tuple[int, int], ...]  # words with equal matches are the same word
    left: _Places  # those that occur in some left-to-right reading of the headline


def _options(tree: SentenceTree, places: list[tuple[list[int], bool]], *, in_order: bool) -> list[_Options]:
    """The matches of words; optional words are left out if they would break the order.

    A pronoun that is the head word of its node matches all words of its antecedent.
    """
    stand_ins = defaultdict(list)
    for pronoun, antecedent in tree.coreferences:
        stand_ins[antecedent].append(tree.head_word[pronoun])
    options: list[_Places] = []
    for tokens, _ in places:
        own = {(token, tree.node_of[token]) for token in tokens}
        own.update((token, node) for _, node in own.copy() for token in stand_ins[node])
        options.append(sorted(own))
    often = Counter(tuple(own) for own, (_, content) in zip(options, places, strict=True) if content)
    for word, need in often.items():
        if need > len(word):
            raise UnfitError(Reason.MISSING, f"{tree.forms[word[0][0]]}, {need} times")
    taken = list(range(len(places)))
    left: list[_Places] | None = options
    if in_order:
        left = _orderly(tree, options)
        if left is None:
            chosen = {i for i, (_, content) in enumerate(places) if content}
            for i in range(len(places)):  # optional words are added back if they break no order
                if _orderly(tree, [options[j] for j in sorted(chosen | {i})]) is not None:
                    chosen.add(i)
            taken = sorted(chosen)
            left = _orderly(tree, [options[i] for i in taken])
    if left is None:
        raise UnfitError(Reason.ORDER)
    return [_Options(tuple(options[i]), own) for i, own in zip(taken, left, strict=True)]


def _orderly(tree: SentenceTree, options: list[_Places]) -> list[_Places] | None:
    """Remove matches that occur in no left-to-right reading of the headline; None if there is no such reading.

    Words of one name may share the pronoun that refers to it.
    """
    left = list(options)
    for step in (1, -1):  # forward, then backward
        end = -1 if step == 1 else 1 << 30
        for i in range(len(left))[::step]:
            before = left[i - step] if 0 <= i - step < len(left) else []
            left[i] = [
                (token, node)
                for token, node in left[i]
                if step * token > step * end
                or (token == end and tree.node_of[token] != node and (token, node) in before)
            ]
            if not left[i]:
                return None
            end = (min if step == 1 else max)(token for token, _ in left[i])
    return left


def _kept(tree: SentenceTree, places: _Places, nodes: Sequence[int]) -> _Places:
    """The matches inside a subtree."""
    return [(token, node) for token, node in places if tree.node_of[token] in nodes]


def _cover(tree: SentenceTree, options: list[_Options]) -> list[int]:
    """The nodes of the smallest subtree that contains every word as often as the headline."""
    demands: dict[tuple[tuple[int, int], ...], int] = {}
    for word, need in Counter(own.all for own in options).items():
        places = {place for own in options if own.all == word for place in own.left}
        counts: Counter[int] = Counter()  # by node: how many of the words it contains or refers to
        for token, node in places:
            if tree.node_of[token] == node:
                counts[node] += 1
        for token, node in places:
            at = tree.node_of[token]
            if at != node:
                counts[at] = max(counts[at], sum(other == node and tree.node_of[t] == node for t, other in word))
        key = tuple(sorted(counts.items()))
        demands[key] = max(demands.get(key, 0), need)
    options_ptr = np.cumsum([0, *map(len, demands)], dtype=np.int64)
    flat = np.array([option for own in demands for option in own], dtype=np.int32).reshape(-1, 2)
    sizes = Counter(node for node in tree.node_of if node >= 0)
    try:
        found = _core.cover(
            np.array(tree.parent, dtype=np.int32),
            np.array(tree.root_edge, dtype=np.uint8),
            np.array([sizes[node] for node in range(len(tree.parent))], dtype=np.int32),
            np.array(list(demands.values()), dtype=np.int32),
            options_ptr,
            np.ascontiguousarray(flat[:, 0]),
            np.ascontiguousarray(flat[:, 1]),
        )
    except LaconicError as error:
        raise UnfitError(Reason.AMBIGUOUS) from error
    if found is None:
        raise UnfitError(Reason.DISCONNECTED)
    return found
