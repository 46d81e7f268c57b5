"""Frames: a word keeps what it cannot do without.

"A judge blocked the administration from ending the program" is not "blocked from ending". Some of that holds for all
words: a verb keeps its subject, its object, its predicate. The rest was counted on plain text (`laconic.frames`): what
"rely", "able", "lack" seldom stand without stays with them; of the places where "put" puts something, one stays.
"""

from __future__ import annotations

from typing import Final

from laconic.frames.lexicon import (
    ASPECTS,
    CAUSING,
    HEARER_UNDERSTOOD,
    LACKS,
    MAKING,
    MANNERED,
    OBJECT_UNDERSTOOD,
    QUANTITIES,
    SERVING,
    TENDING,
)
from laconic.frames.table import ALWAYS, FrameTable, shipped_frames
from laconic.frames.uses import ANYTHING, INFINITIVE, SUBJECT_LABELS, Use, Uses, pair_ids, slot_id
from laconic.guard.pins import PinBoard
from laconic.guard.rule import Rule
from laconic.guard.rule_words import Words
from laconic.language.grammar import NAMES, QUESTION_TAGS, RELATIVE_CLAUSE, SUBJECTS, TIMES
from laconic.language.word_lists import BEFORE_PARTICIPLES, COPULA
from laconic.parse.program import Mask, Numbers

#: A word keeps what it seldom stands without.
FRAME: Final = "frame"

#: The maximum number of words in an aside.
_FAR: Final = 16
#: Tags of what a verb may say of its object without a verb between them.
_BARE_TAGS = ("JJ", "JJR", "JJS", "NN", "NNS", "VB", "VBN")


def pin_frames(words: Words, board: PinBoard) -> None:
    """What words cannot do without stays with them."""
    uses = Uses(words)
    table = shipped_frames()
    needed = (
        _always(uses)
        | _clauses(uses)
        | _gerunds(uses)
        | _manners(uses)
        | _shared_objects(uses)
        | _far_infinitives(uses, table)
    )
    one_clause = _one_clause(uses)
    found = pair_ids(uses.key[uses.head], uses.slot).among(table.needs)
    counted = uses.fills & (found >= 0)
    far = _after_asides(uses, table)
    sure = (uses.fills & found.listed_in(table.sure)) | far
    needed |= counted | far
    through = _through_objects(uses, table)
    needed &= one_clause & (counted | ~_spliced(uses))
    has_one = uses.heads_of(needed & uses.fills & ~uses.object)
    chosen = _one_of(uses, table, uses.fills & ~has_one[uses.head])
    needed |= chosen
    # "put it [on the shelf]", "you get [in the car]", "the bridge served [as a model]"
    anything = _anything(uses, table)[uses.head]
    must = uses.used(Use.OBJECT)[uses.head] | anything.listed_in(table.sure_of_one)
    sure |= (anything >= 0) & (counted | (chosen & must))
    needed |= _all_of(uses, needed)
    nodes, objects = _to_nodes(uses, words, needed, through)
    # Phrases are pinned only if the word surely needs them; the others, which editors may delete, are only preferred.
    phrase = uses.labelled("pobj") & ~((sure | through)[uses.head] | (sure | through)[uses.head[uses.head]] | objects)
    phrase |= _understood(uses) & ~sure
    nodes &= ~_pin_choices(uses, words, board, nodes & ~phrase)
    board.stays(nodes & ~phrase, FRAME)
    board.with_heads(words, _inner_objects(uses), FRAME)
    board.with_heads(words, _articles(uses, nodes), FRAME)
    board.with_heads(words, _participles(uses), FRAME)
    _pin_misattached(uses, board, table)
    _pin_interrupted(uses, words, board, table)
    numbered = (uses.labelled("appos") & uses.tagged(("CD",)) & (uses.rows - 1 == uses.head)).rows()
    board.needs(numbered, uses.head[numbered], FRAME)  # "[your order] 4711": the number is the head of the node
    # "has given them until May to repair it"
    until = uses.heads_of(uses.labelled("prep") & uses.is_lemma("until", "till"))
    until &= uses.is_lemma("give", "allow") & uses.heads_of(uses.object)
    board.with_heads(words, uses.labelled("advcl", "xcomp") & uses.infinitives() & until[uses.head], FRAME)
    board.prefers((nodes & phrase) | _names_it(uses) | _inside_names(uses))


