"""Bounds stay with their amounts ("at least two", "18 degrees or above"), exceptions with what they are taken from."""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.language.grammar import ADVERBIAL_CLAUSES, NOUN_CLAUSES, PREPOSITIONS, SUBJECTS, SUBORDINATORS
from laconic.language.word_lists import AMOUNT_PREPOSITIONS, BOUNDING_PREPOSITIONS, FRACTIONS, TIMES, TOTALS
from laconic.parse.program import Mask

#: Bounds stay with the amount, exceptions with what they are taken from: "at least", "except".
BOUND: Final = "bound"

#: Words that introduce an exception.
_EXCEPTIONS: Final = "except excepting excluding barring bar save apart other".split()
#: Adverbs that bound an amount.
_BOUNDING: Final = """
    only least most up more less few over under about around nearly almost some roughly approximately just exactly
    barely hardly no not at to than within below above beyond between until till by before after under minus maximum
    minimum every per as many much mere all but well far even nowhere once twice double half each
""".split()
#: Words after an amount that bound it.
_BOUNDS_AFTER: Final = (
    "more above over less few fewer under below upward later latest earliest most least maximum".split()
)
#: Nouns that denote a bound: "a maximum of eight".
_LIMITS: Final = "maximum minimum total limit".split()
#: Verbs whose object is a bound, and verbs whose prepositional phrase is one.
_EXCEEDING: Final = "exceed surpass outnumber outweigh".split()
_CAPPING: Final = "limit cap restrict confine".split()
#: Units of a length or share that is relative to something.
_UNITS: Final = """
    kilometre kilometer metre meter mile foot inch yard centimetre centimeter point degree percent cent
""".split()
#: Bounds that mean nothing without their amount.
_TIGHT_BOUNDS: Final = "over under than about around least most nearly almost roughly approximately up".split()
#: Adverbs that exclude everything else.
_ONLY: Final = "only solely exclusively purely".split()
#: Prepositions of deadlines.
_DEADLINES: Final = ("by", "until", "till", "before", "after", "since", "from")
#: The maximum number of words from "every" to "bar one".
_REACH = 8
#: Words for how often, if a period follows: "twice a week".
_TIMES_OVER: Final = ("once", "twice", "time")
#: Prepositions before the unit that an amount is counted by.
_FOR_EACH: Final = ("for", "per", "on", "in")
#: Words for percent.
_PERCENT: Final = ("percent", "cent", "%")
#: Words that join the ends of a range.
_THROUGH: Final = ("to", "through", "till", "until", "-", "–")
#: Words that single something out.
_FOREMOST: Final = ("first", "only", "last", "next", "past", "previous", "coming")


def pin_bounds(words: Words, board: PinBoard) -> None:
    """Pin bounds and exceptions."""
    _pin_words_before(words, board)
    _pin_shares(words, board)
    _pin_sizes(words, board)
    _pin_misread(words, board)
    _pin_measures(words, board)
    _pin_numbers(words, board)
    _pin_exceptions(words, board)
    _pin_limits(words, board)


def find_numbers(words: Words) -> Mask:
    """Numbers, and words that stand for one: "half", "a third"."""
    one = words.listed(("a", "an")) & words.labelled(("det", "nummod"))  # "more than a week"
    one &= words.after(words.listed(_TIGHT_BOUNDS)) & (words.listed(TIMES) | words.listed(_UNITS))[words.head]
    return words.tagged(("CD",)) | (words.listed(FRACTIONS) & ~words.labelled(("advmod",))) | one


def find_sized(words: Words) -> Mask:
    """Nouns with a number before them: "thirty days"."""
    number = words.found(find_numbers)
    return words.parents_of(number & words.labelled(("nummod", "quantmod", "det")) & (words.rows < words.head))


def _pin_words_before(words: Words, board: PinBoard) -> None:
    """Pin the words that bound an amount, one by one from the amount to the left: "no more than two"."""
    bounding = words.listed(_BOUNDING)
    number = words.found(find_numbers)
    # "under a thousand"
    at = number | (words.listed(("a", "an")) & words.after(number, -1) & words.labelled(("det", "nummod", "quantmod")))
    for _ in range(4):  # up to four words before an amount, right to left
        before = words.after(at, -1) & bounding & ~words.root
        rows = before.rows()
        board.needs(rows + 1, rows, BOUND)
        tight = rows[words.listed(_TIGHT_BOUNDS)[rows]]
        board.needs(tight, tight + 1, BOUND)
        at = before


