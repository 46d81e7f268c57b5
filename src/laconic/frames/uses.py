"""How words are used in a parse, and what fills which slot of whose frame.

A word's frame depends on its use: "he runs" is not "he runs a shop", "was asked" not "asked". So a key is a lemma, with
its particle ("carry out"), and a use. A slot is what hangs on the word: a kind of complement, or a phrase with a
certain preposition. What is counted on a corpus and what is looked up in a sentence are found by the same code.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from laconic.language.grammar import SUBJECTS, TIMES
from laconic.language.words import COMPLETING_ADVERBS
from laconic.parse import lemma_id
from laconic.parse.masks import Masks, members


class Use(StrEnum):
    """How a word is used, as far as its frame depends on that."""

    NONE = ""
    OBJECT = "with object"  # an active verb
    NO_OBJECT = "without object"
    PASSIVE = "passive"
    PARTICIPLE = "participle"  # "a system [designed] to fail"
    A = "a"  # a noun, by its article
    THE = "the"
    SINGULAR = "singular"  # without an article
    PLURAL = "plural"
    PART = "part"  # "[one] of them"
    ADJECTIVE = "adjective"  # after what it describes, or after its verb
    ADVERB = "adverb"


USES: Final = tuple(Use)
_USE: Final = {use: number for number, use in enumerate(USES)}
VERBS: Final = (Use.OBJECT, Use.NO_OBJECT, Use.PASSIVE, Use.PARTICIPLE)
NOUNS: Final = (Use.A, Use.THE, Use.SINGULAR, Use.PLURAL, Use.PART)

#: Slots by the label of what fills them, besides prepositions.
COMPLEMENTS: Final = ("xcomp", "ccomp", "acomp", "oprd", "attr", "dative")
OBJECT: Final = "dobj"
#: What else may complete a word that it follows: "put it [there]", "it weighs [a ton]".
PLACE, MEASURE = "advmod", "npadvmod"
#: What follows a noun: "a chance [to go]", "the fact [that he went]", "the man [who went]", "a man [known] for that".
INFINITIVE, CLAUSE, RELATIVE, PARTICIPLE = "infinitive", "clause", "relcl", "acl"
#: What stands in the place of an article: "[one] cup", "[the man's] cup".
DETERMINER: Final = "determiner"
#: Any of these but the last, or of the phrases with a preposition, besides an object: "the house stands [somehow]".
ANYTHING: Final = "anything"
#: The slots that are no prepositions.
SLOTS: Final = (OBJECT, *COMPLEMENTS, PLACE, MEASURE, INFINITIVE, CLAUSE, RELATIVE, PARTICIPLE, DETERMINER, ANYTHING)

_VERB_TAGS: Final = ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ")
_NOMINAL: Final = ("ROOT", "nsubj", "nsubjpass", "dobj", "pobj", "attr", "conj", "appos", "dative")
_PREPOSITIONS: Final = ("prep", "agent", "dative")
#: Clauses whose verb may have its object outside them, and what they hand that on by: "the book he wants to [read]".
_EXTRACTED: Final = ("relcl",)
_HANDED_ON: Final = ("xcomp", "ccomp", "conj", "pcomp")

#: So many lemmas are looked for one by one.
_FEW: Final = 6

_MIX_KEY, _MIX_USE, _MIX_PARTICLE, _MIX_SLOT = (
    np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0x165667B19E3779F9),
    np.uint64(0xFF51AFD7ED558CCD),
)  # fmt: skip

_Mask = NDArray[np.bool_]
_Ids = NDArray[np.uint64]


def key_ids(lemma: _Ids, particle: _Ids, use: NDArray[np.uint8]) -> _Ids:
    """The ids of words in their uses."""
    return (lemma ^ (particle * _MIX_PARTICLE)) * _MIX_KEY + (use.astype(np.uint64) + np.uint64(1)) * _MIX_USE


def pair_ids(key: _Ids, slot: _Ids) -> _Ids:
    """The ids of words with one of their slots."""
    mixed = (key ^ (slot * _MIX_SLOT)) * _MIX_KEY
    return mixed ^ (mixed >> np.uint64(29))


@lru_cache(maxsize=4096)
def slot_id(name: str) -> int:
    """The id of a slot: a name of `SLOTS`, or the lemma of a preposition."""
    return SLOTS.index(name) + 1 if name in SLOTS else lemma_id(name)


class Uses:
    """The words of a batch, one row a token: the use of each, and the slot of its head's frame that it fills."""

    def __init__(self, masks: Masks) -> None:
        self._masks = masks
        head, self.rows, self.lemma = masks.head, masks.rows, masks.parses.lemma
        self.head = head
        self._hangs = ~masks.root
        self.verb = self.tagged(_VERB_TAGS) & ~self.labelled("aux", "auxpass", "amod", "compound", "prep", "mark")
        self.object = self.labelled("dobj") & self._hangs
        self.particle = np.zeros(len(head), dtype=np.uint64)
        particles = self.labelled("prt") & self._hangs
        self.particle[head[particles]] = self.lemma[particles]
        self._time = masks.entities(TIMES)
        self.after_comma = np.zeros(len(head), dtype=bool)
        self.after_comma[1:] = self.tagged((",", ":", "-LRB-", "."))[:-1]
        self.use = self._uses()
        self.is_verb, self.is_noun = self.used(*VERBS), self.used(*NOUNS)
        self.particle[~self.is_verb] = 0
        self.slot = self._slots()
        self.key = key_ids(self.lemma, self.particle, self.use)

    def labelled(self, *labels: str) -> _Mask:
        """Words whose edge has one of the labels."""
        return self._masks.labelled(labels)

    def tagged(self, tags: tuple[str, ...]) -> _Mask:
        """Words with one of the tags."""
        return self._masks.tagged(tags)

    def used(self, *uses: Use) -> _Mask:
        """Words in one of the uses."""
        return members(USES, uses)[self.use]

    def heads_of(self, mask: _Mask) -> _Mask:
        """Words that any of these hangs on."""
        return self._masks.parents_of(mask)

    def is_lemma(self, *words: str) -> _Mask:
        """Words with one of these lemmas."""
        found: _Mask = np.zeros(len(self.lemma), dtype=bool)
        if len(words) > _FEW:
            found = np.isin(self.lemma, _lemmas(words))
        else:
            for each in _lemmas(words):
                found |= self.lemma == each
        return found

    def extracted(self) -> _Mask:
        """Verbs whose object may be somewhere else: in relative clauses, shared, or the subject ("easy to [read]")."""
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

    def fronted(self) -> _Mask:
        """Verbs before which stands what may be theirs: "[where] it is located", "[on] it stands a house"."""
        phrase = self.labelled("prep") | (self.labelled("advmod") & self.tagged(("WRB",)))
        return self.is_verb & self.heads_of(phrase & (self.rows < self.head))

    def infinitives(self) -> _Mask:
        """Verbs with "to"."""
        return self.tagged(("VB",)) & self.heads_of(self.tagged(("TO",)) & self.labelled("aux"))

    def _uses(self) -> NDArray[np.uint8]:
        head, verb = self.head, self.verb
        use = np.zeros(len(head), dtype=np.uint8)
        active = np.where(self.heads_of(self.object), _USE[Use.OBJECT], _USE[Use.NO_OBJECT])
        use[verb] = active[verb]
        perfect = self.heads_of(self.labelled("aux"))
        passive = verb & self.heads_of(self.labelled("auxpass", "nsubjpass"))
        bare = verb & self.tagged(("VBN",)) & ~perfect & ~passive
        conjunct = self.labelled("conj")
        passive |= bare & conjunct & passive[head]
        use[passive] = _USE[Use.PASSIVE]
        participle = bare & ~conjunct & self.labelled("acl", "relcl", "advcl", "oprd", "acomp", "ccomp")
        use[participle & (use == _USE[Use.NO_OBJECT])] = _USE[Use.PARTICIPLE]

        determiner = self.labelled("det") & self._hangs
        article = np.where(self.tagged(("NNS",)), _USE[Use.PLURAL], _USE[Use.SINGULAR]).astype(np.uint8)
        a, the = determiner & self.is_lemma("a", "an"), determiner & self.is_lemma("the")
        article[head[a]], article[head[the]] = _USE[Use.A], _USE[Use.THE]
        noun = self.tagged(("NN", "NNS")) & ~self.labelled("compound", "nmod", "amod", "npadvmod")
        use[noun] = article[noun]
        part = self.tagged(("CD", "DT", "JJ", "JJS", "JJR", "PDT")) & self.labelled(*_NOMINAL)
        adjective = self.tagged(("JJ", "JJR", "JJS"))
        part &= ~adjective | self.heads_of(determiner) | self.is_lemma("many", "much", "most", "few", "more", "several")
        use[part] = _USE[Use.PART]
        attributive = self.labelled("amod", "compound", "nmod", "advmod") & (self.rows < head)
        use[adjective & ~part & ~attributive] = _USE[Use.ADJECTIVE]
        use[self.tagged(("RB", "RBR", "RBS"))] = _USE[Use.ADVERB]
        return use

    def anything(self) -> _Mask:
        """Words that fill a slot of a frame in which anything may be what completes the word."""
        not_these = [np.uint64(slot_id(name)) for name in (OBJECT, DETERMINER, RELATIVE)]
        found: _Mask = (self.slot > 0) & (self.rows > self.head) & ~np.isin(self.slot, not_these)
        return found

    def _slots(self) -> _Ids:
        """By word: the slot that it fills in the frame of its head; 0: none."""
        head, noun = self.head, self.is_noun[self.head]
        slot = np.zeros(len(head), dtype=np.uint64)
        for name in (OBJECT, *COMPLEMENTS):
            slot[self.labelled(name)] = slot_id(name)
        loose = (self.rows > head) & ~self.after_comma
        slot[self.labelled(PLACE) & loose & self.is_lemma(*COMPLETING_ADVERBS)] = slot_id(PLACE)
        slot[self.labelled(MEASURE) & loose & ~self._time] = slot_id(MEASURE)
        infinitive, marked = self.infinitives(), self.heads_of(self.labelled("mark"))
        for name in (RELATIVE, PARTICIPLE):
            slot[self.labelled(name) & loose] = slot_id(name)
        slot[(noun & self.labelled("ccomp")) | (self.labelled("acl") & ~infinitive & marked)] = slot_id(CLAUSE)
        slot[noun & infinitive & self.labelled("acl", "relcl", "xcomp", "advcl")] = slot_id(INFINITIVE)
        slot[self._determiners()] = slot_id(DETERMINER)
        preposition = self.labelled(*_PREPOSITIONS) & self.tagged(("IN", "TO", "RP", "RB", "VBG"))
        slot[preposition] = self.lemma[preposition]
        at_a_time = self.heads_of(self.labelled("pobj") & self._time)
        as_well = self.heads_of(self.labelled("pcomp") & self.tagged(("RB",)))
        slot[preposition & ((self.rows < head) | self.after_comma | at_a_time | as_well)] = 0
        # "many [of them] left": a part of what was named before
        of_them = self.heads_of(self.labelled("pobj") & self.tagged(("PRP",)))
        slot[preposition & of_them & self.used(Use.PART)[head]] = 0
        slot[~(self._hangs & (self.use[head] > 0))] = 0
        return slot

    def _determiners(self) -> _Mask:
        """What stands in the place of an article: a possessor, or a number if there is nothing else."""
        before = self.used(Use.SINGULAR)[self.head] & (self.rows < self.head)
        other = before & self.labelled("det", "poss")
        return other | (before & self.labelled("nummod") & ~self.heads_of(other)[self.head])


#: Subjects are no matter of counts: a verb keeps its own.
SUBJECT_LABELS: Final = (*SUBJECTS, "expl")


@lru_cache(maxsize=256)
def _lemmas(words: tuple[str, ...]) -> _Ids:
    return np.array([lemma_id(word) for word in words], dtype=np.uint64)