def _pin_choices(uses: Uses, words: Words, board: PinBoard, needed: Mask) -> Mask:
    """Of two that stand for the same thing one stays: "read [the text of] the law", "sells [maps and] books"."""
    of = _beside(uses, words)
    inner = uses.first_below(uses.labelled("pobj"))  # of "of"
    second = inner[uses.first_below(of)]
    made = uses.object & uses.is_lemma(*MAKING)[uses.head]  # "prepare a list of invoices" makes no invoices
    aspect = needed & uses.heads_of(of & (inner >= 0)) & uses.is_lemma(*ASPECTS) & ~made
    board.one_of(aspect.rows(), second[aspect.rows()], FRAME)
    last, joined = uses.rows, uses.last_below(uses.labelled("conj") & ~uses.verb)
    for _ in range(4):  # members of a list, each of which hangs on the one before
        last = (joined[last] >= 0).where(joined[last], last)
    plural = uses.tagged(("NNS", "NNPS"))
    subject = uses.labelled(*SUBJECT_LABELS) & (
        (plural & plural[last]) | (~plural & uses.heads_of(uses.is_lemma("or")))
    )
    determined = uses.heads_of(uses.labelled("det", "poss", "nummod"))
    each = uses.heads_of(uses.labelled("det", "preconj") & ~uses.is_lemma("a", "an", "the"))
    alone = determined | uses.tagged(("NNS", "NNPS", "NNP"))
    listed = (
        needed
        & (uses.object | subject)
        & ~each
        & (last != uses.rows)
        & (alone[last] | ~determined)
        & ~uses.verb
        & ~aspect
    )
    board.one_of(listed.rows(), last[listed.rows()], FRAME)
    return aspect | listed


def _articles(uses: Uses, needed: Mask) -> Mask:
    """Articles of several that are known, where a word needs them: "depends on [the] governors"."""
    known = uses.labelled("det") & uses.is_lemma("the") & uses.tagged(("NNS", "NNPS"))[uses.head]
    subject = uses.labelled("nsubj") & uses.heads_of(uses.labelled("aux") & uses.tagged(("TO",)))[uses.head]
    governs = (uses.is_verb | uses.used(Use.ADJECTIVE))[uses.head[uses.head]]  # not "some of the traders"
    out = uses.object & uses.heads_of(uses.labelled("prt"))[uses.head]  # "put [the] bins out"
    return known & ((needed & uses.labelled("pobj") & governs) | subject | out)[uses.head]


def _pin_misattached(uses: Uses, board: PinBoard, table: FrameTable) -> None:
    """What a verb needs and the parser hangs elsewhere: "consists entirely of lime"."""
    head = uses.head
    adverb, phrase, deep = head[head], head[head[head]], head[head[head[head]]]
    inside, with_object = uses.labelled("pobj")[head], uses.used(Use.OBJECT)
    for verb, beside in (
        (adverb, uses.labelled("advmod")[head]),
        (phrase, inside & with_object[phrase] & (phrase < head[head])),
        (deep, inside & uses.object[phrase]),
    ):
        wanted = pair_ids(uses.key[verb], uses.lemma).among(table.needs) >= 0
        found = uses.labelled("prep") & beside & wanted & uses.is_verb[verb] & (head == uses.rows - 1)
        rows = found.rows()
        inner = uses.first_below(uses.labelled("pobj", "pcomp"))[rows]
        board.needs(verb[rows], inner, FRAME)
        board.needs(inner, head[rows], FRAME)
    # "contains in one cup all the [salt] that we need", where the parser sees an apposition
    whole = uses.labelled("appos") & uses.heads_of(uses.labelled("det", "predet", "nummod")) & ~uses.after_comma
    whole &= inside & (uses.is_verb & ~with_object & ~uses.heads_of(uses.labelled("ccomp", "xcomp")))[phrase]
    rows = (whole & uses.labelled("prep")[adverb] & (adverb == phrase + 1)).rows()
    board.needs(phrase[rows], rows, FRAME)