def _pin_shares(words: Words, board: PinBoard) -> None:
    """Pin shares and the bounds after an amount: "one in five", "or above", "at the latest", "a maximum of eight"."""
    number = words.found(find_numbers)
    part = number & words.parents_of(words.labelled(("prep",)) & (words.listed("in") | words.listed("of")))
    share = words.labelled(("prep",)) & (words.listed("in") | words.listed("of")) & part[words.head]
    share &= words.after(number)
    # "one customer in six"
    six = words.tagged(("CD",)) & words.labelled(("pobj",)) & ~words.entities(("DATE", "TIME"))
    share |= words.listed("in") & words.parents_of(six) & words.found(find_sized)[words.head]
    board.with_heads(words, share, BOUND)
    one_in = words.parents_of(words.listed("in") & words.labelled(("quantmod",)))
    board.with_heads(words, number & words.labelled(("nummod",)) & one_in, BOUND)
    board.with_heads(words, number & words.labelled(("nummod", "quantmod")) & share[words.head[words.head]], BOUND)
    # "two per cent of our body weight"
    whole = words.listed("of") & words.labelled(PREPOSITIONS) & words.listed(_PERCENT)[words.head]
    board.with_heads(words, whole | (words.labelled(("pobj",)) & whole[words.head]), BOUND)
    after = words.listed(_BOUNDS_AFTER) & words.after(words.listed("or"))
    board.with_heads(words, after, BOUND)
    latest = (words.listed("late") | words.listed(_TIGHT_BOUNDS)) & words.labelled(("pobj",))
    latest &= words.tagged(("JJS", "RBS"))
    board.with_heads(words, words.parents_of(latest) & words.labelled(PREPOSITIONS), BOUND)
    # "at least a draw"
    board.with_heads(words, words.listed(("least", "most")) & words.after(words.listed("at")), BOUND)
    limit = words.listed(_LIMITS) & words.parents_of(words.listed("of"))
    board.with_heads(words, words.listed("of") & limit[words.head], BOUND)
    of_limit = words.labelled(("pobj",)) & (words.listed("of") & limit[words.head])[words.head]
    rows = of_limit.rows()
    board.needs(rows, words.head[words.head[rows]], BOUND)


def _pin_sizes(words: Words, board: PinBoard) -> None:
    """Pin bounds that tell which ones are meant, and what a distance or rise is measured from."""
    # "balances over 2,500", "a value below 300", "containers of up to 100 ml"; "four points above the base rate"
    number, sized, bounding = words.found(find_numbers), words.found(find_sized), words.listed(_BOUNDING)
    noun = words.tagged(("NN", "NNS", "CD", "DT"))
    amount = (number | sized) & words.labelled(("pobj",))
    over = words.labelled(PREPOSITIONS) & words.listed(AMOUNT_PREPOSITIONS) & ~words.listed("of")
    below = words.parents_of(amount) & (over | (words.listed("of") & words.parents_of(words.parents_of(bounding))))
    below |= words.labelled(PREPOSITIONS) & words.listed("of") & words.after(words.listed("up"), -1)
    below &= noun[words.head] & words.labelled(PREPOSITIONS)
    board.with_heads(words, below, BOUND)
    of_bounded = words.parents_of(words.parents_of(below) & words.labelled(("pobj",)))
    board.with_heads(words, of_bounded & words.labelled(PREPOSITIONS), BOUND)
    board.with_heads(words, over & sized[words.head] & ~words.listed("within"), BOUND)
    board.with_heads(words, words.labelled(("prep",)) & (number & words.labelled(("dobj", "conj")))[words.head], BOUND)


