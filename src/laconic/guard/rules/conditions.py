"""Conditions: one thing holds only if, when or until something else does.

A conditional clause stays with what depends on it, and keeps the arguments of its verb, as it would be another
condition without them. "When" and similar words also open clauses of a narrative ("when the phone rang"), which are no
conditions.
"""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.guard.rules.bounds import find_sized
from laconic.language.grammar import (
    ADVERBIAL_CLAUSES,
    ADVERBIALS,
    ARGUMENTS,
    AUXILIARIES,
    EXPLETIVES,
    NOUN_CLAUSES,
    PREPOSITIONS,
    SUBJECTS,
    SUBORDINATORS,
)
from laconic.language.word_lists import BOUNDING_PREPOSITIONS, COPULA, DOUBTS, ON_IN_UNDER, OWNERS, SOURCES
from laconic.parse.program import Mask, Numbers

#: A condition stays with what depends on it: "if it rains".
CONDITION: Final = "condition"

#: Conjunctions that always open a condition; below, those that may also open a narrative clause ("when the phone
#: rang").
_STRICT_CONDITIONS: Final = """
    if unless until till provided providing provide assuming assume supposing suppose lest whenever wherever
""".split()
_LOOSE_CONDITIONS: Final = "when while once where whilst".split()
#: Prepositions of a condition; below, nouns that make a prepositional phrase one: "in case", "on condition that".
_CONDITIONAL_PREPOSITIONS: Final = "failing fail barring bar absent without".split()
_CONDITIONAL_NOUNS: Final = "absence condition event face understanding circumstance proviso case".split()
#: Prepositions of a condition that may follow; adjectives of dependence; nouns for a condition.
_BARRING: Final = "barring bar failing fail absent".split()
_DEPENDING: Final = "contingent conditional dependent".split()
_CATCHES: Final = "catch condition proviso exception snag restriction limitation".split()
#: Participles that open a condition.
_PROVIDED: Final = ("provided", "provide", "assuming", "assume", "supposing", "suppose")
#: Adverbs after which the outcome of the preceding words is told.
_OUTCOMES: Final = ("otherwise", "else")
#: Nouns of consent, which may be a condition, and nouns that open a clause as "when" does.
_CONSENTS: Final = "consent approval permission authorisation authorization agreement".split()
_MOMENTS: Final = ("moment", "minute", "instant", "second", "day")
#: Labels that the subject of "weather permitting" may have.
_WEATHER: Final = ("npadvmod", "nsubj", "compound")
#: Adverbs before a clause that does not limit the statement: "even if", "especially when".
_ABOVE_ALL: Final = ("even", "especially", "particularly")
#: Verbs that stand before their subject in a condition: "had we known".
_INVERTED: Final = "have had should be were".split()
#: Particles of verbs of motion or change, however the parser labels them.
_PARTICLES: Final = ("back", "away", "out", "off", "down", "up", "on", "in", "over", "apart", "together")
#: Prepositions whose phrase belongs to the verb of a condition.
_WITH_TO_INTO: Final = ("with", "to", "into", "onto")

#: Verbs of telling; what is told holds without the condition.
_TELLING: Final = "tell say mention remind assure add note".split()
#: Verbs of wishing in polite phrases: "if you like".
_WISHES: Final = "like want wish please prefer care mind".split()
#: What an offer assumes that a reader may want; the offer holds in any case: "if you have questions".
_OFFERED: Final = "help question assistance advice support".split()
#: Adjectives of polite requests: "if you would be so kind".
_COURTEOUS: Final = ("kind", "good", "nice")

#: Adverbs that do not narrow a condition.
_AGAIN: Final = "again already still ever also too either anyway though".split()
#: Words that follow an "if" without a verb: "few, if any".
_ANY: Final = "any anything anybody anyone ever anywhere all".split()
#: Words that open a condition between a modal and its verb.
_INTERPOSED: Final = ("where", "if", "when", "unless", "once")

#: The maximum number of words from "in case" to its verb.
_REACH = 8