def _pin_interrupted(uses: Uses, words: Words, board: PinBoard, table: FrameTable) -> None:
    """What a word needs and what stands after an aside: "prevents them, at least today, [from] leaving".

    The parser often hangs it elsewhere. What counts is the word before the aside and, if that is an object or an
    adverb, the word that it hangs on.
    """
    comma = uses.tagged((",",))
    to = uses.tagged(("TO",)) & uses.labelled("aux")
    opens = words.after(comma) & (to | (uses.labelled("prep") & uses.tagged(("IN", "TO"))))
    before = words.last(comma)[uses.rows - 2] - 1  # the word before the aside
    opens &= (before >= 0) & (before > uses.rows - _FAR)
    rows = opens.rows()
    near = before[rows]
    told = (uses.object | uses.labelled("dative", "advmod"))[near].where(uses.head[near], near)
    far = (uses.object & uses.labelled("dobj"))[near].where(uses.head[near], told)
    inner = uses.first_below(uses.labelled("pobj", "pcomp"))[rows]
    those = to[rows].where(uses.head[rows], (inner >= 0).where(inner, rows))
    slot = to[rows].where(slot_id("xcomp"), uses.lemma[rows])
    infinitive = to[rows].where(slot_id(INFINITIVE), uses.lemma[rows])
    for governor in (near, told, far):
        key = uses.key[governor]
        wanted = (pair_ids(key, slot).among(table.needs) >= 0) | (pair_ids(key, infinitive).among(table.needs) >= 0)
        wanted |= to[rows] & uses.is_lemma(*CAUSING)[governor] & uses.used(Use.OBJECT)[governor]
        board.needs(governor[wanted], those[wanted], FRAME)


def _participles(uses: Uses) -> Mask:
    """What participles after a noun cannot do without: "code running [on another machine]"."""
    participle = uses.labelled("acl") & uses.tagged(("VBG",)) & (uses.head == uses.rows - 1)
    told = uses.labelled("prep", "advmod", "npadvmod", "acomp") & (uses.rows > uses.head)
    return _nearest(uses, told & (participle & ~uses.heads_of(uses.object))[uses.head]) & (uses.head == uses.rows - 1)


def _names_it(uses: Uses) -> Mask:
    """What says which thing is meant: "the [arbitration] clause", "under [rare] circumstances"."""
    bare = uses.labelled("pobj") & ~uses.heads_of(uses.labelled("det", "poss"))
    named: Mask = uses.labelled("compound") | (uses.labelled("amod") & bare[uses.head])
    named |= uses.labelled("det") & uses.is_lemma("the")  # a plural can do without, but they are those that are known
    of = uses.labelled("prep") & uses.is_lemma("of") & uses.used(Use.A)[uses.head]  # "a result [of the war]"
    named |= uses.labelled("pobj") & of[uses.head]
    # "contracts concluded [over the telephone]": a participle says little alone
    participle = uses.labelled("acl", RELATIVE_CLAUSE) & uses.tagged(("VBN",))
    told = uses.labelled("prep", "agent", "advmod", "npadvmod", "xcomp", "oprd") & (uses.rows > uses.head)
    nearest = _nearest(uses, told & participle[uses.head])
    phrase = uses.labelled("pobj", "pcomp")
    named |= (phrase & nearest[uses.head]) | (nearest & ~phrase)
    aside = uses.labelled("appos") & uses.used(Use.A)  # "sales fell, a result [that nobody had feared]"
    named |= uses.labelled(RELATIVE_CLAUSE, "acl") & aside[uses.head]
    return named


