"""Comparisons keep what gives them their meaning: "than the ferry", "as in air", "from 131 million"."""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.language.grammar import (
    ADVERBIAL_CLAUSES,
    ADVERBIALS,
    NOUN_CLAUSES,
    PREPOSITIONS,
    RELATIVE_CLAUSE,
    SUBJECTS,
)
from laconic.language.word_lists import COPULA
from laconic.parse.program import Mask

#: What something is compared with stays with the comparison.
COMPARISON: Final = "comparison"

#: Words that compare two times or places rather than degrees.
_LATER: Final = ("early", "late", "far", "soon", "earlier", "later", "further")

#: Words for the place in a series.
_PLACES: Final = ("first", "last", "only")
#: Adverbs that restrict a first achievement: "the first to sail there alone".
_UNAIDED: Final = "alone solo unaided twice together".split()
#: Multipliers, when they stand before an article.
_MULTIPLES: Final = "twice double half triple thrice quarter".split()
#: Words for how far something is "up" or "down".
_MARGINS: Final = "deal bit lot little percent cent % fifth third quarter half tenth point".split()
#: Prepositions that compare with a level, and nouns that denote a level.
_BESIDE: Final = "above below beyond over under".split()
_LEVELS: Final = """
    level average rate figure mark norm peak price record target limit threshold value standard amount number total
    median mean expectation forecast high low
""".split()

#: The maximum number of words from a comparative to its "than"; below, from "as" to "as", to "since", and from
#: "rather".
_REACH = 8
_AS_REACH = 12
_SINCE_REACH = 14
_RATHER_REACH = 16


def pin_comparisons(words: Words, board: PinBoard) -> None:
    """Pin what something is compared with, the degree, and its consequence."""
    _pin_compared(words, board)
    _pin_degrees(words, board)
    _pin_than(words, board)
    _pin_equals(words, board)
    _pin_consequences(words, board)
    _pin_superlatives(words, board)
    _pin_multiples(words, board)


def _comparatives(words: Words) -> Mask:
    """Comparatives, except "any longer", which is a time and no comparison."""
    return words.tagged(("JJR", "RBR")) & ~words.after(words.listed("any"))


def _measures(words: Words) -> Mask:
    """Nouns with a number before them: "8 per cent"."""
    number = words.tagged(("CD",))
    return words.tagged(("NN", "NNS")) & (words.after(number) | words.after(number, 2))


def _first_as(words: Words) -> Mask:
    """The first "as" of "as fast as", but not the "as" of "as well"."""
    also = words.after(words.listed("well") & ~words.after(words.listed("as"), -1), -1)
    return words.listed("as") & words.labelled(("advmod",)) & ~also


def _second_as(words: Words) -> Mask:
    """The second "as" of "as fast as"."""
    nearest = words.last(words.found(_first_as))
    follows = (words.rows - nearest < _AS_REACH) & (nearest >= 0) & (words.rows != nearest)
    return follows & words.listed("as") & words.labelled((*PREPOSITIONS, "mark"))


def _pin_compared(words: Words, board: PinBoard) -> None:
    """Pin what follows "than" and "as", with its modifiers."""
    than = words.listed("than")
    instead = words.after(words.listed("rather"))  # "rather than wait" may be deleted as a whole
    compared = than & words.labelled(PREPOSITIONS) & ~instead
    board.with_heads(words, compared, COMPARISON)
    inside = words.labelled((*PREPOSITIONS, "pobj", "pcomp")) & compared[words.head]
    board.with_heads(words, inside, COMPARISON)
    inside |= words.labelled(("pobj",)) & words.found(_second_as)[words.head]
    for _ in range(2):
        inside |= inside[words.head] & words.labelled(
            ("amod", "compound", "prep", "pobj", "dobj", "acl", "relcl", "poss", "det")
        )
        inside &= ~words.after_comma
    board.with_heads(words, inside & ~words.labelled(("pobj",)) & (words.rows != words.head), COMPARISON)
    clause = words.parents_of(than & words.labelled(("mark",)))
    board.with_heads(words, clause & ~words.root, COMPARISON)
    board.not_root(clause, COMPARISON)
    # "tacky rather than smooth" is not "rather smooth"
    rows = (than & instead).rows()
    board.needs(rows - 1, rows, COMPARISON)
    # "no worse off on the basic plan than on the premium one"
    beside = than & words.labelled(PREPOSITIONS) & words.after(words.tagged(("IN",)), -1) & ~instead
    kind = words.labelled(("amod", "compound")) & words.tagged(("JJ", "NN", "VBN")) & (words.rows < words.head)
    board.with_heads(words, kind & (words.labelled(("pobj",)) & words.parents_of(beside))[words.head], COMPARISON)
    # "three times what it is in people who …", "what it had been before the pandemic"
    what = words.parents_of(words.listed("what") & words.labelled(("attr", "dobj"))) & words.listed(COPULA)
    what &= words.parents_of(words.listed("it") & words.labelled(SUBJECTS)) & ~words.root
    board.with_heads(words, words.labelled(PREPOSITIONS) & what[words.head] & (words.rows > words.head), COMPARISON)
    # "more on parking than we do on our libraries"
    does = clause & words.listed("do") & words.labelled(ADVERBIAL_CLAUSES)
    board.with_heads(words, words.labelled(PREPOSITIONS) & does[words.head] & (words.rows > words.head), COMPARISON)