def find_conditions(words: Words) -> Mask:
    """The verbs of conditional clauses."""
    adverbial = words.labelled(ADVERBIAL_CLAUSES)
    opens = words.labelled((*SUBORDINATORS, *ADVERBIALS, *PREPOSITIONS))
    # "until it rains" is a clause; "isn't until seven" has none
    timed = words.listed(BOUNDING_PREPOSITIONS) & words.labelled(PREPOSITIONS)
    strict = words.parents_of(words.listed(_STRICT_CONDITIONS) & opens & ~timed)
    loose = words.parents_of(words.listed(_LOOSE_CONDITIONS) & opens)
    auxiliary = words.labelled(AUXILIARIES)
    told = words.tagged(("VBD",))
    told = told | words.parents_of(told & auxiliary)
    bare = words.tagged(("VBG",)) & ~words.parents_of(auxiliary)  # "when writing"
    loose &= (adverbial | words.labelled(("pcomp", "relcl"))) & ~told & ~bare
    # "while they differ, both work" concedes; "do not open it while it runs" is a condition
    concedes = words.parents_of(words.listed("while") & opens) & ((words.rows < words.head) | words.after_comma)
    # "when we begin, we will call you" is a time
    shall = words.parents_of(words.listed("will") & words.labelled(AUXILIARIES))
    loose &= ~((shall & words.parents_of(words.listed(("I", "we")) & words.labelled(SUBJECTS)))[words.head] & adverbial)
    # no conditions in a narrative: "he left, when it eventually opens"
    loose &= ~concedes & ~(told[words.head] & adverbial)
    loose &= ~words.labelled(("relcl",)) | words.tagged(("VBZ", "VBP", "VBN"))
    loose &= ~words.labelled(("relcl",)) | (words.parents_of(words.listed("where") & opens) & words.shall)
    # "provided finance approves": the parser may attach the participle beside its clause
    participle = words.tagged(("VBN", "VBG", "VBD", "IN"))
    beside = words.listed(_STRICT_CONDITIONS) & participle & words.labelled(("prep", "acl", "advcl", "mark"))
    # not "the spoon provided"
    beside &= ~words.labelled(("acl",)) | words.parents_of(words.labelled(("ccomp",))) | words.found(_opens_clause)
    beside &= ~words.listed(DOUBTS) | words.tagged(("VBN", "VBG", "VBD")) | words.labelled(("prep",))
    # "children travel free, provided an adult is with them", where the parser takes it for the verb
    provided = words.listed(_PROVIDED) & words.tagged(("VBD", "VBN")) & words.after(words.tagged((",",)))
    strict |= beside | (words.labelled(("ccomp",)) & provided[words.head] & (words.rows > words.head))
    nearest = words.last(beside)
    near = (nearest >= 0) & (words.rows - nearest < _REACH) & (words.last(words.tagged((",",))) <= nearest)
    strict |= adverbial & near & (words.first_below(words.labelled(SUBJECTS)) > nearest)
    # "as long as", "so long as", "as far as", "only after"
    long = words.listed("long") & words.after(words.listed("as") | words.listed("so"))
    after_long = words.after(long) & words.listed("as")
    strict |= words.parents_of(after_long & opens) | (long & words.after(words.listed("as"), -1))
    # "had he known", "should you miss it", "were they to ask"
    subject = words.labelled(SUBJECTS)
    first_subject = words.first_below(subject)[words.head]
    inverted = auxiliary & words.listed(_INVERTED) & words.tagged(("VBD", "VB", "MD"))
    inverted &= (words.rows < first_subject) | (first_subject < 0)
    strict |= words.parents_of(inverted) & (adverbial | (words.labelled(("ccomp",)) & (words.rows < words.head)))
    strict |= words.listed(_INVERTED) & words.opens & adverbial & words.tagged(("VBD", "VB", "MD"))
    # "were the buyer to become insolvent", read as a noun with a clause of its own
    first = words.listed(_INVERTED) & words.opens & ~words.root
    of_noun = words.labelled(("relcl", "acl", "xcomp", "ccomp")) & (first[words.head] | first[words.head[words.head]])
    strict |= of_noun
    # "even if it rains" does not limit the statement
    even = words.parents_of(words.after(words.listed(_ABOVE_ALL)) & opens)
    strict &= ~words.labelled(("relcl",)) | of_noun
    strict &= ~words.labelled(("conj",))  # "whether it rains or if it snows" is covered by the first part
    # "it was sold until production ceased" is a time
    until = words.parents_of(words.listed(BOUNDING_PREPOSITIONS) & words.labelled(SUBORDINATORS))
    strict &= ~(until & told & told[words.head])
    return ((strict & ~words.root) | loose) & ~even & ~_polite(words)