def _understood(uses: Uses) -> Mask:
    """Complements that may be left out: "if you submit [the form]", "asked [us] how it was", "dear [to make]"."""
    object_ = uses.object & uses.is_lemma(*OBJECT_UNDERSTOOD)[uses.head]
    told = uses.object & uses.heads_of(uses.labelled("ccomp"))[uses.head] & uses.is_lemma(*HEARER_UNDERSTOOD)[uses.head]
    asked = uses.heads_of(uses.labelled("xcomp", "ccomp") & uses.infinitives())  # "asked [us] to leave"
    formal = uses.heads_of(uses.labelled(*SUBJECT_LABELS) & uses.is_lemma("it"))  # "it is good [to know]" needs it
    purpose = uses.used(Use.ADJECTIVE) & uses.labelled("acomp") & ~formal[uses.head] & ~uses.is_lemma(*TENDING)
    purpose &= ~(uses.is_lemma("free") & uses.is_lemma("feel")[uses.head])
    purpose |= uses.is_lemma(*SERVING)
    to_do = uses.labelled("xcomp") & uses.infinitives() & purpose[uses.head]
    return (((object_ | told) & ~asked[uses.head]) | to_do) & (uses.rows > uses.head)


def _spliced(uses: Uses) -> Mask:
    """Sentences before another that the parser calls its clause: "[you take it], you go"."""
    return uses.labelled("ccomp") & (uses.rows < uses.head) & uses.heads_of(uses.labelled(*SUBJECT_LABELS))


def _inner_objects(uses: Uses) -> Mask:
    """Objects of prepositions that the parser labels otherwise, and question words after prepositions.

    As in "but only on [sailings]" and "on [which] it is based".
    """
    object_, head = uses.labelled("pobj"), uses.head
    # "for drawing maps and for [printing] them"
    alone = (
        uses.labelled("pobj", "pcomp") & uses.tagged(("IN",))[head] & ~uses.labelled("prep", "agent", "dative")[head]
    )
    asks = object_ & uses.tagged(QUESTION_TAGS) & uses.labelled("prep")[head] & uses.is_verb[head[head]]
    return (alone | asks) & (uses.rows > head)


def _after_asides(uses: Uses, table: FrameTable) -> Mask:
    """Phrases that a word surely needs and that stand after an aside: "barred the bank, which …, [from] lending"."""
    far = uses.labelled("prep") & uses.after_comma & (uses.rows > uses.head)
    return far & pair_ids(uses.key[uses.head], uses.lemma).among(table.needs).listed_in(table.sure)


def _far_infinitives(uses: Uses, table: FrameTable) -> Mask:
    """Infinitives after an aside that the parser takes for something else: "undertakes, from May on, [to treat] it"."""
    other = uses.infinitives() & uses.labelled("conj", "advcl") & (uses.rows > uses.head) & uses.is_verb[uses.head]
    other &= uses.tagged(("VBZ", "VBD", "VBP"))[uses.head] & ~uses.heads_of(uses.labelled("xcomp"))[uses.head]
    expected = pair_ids(uses.key[uses.head], uses.slot * 0 + slot_id("xcomp")).among(table.needs) >= 0
    # a finite verb and an infinitive are never joined as equals
    return other & (expected | (uses.labelled("conj") & uses.used(Use.NO_OBJECT)[uses.head]))


def _inside_names(uses: Uses) -> Mask:
    """What is part of a part of a name: "[immune] system cells", "[rose] coloured glasses"."""
    head, before = uses.head, uses.rows < uses.head
    kind = uses.labelled("amod", "compound", "nummod", "nmod", "poss") & uses.labelled("compound", "nmod")[head]
    return before & (kind | (uses.labelled("npadvmod", "compound", "amod") & uses.labelled("amod")[head]))


