"""Ways: the manner and place of an instruction, and the order of its steps."""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.guard.rules.conditions import find_orders
from laconic.guard.rules.instructions import INSTRUCTION
from laconic.language.grammar import ADVERBIAL_CLAUSES, ADVERBIALS, CONJUNCTS, PREPOSITIONS, SUBORDINATORS
from laconic.language.word_lists import BOUNDING_PREPOSITIONS, COMPLETING_ADVERBS

#: Adverbs of the direction or manner of an action.
_WAYS: Final = (
    *COMPLETING_ADVERBS,
    *"upwards downwards upward downward clockwise sideways left right straight".split(),
)
#: Words for an answer, which may be nouns to the parser: "reply YES".
_SAYING: Final = ("reply", "answer", "text", "type")
#: Adverbs that introduce a further step.
_STEPS: Final = "then afterwards next finally afterward later".split()


def pin_ways(words: Words, board: PinBoard) -> None:
    """Pin the direction and place of orders and the steps before them; prefer their manner."""
    _pin_directions(words, board)
    _pin_steps(words, board)
    _prefer_manners(words, board)


def _pin_directions(words: Words, board: PinBoard) -> None:
    """Pin direction, place, object: "pull it upwards", "leave by the rear stairs", "use the fire exit", "reply YES"."""
    order, after = words.found(find_orders), words.rows > words.head
    way = words.labelled(ADVERBIALS) & words.listed(_WAYS) & after
    said = words.labelled(("intj",)) & (words.head == words.rows - 1)
    board.with_heads(words, said & words.listed(_SAYING)[words.head], INSTRUCTION)
    by_when = words.listed(BOUNDING_PREPOSITIONS) & words.labelled(PREPOSITIONS) & words.parents_of(said)[words.head]
    board.with_heads(words, by_when & words.listed(_SAYING)[words.head] & after, INSTRUCTION)
    objects = words.labelled(("dobj", "acomp", "xcomp", "ccomp", "oprd"))
    place = words.labelled(PREPOSITIONS) & after & ~words.parents_of(objects)[words.head] & ~words.after_comma
    place &= words.first_below(place)[words.head] == words.rows
    # "turn it to the left"
    side = words.labelled(("pobj",)) & words.listed(("left", "right", "top", "bottom", "front", "back"))
    place |= words.labelled(PREPOSITIONS) & after & words.parents_of(side)
    # "run it against a copy", "stir it in, off the heat"
    place |= words.labelled(PREPOSITIONS) & after & words.listed(("against", "off")) & words.tagged(("IN",))
    # "wash it by hand"
    means = words.labelled(("pobj",)) & words.tagged(("NN",)) & ~words.parents_of(words.labelled(("det", "poss")))
    place |= words.labelled(PREPOSITIONS) & after & words.listed("by") & words.parents_of(means)
    avoids = (
        words.listed("without") & words.labelled(PREPOSITIONS) & words.parents_of(words.labelled(("pcomp",))) & after
    )
    board.with_heads(words, (way | said | place | avoids) & order[words.head], INSTRUCTION)
    kind = words.labelled(("compound",)) & words.tagged(("NN",))
    board.with_heads(words, kind & (words.labelled(("dobj",)) & order[words.head])[words.head], INSTRUCTION)
    number = words.tagged(("CD",))
    # "a teaspoon of chilli", "two spoons of sugar"
    amount = words.labelled(("dobj",)) & words.parents_of(number | words.parents_of(number)) & order[words.head]
    of = words.listed("of") & amount[words.head] & (words.head == words.rows - 1)
    board.with_heads(words, of, INSTRUCTION)
    rows = (words.labelled(("pobj",)) & of[words.head]).rows()  # "two copies of every form" are not the forms
    board.needs(rows, words.head[words.head[rows]], INSTRUCTION)


def _pin_steps(words: Words, board: PinBoard) -> None:
    """Pin steps to those before them: "first make a copy, and only then delete it"."""
    order = words.found(find_orders)
    then = words.parents_of(words.listed(_STEPS) & words.labelled(ADVERBIALS) & (words.rows < words.head))
    step = words.labelled(CONJUNCTS) & order & order[words.head]
    later = step & then
    rows = later.rows()
    board.needs(words.first_joined(rows), rows, INSTRUCTION)
    board.not_root(later | (step & later[words.head]), INSTRUCTION)
    # "before you begin, save it and close the window": the first clause applies to both steps
    timed = words.parents_of(words.listed(BOUNDING_PREPOSITIONS) & words.labelled(SUBORDINATORS))
    before = timed & words.labelled(ADVERBIAL_CLAUSES)
    first = words.parents_of(before & (words.rows < words.head))
    board.not_root(step & first[words.head], INSTRUCTION)


def _prefer_manners(words: Words, board: PinBoard) -> None:
    """Prefer to keep the manner of an order: "open it slowly"."""
    how = words.labelled(ADVERBIALS) & words.tagged(("RB",)) & words.found(find_orders)[words.head]
    board.prefers(how & (words.rows > words.head))


RULE: Final = Rule(pin_ways, order=95)
