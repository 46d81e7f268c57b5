"""Contrasts that turn the point round: "but it failed"."""

from __future__ import annotations

from laconic.guard.pins import PinBoard, Rule
from laconic.guard.words import Words
from laconic.language.grammar import SUBJECTS


def pin_contrasts(words: Words, board: PinBoard) -> None:
    """A clause after "but" that denies or undoes stays with the one before; so does "but not"."""
    but = words.listed("but") & words.labelled(("cc",))
    has = words.parents_of(but)
    joined = words.labelled(("conj",)) & has[words.head]
    # of several conjuncts, the one after "but"
    last_but = words.last(but)
    joined &= (last_but > words.head) & (words.rows > last_but)
    turns = words.listed("turns")
    subject = words.labelled(SUBJECTS)
    refers = words.parents_of(words.listed("referring") & words.labelled((*SUBJECTS, "dobj")))
    same = refers | ~words.parents_of(subject)
    denied = words.parents_of(words.listed("denials")) | words.parents_of(words.parents_of(words.listed("denials")))
    worse = words.parents_of(words.tagged(("JJR", "RBR")))
    shares = ~words.parents_of(subject) & words.tagged(("VBD", "VBZ", "VBP", "VBN", "VB", "MD"))
    turned = turns | (words.parents_of(turns) & same) | (same & (denied | worse)) | shares
    turned = (joined & turned) & (words.labelled(("ROOT", "ccomp", "conj"))[words.head])
    board.with_heads(words, turned, Rule.CONTRAST)
    completes = turns | words.labelled(("xcomp", "neg", "acomp"))
    board.with_heads(words, completes & turned[words.head], Rule.CONTRAST)