def _through_objects(uses: Uses, table: FrameTable) -> Mask:
    """Phrases that a verb needs and the parser gives to its object: "rob [the owners of] their say"."""
    through = uses.fills & uses.labelled("prep") & uses.object[uses.head]
    verb = uses.head[uses.head]
    return through & (pair_ids(uses.key[verb], uses.slot).among(table.needs) >= 0)


def _one_of(uses: Uses, table: FrameTable, fillers: Mask) -> Mask:
    """If a word needs one of several dependents: the most usual one; if any dependent will do, the first."""
    found = pair_ids(uses.key[uses.head], uses.slot).among(table.needs_one)
    usual = (found >= 0).where(found.entry_of(table.weight), 0)
    return uses.best(fillers & ((found >= 0) | ((_anything(uses, table)[uses.head] >= 0) & uses.anything())), usual)


def _anything(uses: Uses, table: FrameTable) -> Numbers:
    """By word: the row of the table which says that something follows it nearly always; -1: none does."""
    return pair_ids(uses.key, uses.slot * 0 + slot_id(ANYTHING)).among(table.needs_one)


def _always(uses: Uses) -> Mask:
    """What every word keeps that has it."""
    head, rows = uses.head, uses.rows
    # not "late payments, [whatever the reason], will"
    subjects = uses.labelled(*SUBJECT_LABELS)
    whatever = uses.heads_of(uses.labelled("det", "predet") & uses.is_lemma("whatever", "whichever"))
    subjects = subjects & ~(whatever & uses.after_comma[rows - 2])
    # nor "draws a crowd, [most of them] from the valley"
    subjects &= ~(uses.beside & uses.heads_of(subjects & (rows < head))[head])
    subject = _nearest(uses, subjects) & ~_reduced(uses)
    verb = uses.is_verb[head]
    # "the book [that] he read": the object of a relative clause is what it describes
    relative = uses.labelled("dobj") & (rows < head) & uses.labelled(RELATIVE_CLAUSE)[head]
    relative &= uses.tagged((*QUESTION_TAGS, "IN", "DT"))
    copula = uses.is_lemma(COPULA)[head]  # one node with its predicate; a further "attr" is no complement
    complement = uses.labelled(*ALWAYS) & verb & ~relative & ~(uses.labelled("attr") & copula)
    # not an apposition or the second of two: "banned it, [a measure] that", "use these rather than [those]"
    complement &= ~(uses.beside & uses.object & ~_nearest(uses, uses.object))
    no_object = uses.used(Use.NO_OBJECT, Use.PASSIVE, Use.ADJECTIVE)[head]
    complement |= uses.labelled("xcomp") & (no_object | uses.infinitives()) & (rows > head)
    complement &= ~uses.labelled("prep")[head]  # "repairs, [due to end in May], cost": one node with it
    # "because of the rain", where the parser has two objects in a row
    complement |= uses.labelled("pobj") & uses.heads_of(uses.labelled("pcomp") & uses.tagged(("IN",)))[head]
    # What follows as "that …", "how …" is a complement, whatever the verb; other clauses only of verbs that have them.
    opened = uses.heads_of(uses.labelled("mark") | uses.tagged(QUESTION_TAGS))
    opened |= copula & ~uses.heads_of(uses.labelled("attr", "acomp"))[head]
    complement |= uses.labelled("ccomp") & no_object & opened & (rows > head)
    return (subject | complement) & (head != rows)


def _nearest(uses: Uses, mask: Mask) -> Mask:
    """Of these words, for each that they hang on the nearest: "Leeds – the council said" has one subject."""
    return uses.best(mask, (uses.rows - uses.head).least(uses.head - uses.rows))


