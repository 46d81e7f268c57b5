"""Instructions: amounts, times and deadlines of what is to be done."""

from __future__ import annotations

from typing import Final

from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.guard.rules.bounds import find_sized
from laconic.guard.rules.conditions import find_orders
from laconic.language.grammar import ADVERBIAL_CLAUSES, ADVERBIALS, NOUN_CLAUSES, PREPOSITIONS, SUBJECTS
from laconic.language.word_lists import BOUNDING_PREPOSITIONS, COPULA, TIMES
from laconic.parse.program import Mask

#: The amounts and times of an instruction stay with it.
INSTRUCTION: Final = "instruction"

#: Auxiliaries of instructions.
_DIRECTIVES: Final = "must shall should need ought".split()
#: Subjects of requests: "could everyone …".
_ASKED: Final = "you everyone everybody anyone anybody someone somebody".split()
#: Verbs of asking somebody to do something: "was asked to send it by noon".
_ASKING: Final = "ask tell require instruct advise request remind oblige order".split()
#: Verbs of permission.
_ALLOWING: Final = "allow permit entitle authorise authorize".split()
#: Prepositions of deadlines, times and amounts in instructions.
_DEADLINES: Final = "by within before after until till between under below above over beyond every per up than".split()
#: Adverbs that are essential to an instruction.
_MANNERS: Final = """
    once twice daily weekly monthly hourly nightly overnight dry upright only alone
    together separately whole
""".split()
#: Words that select one of several.
_ORDINALS: Final = "first last only second third fourth fifth next".split()
#: Modals of permission and obligation.
_PERMISSIONS: Final = "may can must shall should".split()

_TIMES = ("DATE", "TIME", "QUANTITY", "PERCENT", "MONEY", "CARDINAL")


def pin_instructions(words: Words, board: PinBoard) -> None:
    """Pin amounts, times and deadlines to the instruction that they belong to."""
    perfect = words.parents_of(words.listed("have") & words.labelled(("aux",)))
    may = words.parents_of(words.listed(_PERMISSIONS) & words.labelled(("aux",))) & ~perfect
    must = _find_duties(words)
    amount = words.tagged(("CD",)) | words.entities(_TIMES) | words.listed(TIMES)
    measured = amount
    for _ in range(4):
        up = words.labelled(
            ("nummod", "quantmod", "pobj", "compound", "amod", "prep", "pcomp", "npadvmod", "advmod", "dobj", "poss")
        )
        measured |= words.parents_of(measured & up) & ~words.tagged(("VB", "VBZ", "VBD", "VBP", "VBN"))
    deadline = words.labelled(PREPOSITIONS) & words.listed(_DEADLINES) & measured
    permitted = deadline & words.listed(BOUNDING_PREPOSITIONS) & may[words.head]
    deadline |= words.labelled(PREPOSITIONS) & words.listed(BOUNDING_PREPOSITIONS)
    counted = words.tagged(("CD",)) | (words.listed("every") & words.labelled(("det",)))
    for _ in range(4):
        counted |= words.parents_of(counted & words.labelled(("nummod", "pobj", "det"))) & ~words.tagged(("VB", "VBN"))
        counted |= words.parents_of(counted & words.labelled(("prep",))) & words.labelled(("pobj",))
    deadline |= words.labelled(PREPOSITIONS) & counted
    season = words.parents_of(words.listed(TIMES) & words.labelled(("pobj",)))
    ordered = words.found(find_orders)
    ordered = ordered | (words.labelled(("ccomp", "xcomp")) & words.tagged(("VB",)) & ordered[words.head])
    deadline |= words.labelled(PREPOSITIONS) & season & (ordered[words.head] | words.listed(TIMES)[words.head])
    board.with_heads(words, _find_hours(words, measured), INSTRUCTION)
    deadline |= words.labelled(("npadvmod", "quantmod")) & words.parents_of(
        words.tagged(("CD",)) | words.listed("each")
    )
    clause = words.labelled(ADVERBIAL_CLAUSES) & words.parents_of(words.listed(_DEADLINES) & words.labelled(("mark",)))
    manner = words.listed(_MANNERS) & words.labelled((*ADVERBIALS, "acomp", "oprd"))
    # "will be allowed to open on the four Sundays"
    allowed = (
        words.labelled(("xcomp",))
        & (words.listed(_ALLOWING) & words.parents_of(words.labelled(("auxpass",))))[words.head]
    )
    permitted |= words.labelled(PREPOSITIONS) & counted & allowed[words.head]
    # "may terminate it by giving three months' notice"
    given = words.labelled(("pcomp",)) & words.parents_of(words.labelled(("dobj",)) & words.listed(TIMES) & measured)
    permitted |= words.labelled(PREPOSITIONS) & words.listed("by") & words.parents_of(given) & (may | must)[words.head]
    decides = ((deadline | clause | manner) & must[words.head] & (words.rows > words.head)) | permitted
    # "before you install it, back up your files"
    decides |= (_in_writing(words) & must[words.head]) | (clause & words.found(find_orders)[words.head])
    decides |= (
        words.labelled(PREPOSITIONS) & season & (words.labelled(("pobj",)) & words.parents_of(decides)[words.head])
    )
    rows = words.labelled(("pcomp",)) & must[words.head[words.head]]  # "in writing no later than …"
    decides |= deadline & rows[words.head]
    decides |= words.parents_of(decides & rows[words.head]) & rows
    decides |= words.labelled(PREPOSITIONS) & words.parents_of(decides & rows)
    # "leave it to cool for twenty minutes"
    decides |= (
        words.labelled(("xcomp", "advcl", "dep"))
        & must
        & words.found(find_orders)[words.head]
        & words.parents_of(decides)
    )
    decides |= _find_limited(words, must, measured)
    object_ = words.labelled(("dobj",)) & must[words.head]
    decides |= _pin_dates(words, board, deadline & object_[words.head])
    board.with_heads(words, decides, INSTRUCTION)
    _pin_places(words, board, must)
    _pin_questions(words, board, must)
    _pin_alternatives(words, board)
    inside = decides | (words.labelled(("dobj", "attr", "pobj", "acomp")) & must[words.head])
    for _ in range(3):
        inside |= (measured | amount) & inside[words.head] & ~words.labelled(("punct", *NOUN_CLAUSES))
        inside |= words.listed(_ORDINALS) & (inside & words.labelled(("pobj",)))[words.head]
        inside |= words.labelled(("prep", "pobj")) & (inside & measured & ~words.labelled(("dobj",)))[words.head]
        inside |= words.labelled(("pobj", "pcomp")) & decides[words.head]
    board.with_heads(words, inside & ~decides & ~words.labelled(("dobj", "attr", "acomp")), INSTRUCTION)


