"""Restrictions: which people or things are meant, if not all ("people who …", "models built before 2019")."""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.language.grammar import ARGUMENTS, AUXILIARIES, NOUN_CLAUSES, PREPOSITIONS, SUBJECTS
from laconic.language.word_lists import AMOUNT_PREPOSITIONS, BOUNDING_PREPOSITIONS, FRACTIONS
from laconic.parse.program import Mask

#: What restricts a noun stays with it: "people who …".
RESTRICTION: Final = "restriction"

#: Pronouns and determiners that a restriction applies to: "those who", "any guest with".
_RESTRICTED: Final = """
    those anyone anybody everyone everybody any every each all no none nobody only people person anything everything
    whoever nothing someone most some few many
""".split()
#: Determiners that identify the noun, so that what follows it adds information; below, articles of generic nouns.
_DEFINITE: Final = "the this that these those a an another my your his its our their her".split()
_ANY_ONE: Final = ("a", "an")
#: Prepositions of phrases that say which ones are meant.
_RESTRICTING_PREPOSITIONS: Final = """
    with without over under above below between in on from aged of for to at by before after outside within beyond
    against through via
""".split()
#: Words for a direction before "of".
_SIDES: Final = "north south east west northeast northwest southeast southwest upstream downstream ahead short".split()
#: Verbs of rules about things of a kind, and verbs of rejection.
_RULING: Final = "treat regard interpret classify entitle oblige forbid prohibit exempt ban bar".split()
_CALLING: Final = "dismiss reject denounce condemn describe brand deride deny".split()
#: Prepositions of phrases before the clause that say whom or what it applies to: "among patients with …".
_SCOPES: Final = "among amongst for of in on with".split()
#: Prepositions of examples; below, of possession.
_EXAMPLES: Final = ("like",)
_POSSESSING: Final = ("with", "without")
#: Prepositions of recipients, and of groups that something applies to.
_RECIPIENTS: Final = ("to", "for", "in", "on")


