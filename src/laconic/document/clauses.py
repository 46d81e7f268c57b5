"""Probabilities for documents: what is printed of a sentence is a clause of its own, with all that its verb asks for.

Nobody looks at the compressions of a long document one by one, and there is always another sentence to save space in.
So subjects, objects and complements stay with their verbs, and no clause is taken out of the one that it depends on
("which runs every hour") or that denies it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from laconic import _core
from laconic.parse import Parses, scheme
from laconic.score import Model, Probabilities
from laconic.score.denials import keep_denials
from laconic.tree.rules import make_rules

_ARGUMENTS: Final = "nsubj nsubjpass csubj csubjpass expl dobj dative attr acomp oprd xcomp ccomp prt agent neg".split()
_DEPENDENT: Final = ("relcl", "advcl", "acl", "csubj", "csubjpass", "pcomp")


def whole_clauses(parses: Parses, scorer: Model | Probabilities) -> Probabilities:
    """What scores the edges of the trees of parses, so that whole clauses are kept."""
    given = scorer if isinstance(scorer, Probabilities) else _probabilities(parses, scorer)
    retain, root_retain = keep_denials(parses, given.retain, given.root_retain)
    retain[_has(parses.label, _ARGUMENTS)] = 1.0
    root_retain[_has(parses.label, _DEPENDENT)] = 0.0
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