def _pin_misread(words: Words, board: PinBoard) -> None:
    """Amounts beside what they bound, with their preposition taken for a part of them: "amounts under 20"."""
    noun = words.tagged(("NN", "NNS", "PRP")) & ~words.labelled(("compound", "amod"))
    over = words.listed(AMOUNT_PREPOSITIONS) & words.tagged(("IN",)) & words.labelled(("quantmod",)) & words.after(noun)
    rows = (over & words.after(words.tagged(("CD",)), -1)).rows()
    board.needs(rows - 1, rows, BOUND)
    board.needs(rows, rows - 1, BOUND)
    board.needs(rows, rows + 1, BOUND)
    # its unit, too: "over 2,500 pounds"
    unit = words.head[rows + 1]
    known = unit == rows + 2
    board.needs(rows[known], unit[known], BOUND)
    # "the fee for balances over 2,500 pounds": which are meant
    sized = words.labelled(("pobj",)) & words.after(over, -1)
    board.with_heads(words, words.labelled(PREPOSITIONS) & words.parents_of(sized) & noun[words.head], BOUND)
    # "entries older than ninety days"
    more = words.tagged(("JJR",)) & words.after(noun) & words.after(words.listed("than"), -1)
    rows = (more & words.after(words.tagged(("CD",)), -2)).rows()
    board.needs(rows - 1, rows, BOUND)
    board.needs(rows, rows + 1, BOUND)
    board.needs(rows, rows + 2, BOUND)
    unit = words.head[rows + 2]
    known = unit == rows + 3
    board.needs(rows[known], unit[known], BOUND)
    # "bar one", "bar the first": out of what "every" names
    nominal = words.listed("bar") & ~words.after(words.tagged(("DT", "PRP$")))
    first = words.listed(_FOREMOST) & words.after(words.listed("the"))
    nominal &= words.after(words.tagged(("CD",)), -1) | words.after(first, -2)
    every = words.last(words.listed(TOTALS) & words.labelled(("det", "predet")))
    rows = (nominal & (every >= 0) & (words.rows - every < _REACH)).rows()
    board.needs(rows, rows + 1, BOUND)
    the = words.listed("the")[rows + 1]
    board.needs(rows[the], rows[the] + 2, BOUND)
    board.needs(rows, rows - 1, BOUND)
    board.needs(rows, every[rows], BOUND)
    board.needs(every[rows], rows, BOUND)
    phrase = words.head[words.head[every[rows]]]
    board.needs(words.head[phrase], every[rows], BOUND)