def pin_restrictions(words: Words, board: PinBoard) -> None:
    """Pin what restricts bare plurals, "those", "anyone" and "every"."""
    definite = words.parents_of((words.listed(_DEFINITE) & words.labelled(("det", "poss"))) | words.labelled(("poss",)))
    quantified = words.parents_of(words.listed(_RESTRICTED) & words.labelled(("det", "amod", "nummod", "advmod")))
    quantified &= ~definite | words.parents_of(words.listed("only"))
    mass = words.tagged(("NN",)) & ~words.parents_of(words.labelled(("det", "poss", "nummod")))  # "damage caused by …"
    mass &= ~words.listed(_RESTRICTED)
    bare = (words.tagged(("NNS",)) | mass) & ~definite
    pronoun = words.listed(_RESTRICTED) & words.tagged(("DT", "NN", "NNS", "PRP", "JJ")) & ~definite
    subject = words.labelled(SUBJECTS)
    subject = subject | (words.labelled(("conj",)) & subject[words.head])
    any_one = _any_one(words)
    noun = (bare | quantified | pronoun | any_one) & subject
    denied = words.labelled(SUBJECTS) & words.parents_of(words.denials)[words.head]  # "those fed at night did not grow"
    noun |= (
        _compared(words)
        | (denied & words.parents_of(words.labelled(NOUN_CLAUSES)))
        | (words.root & bare & words.parents_of(words.labelled(("acl",))))
    )
    # "half of the listeners who wrote in", "only the first 50 customers to check in"
    part = (
        words.listed("of")
        & (words.labelled(SUBJECTS) & (words.listed(FRACTIONS) | words.listed(_RESTRICTED)))[words.head]
    )
    noun |= words.labelled(("pobj",)) & part[words.head]
    noun |= words.labelled(SUBJECTS) & words.parents_of(words.parents_of(words.listed("only")))
    restricts = words.labelled((*NOUN_CLAUSES, "amod", "advmod")) | (
        words.labelled(PREPOSITIONS) & words.listed(_RESTRICTING_PREPOSITIONS)
    )
    restricts &= noun[words.head] & (words.rows > words.head) & ~words.after_comma
    # "damage in the north" is still damage, and "a detail to keep in mind" a detail
    number = words.tagged(("CD",))
    counted = words.parents_of(words.labelled(("pobj",)) & (number | words.parents_of(number)))  # "a fine of 200 euros"
    loose = (mass | any_one)[words.head] & ~words.listed(_POSSESSING) & ~counted
    restricts &= ~(loose & (words.labelled(PREPOSITIONS) | (any_one[words.head] & words.tagged(("VB",)))))
    # bare plurals only in general statements: "researchers at a college found" reports what some of them did
    told = words.tagged(("VBD",)) | words.parents_of(
        (words.tagged(("VBD",)) | words.listed("have")) & words.labelled(AUXILIARIES)
    )
    told |= words.tagged(("VBG",))
    told = told[words.head[words.head]] & bare[words.head] & words.labelled(PREPOSITIONS)
    sized = (words.listed(BOUNDING_PREPOSITIONS) | words.listed(AMOUNT_PREPOSITIONS)) & ~words.listed("of")
    restricts &= quantified[words.head] | ~told | sized | words.listed("without")
    board.with_heads(words, restricts, RESTRICTION)
    some = (bare & words.tagged(("NNS",))) | quantified
    inside = restricts | _pin_scopes(words, board, some | pronoun) | _pin_recipients(words, board, some)
    keeps = words.labelled((*ARGUMENTS, "prep", "pobj", "pcomp", "nummod", "quantmod", "npadvmod", "det", "poss"))
    # "with [untreated] hypertension"; names may lose their first part
    keeps = keeps | (words.labelled(("amod", "compound")) & ~words.tagged(("NNP", "NNPS"))[words.head])
    keeps = keeps | (
        words.labelled(("conj",)) & words.parents_of(words.listed("or") & words.labelled(("cc",)))[words.head]
    )
    # "guests who booked online", "who booked directly with us": adverbs that are all that the clause adds to its verb
    alone = restricts & ~words.parents_of(words.labelled(("dobj", "attr", "acomp", "prep", "xcomp", "ccomp")))
    beside = words.head == words.rows - 1
    keeps = keeps | (words.labelled(("advmod",)) & (words.rows > words.head) & (alone[words.head] | beside))
    # "accounts that were opened before May and never used", "damage caused by water that enters through a window"
    keeps = keeps | words.labelled(NOUN_CLAUSES) | (words.labelled(("conj",)) & restricts[words.head])
    for _ in range(7):
        inside |= inside[words.head] & ~words.after_comma & keeps & ~words.bracketed
    board.with_heads(words, words.parents_of(restricts), RESTRICTION)
    # "most of the mushrooms that grow under birches"
    whole = words.labelled(("pobj",)) & words.parents_of(restricts & words.labelled(NOUN_CLAUSES))
    board.with_heads(words, part & words.parents_of(whole), RESTRICTION)
    counted = (words.listed(_RESTRICTED) & ~words.listed(_DEFINITE)) | words.listed(FRACTIONS) | words.tagged(("CD",))
    board.with_heads(words, (counted | quantified) & words.labelled(SUBJECTS), RESTRICTION)
    board.with_heads(words, inside & ~restricts, RESTRICTION)
    _pin_sides(words, board, bare | quantified)
    _pin_effects(words, board)
    _pin_misread(words, board)
    _pin_owners(words, board, bare & subject)


def _pin_owners(words: Words, board: PinBoard, noun: Mask) -> None:
    """Whose: "shares of the bank fell" is not "shares fell"; and how many: "according to two people"."""
    whose = words.listed("of") & words.labelled(PREPOSITIONS) & (noun & words.tagged(("NNS",)))[words.head]
    board.with_heads(words, whose & ~words.listed(_RESTRICTED)[words.head], RESTRICTION)
    people = words.listed("people") & (words.listed("to") & words.listed("accord")[words.head])[words.head]
    board.with_heads(words, words.labelled(("nummod",)) & people[words.head], RESTRICTION)