def _pin_degrees(words: Words, board: PinBoard) -> None:
    """Pin the word of degree and its measure: "20% less likely", "too heavy"."""
    comparative = words.found(_comparatives)
    degree = comparative & ~words.listed(_LATER)
    degree |= words.listed(_LATER) & words.parents_of(words.denials)[words.head]  # "nothing could be further from it"
    described = words.tagged(("JJ", "RB", "JJR", "RBR", "VBN"))[words.head]
    degree |= (words.listed("as") | words.listed("too")) & described & ~words.after(words.listed("well"), -1)
    hangs = words.labelled(("advmod", "amod", "npadvmod"))
    board.with_heads(words, degree & hangs, COMPARISON)
    # "as well", "any longer", "well enough": neither word without the other
    pair = (words.listed("well") & words.after(words.listed("as"))) | (words.tagged(("JJR", "RBR")) & ~comparative)
    pair |= words.listed("enough") & words.after(words.tagged(("JJ", "RB")))
    rows = pair.rows()
    board.needs(rows, rows - 1, COMPARISON)
    measure = words.labelled(("npadvmod",)) & (words.tagged(("JJR", "RBR")) | words.listed("than"))[words.head]
    board.with_heads(words, measure, COMPARISON)
    times = words.labelled(("npadvmod",)) & words.parents_of(words.tagged(("CD",)) & words.labelled(("nummod",)))
    board.with_heads(words, times & words.tagged(("JJ", "RB", "JJR", "RBR"))[words.head], COMPARISON)

    # "would be better spent on lighting"
    better = words.parents_of(words.tagged(("RBR",)) & words.labelled(("advmod",)) & (words.rows < words.head))
    better &= words.tagged(("VBN",)) & words.parents_of(words.labelled(("auxpass",)))
    on = words.labelled(PREPOSITIONS) & better[words.head] & (words.rows > words.head) & ~words.after_comma
    board.with_heads(words, on & (words.first_below(on)[words.head] == words.rows), COMPARISON)


def _pin_than(words: Words, board: PinBoard) -> None:
    """Pin "than" and the comparative before it to each other, wherever the parser attaches "than"."""
    than, comparative = words.listed("than"), words.found(_comparatives)
    nearest = words.last(comparative | words.listed("rather"))
    far = words.listed(("rather", "sooner", "soon"))[nearest].where(_RATHER_REACH, _REACH)
    rows = (than & (words.rows - nearest < far) & (nearest >= 0)).rows()
    board.with_heads(words, words.listed("rather") & words.after(words.tagged(("MD",))), COMPARISON)
    board.needs(nearest[rows], rows, COMPARISON)
    board.needs(rows, nearest[rows], COMPARISON)
    # "more than ever before", where nothing depends on "than": it stays with the next word
    bare = than & ~words.labelled(("mark",)) & ~words.parents_of(words.head != words.rows)
    bare_rows = (bare & (words.rows - nearest < far) & (nearest >= 0)).rows()
    board.needs(bare_rows, bare_rows + 1, COMPARISON)
    board.needs(bare_rows + 1, bare_rows, COMPARISON)
    # "more abroad than at home", "more from an account than from a bond": the first side stays with the second
    sides = than & words.after(words.tagged(("IN", "RB")), -1)
    coming = words.coming(sides)
    compares = nearest[coming]
    side = words.labelled(("prep", "advmod", "npadvmod")) & (words.rows > compares) & (compares >= 0)
    side &= ~sides & (coming - compares < far[coming])
    near = (words.head == compares) | (words.head == words.head[compares])
    near |= words.head == words.head[words.head[compares]]
    # "prices in the capital rose more slowly than in any other region": the first side is part of the subject
    subject = words.labelled(("prep",)) & words.labelled(SUBJECTS)[words.head] & (words.rows < compares)
    subject &= words.lemma == words.lemma[coming + 1]
    rows = ((side & near) | subject).rows()
    board.needs(coming[rows], rows, COMPARISON)


