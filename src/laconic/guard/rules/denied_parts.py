"""The limits of a denial or prohibition: "no cover for journeys against medical advice" is not "no cover".

A denial of a part is not a denial of the whole: with fewer words, it would deny more.
"""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.guard.rules.conditions import find_orders
from laconic.guard.rules.denials import DENIAL
from laconic.language.grammar import ADVERBIALS, NOUN_CLAUSES, PREPOSITIONS, QUESTION_TAGS, RELATIVE_CLAUSE, SUBJECTS
from laconic.language.word_lists import BOUNDING_PREPOSITIONS
from laconic.parse.program import Mask

#: Prepositions that verbs govern, rather than prepositions of adjuncts.
_GOVERNED_PREPOSITIONS: Final = """
    with to into onto on about for as against under without within until till beyond between below above over off out
""".split()
#: Words that express a prohibition.
_FORBIDDING: Final = (
    "avoid forbid prohibit ban illegal unlawful forbidden prohibited refrain dangerous unsafe unable".split()
)
#: Adverbs that limit a denial to the manner: "not fully", "never properly".
_FULLY: Final = """
    properly correctly fully completely entirely wholly totally exactly easily safely reliably automatically enough well
    directly immediately alone
""".split()
#: Negative pronouns: "nothing to see" is not "nothing".
_NOBODY: Final = "nothing nobody none no-one".split()
#: Adjectives that almost deny their noun.
_HARDLY_ANY: Final = "little few scant scarce insufficient inadequate".split()


def pin_denied_parts(words: Words, board: PinBoard) -> None:
    """Pin denials to what they deny, and what limits them to both."""
    board.with_heads(words, words.denials & ~words.labelled(("cc", "conj", "intj")), DENIAL)
    adverb = words.parents_of(words.denials) & words.tagged(("RB", "RBR")) & words.labelled(("advmod",))
    board.with_heads(words, adverb, DENIAL)  # "no longer"
    # "little evidence"
    bare = ~words.parents_of(words.labelled(("det", "poss")) & ~words.listed(_HARDLY_ANY))  # not "this little book"
    board.with_heads(words, words.listed(_HARDLY_ANY) & words.labelled(("amod", "det")) & bare[words.head], DENIAL)
    # "contains no live virus"; "do not connect it to a lead": with fewer words, it would deny more
    denied = words.parents_of(words.labelled(("neg",)) | (words.denials & words.labelled(("advmod",))))
    none = words.parents_of(words.denials & words.labelled(("det",)))
    objects = words.labelled(("dobj", "attr", *SUBJECTS)) & (none | (denied[words.head] & ~words.labelled(SUBJECTS)))
    board.with_heads(words, words.labelled(("amod",)) & objects[words.head], DENIAL)
    _pin_limits(words, board, denied, objects & none)
    _pin_prohibitions(words, board, denied | words.parents_of(words.labelled(SUBJECTS) & (none | words.denials)))


def _pin_limits(words: Words, board: PinBoard, denied: Mask, nothing: Mask) -> None:
    """Pin what limits the denied noun, and adverbs that limit the denied verb."""
    # "no cover for journeys against medical advice", "no better in low light", "never seals properly"
    of_none = words.labelled(PREPOSITIONS) & (nothing | words.tagged(("JJR", "RBR")) & denied)[words.head]
    of_none &= (words.rows > words.head) & ~words.after_comma
    board.with_heads(words, of_none, DENIAL)
    told = words.labelled(NOUN_CLAUSES) & ~words.after_comma
    pobj = words.labelled(("pobj",))
    # "no link between use and age in adults who exercise"
    deeper = words.labelled(PREPOSITIONS) & words.parents_of(pobj & words.parents_of(told))
    of_none |= deeper & (pobj & of_none[words.head])[words.head] & ~words.after_comma
    board.with_heads(words, of_none, DENIAL)
    narrows = told & (pobj & of_none[words.head])[words.head]
    narrows |= words.labelled(PREPOSITIONS) & narrows[words.head]
    # "no cover for [pre-existing] conditions", "without [many] other guests"
    without = words.listed("without") & words.labelled(PREPOSITIONS)
    few = pobj & (of_none | without)[words.head] & words.tagged(("NN", "NNS"))
    narrows |= words.labelled(("amod",)) & few[words.head]
    narrows |= told & words.listed(_NOBODY)[words.head]
    board.with_heads(words, narrows & ~words.after_comma, DENIAL)
    # "a promise that it did not keep"
    board.with_heads(words, told & denied & words.labelled((RELATIVE_CLAUSE,)), DENIAL)
    # "never permanently inhabited", "hardly anywhere to eat"
    next_ = words.after(words.denials) & words.labelled(ADVERBIALS) & words.tagged(("RB",)) & denied[words.head]
    board.with_heads(words, next_, DENIAL)
    fully = words.listed(_FULLY) & words.labelled(ADVERBIALS) & denied[words.head] & (words.rows > words.head)
    board.with_heads(words, fully, DENIAL)


def _pin_prohibitions(words: Words, board: PinBoard, denied: Mask) -> None:
    """Pin the place, time and means of a prohibition, and the end of a period in which something was not done."""
    modal = words.parents_of(words.tagged(("MD",)) | (words.listed("do") & words.labelled(("aux",))))
    asked = words.parents_of(words.tagged(QUESTION_TAGS))  # "why not run for an office"
    prohibited = (denied & (modal | words.found(find_orders)) & ~asked) | words.listed(_FORBIDDING)
    prohibited |= words.parents_of(words.labelled(("acomp",)) & words.listed(_FORBIDDING))
    prohibited |= words.labelled(("xcomp", "pcomp")) & prohibited[words.head]
    prohibited |= words.labelled(("dobj",)) & prohibited[words.head]
    governed = words.listed(_GOVERNED_PREPOSITIONS) | words.listed(BOUNDING_PREPOSITIONS)
    prep = words.labelled(("prep",)) & governed & prohibited[words.head] & (words.rows > words.head)
    prep &= ~words.after_comma | words.listed(BOUNDING_PREPOSITIONS)
    board.with_heads(words, prep, DENIAL)
    object_ = words.labelled(("pobj",)) & prep[words.head]
    narrows = words.labelled(("amod", "acl", "relcl")) | (words.labelled(("compound",)) & words.tagged(("NN",)))
    board.with_heads(words, narrows & object_[words.head] & ~words.after_comma, DENIAL)
    # "did not sound until …", "no earlier than"
    timed = words.parents_of(words.listed(BOUNDING_PREPOSITIONS) & words.labelled(("mark",)))
    board.with_heads(words, words.labelled(("advcl",)) & timed & denied[words.head], DENIAL)


RULE: Final = Rule(pin_denied_parts, order=45)