def _any_one(words: Words) -> Mask:
    """Nouns with "a" in general statements: "a tenant who …, may", "a person guilty of … is liable"."""
    holds = words.tagged(("VBZ", "VBP")) | words.parents_of(
        words.tagged(("MD", "VBZ", "VBP")) & words.labelled(AUXILIARIES)
    )
    perfect = words.parents_of(words.listed("have") & words.labelled(AUXILIARIES))
    article = words.parents_of(words.listed(_ANY_ONE) & words.labelled(("det",)))
    main = words.labelled(("ROOT", "ccomp", "conj", "parataxis"))  # not "if a value in it is empty"
    return article & (holds & ~perfect & main)[words.head]


def _pin_sides(words: Words, board: PinBoard, some: Mask) -> None:
    """On which side of what: "homes north of the river", "on all routes south of the lake"."""
    side = words.listed(_SIDES) & words.after(some) & words.parents_of(words.listed("of") & words.labelled(("prep",)))
    rows = side.rows()
    board.needs(rows - 1, rows, RESTRICTION)
    board.needs(rows, rows + 1, RESTRICTION)
    total = words.parents_of(words.listed(("all", "any", "every")) & words.labelled(("det", "predet")))
    prep = words.labelled(PREPOSITIONS) & words.parents_of(total & words.parents_of(side) & words.labelled(("pobj",)))
    board.with_heads(words, prep & words.tagged(("VB", "VBP", "VBZ"))[words.head], RESTRICTION)


def _pin_effects(words: Words, board: PinBoard) -> None:
    """What kind of things a rule in the present tense is about: "treats empty fields as missing values"."""
    verb = words.listed(_RULING) & words.tagged(("VBZ", "VBP"))
    kind = words.labelled(("dobj",)) & words.tagged(("NNS",)) & verb[words.head]
    kind &= ~words.parents_of(words.labelled(("det", "poss")))
    as_ = words.listed("as") & words.labelled(PREPOSITIONS) & words.listed(_RULING)[words.head]
    kind |= words.labelled(("pobj",)) & as_[words.head]
    board.with_heads(words, words.labelled(("amod",)) & kind[words.head] & (words.rows < words.head), RESTRICTION)
    # "dismissed as premature claims that …", where the adjective is what they were called
    called = words.labelled((*PREPOSITIONS, "mark")) & words.listed("as") & words.after(words.listed(_CALLING))
    rows = (words.labelled(("amod",)) & words.tagged(("JJ",)) & words.after(called)).rows()
    board.needs(rows - 1, rows, RESTRICTION)
    board.needs(rows + 1, rows, RESTRICTION)
    # "unlike chains that make …": only those are meant
    unlike = words.labelled(("pobj",)) & words.listed("unlike")[words.head] & words.tagged(("NNS",))
    unlike &= ~words.parents_of(words.labelled(("det", "poss")))
    board.with_heads(words, words.labelled(NOUN_CLAUSES) & unlike[words.head] & ~words.after_comma, RESTRICTION)


def _pin_scopes(words: Words, board: PinBoard, noun: Mask) -> Mask:
    """Pin the group that a sentence applies to: "among patients who slept badly, …". Returns what restricts it."""
    # "for readers already familiar with it"
    restricts = words.labelled((*NOUN_CLAUSES, *PREPOSITIONS, "amod")) & (words.rows > words.head) & ~words.after_comma
    restricts &= ~words.listed(_EXAMPLES)
    some = noun & words.labelled(("pobj",)) & words.parents_of(restricts)
    scope = words.labelled(PREPOSITIONS) & words.listed(_SCOPES) & words.parents_of(some)
    subject = words.first_below(words.labelled(SUBJECTS))[words.head]
    scope &= words.rows < (subject >= 0).where(subject, words.head)  # imperatives have no subject
    board.with_heads(words, scope, RESTRICTION)
    restricts &= (some & scope[words.head])[words.head]
    board.with_heads(words, restricts, RESTRICTION)
    return restricts