def _pin_equals(words: Words, board: PinBoard) -> None:
    """Pin both halves of "as fast in water as in air", and the measure: "six times as much", "8 per cent less"."""
    equal, second, comparative = words.found(_first_as), words.found(_second_as), words.found(_comparatives)
    hangs = words.labelled(("advmod", "amod", "npadvmod"))
    nearest = words.last(equal)
    rows = second.rows()
    board.needs(words.head[nearest[rows]], rows, COMPARISON)
    board.needs(rows, nearest[rows], COMPARISON)
    # "the same notice period as permanent staff", "at such an age as his"
    same = words.parents_of(words.listed(("same", "such")) & words.labelled(("amod", "predet", "det")))
    as_ = words.listed("as") & words.labelled(PREPOSITIONS) & same[words.head]
    equal = words.parents_of(words.listed("same") & words.labelled(("amod",)))  # "the same rights that we had"
    board.with_heads(words, words.labelled((RELATIVE_CLAUSE,)) & equal[words.head] & ~words.after_comma, COMPARISON)
    board.with_heads(words, as_ & ~words.after_comma, COMPARISON)
    kind = words.labelled(("compound", "amod")) & words.tagged(("NN", "JJ"))
    what = words.labelled(("pobj",)) & as_[words.head]
    board.with_heads(words, kind & (words.parents_of(as_) | what)[words.head], COMPARISON)
    # "as fast in water as in air": the first side stays with the second
    coming = words.coming(second & words.after(words.tagged(("IN",)), -1))
    side = words.labelled(("prep",)) & (words.rows > nearest) & (nearest >= 0) & (words.rows < coming)
    rows = (side & (words.head == words.head[nearest]) & (coming - nearest < _AS_REACH)).rows()
    board.needs(coming[rows], rows, COMPARISON)
    clause = words.labelled(("advcl",)) & words.parents_of(second)
    board.with_heads(words, clause & words.parents_of(equal)[words.head], COMPARISON)
    much = words.tagged(("JJ", "RB", "JJR", "RBR")) & words.after(equal)
    board.with_heads(words, much & hangs, COMPARISON)
    measures = words.found(_measures)
    said = measures & (words.after(comparative | equal, -1) | words.labelled(("npadvmod",)))
    board.with_heads(words, words.tagged(("CD",)) & words.labelled(("nummod",)) & said[words.head], COMPARISON)
    rows = (words.after(measures) & (comparative | equal)).rows()
    board.needs(rows - 1, rows, COMPARISON)
    rows = (words.after(measures) & equal).rows()
    board.needs(rows, rows - 1, COMPARISON)


def _pin_consequences(words: Words, board: PinBoard) -> None:
    """Pin where a change starts, and what a degree leads to: "down from 131", "too heavy to lift"."""
    turned = (words.listed("down") | words.listed("up")) & ~words.labelled(("prt",))
    board.with_heads(words, words.listed("from") & turned[words.head], COMPARISON)
    # "a good deal up on what it had been"
    measured = (words.listed("down") | words.listed("up")) & words.after(words.listed(_MARGINS))
    rows = (words.listed("on") & words.labelled(PREPOSITIONS) & words.after(measured)).rows()
    board.needs(rows - 1, rows, COMPARISON)
    reach = words.parents_of(
        (words.listed("so") | words.listed("too") | words.listed("enough"))
        & words.labelled(("advmod", "amod", "npadvmod"))
    )
    reach &= words.tagged(("JJ", "RB")) | words.parents_of(words.listed("enough") & words.labelled(("amod",)))
    follows = words.labelled((*ADVERBIAL_CLAUSES, *NOUN_CLAUSES, "ccomp", "xcomp")) & (words.rows > words.head)
    board.with_heads(words, follows & reach[words.head], COMPARISON)
    # "know it well enough to teach": the clause depends on the verb
    rows = (words.tagged(("VB",)) & words.after(words.listed("enough"), 2) & words.after(words.listed("to"))).rows()
    board.needs(rows, rows - 2, COMPARISON)
    board.needs(rows - 2, rows, COMPARISON)
    # "rises so quickly that it may flood": the clause depends on the verb
    quickly = words.parents_of(words.listed("so") & words.labelled(("advmod",))) & words.labelled(("advmod", "acomp"))
    clause = words.labelled(ADVERBIAL_CLAUSES) & words.parents_of(words.listed("that") & words.labelled(("mark",)))
    clause &= words.parents_of(quickly)[words.head]
    board.with_heads(words, clause, COMPARISON)
    that = words.listed("that") & words.labelled(("mark",))
    board.with_heads(words, that & (clause | (follows & reach[words.head]))[words.head], COMPARISON)
    follows = words.after(words.listed("too"), 2) & words.listed("for")
    board.with_heads(words, follows, COMPARISON)