def _pin_measures(words: Words, board: PinBoard) -> None:
    """Pin what amounts are measured from, and what they are amounts of."""
    number, sized, noun = words.found(find_numbers), words.found(find_sized), words.tagged(("NN", "NNS", "CD", "DT"))
    # "five kilometres of the airport", "thirty days after service"
    relates = words.listed("of") | words.listed("from") | words.listed(BOUNDING_PREPOSITIONS)
    # not "1100 pictures of cats", nor "thirty days of the date"
    day = words.listed(TIMES) | words.entities(("DATE", "TIME"))
    relates &= words.listed(_UNITS)[words.head] | (day[words.head] & ~words.listed("of"))
    measured = words.labelled(("prep",)) & relates & sized[words.head]
    measured |= words.labelled(PREPOSITIONS) & words.parents_of(words.labelled(("npadvmod",)) & words.listed(_UNITS))
    # "on the four Sundays before Christmas", where that hangs on the verb
    beside = words.listed(BOUNDING_PREPOSITIONS) & words.labelled(PREPOSITIONS)
    rows = (beside & words.after(sized & day & words.labelled(("pobj",)))).rows()
    board.needs(rows - 1, rows, BOUND)
    board.with_heads(words, measured, BOUND)
    # "of the airport boundary", "above the base rate"
    kind = words.labelled(("compound",)) & words.tagged(("NN",))
    board.with_heads(words, kind & (words.labelled(("pobj",)) & measured[words.head])[words.head], BOUND)
    # "thirty days after service of the judgment", wherever the days hang
    dated = words.labelled(PREPOSITIONS) & words.parents_of(words.labelled(("npadvmod",)) & sized & words.listed(TIMES))
    since = words.labelled(("pobj",)) & ((measured | dated) & words.listed(BOUNDING_PREPOSITIONS))[words.head]
    board.with_heads(words, words.listed("of") & since[words.head], BOUND)
    # "shall not exceed the fees paid in the last twelve months", "is limited to losses of that year"
    most = words.labelled(("dobj",)) & words.listed(_EXCEEDING)[words.head]
    capped = (
        words.labelled(PREPOSITIONS) & words.listed(_CAPPING)[words.head] & (words.listed("to") | words.listed("at"))
    )
    board.with_heads(words, capped, BOUND)
    most |= words.labelled(("pobj",)) & capped[words.head]
    told = (
        words.labelled((*NOUN_CLAUSES, *PREPOSITIONS))
        & most[words.head]
        & (words.rows > words.head)
        & ~words.after_comma
    )
    board.with_heads(words, told, BOUND)
    inner = words.labelled(PREPOSITIONS) & (told & words.labelled(NOUN_CLAUSES))[words.head]
    board.with_heads(words, inner & ~words.after_comma, BOUND)
    # "three months' notice"
    board.with_heads(words, words.labelled(("poss",)) & sized & words.listed(TIMES), BOUND)
    # "heavier than forty thousand tons", after its noun
    postposed = words.tagged(("JJR",)) & (words.rows > words.head) & noun[words.head]
    board.with_heads(words, postposed, BOUND)
    board.with_heads(words, words.labelled(("npadvmod", "prep")) & postposed[words.head], BOUND)
    # "100 litres a day", "every six hours"
    rate = words.labelled(("npadvmod",)) & words.listed(TIMES)
    rate &= words.parents_of(
        (words.listed("a") | words.listed("every") | words.listed("each")) & words.labelled(("det",))
    )
    measured = words.parents_of(sized & words.labelled(("dobj", "npadvmod", "attr")))
    board.with_heads(words, rate & (measured | sized | words.listed(_TIMES_OVER))[words.head], BOUND)
    # "a fine of 800 pounds for each day", "500 euros for every day of delay"
    each = words.parents_of((words.listed("every") | words.listed("each")) & words.labelled(("det",)))
    of_each = (
        words.labelled(PREPOSITIONS) & words.listed(_FOR_EACH) & words.parents_of(each & words.labelled(("pobj",)))
    )
    amount = number | sized
    amount |= words.parents_of(words.labelled(PREPOSITIONS) & words.parents_of(amount & words.labelled(("pobj",))))
    paid = words.parents_of(amount & words.labelled(("dobj", "attr")))
    due = words.parents_of(amount & words.labelled(SUBJECTS))  # "a fine of 200 is payable for each offence"
    paid |= due | (words.labelled(("acomp",)) & due[words.head])
    board.with_heads(words, of_each & (amount | paid)[words.head], BOUND)
    inner = words.labelled(PREPOSITIONS) & (each & words.labelled(("pobj",)) & of_each[words.head])[words.head]
    board.with_heads(words, inner & (amount | paid)[words.head[words.head[words.head]]], BOUND)


