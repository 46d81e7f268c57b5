"""How words are used in a parse, and which slots of frames they fill.

A word's frame depends on its use: "he runs" differs from "he runs a shop", "was asked" from "asked". So a key is a
lemma, with its particle ("carry out"), and a use. A slot is a kind of dependent: a type of complement, or a phrase with
a certain preposition. The same code is used for counting a corpus and for looking up the words of a sentence.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from laconic.language.grammar import SUBJECTS, TIMES
from laconic.language.word_lists import COMPLETING_ADVERBS
from laconic.parse import lemma_id
from laconic.parse.masks import Masks, members
from laconic.parse.program import Mask, Numbers


class Use(StrEnum):
    """The use of a word, as far as its frame depends on it."""

    NONE = ""
    OBJECT = "with object"  # an active verb
    NO_OBJECT = "without object"
    PASSIVE = "passive"
    PARTICIPLE = "participle"  # "a system [designed] to fail"
    A = "a"  # a noun, by its determiner
    THE = "the"
    SINGULAR = "singular"  # without an article
    PLURAL = "plural"
    PART = "part"  # "[one] of them"
    ADJECTIVE = "adjective"  # postnominal or predicative
    ADVERB = "adverb"


USES: Final = tuple(Use)
_USE: Final = {use: number for number, use in enumerate(USES)}
VERBS: Final = (Use.OBJECT, Use.NO_OBJECT, Use.PASSIVE, Use.PARTICIPLE)
NOUNS: Final = (Use.A, Use.THE, Use.SINGULAR, Use.PLURAL, Use.PART)

#: Slots by the label of their fillers, besides prepositions.
COMPLEMENTS: Final = ("xcomp", "ccomp", "acomp", "oprd", "attr", "dative")
OBJECT: Final = "dobj"
#: Slots of other complements that follow a word: "put it [there]", "it weighs [a ton]".
PLACE, MEASURE = "advmod", "npadvmod"
#: Slots of nouns: "a chance [to go]", "the fact [that he went]", "the man [who went]", "a man [known] for that".
INFINITIVE, CLAUSE, RELATIVE, PARTICIPLE = "infinitive", "clause", "relcl", "acl"
#: The slot of words in place of an article: "[one] cup", "[the man's] cup".
DETERMINER: Final = "determiner"
#: Anything that follows except an object, a determiner or a relative clause: "the house stands [somehow]".
ANYTHING: Final = "anything"
#: All slots that are not prepositions.
SLOTS: Final = (OBJECT, *COMPLEMENTS, PLACE, MEASURE, INFINITIVE, CLAUSE, RELATIVE, PARTICIPLE, DETERMINER, ANYTHING)

_VERB_TAGS: Final = ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ")
_NOMINAL: Final = ("ROOT", "nsubj", "nsubjpass", "dobj", "pobj", "attr", "conj", "appos", "dative")
_PREPOSITIONS: Final = ("prep", "agent", "dative")
#: Labels of clauses whose verb may have its object outside; below, labels that pass this on: "the book he wants to
#: [read]".
_EXTRACTED: Final = ("relcl",)
_HANDED_ON: Final = ("xcomp", "ccomp", "conj", "pcomp")

_MIX_KEY, _MIX_USE, _MIX_PARTICLE, _MIX_SLOT = (
    np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0x165667B19E3779F9),
    np.uint64(0xFF51AFD7ED558CCD),
)  # fmt: skip

#: Ids of many words: an array, or values in a program.
_Ids = TypeVar("_Ids", NDArray[np.uint64], Numbers)


def key_ids(lemma: _Ids, particle: _Ids, use: _Ids) -> _Ids:
    """The ids of words in their uses."""
    return (lemma ^ (particle * _MIX_PARTICLE)) * _MIX_KEY + (use + np.uint64(1)) * _MIX_USE


def pair_ids(key: _Ids, slot: _Ids) -> _Ids:
    """The ids of pairs of a word and one of its slots."""
    mixed = (key ^ (slot * _MIX_SLOT)) * _MIX_KEY
    return mixed ^ (mixed >> np.uint64(29))


@lru_cache(maxsize=4096)
def slot_id(name: str) -> int:
    """The id of a slot: one of `SLOTS`, or the lemma of a preposition."""
    return SLOTS.index(name) + 1 if name in SLOTS else lemma_id(name)


class Uses:
    """The words of a batch, one row per token: the use of each, and the slot of its head's frame that it fills."""

    def __init__(self, masks: Masks) -> None:
        self._masks = masks
        self.head, self.rows, self.lemma = masks.head, masks.rows, masks.lemma
        self._hangs = masks.hangs
        self.verb = self.tagged(_VERB_TAGS) & ~self.labelled("aux", "auxpass", "amod", "compound", "prep", "mark")
        self.object = self.labelled("dobj") & self._hangs
        self._time = masks.entities(TIMES)
        self.after_comma = masks.after(self.tagged((",", ":", "-LRB-", ".")))
        #: Words whose phrase is parallel to what precedes it: after a comma, or after "as well as", "rather than".
        self.beside = self._beside()
        self.use = self._uses()
        self.is_verb, self.is_noun = self.used(*VERBS), self.used(*NOUNS)
        particle = masks.last_below(self.labelled("prt") & self._hangs)
        self.particle = (self.is_verb & (particle >= 0)).where(self.lemma[particle], 0)
        self.slot = self._slots()
        self.fills = self.slot != 0
        self.key = key_ids(self.lemma, self.particle, self.use)

    def labelled(self, *labels: str) -> Mask:
        """Words whose edge has one of the labels."""
        return self._masks.labelled(labels)

    def tagged(self, tags: tuple[str, ...]) -> Mask:
        """Words with one of the tags."""
        return self._masks.tagged(tags)

    def used(self, *uses: Use) -> Mask:
        """Words in one of the uses."""
        return self.use.listed_in(members(USES, uses))

    def heads_of(self, mask: Mask) -> Mask:
        """Words with a dependent in the mask."""
        return self._masks.parents_of(mask)

    def is_lemma(self, *words: str) -> Mask:
        """Words with one of these lemmas."""
        return self.lemma.among(_lemmas(words)) >= 0

    def best(self, mask: Mask, weight: Numbers) -> Mask:
        """Among the words of the mask with the same head, the one with the greatest weight; the first of equals."""
        return self._masks.best(mask, weight)

    def first_below(self, mask: Mask) -> Numbers:
        """By row: its first dependent in the mask, or -1."""
        return self._masks.first_below(mask & self._hangs)

    def last_below(self, mask: Mask) -> Numbers:
        """By row: its last dependent in the mask, or -1."""
        return self._masks.last_below(mask & self._hangs)

    def _beside(self) -> Mask:
        """Words whose phrase begins after a comma or a conjunction, with at most a word or two before them."""
        below = self.first_below(self._hangs & ~self.labelled("cc", "punct"))
        opening = (below >= 0).where(self.rows.least(below), self.rows)
        return (self.after_comma | self._masks.after(self.labelled("cc")))[opening] & (self.rows > self.head)

    def extracted(self) -> Mask:
        """Verbs whose object may be elsewhere: in relative clauses, shared, or as the subject ("easy to [read]")."""
        to = self.infinitives()
        out = self.labelled(*_EXTRACTED) | (to & self.labelled("acl"))
        copula_of_adjective = self.heads_of(self.labelled("acomp"))
        adjective = self.tagged(("JJ", "JJR", "JJS")) | copula_of_adjective
        out |= to & self.labelled("xcomp", "advcl", "ccomp") & adjective[self.head]
        hands_on = self.labelled(*_HANDED_ON)
        for _ in range(3):
            out = out | (hands_on & out[self.head])
        conjuncts = self.verb & self.labelled("conj")
        return out | self.heads_of(conjuncts & self.heads_of(self.object))

    def fronted(self) -> Mask:
        """Verbs with a preposed complement: "[where] it is located", "[on] it stands a house"."""
        phrase = self.labelled("prep") | (self.labelled("advmod") & self.tagged(("WRB",)))
        return self.is_verb & self.heads_of(phrase & (self.rows < self.head))

    def infinitives(self) -> Mask:
        """Verbs with "to"."""
        return self.tagged(("VB",)) & self.heads_of(self.tagged(("TO",)) & self.labelled("aux"))

    def _uses(self) -> Numbers:
        head, verb = self.head, self.verb
        active = self.heads_of(self.object).where(_USE[Use.OBJECT], _USE[Use.NO_OBJECT])
        use = verb.where(active, 0)
        perfect = self.heads_of(self.labelled("aux"))
        passive = verb & self.heads_of(self.labelled("auxpass", "nsubjpass"))
        bare = verb & self.tagged(("VBN",)) & ~perfect & ~passive
        conjunct = self.labelled("conj")
        passive |= bare & conjunct & passive[head]
        use = passive.where(_USE[Use.PASSIVE], use)
        participle = bare & ~conjunct & self.labelled("acl", "relcl", "advcl", "oprd", "acomp", "ccomp")
        use = (participle & (use == _USE[Use.NO_OBJECT])).where(_USE[Use.PARTICIPLE], use)

        determiner = self.labelled("det") & self._hangs
        article = self.tagged(("NNS",)).where(_USE[Use.PLURAL], _USE[Use.SINGULAR])
        article = self.heads_of(determiner & self.is_lemma("a", "an")).where(_USE[Use.A], article)
        article = self.heads_of(determiner & self.is_lemma("the")).where(_USE[Use.THE], article)
        noun = self.tagged(("NN", "NNS")) & ~self.labelled("compound", "nmod", "amod", "npadvmod")
        use = noun.where(article, use)
        part = self.tagged(("CD", "DT", "JJ", "JJS", "JJR", "PDT")) & self.labelled(*_NOMINAL)
        adjective = self.tagged(("JJ", "JJR", "JJS"))
        part &= ~adjective | self.heads_of(determiner) | self.is_lemma("many", "much", "most", "few", "more", "several")
        use = part.where(_USE[Use.PART], use)
        attributive = self.labelled("amod", "compound", "nmod", "advmod") & (self.rows < head)
        use = (adjective & ~part & ~attributive).where(_USE[Use.ADJECTIVE], use)
        return self.tagged(("RB", "RBR", "RBS")).where(_USE[Use.ADVERB], use)

    def anything(self) -> Mask:
        """Words that fill the slot `ANYTHING` of their heads."""
        found = self.fills & (self.rows > self.head)
        for name in (OBJECT, DETERMINER, RELATIVE):
            found &= self.slot != slot_id(name)
        return found

    def _slots(self) -> Numbers:
        """By word: the slot of its head's frame that it fills; 0: none."""
        head, noun = self.head, self.is_noun[self.head]
        slot = self.rows * 0
        for name in (OBJECT, *COMPLEMENTS):
            slot = self.labelled(name).where(slot_id(name), slot)
        loose = (self.rows > head) & ~self.after_comma
        slot = (self.labelled(PLACE) & loose & self.is_lemma(*COMPLETING_ADVERBS)).where(slot_id(PLACE), slot)
        slot = (self.labelled(MEASURE) & loose & ~self._time).where(slot_id(MEASURE), slot)
        infinitive, marked = self.infinitives(), self.heads_of(self.labelled("mark"))
        for name in (RELATIVE, PARTICIPLE):
            slot = (self.labelled(name) & loose).where(slot_id(name), slot)
        clause = (noun & self.labelled("ccomp")) | (self.labelled("acl") & ~infinitive & marked)
        slot = clause.where(slot_id(CLAUSE), slot)
        to_do = noun & infinitive & self.labelled("acl", "relcl", "xcomp", "advcl")
        slot = to_do.where(slot_id(INFINITIVE), slot)
        slot = self._determiners().where(slot_id(DETERMINER), slot)
        preposition = self.labelled(*_PREPOSITIONS) & self.tagged(("IN", "TO", "RP", "RB", "VBG"))
        slot = preposition.where(self.lemma, slot)
        at_a_time = self.heads_of(self.labelled("pobj") & self._time)
        as_well = self.heads_of(self.labelled("pcomp") & self.tagged(("RB",)))
        second = self._masks.after(self.labelled("cc"))  # "to us as well as [to] them"
        none = preposition & ((self.rows < head) | self.after_comma | second | at_a_time | as_well)
        # "many [of them] left": a part of something mentioned before
        of_them = self.heads_of(self.labelled("pobj") & self.tagged(("PRP",)))
        none |= preposition & of_them & self.used(Use.PART)[head]
        none |= ~(self._hangs & (self.use[head] > 0))
        return none.where(0, slot)

    def _determiners(self) -> Mask:
        """Words in place of an article: a possessor, or a number if there is nothing else."""
        before = self.used(Use.SINGULAR)[self.head] & (self.rows < self.head)
        other = before & self.labelled("det", "poss")
        return other | (before & self.labelled("nummod") & ~self.heads_of(other)[self.head])


#: Labels of subjects, which are not counted: a verb always keeps its subject.
SUBJECT_LABELS: Final = (*SUBJECTS, "expl")


@lru_cache(maxsize=256)
def _lemmas(words: tuple[str, ...]) -> NDArray[np.uint64]:
    return np.array(sorted(map(lemma_id, words)), dtype=np.uint64)