def _pin_recipients(words: Words, board: PinBoard, noun: Mask) -> Mask:
    """Pin what restricts recipients: "issued to households that own no car". Returns these clauses."""
    past = words.tagged(("VBD",)) | words.listed("have")
    told = words.tagged(("VBD",)) | words.parents_of(past & words.labelled(AUXILIARIES))
    noun = noun & ~words.parents_of(words.labelled(("nummod",)))
    verb = words.tagged(("VB", "VBG", "VBN", "VBP", "VBZ", "JJ")) & ~told
    prep = words.labelled(PREPOSITIONS) & words.listed(_RECIPIENTS) & verb[words.head] & (words.rows > words.head)
    clause = words.labelled(NOUN_CLAUSES) & (words.rows > words.head) & ~words.after_comma
    clause &= (noun & words.labelled(("pobj",)) & prep[words.head])[words.head]
    board.with_heads(words, clause, RESTRICTION)
    granted = words.parents_of(words.labelled(("auxpass", "acomp")) | words.tagged(("MD",)))
    whose = words.parents_of(words.parents_of(clause)) & prep & words.listed(_RECIPIENTS[:2])
    board.with_heads(words, whose & (granted | words.labelled(("acomp",)))[words.head], RESTRICTION)
    outside = words.labelled(PREPOSITIONS) & words.listed("outside") & verb[words.head]
    board.with_heads(words, outside, RESTRICTION)
    return clause


def _compared(words: Words) -> Mask:
    """Subjects that are compared with others: "the one that comes with a belt is better"."""
    degree = words.tagged(("JJR", "RBR", "JJS", "RBS")) & ~words.labelled(SUBJECTS)
    for _ in range(2):  # "is the most comfortable one"
        degree |= words.labelled(("amod", "advmod", "acomp", "attr")) & words.parents_of(degree)
    degree = words.parents_of(degree)
    # "keeps food warm for longer than the other": wherever the comparison is
    above = words.tagged(("JJR", "RBR")) & words.parents_of(words.listed("than"))
    climbs = words.labelled(("pobj", "pcomp", "prep", "advmod", "acomp", "amod", "dobj", "oprd"))
    climbs |= words.labelled(("ccomp",)) & words.tagged(("JJ",))  # "keeps food warm", read as a clause
    for _ in range(4):
        above |= words.parents_of(above & climbs)
    subject = words.labelled(SUBJECTS) & (degree | above)[words.head]
    return subject | (words.labelled(("pobj",)) & (words.listed("of") & subject[words.head])[words.head])


def _pin_misread(words: Words, board: PinBoard) -> None:
    """Pin participles that the parser took for the main verb: "mushrooms gathered from the roadside should never …"."""
    # "through windows left open"
    left = (
        words.labelled(("advcl",)) & words.tagged(("VBD", "VBN")) & words.parents_of(words.labelled(("oprd", "acomp")))
    )
    left &= words.after(words.labelled(("pobj",)) & words.tagged(("NNS",)))
    rows = (left & ~words.parents_of(words.labelled((*SUBJECTS, *AUXILIARIES, "mark", "advmod")))).rows()
    board.needs(rows - 1, rows, RESTRICTION)
    # "stores open for more than a year"
    open_ = words.labelled(("acl", "amod")) & words.listed("open") & (words.head == words.rows - 1)
    at = words.labelled(PREPOSITIONS) & words.parents_of(words.labelled(("pobj",)) & words.parents_of(open_))
    at &= words.labelled(SUBJECTS)[words.head]
    board.with_heads(words, at | (words.labelled(PREPOSITIONS) & words.after(open_)), RESTRICTION)
    before = words.labelled(SUBJECTS) & words.tagged(("NN", "NNS")) & (words.head == words.rows + 1)
    bare = before & ~words.parents_of(words.labelled(("det", "poss")))
    plain = ~words.parents_of(words.labelled((*AUXILIARIES, "dobj", "cc", "neg")))
    participle = words.tagged(("VBD", "VBN")) & words.parents_of(bare) & plain
    verb = (
        words.labelled(("conj", "ccomp", "advcl", "relcl", "dep")) & participle[words.head] & (words.rows > words.head)
    )
    verb &= words.parents_of(words.labelled(AUXILIARIES)) & ~words.parents_of(words.labelled(SUBJECTS))
    board.not_root(verb, RESTRICTION)
    misread = words.parents_of(verb) & participle
    board.with_heads(words, verb, RESTRICTION)
    phrase = (
        words.labelled((*PREPOSITIONS, "advmod"))
        & misread[words.head]
        & (words.rows < words.first_below(verb)[words.head])
    )
    board.with_heads(words, phrase & ~words.after_comma, RESTRICTION)


RULE: Final = Rule(pin_restrictions, order=80)