def _pin_numbers(words: Words, board: PinBoard) -> None:
    """How many, how often, which one: "the first 50 customers", "three times a day", "chapters four through six"."""
    number, sized = words.found(find_numbers), words.found(find_sized)
    # "one person", "the first 50 customers"
    single = words.tagged(("NN",)) & ~words.parents_of(words.labelled(("det",)))
    single &= sized
    board.with_heads(words, number & words.labelled(("nummod",)) & single[words.head], BOUND)
    foremost = words.listed(_FOREMOST) & words.labelled(("amod",)) & sized[words.head]
    numbered = number & words.labelled(("nummod",))
    board.with_heads(words, foremost | (numbered & words.parents_of(foremost)[words.head]), BOUND)
    rows = (words.tagged(("CD",)) & words.after(words.listed("time"), -1)).rows()
    board.needs(rows, rows + 1, BOUND)
    board.needs(rows + 1, rows, BOUND)
    # "can borrow up to twenty books"
    bounded = words.parents_of(words.listed(_TIGHT_BOUNDS) & words.labelled(("quantmod", "advmod"))) & numbered
    may = words.parents_of(words.tagged(("MD",)))
    board.with_heads(words, bounded & (words.labelled(("dobj",)) & may[words.head])[words.head], BOUND)
    # "three times a day"; "chapter four", "chapters four through six"
    board.with_heads(words, numbered & words.listed("time")[words.head], BOUND)
    board.with_heads(words, words.tagged(("CD",)) & numbered & (words.rows > words.head), BOUND)
    figure = words.tagged(("CD",))
    rows = (words.listed(_THROUGH) & words.after(figure) & words.after(figure, -1)).rows()
    for these, those in ((rows - 1, rows), (rows, rows + 1), (rows + 1, rows - 1)):
        board.needs(these, those, BOUND)
    # "one and a half cups" are not "a half"
    half = words.listed(FRACTIONS) & words.after(words.listed(("a", "an"))) & words.after(words.listed("and"), 2)
    rows = (half & words.after(figure, 3)).rows()
    board.needs(rows, rows - 3, BOUND)
    board.needs(rows - 3, rows, BOUND)
    # "600 euros per month"
    per = words.listed("per") & words.labelled(PREPOSITIONS)
    board.with_heads(words, per & (number | sized)[words.head], BOUND)
    # "in women over 70", wherever that hangs
    aged = (
        words.listed(("over", "under", "above", "below"))
        & words.labelled(PREPOSITIONS)
        & words.after(words.tagged(("NNS",)))
    )
    rows = (aged & words.after(figure & words.labelled(("pobj",)), -1)).rows()
    # "parcels with weights under thirty pounds"; "over ten years" may be how long it took
    unit = words.labelled(("pobj",)) & words.after(figure) & ~words.listed(TIMES)
    rows = rows.followed_by((aged & words.after(unit, -2)).rows())
    board.needs(rows - 1, rows, BOUND)
    board.needs(rows, rows - 1, BOUND)
    # "between 9,000 and 12,000 pounds"
    ends = words.listed("between") & words.after(figure, -1) & words.after(words.listed("and"), -2)
    rows = (ends & words.after(figure, -3)).rows()
    for these, those in ((rows + 3, rows + 1), (rows + 1, rows), (rows, rows + 3)):
        board.needs(these, those, BOUND)