def _next_clause(words: Words) -> Numbers:
    """By row: the next verb with a subject of its own in a clause that is no main one."""
    return words.coming(
        words.labelled((*ADVERBIAL_CLAUSES, "ccomp", "acl")) & words.parents_of(words.labelled(SUBJECTS))
    )


def _opens_clause(words: Words) -> Mask:
    """Participles after a comma before a subject and its verb: ", provided finance approves", wherever they hang."""
    verb = _next_clause(words)
    first = words.first_below(words.labelled(SUBJECTS))[verb]
    near = (verb >= 0) & (verb - words.rows < _REACH) & (first > words.rows)
    return near & words.after(words.tagged((",",))) & (words.last(words.tagged((",",)))[verb] < words.rows)


def _polite(words: Words) -> Mask:
    """Clauses that are a matter of politeness and no conditions: "if you like", "if you would be so kind"."""
    wishes = words.listed(_WISHES) & words.parents_of(words.listed(("I", "you", "we")) & words.labelled(SUBJECTS))
    wishes &= ~words.parents_of(
        words.labelled(("xcomp", "ccomp")) | (words.labelled(("dobj",)) & ~words.tagged(("DT", "PRP")))
    )
    # "if you need help, you can …"
    offered = words.parents_of(words.labelled(("dobj",)) & words.listed(_OFFERED))
    wishes |= (
        offered
        & words.listed(("need", "have", "want"))
        & words.parents_of(words.listed("you") & words.labelled(SUBJECTS))
    )
    # "if you are new here, I can tell you that …": what is told does not depend on the clause
    modal = words.parents_of(words.tagged(("MD",)))
    mine = words.parents_of(words.listed(("I", "we")) & words.labelled(SUBJECTS))
    wishes |= (words.listed(_TELLING) & mine & modal)[words.head]
    kind = words.parents_of(words.listed(_COURTEOUS) & words.labelled(("acomp",)))
    yours = words.parents_of(words.listed("you") & words.labelled(SUBJECTS))
    request = yours | ~words.parents_of(words.labelled(SUBJECTS))  # "could you call", "call"
    wishes |= kind & modal & yours & request[words.head]
    ever = words.parents_of(words.listed("ever") & words.labelled(ADVERBIALS))
    return wishes | (words.listed(COPULA) & ever & words.parents_of(words.labelled(EXPLETIVES)))