def _one_clause(uses: Uses) -> Mask:
    """All words except surplus clauses of a verb.

    Of the clauses after a verb, only the nearest counts. One before it counts only if no object, infinitive or clause
    follows: parsers also label an independent sentence before a verb as its clause.
    """
    clause, other = uses.labelled("ccomp"), uses.object | uses.labelled("xcomp")
    after = uses.rows > uses.head
    has_other = uses.heads_of((other | clause) & after)
    return ~clause | _nearest(uses, clause & after) | (clause & ~after & ~has_other[uses.head])


def _shared_objects(uses: Uses) -> Mask:
    """Verbs that have the object of the verb that they are joined to: "they wash and [dry] the dishes"."""
    head = uses.head
    has_object = uses.heads_of(uses.object)
    filled = uses.heads_of(uses.fills)
    joined = uses.labelled("conj") & uses.used(Use.OBJECT) & has_object & uses.used(Use.NO_OBJECT)[head]
    # may also be kept alone: "to [wash and] dry"
    joined &= ~(uses.labelled("xcomp", "pcomp", "advcl", "acl") & ~uses.heads_of(uses.labelled(*SUBJECT_LABELS)))[head]
    return joined & ~filled[head] & (head == uses.rows - 2)


def _reduced(uses: Uses) -> Mask:
    """Subjects that go with the copula after them: "the bridge [that was] closed", "when [you are] working"."""
    head, rows = uses.head, uses.rows
    before = rows < head
    function = uses.labelled("aux", "auxpass", "neg") & before
    fixed = uses.heads_of(function & (uses.tagged(("MD",)) | uses.labelled("neg")))
    copula = uses.heads_of(function & uses.is_lemma(COPULA))
    relative = uses.labelled(RELATIVE_CLAUSE)
    opens = before & (uses.labelled("mark") | uses.tagged(("WRB",))) & uses.is_lemma(*BEFORE_PARTICIPLES)
    opened = uses.labelled("advcl") & uses.heads_of(opens)
    clause = (relative | opened) & uses.tagged(("VBN", "VBG")) & copula & ~fixed
    subject = uses.labelled(*SUBJECT_LABELS) & before & clause[head] & ~uses.heads_of(rows != head)
    return subject & (~relative[head] | uses.tagged(QUESTION_TAGS))


