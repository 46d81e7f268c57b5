"""Frames: a word keeps what it cannot do without.

"A judge blocked the administration from ending the program" is not "blocked from ending". Some of that holds for all
words: a verb keeps its subject, its object, its predicate. The rest was counted on plain text (`laconic.frames`): what
"rely", "able", "lack" seldom stand without stays with them; of the places where "put" puts something, one stays.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from laconic.frames.table import ALWAYS, FrameTable, shipped_frames
from laconic.frames.uses import ANYTHING, SUBJECT_LABELS, Use, Uses, pair_ids, slot_id
from laconic.guard.pins import PinBoard, Rule
from laconic.guard.words import Words
from laconic.language.grammar import NAMES, QUESTION_TAGS, RELATIVE_CLAUSE
from laconic.language.words import COPULA
from laconic.parse import scheme

_Mask = NDArray[np.bool_]


def pin_frames(words: Words, board: PinBoard) -> None:
    """What words cannot do without stays with them."""
    uses = Uses(words.parses, words.head)
    needed = _always(uses) | _shared_objects(uses)
    one_clause = _one_clause(uses)
    fillers = np.flatnonzero(uses.slot)
    governor = uses.head[fillers]
    pairs = pair_ids(uses.key[governor], uses.slot[fillers])
    table = shipped_frames()
    needed[fillers[_find(table.needs, pairs) >= 0]] = True
    needed &= one_clause
    has_one = uses.heads_of(needed & (uses.slot > 0) & ~uses.object)
    needed |= _one_of(uses, table, np.flatnonzero((uses.slot > 0) & ~has_one[uses.head]))
    board.stays(_to_nodes(uses, words, needed), Rule.FRAME)


def _one_of(uses: Uses, table: FrameTable, fillers: NDArray[np.int64]) -> _Mask:
    """Of several that a word needs one of: that which is most usual with it; of anything, the first."""
    key, needed = uses.key[uses.head[fillers]], np.zeros(len(uses.head), dtype=bool)
    found = _find(table.needs_one, pair_ids(key, uses.slot[fillers]))
    any_ = _find(table.needs_one, pair_ids(key, np.full(len(fillers), slot_id(ANYTHING), np.uint64)))
    usual = np.where(found >= 0, table.weight[found], 0)
    able = np.flatnonzero((found >= 0) | ((any_ >= 0) & uses.anything()[fillers]))
    order = fillers[able[np.lexsort((fillers[able], -usual[able]))]]
    _, first = np.unique(uses.head[order], return_index=True)
    needed[order[first]] = True
    return needed


def _always(uses: Uses) -> _Mask:
    """What every word keeps that has it."""
    head, rows = uses.head, uses.rows
    subject = _nearest(uses, uses.labelled(*SUBJECT_LABELS))
    verb = uses.is_verb[head]
    # "the book [that] he read": the object of a relative clause is what it describes
    relative = uses.labelled("dobj") & (rows < head) & uses.labelled(RELATIVE_CLAUSE)[head]
    relative &= uses.tagged((*QUESTION_TAGS, "IN", "DT"))
    copula = uses.is_lemma(COPULA)[head]  # is one node with its predicate: what else is called so is something else
    complement = uses.labelled(*ALWAYS) & verb & ~relative & ~(uses.labelled("attr") & copula)
    no_object = uses.used(Use.NO_OBJECT, Use.PASSIVE, Use.PARTICIPLE)[head]
    no_object |= uses.used(Use.ADJECTIVE)[head]
    complement |= uses.labelled("xcomp") & no_object & (rows > head)
    # "because of the rain", where the parser has two objects in a row
    complement |= uses.labelled("pobj") & uses.heads_of(uses.labelled("pcomp") & uses.tagged(("IN",)))[head]
    # What follows as "that …", "how …" is a complement, whatever the verb; other clauses only of verbs that have them.
    opened = uses.heads_of(uses.labelled("mark") | uses.tagged(QUESTION_TAGS))
    opened |= copula & ~uses.heads_of(uses.labelled("attr", "acomp"))[head]
    complement |= uses.labelled("ccomp") & no_object & opened & (rows > head)
    needed: _Mask = (subject | complement) & (head != rows)
    return needed


def _nearest(uses: Uses, mask: _Mask) -> _Mask:
    """Of these words, for each that they hang on the nearest: "Leeds – the council said" has one subject."""
    found = np.flatnonzero(mask)
    head = uses.head[found]
    order = found[np.lexsort((np.abs(found - head), head))]
    _, first = np.unique(uses.head[order], return_index=True)
    nearest = np.zeros(len(mask), dtype=bool)
    nearest[order[first]] = True
    return nearest


def _one_clause(uses: Uses) -> _Mask:
    """All words but those clauses that a verb has besides another: parsers call a sentence before a verb its clause."""
    clause, other = uses.labelled("ccomp"), uses.object | uses.labelled("xcomp")
    after = uses.rows > uses.head
    has_other = uses.heads_of((other | clause) & after)
    return ~clause | _nearest(uses, clause & after) | (clause & ~after & ~has_other[uses.head])


def _shared_objects(uses: Uses) -> _Mask:
    """Verbs that have the object of the verb that they are joined to: "wash and [dry] the dishes"."""
    head = uses.head
    has_object = uses.heads_of(uses.object)
    filled = uses.heads_of(uses.slot > 0)
    joined = uses.labelled("conj") & uses.used(Use.OBJECT) & has_object & uses.used(Use.NO_OBJECT)[head]
    shared: _Mask = joined & ~filled[head] & (head == uses.rows - 2)
    return shared


def _to_nodes(uses: Uses, words: Words, needed: _Mask) -> _Mask:
    """The head words of the nodes: of a phrase the object, of a title the name."""
    head, rows = uses.head, uses.rows
    preposition = uses.labelled("prep", "agent", "dative")
    below = np.full(len(head), -1)
    for mask in (preposition & preposition[head], uses.labelled("pobj", "pcomp")):  # an object, or "out [of] the house"
        found = np.flatnonzero(mask & (head != rows))[::-1]
        below[head[found]] = found
    needed = needed.copy()
    for _ in range(2):
        leads = np.flatnonzero(needed & preposition & (below >= 0))
        needed[below[leads]] = True
    parses = words.parses
    name = uses.labelled("appos") & np.isin(parses.entity, [scheme.ENTITY_ID[each] for each in NAMES])
    start = np.maximum.accumulate(np.where(parses.entity_start, rows, 0))
    name &= needed[head] & (start - 1 == head)
    needed[head[name]] = False
    return needed | name


def _find(ids: NDArray[np.uint64], wanted: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Where each of the wanted ids is among these, which are sorted; -1: nowhere."""
    if not len(ids):
        return np.full(len(wanted), -1)
    at = np.minimum(np.searchsorted(ids, wanted), len(ids) - 1)
    return np.where(ids[at] == wanted, at, -1)
