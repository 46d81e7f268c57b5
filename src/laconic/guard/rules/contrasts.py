"""Contrasts that turn the point round: "but it failed"."""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.language.grammar import SUBJECTS

#: "but it failed".
CONTRAST: Final = "contrast"

#: What turns a point round after "but".
_TURNS: Final = """
    fail lose close end cancel delay withdraw overturn reverse revert collapse drop fall die stop abandon reject
    refuse lower less worse again quash dismiss break back give postpone suspend scrap block unable however instead
    miss resign quit crash decline shrink replace remove ban retreat sink slip vanish disappear only return halt cut
    strike defeat disprove deny reopen recall expire lapse falter stall burn flop late slow
""".split()
#: Pronouns by which a clause speaks of what stands before it.
_REFERRING: Final = "it this that they he she".split()


def pin_contrasts(words: Words, board: PinBoard) -> None:
    """A clause after "but" that denies or undoes stays with the one before; so does "but not"."""
    but = words.listed("but") & words.labelled(("cc",))
    has = words.parents_of(but)
    joined = words.labelled(("conj",)) & has[words.head]
    # of several conjuncts, the one after "but"
    last_but = words.last(but)
    joined &= (last_but > words.head) & (words.rows > last_but)
    turns = words.listed(_TURNS)
    subject = words.labelled(SUBJECTS)
    refers = words.parents_of(words.listed(_REFERRING) & words.labelled((*SUBJECTS, "dobj")))
    same = refers | ~words.parents_of(subject)
    denied = words.parents_of(words.denials) | words.parents_of(words.parents_of(words.denials))
    worse = words.parents_of(words.tagged(("JJR", "RBR")))
    shares = ~words.parents_of(subject) & words.tagged(("VBD", "VBZ", "VBP", "VBN", "VB", "MD"))
    turned = turns | (words.parents_of(turns) & same) | (same & (denied | worse)) | shares
    turned = (joined & turned) & (words.labelled(("ROOT", "ccomp", "conj"))[words.head])
    board.with_heads(words, turned, CONTRAST)
    completes = turns | words.labelled(("xcomp", "neg", "acomp"))
    board.with_heads(words, completes & turned[words.head], CONTRAST)


RULE: Final = Rule(pin_contrasts, order=100)