def pin_conditions(words: Words, board: PinBoard) -> None:
    """Pin conditions, with the arguments of their verbs, to what depends on them."""
    conditions = words.found(find_conditions)
    # "see if it fails" asks; "should it fail, call us" and "see your doctor if it fails" have conditions
    asked = words.labelled(("ccomp",)) & (words.rows > words.head)
    asked &= ~words.parents_of(words.labelled(("dobj",)) & ~words.tagged(("PRP",)))[words.head]
    # "the one that she sent, provided finance approves it", where the parser takes it for what "sent" is about
    certain = words.listed((*_PROVIDED, "unless")) & words.labelled(SUBORDINATORS) & words.after(words.tagged((",",)))
    adverbial = conditions & ~(asked & ~words.parents_of(certain))
    board.with_heads(words, adverbial, CONDITION)
    board.not_root(adverbial, CONDITION)
    _hold(words, board, adverbial.rows())
    inside = conditions
    arguments = words.labelled((*ARGUMENTS, "pobj", "pcomp")) | (words.listed(_PARTICLES) & words.labelled(ADVERBIALS))
    for _ in range(3):
        inside |= arguments & inside[words.head]
    # "provided that it stays below zero": the clause hangs on the participle
    below = words.labelled(("pcomp", "ccomp")) & (adverbial & words.listed(_PROVIDED))[words.head]
    adverbial |= below
    # "if it stays in the sun", "if you treat it with wax": the first of several phrases
    place = words.labelled(("prep",)) & (words.rows > words.head) & adverbial[words.head]
    place &= words.first_below(place)[words.head] == words.rows
    intransitive = ~words.parents_of(words.labelled(("dobj", "attr", "acomp", "xcomp", "ccomp")))
    inside |= place & (intransitive[words.head] | words.listed(_WITH_TO_INTO))
    amount = words.tagged(("CD",)) | words.found(find_sized)
    counted = words.labelled(("prep",)) & words.parents_of(amount & words.labelled(("pobj",)))
    # "if treatment ends early"
    early = words.labelled(ADVERBIALS) & (words.rows > words.head) & (adverbial & intransitive)[words.head]
    late = words.parents_of(words.labelled(ADVERBIALS))  # "runs late again", where the one hangs on the other
    inside |= early & ~words.after_comma & (~words.listed(_AGAIN) | late)
    inside |= words.labelled(ADVERBIALS) & (early & words.listed(_AGAIN))[words.head]
    inside |= counted & (words.rows > words.head) & adverbial[words.head]  # "if it lasts for more than a week"
    inside &= inside[words.head] | conditions
    # "when the red flag is up", "if it is on a network drive"
    common = words.labelled(("compound",)) & words.tagged(("NN",))
    theirs = words.parents_of(words.labelled(("poss",)))  # "when their precious cartoons appear"
    inside |= words.labelled(("amod",)) & (inside & words.labelled(SUBJECTS) & ~theirs)[words.head]
    is_at = words.labelled(("prep",)) & (adverbial & words.listed(COPULA))[words.head]
    predicate = words.labelled(("pobj",)) & is_at[words.head]
    inside |= (words.labelled(("amod",)) | common) & predicate[words.head]
    inside |= (common | words.labelled(("nummod",))) & inside[words.head]
    # "if there is not a bird sitting on the eggs"
    there = words.labelled(("attr",)) & (conditions & words.parents_of(words.labelled(EXPLETIVES)))[words.head]
    inside |= words.labelled(("acl", "relcl")) & there[words.head] & ~words.after_comma
    board.with_heads(words, inside & ~conditions, CONDITION)
    # "may, where the court agrees, be released"
    between = words.listed(_INTERPOSED) & words.after(words.tagged((",",))) & words.after(words.tagged(("MD",)), 2)
    rows = between.rows()
    board.needs(words.head[rows - 2], words.head[rows], CONDITION)
    _pin_permitted(words, board)
    _pin_deeds(words, board)
    _pin_provided(words, board)
    _pin_elliptical(words, board)
    _pin_phrases(words, board)
    _pin_hypotheses(words, board)
    _pin_outcomes(words, board)


def _pin_elliptical(words: Words, board: PinBoard) -> None:
    """What doubts the word before it: "a politician, if there ever was one", "few clues, if any"."""
    there = words.listed(COPULA) & words.parents_of(words.labelled(EXPLETIVES))
    there &= words.parents_of(words.listed("one") & words.labelled(("attr", "nsubj")))
    bare = words.listed(_ANY) & words.after(words.listed("if"))
    opener = words.last(words.listed("if"))
    clause = ((there & (opener >= 0) & (words.rows - opener < _REACH)) | bare).rows()
    mark = opener[clause]
    doubted = mark - words.tagged((",",))[mark - 1].where(2, 1)
    # not if the doubted word is deeper in the tree: the phrase that it is in may be deleted, and the doubt with it
    top = words.head[clause]
    near = (words.head[doubted] == top) | (words.head[words.head[doubted]] == top)
    board.needs(clause[near], doubted[near], CONDITION)


def _pin_permitted(words: Words, board: PinBoard) -> None:
    """From when on something may be done: "you may eat as soon as the nausea has passed"."""
    once = words.labelled(ADVERBIAL_CLAUSES) & words.parents_of(words.listed("as") & words.labelled(SUBORDINATORS))
    soon = words.listed("soon") & words.labelled(ADVERBIALS) & words.parents_of(once)
    allowed = words.found(find_orders) | words.parents_of(words.tagged(("MD",)) & words.labelled(AUXILIARIES))
    soon &= allowed[words.head]
    board.with_heads(words, soon | (once & soon[words.head]), CONDITION)