def _clauses(uses: Uses) -> Mask:
    """Clauses, and what opens them, that are as good as an object or a subject."""
    head, rows = uses.head, uses.rows
    after, hangs = rows > head, rows != head
    # "left it [dependent]", "makes it [rust]": a clause without a verb of its own
    auxiliary = uses.heads_of(uses.labelled("aux", "auxpass", "mark"))
    small = uses.labelled("ccomp") & after & uses.tagged(_BARE_TAGS) & ~auxiliary & uses.is_verb[head]
    small &= uses.heads_of(uses.labelled("nsubj")) | (uses.tagged(("JJ", "JJR")) & uses.heads_of(uses.object)[head])
    # "leaves the door [locked]", where the parser sees a closer description
    object_ = uses.object | (
        uses.labelled(*SUBJECT_LABELS) & after & ~uses.is_lemma("there")
    )  # "it leaves [the door] …"
    left = object_ & uses.is_lemma("leave", "keep")[head]
    # "has his house [painted]", "gets the brakes [checked]"
    left |= uses.object & uses.is_lemma("have", "get")[head] & uses.heads_of(uses.labelled("poss"))
    done = uses.tagged(("VBN",)) & object_[rows - 1] & ~auxiliary
    small |= done & ((uses.labelled("acl") & (head == rows - 1) & left[head]) | uses.labelled("ccomp"))
    # "holds them [responsible]", "found two of them [guilty]", where the parser describes them
    held = uses.object & uses.is_lemma("hold", "find", "declare", "deem", "render", "prove")[head]
    held |= uses.labelled("pobj") & (uses.is_lemma("of") & held[head])[head]
    small |= uses.labelled("amod", "acl") & uses.tagged(("JJ",)) & held[head] & after & (head == rows - 1)
    # "clicking it [twice] causes …", "running it [dry] destroys …": a subject that is a condition
    gerund = uses.labelled(*SUBJECT_LABELS) & uses.tagged(("VBG",))
    small |= uses.labelled("advmod", "npadvmod", "acomp", "oprd", "xcomp") & gerund[head] & after
    # "makes it harder [to see]"
    adjective = uses.tagged(("JJ", "JJR"))[head] & uses.labelled("ccomp", "oprd")[head]
    small |= adjective & uses.infinitives() & uses.labelled("advcl", "xcomp") & after
    # "trust her [to do it]", "spent more time [waiting]", "it is our task [to tell them]"
    asked = uses.heads_of(uses.object)[head] & after & uses.labelled("xcomp", "ccomp", "advcl", "acl")
    small |= asked & uses.infinitives() & uses.is_lemma("trust")[head]
    time = uses.object & uses.is_lemma("time", "hour", "day") & uses.is_lemma("spend")[head]
    busy = uses.tagged(("VBG",)) & uses.labelled("xcomp", "ccomp", "advcl", "acl") & after & ~uses.after_comma
    small |= busy & (time[head] | uses.heads_of(time)[head])
    formal = uses.heads_of(uses.labelled("nsubj") & uses.is_lemma("it"))
    told = uses.labelled("attr") & formal[head]
    told |= uses.labelled("pobj") & (uses.is_lemma("of") & told[head])[head]
    to_do = uses.labelled("acl", "xcomp", "advcl", RELATIVE_CLAUSE)
    small |= uses.infinitives() & to_do & after & told[head] & ~uses.after_comma
    # "[whether we go] depends": a clause where the subject would be
    bare = uses.tagged(("VBZ", "VBD")) & ~uses.heads_of(uses.labelled(*SUBJECT_LABELS)) & ~uses.labelled("conj")
    whether = uses.heads_of(uses.labelled("mark") & uses.is_lemma("whether", "that"))
    small |= uses.labelled("advcl", "ccomp") & ~after & whether & bare[head]
    # "depends on [how quickly] it heals"
    asks = uses.labelled("pcomp", "ccomp")
    question = uses.tagged(QUESTION_TAGS) & ~after
    asking = question & ~asks[head] & asks[head[head]] & (head < head[head])
    small |= asking | (question & asks[head]) | uses.heads_of(asking)
    # "living cells and [dead] ones"
    one = uses.is_lemma("one") & uses.tagged(("NN", "NNS"))
    small |= uses.labelled("amod", "compound") & one[head] & ~after
    return small & hangs


def _manners(uses: Uses) -> Mask:
    """What says how somebody behaves: without it, nothing is said."""
    how = uses.labelled("advmod", "prep", "acomp") & (uses.rows > uses.head)
    return uses.best(how & uses.is_lemma(*MANNERED)[uses.head], uses.head - uses.rows)


def _gerunds(uses: Uses) -> Mask:
    """Phrases that say what somebody is kept from or brought to: "talked him [out of] leaving"."""
    gerund = uses.heads_of(uses.labelled("pcomp") & uses.tagged(("VBG",)))
    gerund |= uses.heads_of(uses.labelled("prep") & gerund)
    keeps_from = uses.labelled("prep") & uses.is_lemma("against", "from", "into", "of", "out")
    return keeps_from & gerund & uses.is_verb[uses.head] & uses.fills


def _all_of(uses: Uses, needed: Mask) -> Mask:
    """What is named with "and" in a needed phrase where one alone is not all: "lies between Bonn and [Trier]"."""
    head = uses.head
    preposition = head[head]
    whole = uses.is_lemma("between") | (uses.is_lemma("of") & uses.is_lemma("consist")[head])
    return uses.labelled("conj") & uses.labelled("pobj")[head] & (needed & whole)[preposition]