def _find_hours(words: Words, measured: Mask) -> Mask:
    """Times that are the point of a message: "is free after six", "runs between 9 and 12", "reaches us by noon"."""
    holds = words.tagged(("VBZ", "VBP")) | words.parents_of(words.tagged(("VBZ", "VBP")) & words.labelled(("auxpass",)))
    message = words.labelled(PREPOSITIONS) & words.listed(BOUNDING_PREPOSITIONS) & measured & holds[words.head]
    message &= words.parents_of(words.tagged(("CD",)) | words.listed(TIMES))
    noon = words.parents_of(words.labelled(("pobj",)) & words.listed(TIMES))
    return message | (words.listed("by") & noon & holds[words.head])


def _in_writing(words: Words) -> Mask:
    """The form that is asked for: "must reach us in writing by noon"."""
    writing = words.labelled(("pobj", "pcomp")) & (words.listed("write") | words.listed("writing"))
    return words.labelled(PREPOSITIONS) & words.parents_of(writing & words.listed("in")[words.head])


def _find_limited(words: Words, must: Mask, measured: Mask) -> Mask:
    """Which of them, by their size: "report foreign accounts holding more than ten thousand dollars"."""
    limited = words.labelled(NOUN_CLAUSES) & words.parents_of(measured & words.labelled(("dobj",)))
    object_ = words.labelled(("dobj",)) & must[words.head]
    which = words.labelled(("amod",)) & words.tagged(("JJ",)) & (object_ & words.parents_of(limited))[words.head]
    return which | (limited & object_[words.head])


def _pin_dates(words: Words, board: PinBoard, dated: Mask) -> Mask:
    """Dates that hang on what is to be done by then, or beside an hour. Returns what they decide."""
    # "submit a reading by 31 March"
    dated = dated & words.listed(("by", "before", "until", "till"))
    # "simmer the stew, covered, for forty minutes", where the parser describes the stew
    amount = words.parents_of(words.labelled(("pobj",)) & words.found(find_sized))
    orders = words.found(find_orders)
    state = words.labelled(("acl",)) & words.after(words.tagged((",",))) & words.tagged(("VBN",))
    state &= (words.labelled(("dobj",)) & orders[words.head])[words.head]
    lasting = words.labelled(("prep",)) & words.listed("for") & amount & words.after_comma & state[words.head]
    # "before midnight on 30 September"
    clock = (
        words.listed(("noon", "midnight", "o'clock")) & words.labelled(("pobj",)) & words.listed(_DEADLINES)[words.head]
    )
    rows_of = (words.listed("on") & words.after(clock)).rows()
    board.needs(rows_of - 1, rows_of, INSTRUCTION)
    board.needs(rows_of, rows_of - 1, INSTRUCTION)
    held = dated | lasting
    return held | (words.parents_of(held) & ~words.tagged(("VB",)))