def _pin_deeds(words: Words, board: PinBoard) -> None:
    """By which deed somebody agrees to something: "by opening an account, you accept these terms"."""
    deed = words.labelled(("pcomp",)) & words.tagged(("VBG",))
    you = words.parents_of(words.listed("you") & words.labelled(SUBJECTS))
    by = words.listed("by") & words.labelled(PREPOSITIONS) & words.parents_of(deed) & (words.rows < words.head)
    by &= you[words.head]
    board.with_heads(words, by | (deed & by[words.head]), CONDITION)


def _pin_provided(words: Words, board: PinBoard) -> None:
    """The clause after "provided", where the parser hangs it beside that, or takes "provided" for the verb."""
    provided = words.listed(_PROVIDED) & words.tagged(("VBN", "VBD", "VBG"))
    # "children travel free at weekends, provided …", where "travel" is taken for a noun
    travel = (
        words.labelled(SUBJECTS) & words.tagged(("NN", "NNS")) & words.parents_of(words.labelled(("nsubj", "amod")))
    )
    travel &= (provided & words.after(words.tagged((",",))) & words.parents_of(words.labelled(("ccomp",))))[words.head]
    board.with_heads(words, words.labelled(PREPOSITIONS) & travel[words.head] & (words.rows > words.head), CONDITION)
    opens = (provided & words.found(_opens_clause)).rows()
    clause = _next_clause(words)[opens]
    board.needs(opens, clause, CONDITION)
    board.needs(clause, words.first_below(words.labelled(SUBJECTS))[clause], CONDITION)


def _pin_phrases(words: Words, board: PinBoard) -> None:
    """Pin conditional phrases with a noun: "in case", "on condition that", "in the event of"."""
    arguments = words.labelled((*ARGUMENTS, "pobj", "pcomp")) | (words.listed(_PARTICLES) & words.labelled(ADVERBIALS))
    noun = words.listed(_CONDITIONAL_NOUNS) & words.labelled(("pobj",)) & ~words.tagged(("NNS",))
    prep = words.parents_of(noun & words.parents_of(words.labelled(("acl", "relcl", "prep"))))
    opened = words.after(words.listed(_CONDITIONAL_NOUNS), -1) | words.after(words.listed(_CONDITIONAL_NOUNS), -2)
    prep &= words.labelled(PREPOSITIONS) & words.listed(ON_IN_UNDER) & opened & ~words.after(words.listed("even"))
    board.with_heads(words, prep, CONDITION)
    # "is wiped on every restart in the event that …": it does not hold without the event
    top, rows = words.head[prep.rows()], prep.rows()
    for _ in range(3):
        top = words.labelled(("pobj", "dobj", "prep"))[top].where(words.head[top], top)
    board.needs(top, rows, CONDITION)
    inside = noun & prep[words.head]
    for _ in range(3):
        inside |= (arguments | words.labelled(("acl", "relcl", "prep"))) & inside[words.head]
    what = words.labelled(("amod",)) & (inside & words.labelled(("pobj",)))[words.head]  # "of a [total] loss"
    board.with_heads(words, inside | what, CONDITION)
    # "in case the printer fails", where the parser attaches the clause beside the phrase
    clause = words.labelled(ADVERBIAL_CLAUSES) & ~words.root
    last = words.last(words.listed("case") & words.after(words.listed("in")) & words.labelled(("pobj",)))
    beside = clause & (last >= 0) & (words.head[words.head[last]] == words.head) & (words.rows - last < _REACH)
    rows = (beside & (words.rows > last)).rows()
    board.needs(rows, last[rows], CONDITION)
    board.needs(words.head[rows], rows, CONDITION)