def _pin_exceptions(words: Words, board: PinBoard) -> None:
    """Pin exceptions to what they are taken from: "all but two", "everyone except the team"."""
    apart = words.listed(_EXCEPTIONS) & ~words.labelled((*SUBJECTS, "ROOT", "compound", "dobj", "pobj"))
    apart &= words.labelled(PREPOSITIONS) | words.after(words.listed("from") | words.listed("than"), -1)
    # "save with the consent of …", where the parser may take "save" for a verb
    save = words.listed("save") & words.labelled(ADVERBIAL_CLAUSES) & words.tagged(("VB", "VBP", "IN"))
    save &= ~words.parents_of(words.labelled((*SUBJECTS, *SUBORDINATORS, "aux"))) & (words.rows > words.head)
    # "all year round save for two weeks"
    bare = words.listed("save") & words.after(words.listed("for"), -1) & words.tagged(("NN", "VB", "IN", "VBP"))
    apart |= save | (bare & ~words.parents_of(words.labelled((*SUBJECTS, "det", "poss", "aux"))) & ~words.root)
    board.with_heads(words, apart, BOUND)
    # "runs every hour in high season, except on Sundays": what it is an exception to holds at a time
    when = words.labelled(PREPOSITIONS) & words.listed(("in", "on", "at", "during")) & (words.rows > words.head)
    season = words.listed(TIMES) | words.entities(("DATE", "TIME")) | words.listed("hour")
    when &= words.parents_of(words.labelled(("pobj",)) & season) & ~apart & ~words.after_comma
    when &= words.parents_of(apart & words.listed("except"))[words.head]
    which = words.labelled(("amod",)) & (words.labelled(("pobj",)) & when[words.head])[words.head]
    board.with_heads(words, when | which, BOUND)
    one = words.labelled(("dobj", "pobj")) & (save | save[words.head])[words.head]
    board.with_heads(words, words.labelled(NOUN_CLAUSES) & one[words.head], BOUND)
    # "for all but the largest", "on every Saturday bar one": the phrase that the exception limits stays, too
    of_all = words.heads_of(apart) & words.labelled(("pobj",))
    of_all |= words.labelled(("pobj",)) & words.listed(TOTALS) & words.after(words.listed("but"), -1)
    board.with_heads(words, of_all | words.parents_of(of_all) & words.labelled(PREPOSITIONS), BOUND)
    board.with_heads(words, words.labelled((*PREPOSITIONS, "pobj", "pcomp")) & apart[words.head], BOUND)
    # "with the exception of two stretches"
    exception = words.listed("exception") & words.labelled(("pobj",)) & words.after(words.listed("of"), -1)
    board.with_heads(words, words.labelled(PREPOSITIONS) & words.parents_of(exception), BOUND)
    of_what = words.listed("of") & exception[words.head]
    inside_it = words.labelled(("pobj",)) & of_what[words.head]
    board.with_heads(words, of_what | inside_it, BOUND)
    board.with_heads(words, words.labelled(("amod", "nummod")) & inside_it[words.head], BOUND)
    every = words.listed(TOTALS)
    but = words.after(every & ~words.labelled(("det",)), 1) & words.listed("but")
    rows = but.rows()
    board.needs(rows - 1, rows, BOUND)
    follows = words.after(but) | (words.after(but, 2) & words.after(words.tagged(("DT", "CD"))))
    rows = (follows & ~words.tagged(("DT",))).rows()
    board.needs(rows - 1, rows, BOUND)
    rows = words.after(but).rows()
    board.needs(rows, rows - 2, BOUND)
    # conjuncts of what is excepted: "other than Venus and Uranus"
    inside = words.labelled(("pobj",)) & (apart | words.heads_of(apart))[words.head]
    inside |= words.labelled(("pobj",)) & (words.labelled(PREPOSITIONS) & apart[words.head])[words.head]
    told = words.labelled(("amod", "compound", "nummod", "acl"))
    told |= words.labelled(PREPOSITIONS) & words.listed("of")
    board.with_heads(words, told & inside[words.head], BOUND)
    ends = words.labelled(("pobj",)) & words.listed("between")[words.head]
    rows = (ends & words.parents_of(words.labelled(("conj",)))).rows()
    board.needs(words.head[words.head[rows]], rows, BOUND)
    board.with_heads(words, words.labelled(("conj",)) & (inside | ends)[words.head], BOUND)


def _pin_limits(words: Words, board: PinBoard) -> None:
    """Pin what follows "only", with its times: "only on sailings before seven"."""
    number, sized = words.found(find_numbers), words.found(find_sized)
    phrase = words.labelled(PREPOSITIONS) | (words.labelled(("conj",)) & words.tagged(("IN",)))
    limited = words.after(words.listed(_ONLY)) & phrase
    board.with_heads(words, limited, BOUND)
    # "is paid only after the goods have arrived"
    opener = words.after(words.listed(_ONLY)) & (words.labelled(SUBORDINATORS) | words.tagged(("WRB",)))
    clause = words.labelled(ADVERBIAL_CLAUSES) & words.parents_of(opener)
    board.with_heads(words, clause, BOUND)
    board.not_root(clause, BOUND)
    # "only to children who weigh more than ten kilos"
    told = words.labelled(("acl", "relcl")) & (words.labelled(("pobj",)) & limited[words.head])[words.head]
    told |= (
        words.listed("of") & (words.labelled(("pobj",)) & limited[words.head])[words.head]
    )  # "solely for the use of"
    board.with_heads(words, told & ~words.after_comma, BOUND)
    limited |= words.labelled(("acl", "relcl"))
    limited |= words.labelled(("pobj",)) & limited[words.head]
    timed = words.labelled(PREPOSITIONS) & words.listed(BOUNDING_PREPOSITIONS)
    timed &= words.parents_of(number | sized | words.listed(TIMES))
    board.with_heads(words, timed & limited[words.head], BOUND)
    # "by Wednesday evening" is not "by evening"
    moment = words.labelled(("pobj",)) & words.listed(TIMES) & words.listed(_DEADLINES)[words.head]
    which = words.labelled(("compound", "nummod", "amod", "npadvmod")) & words.entities(("DATE", "TIME"))
    board.with_heads(words, which & (words.rows < words.head) & moment[words.head], BOUND)


RULE: Final = Rule(pin_bounds, order=60)
