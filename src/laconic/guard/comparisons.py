"""Comparisons keep what gives them their meaning: "than the ferry", "as air", "from 131 million"."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from laconic.guard.pins import PinBoard, Rule
from laconic.guard.words import Words
from laconic.language.grammar import ADVERBIAL_CLAUSES, NOUN_CLAUSES, PREPOSITIONS


def _measures(words: Words) -> NDArray[np.bool_]:
    """Nouns that have a number before them: "8 per cent"."""
    number = words.tagged(("CD",))
    return words.tagged(("NN", "NNS")) & (words.after(number) | words.after(number, 2))


def pin_comparisons(words: Words, board: PinBoard) -> None:
    """What something is compared with stays; so do degree and what follows from it."""
    comparative = words.tagged(("JJR", "RBR"))
    quantity = words.listed("more") | words.listed("less") | words.listed("few")
    degree = comparative & (quantity | ~words.labelled(("amod",))) & ~words.listed("later")
    described = words.tagged(("JJ", "RB", "JJR", "RBR", "VBN"))[words.head]
    degree |= (words.listed("as") | words.listed("too")) & described & ~words.after(words.listed("well"), -1)
    than = words.listed("than")
    instead = words.after(words.listed("rather"))  # "rather than wait" may go as a whole
    compared = than & words.labelled(PREPOSITIONS) & ~instead
    board.with_heads(words, compared, Rule.COMPARISON)
    inside = words.labelled((*PREPOSITIONS, "pobj", "pcomp")) & compared[words.head]
    board.with_heads(words, inside, Rule.COMPARISON)
    equal = np.where(words.listed("as") & words.labelled(("advmod",)), words.rows, -1)
    nearest = np.maximum.accumulate(equal)
    second = words.listed("as") & words.labelled((*PREPOSITIONS, "mark"))
    second &= (words.rows - nearest < 8) & (nearest >= 0) & (words.rows != nearest)
    inside |= words.labelled(("pobj",)) & second[words.head]
    for _ in range(2):
        inside |= inside[words.head] & words.labelled(
            ("amod", "compound", "prep", "pobj", "dobj", "acl", "relcl", "poss")
        )
        inside &= ~words.after_comma
    board.with_heads(words, inside & ~words.labelled(("pobj",)) & (words.rows != words.head), Rule.COMPARISON)
    clause = words.parents_of(than & words.labelled(("mark",)))
    board.with_heads(words, clause & ~words.root, Rule.COMPARISON)
    board.not_root(clause, Rule.COMPARISON)
    # the degree itself: "20% less likely", "as much as"
    hangs = words.labelled(("advmod", "amod", "npadvmod"))
    board.with_heads(words, degree & hangs, Rule.COMPARISON)
    measure = words.labelled(("npadvmod",)) & (words.tagged(("JJR", "RBR")) | words.listed("than"))[words.head]
    board.with_heads(words, measure, Rule.COMPARISON)
    times = words.labelled(("npadvmod",)) & words.parents_of(words.tagged(("CD",)) & words.labelled(("nummod",)))
    board.with_heads(words, times & words.tagged(("JJ", "RB", "JJR", "RBR"))[words.head], Rule.COMPARISON)
    # the "than" of a comparative that hangs elsewhere: the nearest before it
    nearest = np.maximum.accumulate(np.where(comparative | words.listed("rather"), words.rows, -1))
    far = np.where(words.listed("rather")[nearest], 16, 8)
    rows = np.flatnonzero(than & (words.rows - nearest < far) & (nearest >= 0))
    board.with_heads(words, words.listed("rather") & words.after(words.tagged(("MD",))), Rule.COMPARISON)
    board.needs(nearest[rows], rows, Rule.COMPARISON)
    board.needs(rows, nearest[rows], Rule.COMPARISON)
    # "more abroad than at home", "more from an account than from a bond": both sides of it
    sides = than & words.after(words.tagged(("IN", "RB")), -1)
    coming = np.minimum.accumulate(np.where(sides, words.rows, len(words.rows))[::-1])[::-1]
    known = coming < len(words.rows)
    compares = nearest[np.minimum(coming, len(words.rows) - 1)]
    side = words.labelled(("prep", "advmod", "npadvmod")) & known & (words.rows > compares) & (compares >= 0)
    side &= ~sides & (coming - compares < far[np.minimum(coming, len(words.rows) - 1)])
    near = (words.head == compares) | (words.head == words.head[compares])
    near |= words.head == words.head[words.head[compares]]
    rows = np.flatnonzero(side & near)
    board.needs(coming[rows], rows, Rule.COMPARISON)
    # "as fast in water as in air"
    nearest = np.maximum.accumulate(equal)
    rows = np.flatnonzero(second)
    board.needs(words.head[nearest[rows]], rows, Rule.COMPARISON)
    board.needs(rows, nearest[rows], Rule.COMPARISON)
    clause = words.labelled(("advcl",)) & words.parents_of(second)
    board.with_heads(words, clause & words.parents_of(equal >= 0)[words.head], Rule.COMPARISON)
    # "six times as much warming", "8 per cent less"
    much = words.tagged(("JJ", "RB", "JJR", "RBR")) & words.after(words.listed("as") & (equal >= 0))
    board.with_heads(words, much & hangs, Rule.COMPARISON)
    measures = words.found(_measures)
    said = measures & (words.after(comparative | (equal >= 0), -1) | words.labelled(("npadvmod",)))
    board.with_heads(words, words.tagged(("CD",)) & words.labelled(("nummod",)) & said[words.head], Rule.COMPARISON)
    rows = np.flatnonzero(words.after(measures) & (comparative | (equal >= 0)))
    board.needs(rows - 1, rows, Rule.COMPARISON)
    rows = np.flatnonzero(words.after(measures) & (equal >= 0))
    board.needs(rows, rows - 1, Rule.COMPARISON)
    # "down from", "up from"
    turned = (words.listed("down") | words.listed("up")) & ~words.labelled(("prt",))
    board.with_heads(words, words.listed("from") & turned[words.head], Rule.COMPARISON)
    # "too heavy to lift", "so quickly that"
    reach = words.parents_of((words.listed("so") | words.listed("too") | words.listed("enough")) & hangs)
    reach &= words.tagged(("JJ", "RB"))
    board.with_heads(words, words.labelled((*ADVERBIAL_CLAUSES, "ccomp", "xcomp")) & reach[words.head], Rule.COMPARISON)
    follows = words.after(words.listed("too"), 2) & words.listed("for")
    board.with_heads(words, follows, Rule.COMPARISON)
    # "the second largest town on the island", "the best I have heard"
    most = words.tagged(("JJS", "RBS"))
    board.with_heads(words, words.labelled(("advmod", "amod", "compound")) & most[words.head], Rule.COMPARISON)
    last = np.maximum.accumulate(np.where(most, words.rows, -1))
    rows = np.flatnonzero(words.listed("since") & words.labelled(("prep",)) & (last >= 0) & (words.rows - last < 14))
    board.needs(last[rows], rows, Rule.COMPARISON)
    superlative = words.parents_of(most & words.labelled(("amod", "advmod"))) & words.tagged(("NN", "NNS", "NNP"))
    within = words.labelled((*NOUN_CLAUSES, *PREPOSITIONS)) & superlative[words.head]
    within &= ~words.parents_of(words.labelled(("poss",)))[words.head]  # "my best friend who …"
    board.with_heads(words, within & (words.rows > words.head) & ~words.after_comma, Rule.COMPARISON)