def _pin_hypotheses(words: Words, board: PinBoard) -> None:
    """Pin conditional phrases with a preposition: "failing payment", "without a visa you cannot", "but for him"."""
    hypothetical = words.parents_of(words.tagged(("MD",)) | words.labelled(("neg",)))
    prep = words.listed(_CONDITIONAL_PREPOSITIONS) & words.labelled((*PREPOSITIONS, *ADVERBIAL_CLAUSES))
    first = words.rows < words.head
    forbidden = words.parents_of(words.labelled(("neg",))) & words.parents_of(words.tagged(("MD",)))
    prep &= (first & hypothetical[words.head]) | (words.listed("without") & forbidden[words.head])
    # "will be released on Friday, barring any objection"
    prep |= (
        words.listed(_BARRING)
        & words.labelled((*PREPOSITIONS, *ADVERBIAL_CLAUSES))
        & words.after(words.tagged((",",)))
        & words.parents_of(words.labelled(("dobj", "pobj")))
        & ~words.parents_of(words.labelled(SUBJECTS))
        & hypothetical[words.head]
    )
    board.with_heads(words, prep, CONDITION)
    rows = (prep & words.tagged(("VBG",))).rows()
    board.needs(rows, rows + 1, CONDITION)
    # "…, contingent on a waiver"
    depends = words.listed(_DEPENDING) & words.tagged(("JJ",)) & words.after(words.tagged((",",)))
    board.with_heads(words, depends & ~words.root & (words.rows > words.head), CONDITION)
    # "children ride for nothing, the catch being that …"
    being = (
        words.listed(COPULA) & words.tagged(("VBG",)) & words.after_comma & words.parents_of(words.labelled(("ccomp",)))
    )
    catch = words.labelled(SUBJECTS) & words.listed(_CATCHES) & being[words.head]
    being = words.parents_of(catch)
    board.with_heads(words, catch | being | (words.labelled(("ccomp",)) & being[words.head]), CONDITION)
    subject_to = words.listed("subject") & words.after(words.listed("to"), -1) & ~words.labelled(SUBJECTS)
    board.with_heads(words, subject_to, CONDITION)
    board.with_heads(words, words.listed("to") & words.after(subject_to), CONDITION)
    # "with your consent, we will …", "may do so with the approval of the head"
    consent = words.labelled(("pobj",)) & words.listed(_CONSENTS)
    given = words.labelled(PREPOSITIONS) & words.listed(("with", "by", "on", "upon")) & words.parents_of(consent)
    board.with_heads(words, given & words.parents_of(words.tagged(("MD",)))[words.head], CONDITION)
    # "is void the moment the seal is broken"
    moment = words.listed(_MOMENTS) & words.labelled(("npadvmod",))
    moment &= words.parents_of(words.labelled(("relcl",)) & words.parents_of(words.tagged(("VBZ", "VBP", "MD"))))
    board.with_heads(words, moment | (words.labelled(("relcl",)) & moment[words.head]), CONDITION)
    # "weather permitting"; "whoever finds it first, however late, should ring"
    permitting = (
        words.listed(("permit", "permitting", "willing", "allow"))
        & words.tagged(("VBG", "JJ", "NN"))
        & words.after_comma
    )
    permitting &= words.labelled(ADVERBIAL_CLAUSES) & words.parents_of(words.labelled(_WEATHER))
    board.with_heads(words, permitting, CONDITION)
    board.with_heads(words, words.labelled(_WEATHER) & permitting[words.head], CONDITION)
    whoever = words.parents_of(words.listed(("whoever", "whatever", "whichever")) & words.labelled(SUBJECTS))
    alone = ~words.parents_of(words.labelled(SUBJECTS))
    board.with_heads(words, words.labelled(ADVERBIAL_CLAUSES) & whoever & alone[words.head], CONDITION)
    but_for = words.listed("for") & words.after(words.listed("but")) & hypothetical[words.head]
    but_for |= words.listed("for") & words.after(words.labelled(("neg",))) & words.after(words.listed("if"), 2)
    board.with_heads(words, but_for, CONDITION)
    board.not_root(words.parents_of(but_for), CONDITION)


def _pin_outcomes(words: Words, board: PinBoard) -> None:
    """Pin outcomes to their cause: "hold it, or it goes to sleep", "otherwise", "give me the money and I go"."""
    outcome = words.parents_of(words.listed(_OUTCOMES) & words.labelled(ADVERBIALS))
    board.not_root(outcome, CONDITION)
    board.with_heads(words, words.listed(_OUTCOMES) & words.labelled(ADVERBIALS), CONDITION)
    said_first = words.labelled((*ADVERBIAL_CLAUSES, "ccomp")) & outcome[words.head] & (words.rows < words.head)
    board.with_heads(words, said_first, CONDITION)
    # "give me the money and I will go": an order, and its outcome
    order = words.found(find_orders)
    result = words.labelled(("conj",)) & order[words.head] & words.parents_of(words.labelled(SUBJECTS))
    board.not_root(result, CONDITION)
    outcomes = result | (outcome & words.labelled(("conj", "advcl", "ccomp", "parataxis")))
    complements = words.labelled(ARGUMENTS) | words.labelled((*PREPOSITIONS, *ADVERBIALS))
    cause = words.heads_of(outcomes) & order
    board.with_heads(words, complements & cause[words.head], CONDITION)
    # "give me a council that listens, and I will …": which one
    one = words.labelled(("dobj",)) & cause[words.head] & words.parents_of(words.listed(("a", "an")))
    board.with_heads(words, words.labelled(("relcl", "acl")) & one[words.head] & ~words.after_comma, CONDITION)


