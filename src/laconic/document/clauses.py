"""Probabilities for documents: what is printed of a sentence is a clause of its own, with all that its verb asks for.

Nobody looks at the compressions of a long document one by one, and there is always another sentence to save space in.
So subjects, objects and complements stay with their verbs, and no clause is taken out of one that denies or doubts it,
nor one that depends on another ("which runs every hour").
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic.parse import Parses, lemma_id, scheme
from laconic.score import Model, Probabilities
from laconic.tree.rules import make_rules

_ARGUMENTS: Final = "nsubj nsubjpass csubj csubjpass expl dobj dative attr acomp oprd xcomp ccomp prt agent neg".split()
_DEPENDENT: Final = ("relcl", "advcl", "acl", "csubj", "csubjpass", "pcomp")
_COMPLEMENTS: Final = ("ccomp", "xcomp")
_DENIALS: Final = "not n't n’t never no nobody nothing none neither nor hardly scarcely barely".split()
_DOUBTS: Final = "deny doubt dispute reject refute whether if".split()


def whole_clauses(parses: Parses, scorer: Model | Probabilities) -> Probabilities:
    """What scores the edges of the trees of parses, so that whole clauses are kept."""
    given = scorer if isinstance(scorer, Probabilities) else _probabilities(parses, scorer)
    retain, root_retain = given.retain.copy(), given.root_retain.copy()
    retain[_has(parses.label, _ARGUMENTS)] = 1.0
    root_retain[_has(parses.label, _DEPENDENT) | _doubted(parses)] = 0.0
    return replace(given, retain=retain, root_retain=root_retain)


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


def _doubted(parses: Parses) -> NDArray[np.bool_]:
    """Clauses that the one above them denies or doubts, and those that begin with "whether" or "if"."""
    head = parses.head + np.repeat(parses.token_ptr[:-1], np.diff(parses.token_ptr))
    denied = np.zeros(len(head), dtype=bool)
    denied[head[np.isin(parses.lemma, [lemma_id(word) for word in _DENIALS])]] = True
    denied[head[denied & _has(parses.label, ("nsubj", "nsubjpass"))]] = True  # "no witness said", "nobody said"
    doubts = np.isin(parses.lemma, [lemma_id(word) for word in _DOUBTS])
    doubted = _has(parses.label, _COMPLEMENTS) & (denied[head] | doubts[head])
    doubted[head[doubts & _has(parses.label, ("mark",))]] = True
    return doubted
