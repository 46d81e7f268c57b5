"""What a probability must not decide: whether a sentence says something or denies it.

The network gives every edge a probability, and what it learned from has few denials. Two things would turn a sentence
into its opposite, and are taken out of its hands: a clause is never taken out of one that denies or doubts it ("Police
do not believe the fire was started deliberately"), or out of "whether" and "if", and the two stay together with their
subject; and a subject or object that denies ("nobody", "no card data") stays with its verb.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from laconic.parse.parses import Parses, lemma_id
from laconic.parse.scheme import LABEL_ID

_NEARLY: Final = np.float32(1 - 1e-6)
#: Words that turn what they hang on into its opposite, or nearly so.
DENIALS: Final = "not n't n’t never no nobody nothing none neither nor hardly scarcely barely".split()
_DOUBTS: Final = "deny doubt dispute reject refute whether if unless provide suppose assume".split()
_SUBJECTS: Final = ("nsubj", "nsubjpass", "csubj", "csubjpass")
_OBJECTS: Final = ("dobj", "attr", "dative")
_COMPLEMENTS: Final = ("ccomp", "xcomp")
_PREDICATES: Final = ("acomp", "attr")
_ADVERBS: Final = ("advmod", "neg", "det", "predet", "preconj")


def keep_denials(
    parses: Parses, retain: NDArray[np.float32], root_retain: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """p_ret of the edges from parents and from the dummy root, by token, with denials and what they deny together."""
    head = parses.head + np.repeat(parses.token_ptr[:-1], np.diff(parses.token_ptr))
    denies = np.isin(parses.lemma, [lemma_id(word) for word in DENIALS])
    denied = np.zeros(len(head), dtype=bool)  # words that a denial hangs on
    denied[head[denies]] = True
    denied |= _is(parses, _PREDICATES) & denied[head]  # "it is not true that …"
    before_copula = (np.arange(len(head)) < head) & (parses.lemma == lemma_id("be"))[head]
    denied[head[denied & before_copula & _is(parses, _COMPLEMENTS)]] = True  # "what I do not accept is that …"
    subject, argument = _is(parses, _SUBJECTS), _is(parses, _SUBJECTS + _OBJECTS)
    stays = (argument & (denies | denied)) | (denies & _is(parses, _ADVERBS))
    denied[head[stays & subject]] = True
    nor = np.zeros(len(head), dtype=bool)  # words that a "nor" coordinates with others
    nor[head[np.isin(parses.lemma, [lemma_id("nor")]) & _is(parses, ("cc", "preconj"))]] = True
    stays |= _is(parses, ("conj",)) & nor[head]
    doubts = np.isin(parses.lemma, [lemma_id(word) for word in _DOUBTS])
    doubted = _is(parses, _COMPLEMENTS) & (denied[head] | doubts[head])
    doubted |= _is(parses, ("acl", "relcl")) & denied[head]  # "no evidence that …"
    doubted[head[doubts & _is(parses, ("mark",))]] = True
    doubting = np.zeros(len(head), dtype=bool)
    doubting[head[doubted & _is(parses, _COMPLEMENTS)]] = True
    stays |= doubting[head] & (doubted | _is(parses, (*_SUBJECTS, "expl")))
    sure = np.minimum(retain, _NEARLY)  # 1 is for what is not up to a probability
    return np.where(stays, np.float32(1), sure), np.where(doubted, np.float32(0), np.maximum(root_retain, 1 - _NEARLY))


def _is(parses: Parses, labels: tuple[str, ...]) -> NDArray[np.bool_]:
    return np.isin(parses.label, [LABEL_ID[label] for label in labels])
