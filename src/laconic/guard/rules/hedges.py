"""Hedges: "allegedly", "nearly" and "in some cases" stay with what they qualify."""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.guard.rules.denials import DENIAL
from laconic.language.grammar import ADVERBIALS, AUXILIARIES, PREPOSITIONS
from laconic.language.word_lists import HEDGES, QUANTITIES

#: A hedge stays with what it qualifies: "allegedly", "nearly".
HEDGE: Final = "hedge"

#: Nouns of phrases that say how far something holds: "in some cases", "under no circumstances".
_CASES: Final = """
    case instance circumstance way respect extent part degree event account condition time point likelihood probability
""".split()
#: Adverbs of intent: without them, the act is another one.
_INTENT: Final = """
    knowingly unknowingly intentionally unintentionally deliberately wilfully willfully recklessly negligently
    accidentally inadvertently voluntarily involuntarily unlawfully illegally fraudulently
""".split()
#: Nouns of phrases that take back what they qualify: "by mistake".
_IN_ERROR: Final = "error mistake theory principle paper vain part jest name moderation".split()
#: Nouns for stories: what is told in them need not have happened.
_TALES: Final = "dream nightmare legend myth fantasy tale fable".split()
#: Adjectives of certainty; their degree stays with them.
_SURE: Final = "sure certain confident convinced clear positive".split()


def pin_hedges(words: Words, board: PinBoard) -> None:
    """Pin words of doubt and degree to their heads."""
    # "in some cases", "under no circumstances"
    case = words.labelled(("pobj",)) & words.listed(_CASES)
    many = words.listed(QUANTITIES) & words.labelled(("det", "amod"))
    case &= words.parents_of(many)
    board.with_heads(words, many & case[words.head], HEDGE)
    denied = words.labelled(("pobj",)) & words.parents_of(words.listed("no") & words.labelled(("det",)))
    board.with_heads(words, words.labelled(("prep",)) & words.parents_of(case | denied), HEDGE)
    # "knowingly makes a false statement"
    board.with_heads(words, words.listed(_INTENT) & words.labelled(ADVERBIALS), HEDGE)
    # "in the dream, his father sold the house"
    tale = words.labelled(("pobj",)) & words.listed(_TALES)
    told = words.labelled(PREPOSITIONS) & words.listed("in") & words.parents_of(tale) & (words.rows < words.head)
    board.with_heads(words, told, HEDGE)
    # "was shown in error", "works in theory"
    aside = words.labelled(("pobj",)) & words.listed(_IN_ERROR) & ~words.parents_of(words.labelled(("det", "poss")))
    board.with_heads(words, words.labelled(PREPOSITIONS) & words.parents_of(aside), HEDGE)
    beside = words.labelled(("advmod", "npadvmod", "amod", "quantmod", "det", "predet", "dep", "nummod", "acomp"))
    board.with_heads(words, words.listed(HEDGES) & beside, HEDGE)
    # "may, where the court agrees, be released": apart from its verb, it is taken for something else
    modal = words.tagged(("MD",)) & ~words.labelled(AUXILIARIES) & (words.rows < words.head)
    board.with_heads(words, modal & words.tagged(("VB", "VBN"))[words.head], HEDGE)
    # "pretty sure"; "no way is he"
    board.with_heads(words, words.labelled(("advmod",)) & words.listed(_SURE)[words.head], HEDGE)
    # "looks a little bit fake"
    bit = words.listed("bit") & words.labelled(("npadvmod",))
    board.with_heads(words, bit & words.labelled(("acomp", "amod", "advmod"))[words.head], HEDGE)
    # "even in the dark" implies other places
    even = words.listed("even") & words.labelled(ADVERBIALS) & words.labelled(PREPOSITIONS)[words.head]
    board.with_heads(words, even & (words.head > words.rows), HEDGE)
    none = words.parents_of(words.listed("no") & words.labelled(("det",))) & words.labelled(("npadvmod", "advmod"))
    board.with_heads(words, none, DENIAL)


RULE: Final = Rule(pin_hedges, order=50)