def _pin_superlatives(words: Words, board: PinBoard) -> None:
    """Pin the set that a superlative refers to: "the second largest town on the island", "the lowest since 1987"."""
    most = words.tagged(("JJS", "RBS"))
    board.with_heads(words, words.labelled(("advmod", "amod", "compound")) & most[words.head], COMPARISON)
    last = words.last(most)
    since = words.listed("since") & words.labelled(PREPOSITIONS)
    for degree in (last, words.last(words.found(_comparatives))):  # "lower than in any year since 2009", too
        rows = (since & (degree >= 0) & (words.rows - degree < _SINCE_REACH)).rows()
        board.needs(degree[rows], rows, COMPARISON)
    rbs = words.tagged(("RBS",)) & words.labelled(("advmod",)) & words.tagged(("JJ",))[words.head]
    board.with_heads(words, rbs, COMPARISON)
    superlative = words.parents_of(most & words.labelled(("amod", "advmod"))) & words.tagged(("NN", "NNS", "NNP"))
    superlative |= most & words.labelled(("attr", "pobj"))  # "the best I have heard"
    within = words.labelled((*NOUN_CLAUSES, *PREPOSITIONS)) & superlative[words.head]
    within &= ~words.parents_of(words.labelled(("poss",)))[words.head]  # "my best friend who …"
    board.with_heads(words, within & (words.rows > words.head) & ~words.after_comma, COMPARISON)

    # "the best I have ever heard", "more than ever before"; a question can do without
    ever = words.listed("ever") & words.labelled(ADVERBIALS)
    board.with_heads(words, ever, COMPARISON)
    # "the first woman who sailed round it alone", "the last years of his life"
    place = words.parents_of(words.listed(_PLACES) & words.labelled(("amod",)))
    place &= words.parents_of(words.listed("the") & words.labelled(("det",)))
    place &= ~words.parents_of(words.labelled(("nummod",)))
    told = words.labelled(NOUN_CLAUSES) | (words.listed("of") & words.labelled(PREPOSITIONS))
    board.with_heads(words, told & place[words.head] & (words.rows > words.head) & ~words.after_comma, COMPARISON)
    # what completes the clause of a superlative: "the strangest I have been to", "the first who sailed alone"
    clause = words.labelled((RELATIVE_CLAUSE,)) & (superlative | place)[words.head] & ~words.after_comma
    complement = words.parents_of(words.labelled(("dobj", "attr", "acomp", "xcomp", "ccomp")))
    completes = words.labelled((*PREPOSITIONS, *ADVERBIALS)) & (words.rows > words.head) & ~words.after_comma
    completes &= words.first_below(completes)[words.head] == words.rows
    board.with_heads(words, words.listed(_UNAIDED) & words.labelled(ADVERBIALS) & clause[words.head], COMPARISON)
    at_all = words.parents_of(ever) & words.parents_of(words.labelled(("prt", "prep")) & (words.head == words.rows - 1))
    board.with_heads(words, completes & (clause & ~complement & ~at_all)[words.head], COMPARISON)
    # "the best tailor I have ever met" is not the tailor I have ever met
    rows = (words.parents_of(ever) & clause & words.parents_of(most)[words.head]).rows()
    board.needs(rows, words.first_below(most)[words.head[rows]], COMPARISON)


def _pin_multiples(words: Words, board: PinBoard) -> None:
    """Pin what is multiplied, "three times the length of the male", and levels, "below the average of May"."""
    multiple = words.listed(_MULTIPLES) | (words.listed("time") & words.found(_measures))
    rows = (multiple & words.after(words.listed("the") & words.labelled(("det",)), -1)).rows()
    whole = words.head[rows + 1]
    board.needs(rows, whole, COMPARISON)
    board.needs(whole, rows, COMPARISON)
    # "twice what ordinary overdrafts are charged"
    what = words.parents_of(words.listed("what") & words.after(multiple))
    bare = words.labelled(SUBJECTS) & words.tagged(("NNS",)) & what[words.head]
    bare &= ~words.parents_of(words.labelled(("det", "poss")))
    board.with_heads(words, words.labelled(("amod",)) & bare[words.head], COMPARISON)
    of_what = words.labelled((*NOUN_CLAUSES, *PREPOSITIONS)) & (words.rows > words.head) & ~words.after_comma
    first = words.first_below(of_what)[whole]
    known = first >= 0
    board.needs(whole[known], first[known], COMPARISON)
    male = words.first_below(words.labelled(("pobj",)))[first[known]]
    board.needs(male, whole[known], COMPARISON)
    beside = words.listed(_BESIDE) & words.labelled(PREPOSITIONS) & ~words.parents_of(words.tagged(("CD",)))
    level = words.labelled(("pobj",)) & words.listed(_LEVELS) & beside[words.head]
    told = of_what & level[words.head]
    board.with_heads(words, told, COMPARISON)
    board.with_heads(words, words.labelled(PREPOSITIONS) & (told & words.labelled(("acl",)))[words.head], COMPARISON)


RULE: Final = Rule(pin_comparisons, order=70)
