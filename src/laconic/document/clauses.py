"""Probabilities for documents: what is printed of a sentence is a clause of its own, with all that its verb asks for.

Nobody looks at the compressions of a long document one by one, and there is always another sentence to save space in.
So subjects, objects and complements stay with their verbs, and so do conditions ("if it rains"); what is denied is
printed as a whole, since what is cut from it may be all that was denied ("this does not work for everyone"); no clause
is taken out of the one that it depends on ("which runs every hour", "what happened") or that denies it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic.parse import Parses, lemma_id, scheme
from laconic.score import Model, Probabilities
from laconic.score.denials import DENIALS, keep_denials
from laconic.tree.rules import make_rules

_ARGUMENTS: Final = "nsubj nsubjpass csubj csubjpass expl dobj dative attr acomp oprd xcomp ccomp prt agent neg".split()
_DEPENDENT: Final = ("relcl", "advcl", "acl", "csubj", "csubjpass", "pcomp")


_CONDITIONS: Final = "if unless until provided when whenever once".split()
_LIMITING: Final = "even only just almost nearly enough too so".split()


def whole_clauses(parses: Parses, scorer: Model | Probabilities) -> Probabilities:
    """What scores the edges of the trees of parses, so that whole clauses are kept."""
    given = scorer if isinstance(scorer, Probabilities) else _probabilities(parses, scorer)
    retain, root_retain = keep_denials(parses, given.retain, given.root_retain)
    head = (parses.head + np.repeat(parses.token_ptr[:-1], np.diff(parses.token_ptr))).astype(np.int64)
    conditions = _on(head, np.isin(parses.lemma, _ids(_CONDITIONS)) & _has(parses.label, ("mark", "advmod")))
    stays = _has(parses.label, _ARGUMENTS) | (conditions & _has(parses.label, ("advcl",)))
    stays |= np.isin(parses.lemma, _ids(_LIMITING)) & _has(parses.label, ("advmod",))
    stays |= _below(head, _on(head, np.isin(parses.lemma, _ids(DENIALS))))
    asks = _on(head, np.isin(parses.tag, [scheme.TAG_ID[tag] for tag in ("WP", "WP$", "WRB", "WDT")]))
    dependent = _has(parses.label, _DEPENDENT) | (asks & _has(parses.label, ("ccomp", "xcomp")))
    retain, root_retain = np.where(stays, np.float32(1), retain), np.where(dependent, np.float32(0), root_retain)
    return replace(given, retain=retain, root_retain=root_retain)


def _on(head: NDArray[np.int64], words: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The words that any of these hangs on."""
    found = np.zeros(len(head), dtype=bool)
    found[head[words]] = True
    return found


def _below(head: NDArray[np.int64], words: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """All words below these."""
    below = np.zeros(len(head), dtype=bool)
    while not np.array_equal(below, following := (words | below)[head] & (head != np.arange(len(head)))):
        below = following
    return below


def _ids(words: list[str]) -> list[int]:
    return [lemma_id(word) for word in words]


def _probabilities(parses: Parses, model: Model) -> Probabilities:
    """A model's probabilities, by token."""
    columns = _core.trees(_core.Parses(*parses.columns()), make_rules(), model.core)
    node_ptr, word, p_ret, root_p_ret = columns[0], columns[1], columns[6], columns[7]
    first = np.array([first for _, first, _ in parses.sentences()], dtype=np.int64)
    rows = word + np.repeat(first, np.diff(node_ptr))
    retain, root_retain = np.zeros((2, len(parses.start)), dtype=np.float32)
    retain[rows] = p_ret
    root_retain[rows] = np.maximum(root_p_ret, 0)
    return Probabilities(retain, root_retain, rho=model.rho)


def _has(column: NDArray[np.uint8], labels: list[str] | tuple[str, ...]) -> NDArray[np.bool_]:
    return np.isin(column, [scheme.LABEL_ID[label] for label in labels])
