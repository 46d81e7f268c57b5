"""Hedges and denials beside a word: "allegedly", "nearly", "not all" stay with what they qualify."""

from __future__ import annotations

from laconic.guard.conditions import find_orders
from laconic.guard.pins import PinBoard, Rule
from laconic.guard.words import Words
from laconic.language.grammar import AUXILIARIES, QUESTION_TAGS, SUBJECTS


def pin_hedges(words: Words, board: PinBoard) -> None:
    """Words of doubt and degree stay with what they hang on; phrases stay whole."""
    board.with_heads(words, words.listed("denials") & ~words.labelled(("cc", "conj", "intj")), Rule.DENIAL)
    adverb = words.parents_of(words.listed("denials")) & words.tagged(("RB", "RBR")) & words.labelled(("advmod",))
    board.with_heads(words, adverb, Rule.DENIAL)  # "no longer"
    # "contains no live virus"; "do not connect it to a lead": less of it would deny more
    denied = words.parents_of(words.labelled(("neg",)) | (words.listed("denials") & words.labelled(("advmod",))))
    none = words.parents_of(words.listed("denials") & words.labelled(("det",)))
    objects = words.labelled(("dobj", "attr", *SUBJECTS)) & (none | (denied[words.head] & ~words.labelled(SUBJECTS)))
    board.with_heads(words, words.labelled(("amod",)) & objects[words.head], Rule.DENIAL)
    denied = denied | words.parents_of(words.labelled(SUBJECTS) & (none | words.listed("denials")))
    modal = words.parents_of(words.tagged(("MD",)) | (words.listed("do") & words.labelled(("aux",))))
    asked = words.parents_of(words.tagged(QUESTION_TAGS))  # "why not run for an office"
    prohibited = (denied & (modal | words.found(find_orders)) & ~asked) | words.listed("forbidding")
    prohibited |= words.parents_of(words.labelled(("acomp",)) & words.listed("forbidding"))
    prohibited |= words.labelled(("xcomp", "pcomp")) & prohibited[words.head]
    prohibited |= words.labelled(("dobj",)) & prohibited[words.head]
    governed = words.listed("governed prepositions") | words.listed("bounding prepositions")
    prep = words.labelled(("prep",)) & governed & prohibited[words.head] & (words.rows > words.head)
    prep &= ~words.after_comma | words.listed("bounding prepositions")
    board.with_heads(words, prep, Rule.DENIAL)
    object_ = words.labelled(("pobj",)) & prep[words.head]
    narrows = words.labelled(("amod", "acl", "relcl")) | (words.labelled(("compound",)) & words.tagged(("NN",)))
    board.with_heads(words, narrows & object_[words.head] & ~words.after_comma, Rule.DENIAL)
    # "did not sound until …", "no earlier than"
    timed = words.parents_of(words.listed("bounding prepositions") & words.labelled(("mark",)))
    board.with_heads(words, words.labelled(("advcl",)) & timed & denied[words.head], Rule.DENIAL)
    # "in some cases", "under no circumstances"
    case = words.labelled(("pobj",)) & words.listed("cases")
    many = words.listed("quantities") & words.labelled(("det", "amod"))
    case &= words.parents_of(many)
    board.with_heads(words, many & case[words.head], Rule.HEDGE)
    denied = words.labelled(("pobj",)) & words.parents_of(words.listed("no") & words.labelled(("det",)))
    board.with_heads(words, words.labelled(("prep",)) & words.parents_of(case | denied), Rule.HEDGE)
    beside = words.labelled(("advmod", "npadvmod", "amod", "quantmod", "det", "predet", "dep", "nummod", "acomp"))
    board.with_heads(words, words.listed("hedges") & beside, Rule.HEDGE)
    # "pretty sure"; "no way is he"
    board.with_heads(words, words.labelled(("advmod",)) & words.listed("sure")[words.head], Rule.HEDGE)
    none = words.parents_of(words.listed("no") & words.labelled(("det",))) & words.labelled(("npadvmod", "advmod"))
    board.with_heads(words, none, Rule.DENIAL)
    # "that of the sea", "those in the group"
    standing = (words.listed("that") | words.listed("those")) & words.tagged(("DT",)) & ~words.labelled(("det",))
    board.with_heads(words, words.labelled(("prep",)) & words.listed("of") & standing[words.head], Rule.PHRASE)
    first, second = words.phrases()
    # of "some of the scenes" the scenes keep "some"; that "some" keeps its scenes is a matter of grammar
    whole = ~words.listed("of")[second] | words.listed("denials")[first]
    whole &= ~(words.listed("up")[first] & words.labelled(AUXILIARIES)[second])
    board.needs(first[whole], second[whole], Rule.PHRASE)
    board.needs(second, first, Rule.PHRASE)