def _beside(uses: Uses, words: Words) -> Mask:
    """The "of" whose phrase may be kept without the noun before it (`raise_genitives` in `native/coordinate.cpp`)."""
    head, rows = uses.head, uses.rows
    label_of = rows  # of a conjunct the first one's label counts
    for _ in range(3):
        label_of = (uses.labelled("conj") & ~uses.verb)[label_of].where(head[label_of], label_of)
    below = uses.labelled("pobj", "pcomp")
    preposition = uses.labelled("prep", "agent", "dative") & uses.heads_of(below) & (head < rows)
    verb = uses.tagged(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"))
    object_ = below[label_of] & ~verb
    name = words.entities(NAMES)
    name &= ~uses.tagged(("CD", "NNS", "NNPS"))
    singular = uses.tagged(("NN", "NNP"))
    first = uses.first_below(below)
    inner = (first >= 0).where(first, rows)
    one, other = singular[inner], singular[head]
    agrees = (one & other) | ~(one | other)
    of = object_ | uses.labelled("dobj", "oprd")[label_of]
    of = (of & ~verb & ~name)[head] | ((uses.labelled(*SUBJECTS)[label_of] & ~verb & ~name)[head] & agrees)
    apart = verb[inner] | (uses.tagged(("NNS", "NNPS"))[head] & words.entities(NAMES)[inner])
    return preposition & uses.is_lemma("of") & of & ~apart & (head == rows - 1)


def _to_nodes(uses: Uses, words: Words, needed: Mask, through: Mask) -> tuple[Mask, Mask]:
    """Needed words, as head words of nodes: of a phrase the object, of a title the name. Also: the objects of "of".

    If either part of "X of Y" may be kept alone, X is needed. But if X is an amount, Y is ("minimise [the number of]
    errors"); and if X is a lack or a part, both are ("one of them").
    """
    head, rows = uses.head, uses.rows
    preposition = uses.labelled("prep", "agent", "dative")
    follows = preposition[head] & (rows > head) & uses.labelled("amod", "acomp", "advmod", "advcl", "oprd")
    below = uses.first_below(follows)  # "as [confidential]", "out [of] the house", an object
    for mask in (preposition & preposition[head], uses.labelled("pobj", "pcomp")):
        found = uses.first_below(mask)
        below = (found >= 0).where(found, below)
    leads_to = below[head] == rows
    beside = _beside(uses, words) & (below >= 0) & ~through
    part = needed & uses.used(Use.PART)[head]
    needed = (needed & ~beside) | through
    for _ in range(2):
        needed |= leads_to & (needed & preposition)[head]
    beside &= needed[head] & uses.is_lemma("of")
    time = uses.heads_of(leads_to & words.entities(TIMES))  # "in [a couple of] days" would be another time
    amount = beside & uses.is_lemma(*QUANTITIES)[head] & ~time
    objects = (
        leads_to & (amount | (beside & (uses.is_lemma(*LACKS)[head] | (uses.is_lemma(*QUANTITIES)[head] & time))))[head]
    )
    # "one of them", "a lot [of people] had left"
    many = uses.labelled("prep") & uses.is_lemma("of") & uses.is_lemma(*QUANTITIES)[head] & ~beside & (head == rows - 1)
    needed |= objects | (leads_to & ((beside & part) | many)[head])
    needed &= ~uses.heads_of(amount)
    name = uses.labelled("appos") & words.entities(NAMES)
    name &= needed[head] & (words.last(words.opens_entity) - 1 == head)
    name |= uses.labelled("appos") & uses.tagged(("CD",)) & needed[head] & (rows - 1 == head)  # "your order [4711]"
    return (needed & ~uses.heads_of(name)) | name, objects


RULE: Final = Rule(pin_frames, order=120)