def _pin_places(words: Words, board: PinBoard, must: Mask) -> None:
    """Where something must be done: "must wear a muzzle on trams"."""
    shall = words.parents_of(words.listed(_DIRECTIVES[:2]) & words.labelled(("aux",))) & must
    object_ = words.labelled(("dobj",)) & shall[words.head]
    general = words.tagged(("NNS",)) & ~words.parents_of(words.labelled(("det", "poss")))
    place = words.labelled(("prep",)) & words.listed(("on", "in", "at")) & words.parents_of(general)
    place &= object_[words.head] | (words.parents_of(object_)[words.head] & words.after(object_))
    board.with_heads(words, place & ~words.after_comma, INSTRUCTION)


def _pin_questions(words: Words, board: PinBoard, must: Mask) -> None:
    """Of a clause with "what", what it was about: "disregard what the witness said about the knife"."""
    what = words.parents_of(words.listed("what") & (words.rows < words.head)) & words.labelled(("ccomp", "dobj"))
    about = words.labelled(PREPOSITIONS) & (what & must[words.head])[words.head] & (words.rows > words.head)
    board.with_heads(words, about & ~words.after_comma, INSTRUCTION)
    # "direct any complaint in writing to the ombudsman"
    writing = words.parents_of(_in_writing(words))
    to = words.listed("to") & words.labelled(PREPOSITIONS) & words.listed(("write", "writing"))[words.head]
    board.with_heads(words, to & (writing | must)[words.head[words.head[words.head]]], INSTRUCTION)


def _pin_alternatives(words: Words, board: PinBoard) -> None:
    """What each of two ways leads to: "press 1 to pay, or hold the line to speak to us"."""
    or_ = words.listed("or") & words.labelled(("cc",)) & words.after(words.tagged((",",)))
    second = words.labelled(("conj",)) & words.tagged(("VB",)) & words.after(or_)
    purpose = words.labelled(("advcl", "xcomp", "relcl", "acl")) & words.parents_of(
        words.tagged(("TO",)) & words.labelled(("aux",))
    )
    purpose &= words.tagged(("VB",)) & ~words.after_comma
    board.with_heads(words, purpose & second[words.head] & (words.rows > words.head), INSTRUCTION)
    # what the parser joins to the purpose of the first
    first = purpose & (words.parents_of(second) | (words.parents_of(second) & words.found(find_orders))[words.head])
    board.with_heads(words, first, INSTRUCTION)
    rows = (second & first[words.head]).rows()
    board.needs(rows, words.head[rows], INSTRUCTION)


def _find_duties(words: Words) -> Mask:
    """Verbs of what must be done or must not be done."""
    must = words.found(find_orders) | words.parents_of(words.listed(_DIRECTIVES) & words.labelled(("aux",)))
    # "could everyone send it by noon?"
    asked = words.labelled(SUBJECTS) & words.listed(_ASKED)
    must |= words.parents_of(words.tagged(("MD",)) & (words.rows < words.first_below(asked)[words.head]))
    allowed = words.listed(_PERMISSIONS) & words.tagged(("MD",))
    forbidden = words.parents_of(words.labelled(("neg",))) & words.parents_of(allowed)
    has_to = words.listed("have") & words.parents_of(words.labelled(("xcomp",)))
    must |= forbidden | (words.labelled(("xcomp",)) & has_to[words.head])
    must |= words.labelled(("xcomp", "ccomp")) & (must | words.listed(_ASKING))[words.head] & words.tagged(("VB",))
    # "what you do is unplug it"
    must |= (
        words.labelled(("xcomp", "ccomp"))
        & words.tagged(("VB",))
        & words.listed(COPULA)[words.head]
        & ~words.parents_of(words.labelled((*SUBJECTS, "aux", "mark")))
    )
    # "leave it to cool", "simmer it, uncovered, for an hour"
    later = words.labelled(("advcl", "dep")) & words.tagged(("VB", "VBN")) & (words.rows > words.head)
    must |= later & must[words.head]
    must |= words.labelled(("conj",)) & must[words.head] & words.tagged(("VB",))  # "shall finish it and pay"
    return must


RULE: Final = Rule(pin_instructions, order=90)