def _hold(words: Words, board: PinBoard, rows: Numbers) -> None:
    """Pin conditions to the whole clause that they apply to, wherever the parser attaches them.

    "…, rather than raise an error, if nothing matches", "…, the accountant told us, if it stays under a thousand".
    """
    top = words.head[rows]
    inner = words.labelled(("advcl", "pcomp", "prep", "cc", "parataxis"))
    # "stop it and see a doctor if …"; not "stop it, and if it hurts, see a doctor"
    inner |= (
        words.labelled(("conj",))
        & words.found(find_orders)
        & ~words.parents_of(words.found(find_conditions) & (words.rows < words.head))
    )
    # "…, which, if true, would save us a penalty": it holds for that clause alone
    inner &= ~words.parents_of(words.tagged(("WDT",)) & words.labelled(SUBJECTS))
    late = rows[(words.after_comma & (words.rows > words.head))[rows]]
    beside = words.head[late]
    asides = inner | _asides(words)
    for _ in range(4):
        top = (inner & ~words.root)[top].where(words.head[top], top)
        beside = (asides & ~words.root)[beside].where(words.head[beside], beside)
    board.needs(top, rows, CONDITION)
    board.needs(beside, late, CONDITION)
    # a statement before its verb of saying, if the condition follows that verb
    speaks = (words.listed(SOURCES) | words.listed(OWNERS)) & ~words.listed(COPULA)
    said = words.last_below(words.labelled(("ccomp",)) & (words.rows < words.head) & speaks[words.head])[top]
    known = (said >= 0) & (said < rows)
    board.needs(said[known], rows[known], CONDITION)


def _asides(words: Words) -> Mask:
    """What may be said by the way before a condition that has a comma before it."""
    # "we serve it in bed, and the cook grumbles, if …"
    opens = words.listed("and") & words.labelled(("cc",)) & words.after(words.tagged((",",)))
    joined = (
        words.labelled(("conj",)) & words.parents_of(words.labelled(SUBJECTS)) & words.parents_of(opens)[words.head]
    )
    # "the budget, the one that she sent on Monday, provided …"
    named = words.after_comma & words.tagged(("NN", "NNS", "NNP", "CD"))
    named &= ~words.labelled(SUBJECTS) | (words.rows > words.head)
    return joined | named | (words.labelled(NOUN_CLAUSES) & named[words.head])


def find_orders(words: Words) -> Mask:
    """Verbs that tell someone to do something: "take two", without a subject."""
    bare = words.tagged(("VB",)) & words.labelled(("ROOT", "conj", "ccomp", "parataxis", "advcl", "dep"))
    # "press it if the lamp flashes", where the parser takes "flashes" for the subject
    clause = words.labelled(SUBJECTS) & words.tagged(("VBZ", "VBP", "VBD")) & (words.rows > words.head)
    helped = words.parents_of(words.labelled((*SUBJECTS, "aux", "expl", "mark")) & ~words.listed("do") & ~clause)
    shared = words.parents_of(words.labelled(("aux",)) & words.tagged(("TO", "MD")))  # "to come and see"
    helped |= words.labelled(("conj",)) & shared[words.head]
    # "they ease the pain but do not cure it"
    several = words.parents_of(words.labelled(SUBJECTS) & (words.tagged(("NNS",)) | words.listed("they")))
    denied = words.parents_of(words.labelled(("neg",)))
    helped |= words.labelled(("conj",)) & denied & several[words.head]
    return bare & ~helped


RULE: Final = Rule(pin_conditions, order=20)
